// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Running lttd, and waiting for it.
 *
 * Layer: lttctl.  lttctl finds lttd beside itself, in ../sbin from there, or in PATH.
 */
#include "lttctl/command.h"
#include "piece-options.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define POLL_US 5000

/* A daemon on an idle machine takes milliseconds; a busy machine needs more. */
#define ATTACH_SECONDS 30

static const char *find_lttd(char *path, size_t size)
{
	static const char *const places[] = { "lttd", "../sbin/lttd" };
	ssize_t len = readlink("/proc/self/exe", path, size - 32);
	char *name;
	size_t i;

	path[len > 0 ? len : 0] = '\0';
	name = strrchr(path, '/');
	for (i = 0; name && i < sizeof(places) / sizeof(places[0]); i++) {
		strcpy(name + 1, places[i]);
		if (!access(path, X_OK))
			return path;
	}
	return "lttd";
}

void lttd_add(struct command_line *line, const char *word)
{
	line->words[line->nr++] = word;
}

void lttd_add_fd(struct command_line *line, const char *option, int fd)
{
	char *number = line->numbers[line->nr_keep];

	snprintf(number, sizeof(line->numbers[0]), "%d", fd);
	lttd_add(line, option);
	lttd_add(line, number);
	line->keep[line->nr_keep++] = fd;
}

/* Return: 0 or an errno; the caller destroys @files in either case. */
static int prepare_files(posix_spawn_file_actions_t *files, const struct command_line *line)
{
	int err, i;

	err = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!err)
		err = posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	/* A descriptor that is duplicated onto itself stays open across exec. */
	for (i = 0; !err && i < line->nr_keep; i++)
		err = posix_spawn_file_actions_adddup2(files, line->keep[i], line->keep[i]);
	return err;
}

pid_t program_spawn(const char *path, struct command_line *line)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none;
	pid_t pid;
	int err;

	sigemptyset(&none);
	posix_spawnattr_init(&attr);
	/* In a session of its own it does not get the terminal's ^C; lttctl handles it. */
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK |
				 POSIX_SPAWN_SETSID);
	posix_spawnattr_setsigmask(&attr, &none);
	err = posix_spawn_file_actions_init(&files);
	if (!err) {
		err = prepare_files(&files, line);
		if (!err)
			err = posix_spawnp(&pid, path, &files, &attr, (char **)line->words, environ);
		posix_spawn_file_actions_destroy(&files);
	}
	posix_spawnattr_destroy(&attr);
	if (!err)
		return pid;
	complain("cannot run %s: %s", path, strerror(err));
	return -1;
}

pid_t lttd_spawn(struct command_line *line)
{
	char path[4096];

	return program_spawn(find_lttd(path, sizeof(path)), line);
}

/* Run lttd for a trace. */
static pid_t spawn(struct command_line *line, const char *dir, const char *trace)
{
	if (via_name) {
		lttd_add(line, "--via");
		lttd_add(line, via_name);
	}
	lttd_add(line, "-o");
	lttd_add(line, dir);
	lttd_add(line, trace);
	return lttd_spawn(line);
}

bool child_reap(pid_t pid, int options, int *status)
{
	pid_t ended;

	do
		ended = waitpid(pid, status, options);
	while (ended < 0 && errno == EINTR);
	if (ended < 0) {
		complain("cannot get the exit status of process %d: %s", pid, strerror(errno));
		*status = W_EXITCODE(EXIT_UNKNOWN, 0);
	}
	return ended;
}

int lttd_ended(int status)
{
	if (WIFSIGNALED(status))
		return complain("lttd was killed by signal %d", WTERMSIG(status));
	return WEXITSTATUS(status) ? EXIT_FAILED : 0;
}

int lttd_run(const char *option, const char *dir, const char *trace)
{
	struct command_line line = { .words = { "lttd", option }, .nr = 2 };
	pid_t pid = spawn(&line, dir, trace);
	int status;

	if (pid < 0)
		return EXIT_FAILED;
	child_reap(pid, 0, &status);
	return lttd_ended(status);
}

/* ---- An lttd that reports through a pipe ---- */

