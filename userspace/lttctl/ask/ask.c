// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Asking: a private trace whose filters are the programs of the question, and the answers.
 *
 * Layer: lttctl.  The programs drop every event, so that the buffers of the trace stay empty; they are
 * as small as they can be.  The trace, the programs and the maps end with this process.
 */
#include "ask.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "lttctl/view/kernel-symbols.h"

#define CHANNEL		"events"
#define STATE_CHANNEL	"state"
/* The tracer shows this as the filter of the events. */
#define FILTER		"lttctl asks"
/* One wait of poll(), whose time is an int of milliseconds. */
#define WAIT_MAX_SECONDS 86400.0

/**
 * struct asking - a question that is being asked
 * @ask: the command line
 * @ctl: the control connection
 * @trace: the trace
 * @asked: its events
 * @question: the question
 * @signals: signalfd
 * @signalled: a signal asked to end
 * @began: when it began, in seconds of the monotonic clock
 * @before: the answer of the last interval
 */
struct asking {
	struct ask *ask;
	struct lttctl *ctl;
	struct lttctl_trace *trace;
	struct asked asked;
	struct question *question;
	int signals;
	bool signalled;
	double began;
	struct answer before;
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* ---- Answers ---- */

/* Count what the trace knows: the events of its channel. */
static int count(struct asking *asking, struct answer *answer)
{
	struct lttctl_stats stats;
	struct lttctl_counts counts;
	const char *name;
	unsigned int n;
	int status = tracer_status(asking->ctl, lttctl_trace_stats(asking->trace, &stats));

	if (status)
		return status;
	answer->unjudged = stats.total.unjudged;
	for (n = 0; channel_stats(&stats, n, &name, &counts); n++) {
		if (strcmp(name, CHANNEL))
			continue;
		answer->emitted = counts.emitted;
		answer->big = counts.emitted - counts.filtered;
	}
	lttctl_stats_free(&stats);
	answer->big -= answer->big < answer->unjudged ? answer->big : answer->unjudged;
	return 0;
}

static int read_answer(struct asking *asking, struct answer *answer)
{
	struct expression_error error;

	*answer = (struct answer){
		.question = asking->question, .options = &asking->ask->question, .events = &asking->asked,
		.is_brief = asking->ask->brief || asking->ask->question.kind == QUESTION_COUNT,
		.seconds = now() - asking->began,
	};
	if (question_read(asking->question, &answer->rows, &error))
		return complain("%s", error.text);
	return count(asking, answer);
}

static void print(const struct asking *asking, struct answer *answer)
{
	answer_sort(answer);
	if (asking->ask->json)
		answer_print_json(answer, asking->ask->top);
	else
		answer_print(answer, asking->ask->top);
	fflush(stdout);
}

/* On a terminal, each answer replaces the one before. */
static void print_head(const struct asking *asking)
{
	time_t clock = time(NULL);
	char text[32];

	if (asking->ask->json)
		return;
	if (isatty(STDOUT_FILENO))
		fputs("\033[H\033[2J", stdout);
	strftime(text, sizeof(text), "%H:%M:%S", localtime(&clock));
	puts(text);
}

static int print_interval(struct asking *asking)
{
	struct answer answer;
	int status = read_answer(asking, &answer);

	if (status)
		return status;
	answer.is_interval = true;
	if (asking->before.question)
		answer_add(&answer, &asking->before, -1);
	print_head(asking);
	print(asking, &answer);
	if (asking->before.question)
		answer_add(&answer, &asking->before, 1);
	question_answer_free(&asking->before.rows);
	asking->before = answer;
	return 0;
}

static int print_last(struct asking *asking)
{
	struct answer answer;
	int status;

	if (asking->ask->interval)
		return print_interval(asking);
	status = read_answer(asking, &answer);
	if (status)
		return status;
	print(asking, &answer);
	question_answer_free(&answer.rows);
	return 0;
}

/* ---- Waiting ---- */

static int open_signals(struct asking *asking)
{
	struct sigaction old;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigaction(SIGINT, NULL, &old);
	asking->ask->workload.ignores_int = old.sa_handler == SIG_IGN;
	signal(SIGINT, SIG_DFL);
	asking->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return asking->signals < 0 ? complain("cannot receive signals: %s", strerror(errno)) : 0;
}

static void handle_signal(struct asking *asking, const struct signalfd_siginfo *info)
{
	struct workload *workload = &asking->ask->workload;

	if (info->ssi_signo == SIGCHLD) {
		workload_reap(workload);
		return;
	}
	if (workload->pid) {
		/* The terminal has sent its ^C to the command as well, which decides. */
		if (info->ssi_signo == SIGINT && info->ssi_code == SI_KERNEL)
			return;
		kill(workload->pid, info->ssi_signo);
	}
	asking->signalled = true;
}

/* Wait up to @seconds for signals, and handle them. */
static void handle_signals(struct asking *asking, double seconds)
{
	struct pollfd pollfd = { .fd = asking->signals, .events = POLLIN };
	struct signalfd_siginfo info;

	poll(&pollfd, 1, seconds > WAIT_MAX_SECONDS ? WAIT_MAX_SECONDS * 1000 : seconds <= 0 ? 0 : seconds * 1000 + 1);
	while (read(asking->signals, &info, sizeof(info)) == sizeof(info))
		handle_signal(asking, &info);
}

static bool is_over(const struct asking *asking, double end)
{
	return asking->signalled || now() >= end || (asking->ask->has_workload && !asking->ask->workload.pid);
}

static int wait_for_end(struct asking *asking)
{
	const struct ask *ask = asking->ask;
	double end = ask->duration ? asking->began + ask->duration : 1e300;
	double next = ask->interval ? asking->began + ask->interval : 1e300;
	int status = 0;

	while (!status && !is_over(asking, end)) {
		handle_signals(asking, (next < end ? next : end) - now());
		if (now() < next || is_over(asking, end))
			continue;
		status = print_interval(asking);
		next += ask->interval;
	}
	return status;
}

/* ---- The trace ---- */

/* @name: the event or option that an error about a place is about */
static int complain_about(const char *name, const struct expression_error *error)
{
	if (error->column)
		return complain("%s: column %u: %s", name, error->column, error->text);
	return complain("%s", error->text);
}

static int make_question(struct asking *asking)
{
	struct expression_error error;
	unsigned int i;
	int err = 0;

	asking->question = question_new(&asking->ask->question);
	if (!asking->question)
		return complain("out of memory");
	for (i = 0; i < asking->asked.nr; i++) {
		const struct asked_name *event = &asking->asked.events[i];

		err = question_add_event(asking->question, event->name, event->fields.field, event->fields.nr,
					 event->is_first, &error);
		if (err < 0)
			return complain_about(event->name, &error);
	}
	err = question_make_maps(asking->question, &error);
	return err ? complain_about("-f", &error) : 0;
}

static int attach(struct asking *asking, unsigned int event)
{
	const struct asked_name *asked = &asking->asked.events[event];
	struct expression_error error;
	int program = question_load(asking->question, event, &error);
	int err;

	if (program < 0)
		return complain_about(asked->name, &error);
	err = lttctl_filter_attach(asking->trace, asked->name, asked->fields.layout, program, FILTER);
	close(program);
	return tracer_status(asking->ctl, err);
}

static int attach_all(struct asking *asking)
{
	unsigned int i;
	int status = tracer_status(asking->ctl, lttctl_filter_set(asking->trace, "*:*", FILTER));

	for (i = 0; !status && i < asking->asked.nr; i++)
		status = attach(asking, i);
	return status;
}

static int shrink(struct asking *asking, const char *channel)
{
	int err = lttctl_channel_set(asking->trace, channel, LTTCTL_SUBBUF_SIZE, 4096);

	if (!err)
		err = lttctl_channel_set(asking->trace, channel, LTTCTL_SUBBUF_COUNT, 2);
	if (!err)
		err = lttctl_channel_set(asking->trace, channel, LTTCTL_OVERWRITE, true);
	return tracer_status(asking->ctl, err);
}

static int prepare(struct asking *asking)
{
	return tracer_status(asking->ctl, lttctl_trace_set_nameless(asking->trace)) ?:
	       shrink(asking, STATE_CHANNEL) ?: shrink(asking, CHANNEL) ?:
	       asked_find(&asking->asked, asking->ctl, asking->trace, asking->ask->patterns) ?:
	       make_question(asking) ?: attach_all(asking);
}

static int start(struct asking *asking)
{
	struct workload *workload = &asking->ask->workload;
	int status = asking->ask->has_workload ? workload_prepare(workload) : 0;

	if (status)
		return status;
	if (asking->ask->follows)
		asking->ask->limits.pid = workload->pid;
	status = tracer_status(asking->ctl, limits_apply(&asking->ask->limits, asking->trace));
	if (!status)
		status = tracer_status(asking->ctl, lttctl_trace_start(asking->trace));
	if (status && asking->ask->has_workload)
		workload_cancel(workload);
	return status;
}

/* Ask while the trace exists. */
static int ask_trace(struct asking *asking)
{
	int status = prepare(asking) ?: start(asking), failed;

	if (status)
		return status;
	asking->began = now();
	if (asking->ask->has_workload)
		workload_release(&asking->ask->workload);
	status = wait_for_end(asking);
	failed = tracer_status(asking->ctl, lttctl_trace_stop(asking->trace));
	if (!status && !failed)
		failed = print_last(asking);
	/* The time may be over before the command is. */
	while (asking->ask->workload.pid && !asking->signalled)
		handle_signals(asking, WAIT_MAX_SECONDS);
	return status ?: failed ?: asking->ask->workload.status;
}

int ask_run(struct ask *ask)
{
	struct asking asking = { .ask = ask, .signals = -1, .asked.is_latency = ask->question.kind == QUESTION_LATENCY };
	int status = open_signals(&asking);
	char name[32];

	if (status)
		return status;
	snprintf(name, sizeof(name), "ask-%d", getpid());
	kernel_symbols_are_running();
	asking.ctl = tracer_connect_private();
	if (!asking.ctl)
		status = EXIT_FAILED;
	else if (!lttctl_is_private(asking.ctl))
		status = complain("questions are asked by /dev/ltt, which cannot be opened");
	else
		status = tracer_status(asking.ctl, lttctl_trace_create(asking.ctl, name, &asking.trace));
	if (!status) {
		status = ask_trace(&asking);
		lttctl_trace_destroy(asking.trace);
		lttctl_trace_close(asking.trace);
	}
	question_answer_free(&asking.before.rows);
	question_free(asking.question);
	asked_free(&asking.asked);
	lttctl_free(asking.ctl);
	close(asking.signals);
	return status;
}
