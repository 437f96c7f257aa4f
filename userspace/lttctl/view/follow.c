// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A recording that is being made: its records are shown as lttd writes them.
 *
 * Layer: lttctl view.  Packets come one CPU after the other, so that events of several CPUs are in the order of time only
 * within all that has come between two looks.  A collector names the time up to which all has come, so that its events are
 * in the order of time.
 */
#include "common/pieces.h"
#include "lttctl/command.h"
#include "lttctl/live/live.h"
#include "view.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LOOK_MS		100	/* between two looks */
#define QUIET_LOOKS	5	/* so often no file is open for writing before the recording is complete */

static volatile sig_atomic_t is_interrupted;

static void interrupt(int signal)
{
	(void)signal;
	is_interrupted = 1;
}

/* A lease for reading is refused while the file is open for writing.  Return: true also if it cannot be known, as of
 * files of another user. */
static bool is_written(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	bool is_open = true;

	if (fd < 0)
		return errno != ENOENT;
	if (!fcntl(fd, F_SETLEASE, F_RDLCK)) {
		fcntl(fd, F_SETLEASE, F_UNLCK);
		is_open = false;
	}
	close(fd);
	return is_open;
}

/* Of a recording in pieces, the last piece counts; an lttd that records holds the lock of one at any time. */
static bool has_writer(const char *dir)
{
	int root = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool has_writer = false;
	unsigned int *numbers;
	ssize_t nr;

	if (root < 0)
		return errno != ENOENT;
	nr = pieces_list(root, &numbers);
	while (nr-- > 0 && !has_writer)
		has_writer = piece_writer(root, numbers[nr]);
	free(numbers);
	close(root);
	return has_writer;
}

static bool is_complete(const struct view *view)
{
	const struct ltttrace_stream *stream;
	const char *const *dir;
	char path[PATH_MAX];
	size_t i;

	for (dir = view->dirs; *dir; dir++)
		if (has_writer(*dir))
			return false;
	for (i = 0; i < ltttrace_nr_streams(view->trace); i++) {
		stream = ltttrace_stream(view->trace, i);
		if (snprintf(path, sizeof(path), "%s/%s", stream->part->path, stream->name) >= (int)sizeof(path) ||
		    is_written(path))
			return false;
	}
	for (i = 0; i < ltttrace_nr_parts(view->trace); i++)
		if (snprintf(path, sizeof(path), "%s/metadata", ltttrace_part(view->trace, i)->path) >= (int)sizeof(path) ||
		    is_written(path))
			return false;
	return true;
}

bool follow_is_interrupted(void)
{
	return is_interrupted;
}

/* Without SA_RESTART, so that ^C ends the wait. */
void follow_catch_signals(void)
{
	const struct sigaction action = { .sa_handler = interrupt };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	/* A write to a pipe without a reader fails, which ends it, too. */
	signal(SIGPIPE, SIG_IGN);
	/* A writer that opens a file breaks the lease, which is given up at once anyway. */
	signal(SIGIO, SIG_IGN);
}

static int read_failed(int err)
{
	return complain("cannot read the recording: %s", strerror(-err));
}

/* Wait, and show the records that were added.  Return: 0, or EXIT_FAILED after a message. */
static int look(struct view *view, struct ltttrace_cursor *cursor, unsigned int *quiet)
{
	const bool complete = view->live ? live_is_over(view->live) : is_complete(view);
	struct ltttrace_error error;
	int ret;

	poll(NULL, 0, LOOK_MS);
	if (view->live && live_look(view->live))
		return is_interrupted ? 0 : EXIT_FAILED;
	ret = ltttrace_refresh(view->trace, &error);
	if (ret < 0)
		return complain("%s", error.text);
	*quiet = complete && !ret ? *quiet + 1 : 0;
	if (view_learn_more(view))
		return EXIT_FAILED;
	if (view->live)
		ltttrace_limit(cursor, complete ? INT64_MAX : mirror_horizon(&view->live->mirror, view->trace));
	ret = view_records(view, cursor);
	return ret ? read_failed(ret) : 0;
}

int view_follow(struct view *view)
{
	struct ltttrace_cursor *cursor;
	unsigned int quiet = 0;
	int status, ret = ltttrace_merge(view->trace, view_is_shown, view, &cursor);

	if (ret)
		return complain("out of memory");
	follow_catch_signals();
	if (view->live)
		ltttrace_limit(cursor, mirror_horizon(&view->live->mirror, view->trace));
	if (view->from != INT64_MIN)
		ret = ltttrace_seek(cursor, view->from);
	if (!ret)
		ret = view_records(view, cursor);
	status = ret ? read_failed(ret) : 0;
	while (!status && out_flush(&view->out) && !is_interrupted && quiet < QUIET_LOOKS)
		status = look(view, cursor, &quiet);
	ltttrace_cursor_free(cursor);
	return status;
}
