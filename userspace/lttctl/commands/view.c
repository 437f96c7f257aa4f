// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl view: show recordings as text, JSON or CSV.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "lttctl/hosts/hosts.h"
#include "lttctl/live/live.h"
#include "lttctl/view/kernel-names.h"
#include "lttctl/view/pager.h"
#include "lttctl/view/view.h"
#include "lttctl/view/window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/**
 * struct options - the options
 * @patterns: of -e; NULL after the last; NULL: there are none
 * @filter: of -f, or NULL; so the other texts
 * @window: of --from, --to and --last
 * @fields: of --fields
 * @time: of --time
 * @color: of --color
 * @sync: of --sync
 * @json: --json
 * @csv: --csv
 * @raw: --raw
 * @follow: --follow
 * @live: of --live
 * @no_pager: --no-pager
 */
struct options {
	const char **patterns;
	char *filter;
	struct window window;
	char *fields;
	char *time;
	char *color;
	char *sync;
	int json;
	int csv;
	int raw;
	int follow;
	char *live;
	int no_pager;
};

static void free_options(struct options *options)
{
	size_t i;

	for (i = 0; options->patterns && options->patterns[i]; i++)
		free((char *)options->patterns[i]);
	free(options->patterns);
	free(options->filter);
	free(options->window.from);
	free(options->window.to);
	free(options->window.last);
	free(options->fields);
	free(options->time);
	free(options->color);
	free(options->sync);
	free(options->live);
}

/* ---- What is shown ---- */

static int set_forms(struct view *view, const struct options *options)
{
	enum when_style style = options->json || options->csv ? WHEN_NS : WHEN_CLOCK;

	if (options->json && options->csv)
		return misused("--csv: cannot be combined with --json");
	if (options->time && !when_style(options->time, &style))
		return misused("--time %s: must be " WHEN_STYLES, options->time);
	view->colors = colors_choose(options->color ? options->color : "auto",
				     !options->json && !options->csv && isatty(STDOUT_FILENO));
	if (!view->colors)
		return misused("--color %s: must be auto, always or never", options->color);
	view->writer = options->json ? &writer_json : options->csv ? &writer_csv : &writer_lines;
	view->is_raw = options->raw;
	view->is_followed = options->follow;
	when_init(&view->when, style, 0);
	return 0;
}

/* Return: the first option that needs the reader of LTT's recordings; NULL if there is none. */
static const char *ltt_option(const struct options *options)
{
	const struct {
		const char *name;
		bool is_given;
	} needing[] = {
		{ "-e", options->patterns }, { "-f", options->filter }, { "--from", options->window.from },
		{ "--to", options->window.to }, { "--last", options->window.last }, { "--fields", options->fields },
		{ "--json", options->json }, { "--csv", options->csv }, { "--live", options->live }, { "--follow", options->follow },
		{ "--sync", options->sync },
	};
	size_t i;

	for (i = 0; i < sizeof(needing) / sizeof(needing[0]); i++)
		if (needing[i].is_given)
			return needing[i].name;
	return NULL;
}

/* ---- The recordings ---- */

/* Only the state of the system is in the directories. */
static bool shows_nothing(struct view *view)
{
	size_t i;

	for (i = 0; i < ltttrace_nr_streams(view->trace); i++)
		if (view_is_shown(ltttrace_stream(view->trace, i), view))
			return false;
	for (i = 0; i < ltttrace_nr_parts(view->trace); i++)
		if (!ltttrace_part(view->trace, i)->is_state)
			return false;
	return true;
}

/* Return: 0; EXIT_FAILED after a message; @is_foreign: another tracer's, and &view.trace is not set. */
static int open_recordings(struct view *view, const struct options *options, bool *is_foreign)
{
	struct ltttrace_error error;
	size_t nr = 0;
	int ret;

	while (view->dirs[nr])
		nr++;
	ret = open_directories(view->dirs, nr, LTTTRACE_WITH_STATES, &view->trace, &error);
	*is_foreign = ret == -ENOTSUP;
	if (*is_foreign && ltt_option(options))
		return complain("%s: works for recordings of LTT only: %s", ltt_option(options), error.text);
	if (ret && !*is_foreign)
		return complain("%s", error.text);
	if (!ret && shows_nothing(view))
		return complain("%s: contains no trace", view->dirs[0]);
	return 0;
}

/* With --follow, events may come later that are not known yet. */
static int check_names(struct view *view, const struct options *options)
{
	size_t i;
	int status;

	for (i = 0; i < ltttrace_nr_events(view->trace); i++)
		if (!ltttrace_event(view->trace, i)->part->is_state && !view_class(view, ltttrace_event(view->trace, i)))
			return complain("out of memory");
	if (options->follow)
		return 0;
	status = select_check(&view->patterns, view->trace);
	if (!status)
		status = columns_check(&view->columns, view->trace);
	return status ? status : filter_check();
}

static int prepare(struct view *view, const struct options *options)
{
	enum hosts_sync sync = HOSTS_AUTO;
	int64_t last;
	int status;

	if (options->sync && !hosts_sync(options->sync, &sync))
		return misused("--sync %s: must be " HOSTS_SYNCS, options->sync);
	status = hosts_correct(view->trace, sync);
	ltttrace_span(view->trace, &view->when.begin, &last);
	if (!status)
		status = window_times(&options->window, view->trace, &view->from, &view->to);
	if (!status)
		status = columns_parse(&view->columns, options->fields, machines_differ(view->trace));
	if (!status)
		status = view_learn(view);
	return status ? status : check_names(view, options);
}

/* ---- The output ---- */

