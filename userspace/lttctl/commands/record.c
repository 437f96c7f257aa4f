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
 * when COMMAND cannot be run, 2 for wrong usage.
 */
#include "lttctl/command.h"
#include "lttctl/options-file.h"
#include "lttctl/record/advice.h"
#include "lttctl/record/announce.h"
#include "lttctl/record/outdir.h"
#include "lttctl/record/piece-options.h"
#include "lttctl/record/preload.h"
#include "lttctl/record/progress.h"
#include "lttctl/record/programs-lttd.h"
#include "lttctl/record/state-child.h"
#include "lttctl/record/summary.h"
#include "lttctl/record/triggers.h"
#include "lttctl/record/workload.h"
#include "lttctl/view/count.h"
#include "common/options.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STATUS_LOST 124
#define STATUS_FAILED 125

#define PROGRESS_MS 500

/* One wait of poll(), whose time is an int of milliseconds. */
#define WAIT_MAX_SECONDS 86400

/* timeout(1) sends its signal twice: to the process, and then to its group. */
#define ONE_SIGNAL_SECONDS 0.05

/* Without -e: scheduling, interrupts, signals, tasks and system calls. */
static const char *const default_patterns[] = {
	"sched:*", "irq:*", "raw_syscalls:*", "signal:*", "task:*", NULL
};

/**
 * struct recording - the state of one recording
 * @named: the name of its trace, which other processes can use; NULL: the trace is private
 * @kernel: it records events of the kernel, with @ctl, @trace and @lttd
 * @has_programs: it records events of programs, with @wanted and @programs
 * @programs_failed: the lttd of the programs ended before the recording
 * @lttd_failed: lttd ended with an error, or before the trace
 * @signalled: how many signals asked it to end; from the second on, it waits for
 *	nothing
 * @last_signal: the last of them
 * @signalled_at: when it came, in seconds of the monotonic clock
 * @started: when it began, in seconds of the monotonic clock
 * @follows: it records the command and its descendants only
 * @duration: how long it records at most, in seconds; 0: without a limit
 * @stopped: a trigger has stopped the trace
 * @announcement: shows a private recording to other processes
 */
