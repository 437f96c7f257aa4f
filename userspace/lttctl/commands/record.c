// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl record: the whole of a recording, from nothing to a directory.
 *
 * Layer: lttctl.  Signals are blocked from the first step on and read while the
 * recording runs, so that a ^C at any moment ends it in good order.  Over /dev/ltt the
 * trace is private: it ends with this process, even by SIGKILL.  lttd's control
 * connection hangs up then, and lttd ends as well.
 *
 * Exit status: that of COMMAND (0 without one) when all went well; 125 when
 * tracing failed, 124 when events are missing and --strict was given, 126 or 127
 * when COMMAND cannot be run, 2 for wrong usage or a directory that has a trace.
 */
#include "lttctl/command.h"
#include "lttctl/options-file.h"
#include "lttctl/record/advice.h"
#include "lttctl/record/piece-options.h"
#include "lttctl/record/preload.h"
#include "lttctl/record/recording.h"
#include "lttctl/record/sender-child.h"
#include "lttctl/record/triggers.h"
#include "common/options.h"
#include "core/name.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATUS_LOST 124
#define STATUS_FAILED 125

/* The recording may have ended before the command. */
static void wait_for_workload(struct recording *recording)
{
	while (recording->workload.pid && recording->signalled < 2)
		recording_handle_signals(recording, -1);
	if (recording->workload.pid)
		recording->workload.status = 128 + recording->last_signal;
}

static int record(struct recording *recording, bool strict, bool json)
{
	struct summary summary = {
		.dir = recording->outdir.path,
		.to = sender_url(),
		.spooled = recording->outdir.spool,
		.kernel = recording->kernel,
		.programs = recording->has_programs ? &recording->programs : NULL,
	};
	bool lost;
	int status, failed;

	status = recording_begin(recording);
	if (status)
		return STATUS_FAILED;
	sender_start(recording);
	if (recording->has_workload)
		workload_release(&recording->workload);
	recording_wait(recording);
	status = recording_end(recording, &summary);
	failed = sender_wait(recording);
	status = status ? status : failed;
	triggers_written();
	if (recording->has_workload)
		wait_for_workload(recording);
	while (triggers_run() && recording->signalled < 2)
		recording_handle_signals(recording, -1);
	summary.status = recording->has_workload ? recording->workload.status
						 : -1;
	lost = summary.stats.total.refused || summary.stats.total.missed || recording->programs.lost ||
	       recording->programs.rejected || recording->programs.late || recording->programs.unknown ||
	       (recording->programs.unmatched && !trace_options_allow_missing());
	summary.complete = !status && !lost && !triggers_failed() && !summary.nr_waiting && !summary.stats.total.overwritten &&
			   !recording->programs.overwritten;
	if (json)
		summary_print_json(&summary);
	else
		summary_print(&summary);
	lttctl_stats_free(&summary.stats);
	while (summary.nr_waiting)
		free(summary.waiting[--summary.nr_waiting]);
	free(summary.waiting);
	if (!status)
		status = output_status();
	if (status || triggers_failed())
		return STATUS_FAILED;
	if (strict && lost)
		return STATUS_LOST;
	return recording->workload.status;
}

static int reach_tracer(struct recording *recording)
{
	const char *file = recording->has_workload ? recording->workload.file : NULL;

	recording->ctl = recording->named ? tracer_connect(true) : tracer_connect_private();
	if (recording->ctl)
		return trace_options_check_events(recording->ctl, file);
	/* There is a tracer, and its user may use it. */
	if (errno != EMFILE)
		trace_options_advise(file);
	return EXIT_FAILED;
}

/* Everything before the directory is made. */
static int prepare(struct recording *recording, const char *dir)
{
	int status;

	if (recording->named)
		snprintf(recording->name, sizeof(recording->name), "%s", recording->named);
	else
		snprintf(recording->name, sizeof(recording->name), "record-%d", getpid());
	dir = sender_dir(dir, &status);
	recording->outdir.spool = sender_has_spool();
	if (!status)
		status = outdir_choose(&recording->outdir, pieces_wanted(), dir);
	if (!status)
		status = recording_open_signals(recording);
	recording->kernel = trace_options_kernel();
	recording->has_programs = trace_options_programs(&recording->wanted);
	/* The process of the command does not exist yet, but its parent. */
	if (recording->follows)
		recording->wanted.pid = getpid();
	if (!status && recording->kernel)
		status = reach_tracer(recording);
	if (!status && recording->has_programs && recording->has_workload)
		advice_rights(recording->workload.file);
	return status == EXIT_FAILED ? STATUS_FAILED : status;
}

