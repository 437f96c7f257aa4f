// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Asking while a command runs, for a time, or until a signal; and when the answers are printed.
 *
 * Layer: lttctl.
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

/* One wait of poll(), whose time is an int of milliseconds. */
#define WAIT_MAX_SECONDS 86400.0

/**
 * struct run - a command line that runs
 * @ask: the command line
 * @asking: its question
 * @signals: signalfd
 * @signalled: a signal asked to end
 * @before: the answer of the last interval
 */
struct run {
	struct ask *ask;
	struct asking asking;
	int signals;
	bool signalled;
	struct answer before;
};

/* ---- Answers ---- */

static void print(const struct run *run, struct answer *answer)
{
	answer_sort(answer);
	if (run->ask->json)
		answer_print_json(answer, run->ask->top);
	else
		answer_print(answer, run->ask->top);
	fflush(stdout);
}

/* On a terminal, each answer replaces the one before. */
static void print_head(const struct run *run)
{
	time_t clock = time(NULL);
	char text[32];

	if (run->ask->json)
		return;
	if (isatty(STDOUT_FILENO))
		fputs("\033[H\033[2J", stdout);
	strftime(text, sizeof(text), "%H:%M:%S", localtime(&clock));
	puts(text);
}

static int print_interval(struct run *run)
{
	struct answer answer;
	int status = asking_read(&run->asking, &answer);

	if (status)
		return status;
	answer.is_interval = true;
	if (run->before.question)
		answer_add(&answer, &run->before, -1);
	print_head(run);
	print(run, &answer);
	if (run->before.question)
		answer_add(&answer, &run->before, 1);
	question_answer_free(&run->before.rows);
	run->before = answer;
	return 0;
}

static int print_last(struct run *run)
{
	struct answer answer;
	int status;

	if (run->ask->interval)
		return print_interval(run);
	status = asking_read(&run->asking, &answer);
	if (status)
		return status;
	print(run, &answer);
	question_answer_free(&answer.rows);
	return 0;
}

/* ---- Waiting ---- */

static int open_signals(struct run *run)
{
	struct sigaction old;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigaction(SIGINT, NULL, &old);
	run->ask->workload.ignores_int = old.sa_handler == SIG_IGN;
	signal(SIGINT, SIG_DFL);
	run->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return run->signals < 0 ? complain("cannot receive signals: %s", strerror(errno)) : 0;
}

static void handle_signal(struct run *run, const struct signalfd_siginfo *info)
{
	struct workload *workload = &run->ask->workload;

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
	run->signalled = true;
}

/* Wait up to @seconds for signals, and handle them. */
static void handle_signals(struct run *run, double seconds)
{
	struct pollfd pollfd = { .fd = run->signals, .events = POLLIN };
	struct signalfd_siginfo info;

	poll(&pollfd, 1, seconds > WAIT_MAX_SECONDS ? WAIT_MAX_SECONDS * 1000 : seconds <= 0 ? 0 : seconds * 1000 + 1);
	while (read(run->signals, &info, sizeof(info)) == sizeof(info))
		handle_signal(run, &info);
}

static bool is_over(const struct run *run, double end)
{
	return run->signalled || asking_now() >= end || (run->ask->has_workload && !run->ask->workload.pid);
}

static int wait_for_end(struct run *run)
{
	const struct ask *ask = run->ask;
	double end = ask->duration ? run->asking.began + ask->duration : 1e300;
	double next = ask->interval ? run->asking.began + ask->interval : 1e300;
	int status = 0;

	while (!status && !is_over(run, end)) {
		handle_signals(run, (next < end ? next : end) - asking_now());
		if (asking_now() < next || is_over(run, end))
			continue;
		status = print_interval(run);
		next += ask->interval;
	}
	return status;
}

/* ---- The whole ---- */

static int start(struct run *run)
{
	struct workload *workload = &run->ask->workload;
	int status = run->ask->has_workload ? workload_prepare(workload) : 0;

	if (status)
		return status;
	if (run->ask->follows)
		run->ask->limits.pid = workload->pid;
	status = asking_start(&run->asking);
	if (status && run->ask->has_workload)
		workload_cancel(workload);
	return status;
}

static int ask_trace(struct run *run)
{
	int status = start(run), failed;

	if (status)
		return status;
	if (run->ask->has_workload)
		workload_release(&run->ask->workload);
	status = wait_for_end(run);
	failed = tracer_status(run->asking.ctl, lttctl_trace_stop(run->asking.trace));
	if (!status && !failed)
		failed = print_last(run);
	/* The time may be over before the command is. */
	while (run->ask->workload.pid && !run->signalled)
		handle_signals(run, WAIT_MAX_SECONDS);
	return status ?: failed ?: run->ask->workload.status;
}

int ask_run(struct ask *ask)
{
	struct run run = { .ask = ask };
	int status = open_signals(&run);

	if (status)
		return status;
	kernel_symbols_are_running();
	status = asking_begin(&run.asking, ask) ?: ask_trace(&run);
	question_answer_free(&run.before.rows);
	asking_end(&run.asking);
	close(run.signals);
	return status;
}
