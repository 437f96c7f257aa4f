// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl rotate: close the open pieces of a recording, and go on in the next ones.
 *
 * Layer: lttctl.  The lock on the mark of an open piece names the lttd that writes it.
 */
#include "lttctl/command.h"
#include "lttctl/programs/recordings.h"
#include "lttctl/record/announce.h"
#include "common/pieces.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define POLL_US 5000

/* A slow disk may need seconds for all of a piece. */
#define CLOSE_SECONDS 60

static int close_piece(int root, const char *dir, unsigned int number)
{
	pid_t pid = piece_writer(root, number);
	long tries;

	/* An lttd that was killed left it open; the next one closes it. */
	if (!pid)
		return 0;
	/* kill() would take a negative number for a group of processes, or for all. */
	if (pid < 0)
		return complain("cannot notify the lttd that writes %s/%04u: it is on another host or in another container",
				dir, number);
	if (kill(pid, SIGUSR1) && errno != ESRCH)
		return complain("cannot notify lttd (pid %d), which writes %s: %s", pid, dir, strerror(errno));
	for (tries = CLOSE_SECONDS * 1000000L / POLL_US; tries && piece_writer(root, number) == pid; tries--)
		usleep(POLL_US);
	if (!tries)
		return complain("lttd (pid %d) does not close %s/%04u (stopped, or a slow disk?)", pid, dir, number);
	if (piece_is_open(root, number))
		return complain("lttd (pid %d) has ended without closing %s/%04u; see its log", pid, dir, number);
	printf("%s/%04u\n", dir, number);
	return 0;
}

static int close_pieces(const char *dir)
{
	int root = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), status = 0;
	unsigned int *numbers;
	ssize_t nr, i;
	size_t open_now = 0;

	if (root < 0)
		return complain("cannot open %s: %s", dir, strerror(errno));
	nr = pieces_list(root, &numbers);
	if (nr < 0)
		status = complain("cannot read directory %s: %s", dir, strerror(errno));
	for (i = 0; i < nr; i++)
		open_now += piece_writer(root, numbers[i]) != 0;
	if (!status && !open_now)
		status = complain("%s: no lttd records to this directory in pieces; see --piece-size in lttctl-record(1)",
				  dir);
	for (i = 0; !status && i < nr; i++)
		status = close_piece(root, dir, numbers[i]);
	free(numbers);
	close(root);
	return status ? status : output_status();
}

static int take_dir(const struct recording_status *status, void *arg)
{
	char **dir = arg;

	*dir = strdup(status->dir);
	return *dir ? 0 : complain("out of memory");
}

/* The directory that the lttd of a trace of the kernel writes to. */
static int dir_of_trace(const char *name, char **dir)
{
	struct lttctl_consumer consumer;
	struct lttctl *ctl = lttctl_new();
	int err = ctl ? lttctl_consumer_find(ctl, name, &consumer) : -ENOMEM, status = 0;

	if (!err)
		*dir = strdup(consumer.dir);
	else if (err == -ENOENT)
		status = complain("%s: neither a directory, nor a trace that an lttd writes to disk; `lttctl list` shows all",
				  name);
	else
		status = ctl ? tracer_status(ctl, err) : complain("out of memory");
	lttctl_free(ctl);
	return status || *dir ? status : complain("out of memory");
}

static int find_dir(const char *name, char **dir)
{
	struct stat st;
	pid_t pid;

	*dir = NULL;
	if (strchr(name, '/') || (!stat(name, &st) && S_ISDIR(st.st_mode))) {
		*dir = strdup(name);
		return *dir ? 0 : complain("out of memory");
	}
	if (recordings_is_name(name, &pid))
		return recordings_look(pid, take_dir, dir);
	*dir = announced_output(name);
	return *dir ? 0 : dir_of_trace(name, dir);
}

int cmd_rotate(int argc, const char **argv)
{
	const struct poptOption table[] = {
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	poptContext context;
	const char **args;
	char *dir = NULL;
	int status;

	status = options_parse(argc, argv, table, 0, &context);
	args = poptGetArgs(context);
	if (!status && (!args || !args[0]))
		status = misused("missing argument: a directory or a trace");
	else if (!status && args[1])
		status = misused("one recording only, not also `%s`", args[1]);
	if (!status)
		status = find_dir(args[0], &dir);
	if (!status)
		status = close_pieces(dir);
	free(dir);
	poptFreeContext(context);
	return status;
}
