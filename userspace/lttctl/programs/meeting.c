// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Call the running programs, and receive their messages.
 *
 * Layer: lttctl.
 */
#include "meeting.h"
#include "lttctl/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "common/call.h"
#include "common/meet.h"

/* Limits, so that programs can neither exhaust our descriptors nor keep us from the clock. */
#define PROGRAMS_MAX 8192
#define ACCEPT_MAX 64

static int take(struct meeting *meeting, size_t nr, const void *data, size_t size)
{
	const struct ltt_program_hello *hello = data;
	struct meeting_program *program = &meeting->programs[nr];

	if (size < sizeof(struct ltt_program_number))
		return 1;
	if (hello->type != LTT_PROGRAM_HELLO) {
		program->messages++;
		return meeting->receive(meeting, program, data, size, meeting->polls[nr].fd);
	}
	if (size < sizeof(*hello))
		return 1;
	snprintf(program->name, sizeof(program->name), "%.*s", LTT_PROGRAM_NAME, hello->name);
	make_printable(program->name);
	return hello->version != LTT_PROGRAM_VERSION;
}

/* @pid is not in the list when the program started just now and found the socket itself. */
static void cross_off(struct meeting *meeting, pid_t pid)
{
	size_t i;

	for (i = 0; i < meeting->nr_called; i++) {
		if (meeting->called[i] != pid)
			continue;
		meeting->called[i] = meeting->called[--meeting->nr_called];
		return;
	}
}

static int receive(struct meeting *meeting, size_t nr)
{
	uint64_t message[LTT_PROGRAM_MAX / sizeof(uint64_t)];
	ssize_t size = recv(meeting->polls[nr].fd, message, sizeof(message), MSG_DONTWAIT);
	int ret;

	if (size < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (size < 0 && errno != ECONNRESET)
		return complain("cannot receive from process %d: %s", meeting->programs[nr].pid, strerror(errno));
	ret = size <= 0 ? 1 : take(meeting, nr, message, size);
	if (!ret)
		return 0;
	close(meeting->polls[nr].fd);
	meeting->polls[nr].fd = -1;
	cross_off(meeting, meeting->programs[nr].pid);
	return ret < 0 ? EXIT_FAILED : 0;
}

/* The descriptor belongs to @meeting, or is closed. */
static int add_poll(struct meeting *meeting, int fd, pid_t pid)
{
	struct pollfd *polls = reallocarray(meeting->polls, meeting->nr + 1, sizeof(*polls));
	struct meeting_program *programs = reallocarray(meeting->programs, meeting->nr + 1, sizeof(*programs));

	meeting->polls = polls ? polls : meeting->polls;
	meeting->programs = programs ? programs : meeting->programs;
	if (!polls || !programs) {
		close(fd);
		return complain("out of memory");
	}
	polls[meeting->nr] = (struct pollfd){ .fd = fd, .events = POLLIN };
	programs[meeting->nr++] = (struct meeting_program){ .pid = pid };
	return 0;
}

/* A program that was called twice may connect twice.  Programs of another namespace of
 * process ids have the id 0. */
static bool has_come(const struct meeting *meeting, pid_t pid)
{
	size_t i;

	for (i = 1; pid && i < meeting->nr; i++)
		if (meeting->programs[i].pid == pid)
			return true;
	return false;
}

/* Accept programs of other users for root only.  call_programs() connects to this socket,
 * too, to find its owner. */
static int take_connection(struct meeting *meeting, int fd)
{
	struct ucred ucred;
	socklen_t len = sizeof(ucred);

	if (!getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &ucred, &len) && ucred.pid != getpid() &&
	    !has_come(meeting, ucred.pid) && (!geteuid() || ucred.uid == geteuid()))
		return add_poll(meeting, fd, ucred.pid);
	close(fd);
	return 0;
}

static int take_connections(struct meeting *meeting)
{
	int status = 0, left = ACCEPT_MAX, fd;

	errno = 0;
	/* poll() must not return for connections that we do not accept. */
	if (meeting->nr == PROGRAMS_MAX)
		meeting->polls[0].events = 0;
	while (!status && left-- && meeting->nr < PROGRAMS_MAX && (fd = accept4(meeting->polls[0].fd, NULL, NULL, SOCK_CLOEXEC)) >= 0)
		status = take_connection(meeting, fd);
	if (errno == EMFILE || errno == ENFILE)
		meeting->polls[0].events = 0;
	return status;
}

static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Receive until each called program has sent its last message, or the time is over. */
static int receive_all(struct meeting *meeting)
{
	long until = now_ms() + meeting->wait_ms, left;
	int status = 0;
	size_t i;

	while (!status && !meeting->enough && meeting->nr_called && (left = until - now_ms()) > 0) {
		if (poll(meeting->polls, meeting->nr, left) < 0 && errno != EINTR)
			return complain("cannot wait for programs: %s", strerror(errno));
		for (i = 1; !status && i < meeting->nr; i++)
			if (meeting->polls[i].fd >= 0 && meeting->polls[i].revents)
				status = receive(meeting, i);
		if (!status)
			status = take_connections(meeting);
	}
	meeting->silent = meeting->nr_called;
	return status;
}

static void note_called(pid_t pid, void *arg)
{
	struct meeting *meeting = arg;
	pid_t *called = reallocarray(meeting->called, meeting->nr_called + 1, sizeof(*called));

	if (!called) {
		meeting->forgot = true;
		return;
	}
	meeting->called = called;
	called[meeting->nr_called++] = pid;
}

static int call_all(struct meeting *meeting)
{
	int err = call_programs(note_called, meeting);

	if (!err && meeting->forgot)
		err = -ENOMEM;
	return err ? complain("cannot call all programs: %s", strerror(-err)) : 0;
}

int meeting_hold(struct meeting *meeting)
{
	char path[MEET_PATH_SIZE];
	int fd, status;
	size_t i;

	lttctl_raise_files();
	fd = meet_open(path, "list-");
	if (fd < 0)
		return complain("cannot create %s for programs: %s", path, meet_error(fd));
	status = add_poll(meeting, fd, 0);
	if (!status)
		status = call_all(meeting);
	if (!status)
		status = receive_all(meeting);
	unlink(path);
	for (i = 0; i < meeting->nr; i++)
		if (meeting->polls[i].fd >= 0)
			close(meeting->polls[i].fd);
	free(meeting->polls);
	free(meeting->programs);
	free(meeting->called);
	return status;
}
