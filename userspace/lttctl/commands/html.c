// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl html: write a recording as a page for a browser.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "lttctl/html/collect.h"
#include "lttctl/model/output-file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void report(const struct page *page, const char *path)
{
	char events[32], bytes[32];
	struct stat status;

	if (stat(path, &status) || !S_ISREG(status.st_mode))
		return;
	fprintf(stderr, "%s: %s events, %s; open it in a browser\n", path, with_commas(page->nr_records, events),
		as_bytes(status.st_size, bytes));
}

static int make_page(struct page *page, struct recording *recording, struct output_file *out)
{
	int status = page_collect(page, recording), err = status ? 0 : page_write(page, out->stream);

	if (err)
		status = complain("%s: %s", out->path, strerror(-err));
	if (!status)
		return output_file_commit(out);
	output_file_drop(out);
	return status;
}

/* The file is opened before the recording is read: then a wrong name is reported at once. */
static int write_page(const char *const *dirs, const char *path, const char *from, const char *to)
{
	struct page page = { .paths = dirs };
	struct recording recording;
	struct output_file out;
	int status;

	while (dirs[page.nr_paths])
		page.nr_paths++;
	status = recording_open(&recording, dirs, from, to);
	if (status)
		return status;
	status = output_file_open(&out, path, dirs);
	if (!status)
		status = make_page(&page, &recording, &out);
	if (!status)
		report(&page, path);
	page_free(&page);
	recording_close(&recording);
	return status;
}

int cmd_html(int argc, const char **argv)
{
	char *path = NULL, *from = NULL, *to = NULL;
	const struct poptOption table[] = {
		{ "output", 'o', POPT_ARG_STRING, &path, 0, "write the page to this file, or - for standard output (default: trace.html)", "FILE" },
		{ "from", 0, POPT_ARG_STRING, &from, 0, "the begin, such as +2s or 14:03:59.25", "TIME" },
		{ "to", 0, POPT_ARG_STRING, &to, 0, "the end", "TIME" },
		OPTIONS_HELP, POPT_TABLEEND
	};
	poptContext context;
	const char **dirs;
	int status;

	status = options_parse(argc, argv, table, 0, &context);
	dirs = poptGetArgs(context);
	if (!status && (!dirs || !dirs[0]))
		status = misused("directory is missing");
	if (!status && path && !*path)
		status = misused("-o: the name of the file is empty");
	if (!status)
		status = write_page(dirs, path ? path : "trace.html", from, to);
	free(path);
	free(from);
	free(to);
	poptFreeContext(context);
	return status;
}
