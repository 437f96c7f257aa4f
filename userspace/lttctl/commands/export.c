// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl export: write recordings in the formats of other programs.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "lttctl/export/export.h"

/* The formats, each an option of its own. */
enum format {
	CTF_LTTNG,
	FORMATS,
};

static int run(enum format format, const char **dirs, const char *output)
{
	switch (format) {
	case CTF_LTTNG:
		return dirs[1] ? misused("%s: --ctf-lttng takes one directory", dirs[1]) : export_ctf_lttng(dirs[0], output);
	case FORMATS:
		break;
	}
	return misused("format is missing");
}

int cmd_export(int argc, const char **argv)
{
	int chosen[FORMATS] = { 0 };
	char *output = NULL;
	const struct poptOption table[] = {
		{ "output", 'o', POPT_ARG_STRING, &output, 0, "the file to write, or - for standard output; for --ctf-lttng, a directory",
		  "FILE" },
		{ "ctf-lttng", 0, POPT_ARG_NONE, &chosen[CTF_LTTNG], 0, "a trace with the names of LTTng, for Trace Compass", NULL },
		OPTIONS_HELP, POPT_TABLEEND
	};
	enum format format = FORMATS, i;
	poptContext context;
	const char **dirs;
	int status, nr = 0;

	status = options_parse(argc, argv, table, 0, &context);
	dirs = poptGetArgs(context);
	for (i = 0; i < FORMATS; i++) {
		if (chosen[i])
			format = i;
		nr += chosen[i];
	}
	if (!status && nr > 1)
		status = misused("only one format can be written at a time");
	if (!status && (!dirs || !dirs[0]))
		status = misused("directory is missing");
	if (!status && !output)
		status = misused("-o is missing");
	if (!status)
		status = run(format, dirs, output);
	free(output);
	poptFreeContext(context);
	return status;
}