/* Check --attach, --follow, --duration and the triggers. */
static int check_scope(struct recording *recording, const char *dir, const char *duration)
{
	uint64_t ms = 0;
	const char *why = duration ? options_duration(duration, &ms) : NULL;
	const char *other = trace_options_limit_of_tasks();
	int status = triggers_check(trace_options_overwrite());

	if (!status)
		status = sender_check(dir);
	if (!status)
		status = pieces_check(trace_options_overwrite(), recording->attaches ? 0 : trace_options_subbuf());
	if (why)
		return misused("--duration %s: %s", duration, why);
	recording->duration = ms / 1e3;
	if (status)
		return status;
	if (recording->attaches && !recording->named)
		return misused("--attach: requires --name NAME, the trace");
	if (recording->attaches && triggers_any())
		return misused("--attach: cannot be combined with triggers, which a trace gets before its start");
	if (recording->attaches && recording->follows)
		return misused("--attach: cannot be combined with --follow, which would limit the trace that is there");
	if (triggers_any() && !trace_options_kernel())
		return misused("triggers are for events of the kernel: add one, -e GROUP:NAME");
	if (recording->follows && !recording->has_workload)
		return misused("--follow: requires a command, which it follows");
	if (recording->follows && other)
		return misused("--follow: cannot be combined with %s, which selects other tasks", other);
	return 0;
}

int cmd_record(int argc, const char **argv)
{
	struct recording recording = { .announcement = { .fd = -1 } };
	char *dir = NULL;
	int strict = 0, json = 0, follows = 0, attaches = 0;
	char *duration = NULL, *name = NULL;
	const struct poptOption table[] = {
		{ "options", 0, POPT_ARG_STRING, NULL, OPTIONS_FILE_VAL,
		  "take options from FILE, whose lines are NAME or NAME = VALUE", "FILE" },
		{ "output", 'o', POPT_ARG_STRING, &dir, 0,
		  "record to DIR (default ltt-<date>-<time>)", "DIR" },
		{ "name", 0, POPT_ARG_STRING, &name, 0,
		  "name of the trace of the kernel, for rotate, snapshot and other commands", "NAME" },
		{ "attach", 0, POPT_ARG_NONE, &attaches, 0,
		  "if there is a trace of that name, record it as it is", NULL },
		OPTIONS_TRACE,
		OPTIONS_PROGRAMS,
		OPTIONS_TRIGGERS,
		OPTIONS_PIECES,
		OPTIONS_SENDER,
		{ "follow", 0, POPT_ARG_NONE, &follows, 0,
		  "record only COMMAND and its descendants", NULL },
		{ "duration", 0, POPT_ARG_STRING, &duration, 0,
		  "end the recording after TIME, such as 10s, 500ms, 5m or 1h", "TIME" },
		{ "strict", 0, POPT_ARG_NONE, &strict, 0,
		  "exit with status 124 when events were lost, or could not be recorded", NULL },
		{ "json", 0, POPT_ARG_NONE, &json, 0,
		  "print the summary as JSON, to the standard output", NULL },
		OPTIONS_VIA,
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	poptContext context;
	const char **args;
	int status;

	status = options_parse(argc, argv, table, POPT_CONTEXT_POSIXMEHARDER,
			       &context);
	if (!status && name && !ltt_name_valid(name))
		status = misused("--name %.100s: use 1 to 63 of A-Z a-z 0-9 _ . - and no leading dot", name);
	recording.named = name;
	if (!status)
		status = trace_options_check();
	if (status == EXIT_FAILED)
		status = STATUS_FAILED;
	if (status)
		goto out;
	args = poptGetArgs(context);
	recording.has_workload = args && *args;
	recording.follows = follows;
	recording.attaches = attaches;
	status = check_scope(&recording, dir, duration);
	if (status)
		goto out;
	if (recording.has_workload)
		status = workload_find(&recording.workload, args);
	else if (trace_options_preload()->wanted)
		status = misused("--preload: requires a command, which it loads the libraries into");
	if (!status)
		status = preload_make(trace_options_preload(), recording.workload.file, &recording.workload.preload);
	if (status == EXIT_FAILED)
		status = STATUS_FAILED;
	if (!status)
		status = prepare(&recording, dir);
	if (!status)
		status = record(&recording, strict, json);
	lttctl_free(recording.ctl);
	free(recording.workload.preload);
out:
	poptFreeContext(context);
	trace_options_free();
	triggers_free();
	pieces_free();
	sender_free();
	free(duration);
	free(name);
	free(dir);
	return status;
}