int lttd_start(struct lttd *lttd, int connection, const char *dir,
	       const char *trace)
{
	struct command_line line = { .words = { "lttd" }, .nr = 1 };
	int held[2];

	if (pipe2(held, O_CLOEXEC))
		return complain("cannot create a pipe: %s", strerror(errno));
	if (connection >= 0)
		lttd_add_fd(&line, "--connection", connection);
	lttd_add_fd(&line, "--held", held[1]);
	pieces_add_words(&line);
	lttd->pid = spawn(&line, dir, trace);
	lttd->held = held[0];
	lttd->buffers = 0;
	close(held[1]);
	if (lttd->pid >= 0)
		return 0;
	lttd->pid = 0;
	close(held[0]);
	return EXIT_FAILED;
}

/* Read one line from lttd within @ms milliseconds (-1: no limit).  Return: false if none
 * came. */
static bool read_held(struct lttd *lttd, int ms)
{
	struct pollfd pollfd = { .fd = lttd->held, .events = POLLIN };
	char line[9];	/* "%8u\n" */
	ssize_t got;
	int ready;

	do
		ready = poll(&pollfd, 1, ms);
	while (ready < 0 && errno == EINTR);
	if (!ready)
		return false;
	do
		got = ready < 0 ? -1 : read(lttd->held, line, sizeof(line));
	while (ready > 0 && got < 0 && errno == EINTR);
	if (got < 0)
		complain("cannot read from lttd: %s", strerror(errno));
	if (got != sizeof(line))
		return false;
	lttd->buffers = strtoul(line, NULL, 10);
	return true;
}

int lttd_wait_ready(struct lttd *lttd)
{
	/* An lttd that exits instead has printed the reason. */
	return read_held(lttd, -1) ? 0 : EXIT_FAILED;
}

static int count(const char *name, void *arg)
{
	(void)name;
	++*(unsigned int *)arg;
	return 0;
}

/* Return: 0, or EXIT_FAILED after a message; the number is unknown then. */
static int count_buffers(struct lttctl *ctl, struct lttctl_trace *trace,
			 unsigned int *buffers)
{
	*buffers = 0;
	return tracer_status(ctl, lttctl_for_each_buffer(trace, count, buffers));
}

static int report_lost(pid_t pid, unsigned int held, unsigned int buffers)
{
	return complain("lttd (pid %d) opened only %u of %u buffers; the data of the others is lost",
			pid, held, buffers);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

int lttd_wait_held(struct lttd *lttd, struct lttctl *ctl,
		   struct lttctl_trace *trace)
{
	double left = ATTACH_SECONDS, until = now() + left;
	unsigned int buffers;
	int status = count_buffers(ctl, trace, &buffers);

	if (status)
		return status;
	/* Rounded up, so that the time is over when poll() times out. */
	while (lttd->buffers < buffers && left > 0 &&
	       read_held(lttd, left * 1000 + 1))
		left = until - now();
	if (lttd->buffers < buffers && now() >= until)
		report_lost(lttd->pid, lttd->buffers, buffers);
	return lttd->buffers < buffers ? EXIT_FAILED : 0;
}

/* ---- An lttd that is known by its claim ---- */

int lttd_wait_attached(struct lttctl *ctl, struct lttctl_trace *trace, int *lost)
{
	const char *name = lttctl_trace_name(trace);
	struct lttctl_consumer consumer;
	unsigned int buffers;
	long tries;
	int status = count_buffers(ctl, trace, &buffers);
	int err;

	*lost = 0;
	if (status)
		return status;
	for (tries = ATTACH_SECONDS * 1000000L / POLL_US; tries; tries--) {
		err = lttctl_consumer_find(ctl, name, &consumer);
		if (err)
			return err == -ENOENT ? 0 : tracer_status(ctl, err);
		if (consumer.buffers >= buffers)
			return 0;
		usleep(POLL_US);
	}
	*lost = report_lost(consumer.pid, consumer.buffers, buffers);
	return 0;
}

int lttd_wait_gone(struct lttctl *ctl, const char *name, int seconds)
{
	struct lttctl_consumer consumer;
	double until = now() + seconds;
	int err;

	while (!(err = lttctl_consumer_find(ctl, name, &consumer))) {
		if (seconds && now() >= until)
			return complain("lttd (pid %d) does not exit", consumer.pid);
		usleep(POLL_US);
	}
	return err == -ENOENT ? 0 : tracer_status(ctl, err);
}
