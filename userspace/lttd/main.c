// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttd: moves the buffers of one trace to disk.
 *
 * Layer: user space, above liblttctl.  This file: options, signals, becoming a
 * daemon.  consumer.c is the loop, stream.c what happens to one buffer.
 *
 * Exit status: 0, 1 when something failed (said on stderr or in the log), 2 for
 * wrong usage.
 */
#include "consumer.h"
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <popt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

struct options {
	int daemon;
	int once;
	int session;
	int held;
	char *dir;
	enum lttctl_via via;
	const char *trace;
};

#define SEE_HELP "; see lttd --help"

static int parse_options(int argc, const char **argv, struct options *options,
			 poptContext *context)
{
	const struct poptOption table[] = {
		{ "daemon", 'd', POPT_ARG_NONE, &options->daemon, 0,
		  "go to the background once the trace's buffers are held", NULL },
		{ "output", 'o', POPT_ARG_STRING, &options->dir, 0,
		  "write to (or go on with) DIR/kernel", "DIR" },
		{ "once", 0, POPT_ARG_NONE, &options->once, 0,
		  "write what is there now, then exit", NULL },
		{ "via", 0, POPT_ARG_STRING, NULL, 'v',
		  "reach the tracer by debugfs, or by the device /dev/ltt", "FACE" },
		{ "session", 0, POPT_ARG_INT, &options->session, 0,
		  "the trace is one of the session that descriptor FD leads to",
		  "FD" },
		{ "held", 0, POPT_ARG_INT, &options->held, 0,
		  "tell descriptor FD, a line each time, how many buffers are held",
		  "FD" },
		{ "help", 'h', POPT_ARG_NONE, NULL, 'h', "show this help", NULL },
		POPT_TABLEEND
	};
	const char **rest;
	char *face;
	int ret;

	*context = poptGetContext("lttd", argc, argv, table, 0);
	poptSetOtherOptionHelp(*context,
			       "[-d | --once] [--via FACE] -o DIR TRACE");
	while ((ret = poptGetNextOpt(*context)) > 0) {
		if (ret == 'h') {
			poptPrintHelp(*context, stdout, 0);
			exit(0);
		}
		face = poptGetOptArg(*context);
		ret = lttctl_parse_via(face, &options->via);
		if (ret)
			fail("--via %s: neither debugfs nor device" SEE_HELP,
			     face);
		free(face);
		if (ret)
			return -1;
	}
	if (ret < -1)
		return fail("%s: %s" SEE_HELP, poptBadOption(*context, 0),
			    poptStrerror(ret));
	rest = poptGetArgs(*context);
	if (!rest || !rest[0])
		return fail("which trace?" SEE_HELP);
	if (rest[1])
		return fail("one trace only, not also `%s`" SEE_HELP, rest[1]);
	if (!options->dir)
		return fail("where to? -o DIR is missing" SEE_HELP);
	if (options->daemon && options->once)
		return fail("--daemon and --once exclude each other" SEE_HELP);
	options->trace = rest[0];
	return 0;
}

/* Signals arrive by descriptor, so they never tear a packet. */
static int open_signals(void)
{
	sigset_t set;
	int fd;

	/* A file size limit is to be an error, not a death. */
	signal(SIGXFSZ, SIG_IGN);
	/* Whoever is told how many buffers are held may be gone. */
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return fd < 0 ? fail("cannot receive signals: %s", strerror(errno)) : fd;
}

/* Two descriptors per buffer: many CPUs need more than the usual 1024. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/*
 * Go on in a child; the parent exits with status 0 when the child closes in on
 * daemon_ready(), 1 when it fails before.
 * Return: in the child, the descriptor for daemon_ready(); -1.
 */
static int daemon_fork(void)
{
	int pipefd[2];
	ssize_t got;
	char byte;
	pid_t pid;

	if (pipe2(pipefd, O_CLOEXEC))
		return fail("cannot make a pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		return fail("cannot fork: %s", strerror(errno));
	if (pid) {
		close(pipefd[1]);
		got = read(pipefd[0], &byte, 1);
		if (got < 0) {
			fail("cannot hear of the daemon: %s", strerror(errno));
			kill(pid, SIGTERM);
		}
		_exit(got == 1 ? 0 : 1);
	}
	close(pipefd[0]);
	setsid();
	return pipefd[1];
}

static int daemon_ready(int parent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || chdir("/"))
		return fail("cannot become a daemon: %s", strerror(errno));
	log_to_syslog();
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close(null);
	if (write(parent, "", 1) != 1)
		return fail("cannot tell that the daemon is ready: %s",
			    strerror(errno));
	close(parent);
	return 0;
}

static int serve(struct lttctl *ctl, const struct options *options)
{
	struct lttctl_trace *trace;
	struct consumer consumer;
	int signals, parent = -1;
	int ret;

	lttctl_set_via(ctl, options->via);
	ret = options->session >= 0 ?
	      lttctl_connect_session(ctl, options->session) : lttctl_connect(ctl);
	if (ret || lttctl_trace_open(ctl, options->trace, &trace))
		return fail("%s", lttctl_error(ctl));
	ret = signals = open_signals();
	if (ret < 0)
		goto out_trace;
	/* Before the claim: record locks do not pass to a child. */
	if (options->daemon) {
		ret = parent = daemon_fork();
		if (ret < 0)
			goto out_signals;
	}
	ret = consumer_open(&consumer, ctl, trace, options->dir, signals,
			    options->held);
	if (!ret && options->daemon)
		ret = daemon_ready(parent);
	if (!ret)
		ret = options->once ? consumer_drain(&consumer)
				    : consumer_run(&consumer);
	if (!ret)
		consumer_report(&consumer);
	/* Who waits for all of the trace, and set us up, gets less than that. */
	if (!ret && options->held >= 0 && consumer.left)
		ret = -1;
	consumer_close(&consumer);
out_signals:
	close(signals);
out_trace:
	lttctl_trace_close(trace);
	return ret;
}

int main(int argc, char **argv)
{
	struct options options = { .session = -1, .held = -1 };
	poptContext context;
	struct lttctl *ctl;
	int status = 2;

	lttctl_keep_standard();
	if (!parse_options(argc, (const char **)argv, &options, &context)) {
		raise_file_limit();
		ctl = lttctl_new();
		if (!ctl)
			fail("out of memory");
		status = !ctl || serve(ctl, &options) ? 1 : 0;
		lttctl_free(ctl);
	}
	free(options.dir);
	poptFreeContext(context);
	return status;
}
