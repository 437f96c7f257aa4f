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
	PERFETTO,
	CHROME,
	FLAMEGRAPH,
	PARQUET,
	CTF_LTTNG,
	FORMATS,
};

static int run_ctf_lttng(const char **dirs, const struct export_options *options)
{
	if (dirs[1])
		return misused("%s: --ctf-lttng takes one directory", dirs[1]);
	if (options->from || options->to)
		return misused("--ctf-lttng shares whole data files: --from and --to cannot be used with it");
	return export_ctf_lttng(dirs[0], options->output);
}

static int run_parquet(const char **dirs, const struct export_options *options, bool partition)
{
	if (!partition)
		return export_parquet(dirs, options);
	if (options->from || options->to)
		return misused("--partition exports whole recordings: --from and --to cannot be used with it");
	return export_partition(dirs, options);
}

static int run(enum format format, const char **dirs, const struct export_options *options, bool partition)
{
	if (partition && format != PARQUET)
		return misused("--partition: can be combined with --parquet only");
	switch (format) {
	case PERFETTO:
		return export_perfetto(dirs, options);
	case CHROME:
		return export_chrome(dirs, options);
	case FLAMEGRAPH:
		return export_flamegraph(dirs, options);
	case PARQUET:
		return run_parquet(dirs, options, partition);
	case CTF_LTTNG:
		return run_ctf_lttng(dirs, options);
	case FORMATS:
		break;
	}
	return misused("format is missing");
}

int cmd_export(int argc, const char **argv)
{
	int chosen[FORMATS] = { 0 }, partition = 0;
	char *output = NULL, *from = NULL, *to = NULL;
	const struct poptOption table[] = {
		{ "output", 'o', POPT_ARG_STRING, &output, 0, "the file to write, or - for standard output; for --parquet and --ctf-lttng, a directory",
		  "FILE" },
		{ "perfetto", 0, POPT_ARG_NONE, &chosen[PERFETTO], 0, "a trace of Perfetto", NULL },
		{ "chrome", 0, POPT_ARG_NONE, &chosen[CHROME], 0, "the JSON of Chrome's tracing", NULL },
		{ "flamegraph", 0, POPT_ARG_NONE, &chosen[FLAMEGRAPH], 0, "the stacks of samples, for flamegraph.pl", NULL },
		{ "parquet", 0, POPT_ARG_NONE, &chosen[PARQUET], 0, "tables of Apache Parquet, for DuckDB", NULL },
		{ "partition", 0, POPT_ARG_NONE, &partition, 0,
		  "add the tables to a directory by host, day and event; it may have those of other recordings", NULL },
		{ "ctf-lttng", 0, POPT_ARG_NONE, &chosen[CTF_LTTNG], 0, "a trace with the names of LTTng, for Trace Compass", NULL },
		{ "from", 0, POPT_ARG_STRING, &from, 0, "the time of the first event to export", "TIME" },
		{ "to", 0, POPT_ARG_STRING, &to, 0, "the time of the last event to export", "TIME" },
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
		status = run(format, dirs, &(struct export_options){ output, from, to }, partition);
	free(output);
	free(from);
	free(to);
	poptFreeContext(context);
	return status;
}