struct recording {
	const char *named;
	bool kernel;
	bool has_programs;
	struct programs_wanted wanted;
	struct programs programs;
	bool programs_failed;
	struct lttctl *ctl;
	struct lttctl_trace *trace;
	char name[LTTCTL_NAME_SIZE];
	struct outdir outdir;
	struct workload workload;
	bool has_workload;
	int signals;
	struct lttd lttd;
	bool lttd_failed;
	int signalled;
	int last_signal;
	double signalled_at;
	double started;
	bool follows;
	double duration;
	bool stopped;
	struct announcement announcement;
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* SIGINT ends a recording also where a script's shell ignores it; SIGHUP does not. */
static int open_signals(struct recording *recording)
{
	struct sigaction old;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	sigaction(SIGHUP, NULL, &old);
	if (old.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigaction(SIGINT, NULL, &old);
	recording->workload.ignores_int = old.sa_handler == SIG_IGN;
	signal(SIGINT, SIG_DFL);
	recording->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (recording->signals < 0)
		return complain("cannot receive signals: %s", strerror(errno));
	return 0;
}

static void reap_lttd(struct recording *recording)
{
	int status;

	if (!recording->lttd.pid || !child_reap(recording->lttd.pid, WNOHANG, &status))
		return;
	recording->lttd.pid = 0;
	recording->lttd_failed |= lttd_ended(status);
}

static void handle_signal(struct recording *recording,
			  const struct signalfd_siginfo *info)
{
	int signo = info->ssi_signo;

	if (signo == SIGCHLD) {
		reap_lttd(recording);
		recording->programs_failed |= programs_reap(&recording->programs);
		workload_reap(&recording->workload);
		triggers_reap();
		return;
	}
	if (recording->workload.pid) {
		/* The terminal has sent its ^C to the command as well, which decides. */
		if (signo == SIGINT && info->ssi_code == SI_KERNEL)
			return;
		kill(recording->workload.pid, signo);
	}
	/* The same holds for commands of triggers. */
	if (signo != SIGINT || info->ssi_code != SI_KERNEL)
		triggers_signal(signo);
	if (signo == recording->last_signal && now() - recording->signalled_at < ONE_SIGNAL_SECONDS)
		return;
	recording->signalled++;
	recording->last_signal = signo;
	recording->signalled_at = now();
}

/* The command line in one line, which fits a description. */
static struct json_object *command_line(const struct recording *recording)
{
	const char **argv = recording->has_workload ? recording->workload.argv : NULL;
	char text[1000] = "";
	size_t len = 0;

	for (; argv && *argv && len < sizeof(text); argv++)
		len += snprintf(text + len, sizeof(text) - len, "%s%s", len ? " " : "", *argv);
	return json_object_new_string(text);
}

/* The description that list and status show of a recording that no other process sees. */
static void describe(struct recording *recording)
{
	struct json_object *description = json_object_new_object();
	char *path = realpath(recording->outdir.path, NULL);
	struct lttctl_stats stats = { 0 };

	lttctl_trace_stats(recording->trace, &stats);
	json_object_object_add(description, "name", json_object_new_string(recording->name));
	json_object_object_add(description, "state", json_object_new_string("running"));
	json_object_object_add(description, "private", json_object_new_boolean(true));
	json_object_object_add(description, "pid", json_object_new_int(getpid()));
	json_object_object_add(description, "uid", json_object_new_int64(getuid()));
	json_object_object_add(description, "output",
			       json_object_new_string(path ?: recording->outdir.path));
	json_object_object_add(description, "command", command_line(recording));
	json_object_object_add(description, "seconds",
			       json_object_new_double(now() - recording->started));
	json_object_object_add(description, "total", json_counts(&stats.total));
	announce_reply(&recording->announcement, description);
	json_object_put(description);
	lttctl_stats_free(&stats);
	free(path);
}

/* Wait up to @ms (-1: any time) for signals, for those who ask for a description, and for @other, which may be -1. */
static void handle_signals_or(struct recording *recording, int ms, int other)
{
	struct pollfd pollfds[] = {
		{ .fd = recording->signals, .events = POLLIN },
		{ .fd = recording->announcement.fd, .events = POLLIN },
		{ .fd = other, .events = POLLIN },
	};
	struct signalfd_siginfo info;

	poll(pollfds, 3, ms);
	if (pollfds[1].revents)
		describe(recording);
	while (read(recording->signals, &info, sizeof(info)) == sizeof(info))
		handle_signal(recording, &info);
}

static void handle_signals(struct recording *recording, int ms)
{
	handle_signals_or(recording, ms, -1);
}

static void progress(struct recording *recording)
{
	struct lttctl_stats stats;

	if (!recording->kernel) {
		progress_draw(now() - recording->started, NULL);
		return;
	}
	if (lttctl_trace_stats(recording->trace, &stats))
		return;
	progress_draw(now() - recording->started, &stats.total);
	lttctl_stats_free(&stats);
}

/* Return: milliseconds until the recording ends by itself, rounded up, -1 if it does not. */
static int time_left(const struct recording *recording)
{
	double left = recording->started + recording->duration - now();

	if (!recording->duration || triggers_armed())
		return -1;
	return left <= 0 ? 0 : left > WAIT_MAX_SECONDS ? WAIT_MAX_SECONDS * 1000 : left * 1000 + 1;
}

static int sooner(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* The duration counts from the event that the recording begins with. */
static void look_at_triggers(struct recording *recording)
{
	bool armed = triggers_armed();

	recording->stopped = triggers_look();
	if (armed && !triggers_armed())
		recording->started = now();
}

/* Wait until the command ends, the time is over, a signal asks to end, a trigger stops the trace, or lttd has failed. */
static void wait_for_end(struct recording *recording)
{
	bool draw = progress_wanted(recording->has_workload);
	int left;

	if (draw)
		fprintf(stderr, "recording to %s; ^C ends it\n",
			recording->outdir.path);
	while (!recording->signalled && !recording->programs_failed && !recording->stopped &&
	       (!recording->kernel || recording->lttd.pid) &&
	       (!recording->has_workload || recording->workload.pid)) {
		left = time_left(recording);
		if (!left)
			break;
		left = sooner(left, triggers_wait_ms());
		handle_signals_or(recording, sooner(left, draw ? PROGRESS_MS : -1), triggers_fd());
		look_at_triggers(recording);
		if (draw && !recording->signalled)
			progress(recording);
	}
	if (draw)
		progress_clear();
}

/* After a second signal this returns while lttd goes on by itself. */
static void wait_for_lttd(struct recording *recording)
{
	reap_lttd(recording);
	while (recording->lttd.pid && recording->signalled < 2)
		handle_signals(recording, -1);
}

static int end_programs(struct recording *recording)
{
	programs_stop(&recording->programs);
	programs_reap(&recording->programs);
	while (recording->programs.pid && recording->signalled < 2)
		handle_signals(recording, -1);
	return programs_end(&recording->programs, recording->outdir.path);
}

/* Start lttd for the trace, with a control connection if the trace is private. */
static int start_lttd(struct recording *recording)
{
	int connection = -1, status;

	if (lttctl_is_private(recording->ctl)) {
		connection = lttctl_private_fd(recording->ctl);
		if (connection < 0)
			return tracer_status(recording->ctl, connection);
	}
	status = lttd_start(&recording->lttd, connection, recording->outdir.path,
			    recording->name);
	if (connection >= 0)
		close(connection);
	return status ? status : lttd_wait_ready(&recording->lttd);
}

/* Start the lttd of the programs, whose trace has the clock of the kernel's. */
static int begin_programs(struct recording *recording)
{
	char *clock = NULL;
	int status = 0;

	if (recording->kernel)
		status = tracer_status(recording->ctl, lttctl_trace_clock(recording->trace, &clock));
	if (!status)
		status = programs_start(&recording->programs, &recording->wanted, clock,
					recording->outdir.path);
	free(clock);
	return status;
}

/* Undo begin_kernel(). */
static void cancel_kernel(struct recording *recording)
{
	lttctl_trace_destroy(recording->trace);
	lttctl_trace_close(recording->trace);
	wait_for_lttd(recording);
}

/* Prepare the trace of the kernel up to its start. */
static int begin_kernel(struct recording *recording)
{
	int status;

	status = trace_options_create(recording->ctl, recording->name,
				      default_patterns, !trace_options_overwrite() || !pieces_wanted(),
				      &recording->trace);
	if (status)
		return status;
	status = triggers_apply(recording->ctl, recording->trace, recording->outdir.path, trace_options_state());
	if (!status)
		status = start_lttd(recording);
	if (status)
		cancel_kernel(recording);
	return status;
}

/* Do everything up to the start; on failure leave nothing behind. */
static int begin(struct recording *recording)
{
	int status = outdir_make(&recording->outdir);
	pid_t state;

	if (status)
		return status;
	if (recording->kernel)
		status = begin_kernel(recording);
	if (status)
		goto err_outdir;
	/* Before the start, so that the trace does not record how the state is read.  A recording
	 * without a state is whole. */
	state = state_start(recording->outdir.path, trace_options_state());
	if (recording->has_programs)
		status = begin_programs(recording);
	state_wait(state);
	if (status)
		goto err_kernel;
	if (recording->has_workload)
		status = workload_prepare(&recording->workload);
	if (!status && recording->follows && recording->kernel)
		status = tracer_status(recording->ctl,
				       trace_options_follow(recording->trace, recording->workload.pid));
	if (!status && recording->kernel)
		status = tracer_status(recording->ctl,
				       triggers_start(recording->trace,
						      progress_wanted(recording->has_workload)));
	if (status)
		goto err_programs;
	recording->started = now();
	if (recording->kernel && lttctl_is_private(recording->ctl))
		announce_begin(&recording->announcement);
	return 0;

err_programs:
	if (recording->has_workload)
		workload_cancel(&recording->workload);
	if (recording->has_programs)
		end_programs(recording);
err_kernel:
	if (recording->kernel)
		cancel_kernel(recording);
err_outdir:
	outdir_remove(&recording->outdir);
	return status;
}

/* Note an event that waits for its filter: lttd has found that this does not fit it. */
static int note_waiting(const struct lttctl_filter *filter, void *arg)
{
	struct summary *summary = arg;
	char **grown;

	if (!filter->event || !filter->expression)
		return 0;
	grown = reallocarray(summary->waiting, summary->nr_waiting + 1, sizeof(*grown));
	if (!grown)
		return complain("out of memory");
	summary->waiting = grown;
	grown[summary->nr_waiting] = strdup(filter->event);
	if (!grown[summary->nr_waiting])
		return complain("out of memory");
	summary->nr_waiting++;
	return 0;
}

/*
 * Stop, take the counts, destroy, and have lttd write the rest.  The trace is
 * destroyed whatever fails.
 */
static int end_kernel(struct recording *recording, struct summary *summary)
{
	enum lttctl_state state;
	int status, failed, err;

	status = tracer_status(recording->ctl,
			       lttctl_trace_state(recording->trace, &state));
	if (!status && state == LTTCTL_RUNNING) {
		err = lttctl_trace_stop(recording->trace);
		/* The tracer may just have stopped it; the reason is printed below. */
		if (err != -EALREADY)
			status = tracer_status(recording->ctl, err);
	}
	if (!status)
		status = tracer_status(recording->ctl,
				       lttctl_trace_stats(recording->trace,
							  &summary->stats));
	if (!status)
		status = tracer_status(recording->ctl,
				       lttctl_for_each_filter(recording->trace, note_waiting, summary));
	if (!status)
		status = tracer_status(recording->ctl,
				       lttctl_channel_get(recording->trace, "events",
							  &summary->channel));
	triggers_end();
	if (!status && summary->stats.halted[0])
		status = complain("the tracer stopped the trace before its end: %s",
				  summary->stats.halted);
	failed = lttd_wait_held(&recording->lttd, recording->ctl, recording->trace);
	status = status ? status : failed;
	summary->kernel_cut = failed;
	/* An lttd that ended before the trace has failed, whatever its status. */
	reap_lttd(recording);
	if (!recording->lttd.pid)
		recording->lttd_failed = true;
	failed = tracer_status(recording->ctl,
			       lttctl_trace_destroy(recording->trace));
	lttctl_trace_close(recording->trace);
	if (!failed)
		wait_for_lttd(recording);
	if (recording->lttd.pid)
		status = complain("lttd (pid %d) still writes %s",
				  recording->lttd.pid, recording->outdir.path);
	else if (recording->lttd_failed)
		status = complain("lttd gave up: %s ends early",
				  recording->outdir.path);
	summary->kernel_cut |= recording->lttd.pid || recording->lttd_failed;
	return status ? status : failed;
}

/* lttd has not written everything: count what it has written. */
static int64_t count_written(const struct recording *recording)
{
	uint64_t events, lost;
	char path[4096];

	if (recording->lttd.pid || /* it still writes */
	    pieces_wanted() ||
	    snprintf(path, sizeof(path), "%s/kernel", recording->outdir.path) >= (int)sizeof(path) ||
	    count_events(path, &events, &lost))
		return -1;
	return events;
}

static int end(struct recording *recording, struct summary *summary)
{
	int status = 0, failed = 0;

	summary->seconds = now() - recording->started;
	announce_end(&recording->announcement);
	if (recording->kernel)
		status = end_kernel(recording, summary);
	if (summary->kernel_cut)
		summary->written = count_written(recording);
	if (recording->has_programs)
		failed = end_programs(recording);
	summary->programs_cut = failed;
	return status ? status : failed;
}

/* The recording may have ended before the command. */
static void wait_for_workload(struct recording *recording)
{
	while (recording->workload.pid && recording->signalled < 2)
		handle_signals(recording, -1);
	if (recording->workload.pid)
		recording->workload.status = 128 + recording->last_signal;
}

static int record(struct recording *recording, bool strict, bool json)
{
	struct summary summary = {
		.dir = recording->outdir.path,
		.kernel = recording->kernel,
		.programs = recording->has_programs ? &recording->programs : NULL,
	};
	bool lost;
	int status;

	status = begin(recording);
	if (status)
		return STATUS_FAILED;
	if (recording->has_workload)
		workload_release(&recording->workload);
	wait_for_end(recording);
	status = end(recording, &summary);
	triggers_written();
	if (recording->has_workload)
		wait_for_workload(recording);
	while (triggers_run() && recording->signalled < 2)
		handle_signals(recording, -1);
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
	status = outdir_choose(&recording->outdir, pieces_wanted(), dir);
	if (!status)
		status = open_signals(recording);
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

/* Check --follow, --duration and the triggers. */
static int check_scope(struct recording *recording, const char *duration)
{
	uint64_t ms = 0;
	const char *why = duration ? options_duration(duration, &ms) : NULL;
	const char *other = trace_options_limit_of_tasks();
	int status = triggers_check(trace_options_overwrite());

	if (!status)
		status = pieces_check(trace_options_overwrite());
	if (why)
		return misused("--duration %s: %s", duration, why);
	recording->duration = ms / 1e3;
	if (status)
		return status;
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
	int strict = 0, json = 0, follows = 0;
	char *duration = NULL, *name = NULL;
	const struct poptOption table[] = {
		{ "options", 0, POPT_ARG_STRING, NULL, OPTIONS_FILE_VAL,
		  "take options from FILE, whose lines are NAME or NAME = VALUE", "FILE" },
		{ "output", 'o', POPT_ARG_STRING, &dir, 0,
		  "record to DIR (default ltt-<date>-<time>)", "DIR" },
		{ "name", 0, POPT_ARG_STRING, &name, 0,
		  "name of the trace of the kernel, for rotate, snapshot and other commands", "NAME" },
		OPTIONS_TRACE,
		OPTIONS_PROGRAMS,
		OPTIONS_TRIGGERS,
		OPTIONS_PIECES,
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
	if (!status && name && strlen(name) >= LTTCTL_NAME_SIZE)
		status = misused("--name %.20s...: must have at most %d characters", name, LTTCTL_NAME_SIZE - 1);
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
	status = check_scope(&recording, duration);
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
	free(duration);
	free(name);
	free(dir);
	return status;
}