static int end_output(struct view *view, bool is_paged)
{
	out_flush(&view->out);
	if (is_paged)
		pager_end();
	if (!view->out.error || (is_paged && view->out.error == EPIPE))
		return 0;
	return complain("cannot write to the standard output: %s", strerror(view->out.error));
}

static int show(struct view *view, const struct options *options, bool is_foreign)
{
	const bool is_paged = !options->no_pager && !options->follow && isatty(STDOUT_FILENO) && pager_start();
	int status, failed;

	if (is_foreign) {
		status = view_foreign(view);
	} else {
		view->writer->begin(view);
		status = options->follow ? view_follow(view) : view_show(view);
	}
	failed = end_output(view, is_paged);
	if (!is_foreign)
		slices_report();
	if (view->is_damaged)
		status = EXIT_FAILED;
	return status ? status : failed;
}

static void forget(struct view *view)
{
	size_t i;

	for (i = 0; i < view->nr_classes; i++)
		class_free(view->class[i]);
	free(view->class);
	columns_free(&view->columns);
	select_free(&view->patterns);
	out_free(&view->out);
	out_free(&view->scratch);
	filter_forget();
	slices_forget();
	stacks_forget();
	mapped_forget();
	decode_forget();
	comm_forget();
	machines_forget();
	kernel_names_forget();
	ltttrace_cursor_free(view->state);
	ltttrace_close(view->trace);
}

static int run(const struct options *options, const char **dirs, struct live *live)
{
	struct view view = { .dirs = dirs, .live = live };
	bool is_foreign = false;
	int status;

	status = out_init(&view.out, STDOUT_FILENO) && out_init(&view.scratch, -1) ? 0 : complain("out of memory");
	if (!status)
		status = set_forms(&view, options);
	if (!status)
		status = select_parse(&view.patterns, options->patterns);
	if (!status && options->filter)
		status = filter_set(options->filter);
	if (!status)
		status = open_recordings(&view, options, &is_foreign);
	if (!status && !is_foreign)
		status = prepare(&view, options);
	if (!status)
		status = show(&view, options, is_foreign);
	forget(&view);
	return status;
}

/* @options: its @live is an address. */
static int run_live(struct options *options)
{
	struct live live;
	const char *dirs[] = { live.mirror.dir, NULL };
	int status;

	if (!live_parse(&live, options->live))
		return misused("--live %s: must be " LIVE_FORM, options->live);
	follow_catch_signals();
	options->follow = true;
	if (*live.session)
		status = live_begin(&live, follow_is_interrupted) ?: run(options, dirs, &live);
	else
		status = live_list(&live);
	live_end(&live);
	return status;
}

/* The word is optional, and popt would take the directory behind the option for it. */
static void complete_color(int argc, const char **argv)
{
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], "--color"))
			argv[i] = "--color=always";
}

int cmd_view(int argc, const char **argv)
{
	struct options options = { 0 };
	const struct poptOption table[] = {
		{ "event", 'e', POPT_ARG_ARGV, &options.patterns, 0, "show only these events: a glob, or GROUP:GLOB",
		  "PATTERN,..." },
		{ "filter", 'f', POPT_ARG_STRING, &options.filter, 0,
		  "show only events for which an expression holds", "EXPR" },
		{ "from", 0, POPT_ARG_STRING, &options.window.from, 0,
		  "begin at a time: HH:MM:SS[.FRACTION], or +TIME after the begin, -TIME before the end", "T" },
		{ "to", 0, POPT_ARG_STRING, &options.window.to, 0, "end at a time", "T" },
		{ "last", 0, POPT_ARG_STRING, &options.window.last, 0, "show only the end: the last 100ms, 5s, 2m",
		  "TIME" },
		{ "fields", 0, POPT_ARG_STRING, &options.fields, 0,
		  "show only these: time, host, cpu, tid, comm, event, duration, names of fields", "NAME,..." },
		{ "time", 0, POPT_ARG_STRING, &options.time, 0, "show times as " WHEN_STYLES, "STYLE" },
		{ "json", 0, POPT_ARG_NONE, &options.json, 0, "print a JSON object in a line for each event", NULL },
		{ "csv", 0, POPT_ARG_NONE, &options.csv, 0, "print comma-separated values", NULL },
		{ "raw", 0, POPT_ARG_NONE, &options.raw, 0,
		  "show numbers, where the kernel has names for them", NULL },
		{ "live", 0, POPT_ARG_STRING, &options.live, 0,
		  "show events that a collector, lttng-relayd, receives: net://HOST[:PORT][/host/HOSTNAME]/SESSION", "URL" },
		{ "follow", 0, POPT_ARG_NONE, &options.follow, 0,
		  "show events of a running recording as they are written, until ^C or its end", NULL },
		{ "sync", 0, POPT_ARG_STRING, &options.sync, 0,
		  "correct the times of several hosts by: " HOSTS_SYNCS, "HOW" },
		{ "color", 0, POPT_ARG_STRING, &options.color, 0, "use colours: auto (on a terminal), always or never",
		  "WHEN" },
		{ "no-pager", 0, POPT_ARG_NONE, &options.no_pager, 0, "use no pager on a terminal", NULL },
		OPTIONS_HELP, POPT_TABLEEND
	};
	poptContext context;
	const char **dirs;
	int status;

	complete_color(argc, argv);
	status = options_parse(argc, argv, table, 0, &context);
	dirs = poptGetArgs(context);
	if (!status && options.live && dirs && dirs[0])
		status = misused("--live: cannot be combined with a directory");
	else if (!status && !options.live && (!dirs || !dirs[0]))
		status = misused("directory is missing");
	if (!status)
		status = options.live ? run_live(&options) : run(&options, dirs, NULL);
	free_options(&options);
	poptFreeContext(context);
	return status;
}
