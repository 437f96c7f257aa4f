// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The connections of programs, from accept() until the end of the process is recorded.
 *
 * Layer: lttd.
 */
#include "connections.h"
#include "control.h"
#include "lttd/log.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/protocol.h"

#define DEATH_MS	100
#define HELLO_MS	5000
#define FULL_MS		10
#define CONNECTIONS_MAX	64
#define MESSAGES_MAX	64
#define END_MESSAGES_MAX 1024	/* more than a socket holds */
#define PROGRAMS_MAX	4096	/* of a user */

static void remove_program(struct programs *programs, struct program *program)
{
	struct program **link;

	if (program->pidfd >= 0)
		close(program->pidfd);
	if (program->fd >= 0)
		close(program->fd);

	for (link = &programs->programs; *link != program; link = &(*link)->next)
		;
	*link = program->next;
	free(program);
	programs->nr_programs--;
}

/* Each connection takes a descriptor.  Limit those of one user, so that other users can
 * connect, and those of all users, so that lttd can open its files. */
static bool has_too_many(struct programs *programs, uid_t uid)
{
	const struct program *program;
	struct rlimit limit;
	unsigned int nr = 0;
	bool too_many;

	for (program = programs->programs; program; program = program->next)
		nr += program->uid == uid;
	too_many = nr >= PROGRAMS_MAX || getrlimit(RLIMIT_NOFILE, &limit) ||
		   nr >= limit.rlim_cur / 4 || programs->nr_programs >= limit.rlim_cur / 2;
	if (too_many && !programs->too_many)
		notice("user %u has too many programs: some are not recorded", uid);
	programs->too_many |= too_many;
	programs->failed |= too_many;
	return too_many;
}

/* Record how the process ended, @how unless it sent BYE, and free @program. */
static int note_end(struct programs *programs, struct program *program, const char *how)
{
	char text[32];
	int ret = 0;

	if (program->bye && program->status == LTT_PROGRAM_STATUS_UNKNOWN)
		how = "exit";
	else if (program->bye) {
		snprintf(text, sizeof(text), "exit %d", program->status);
		how = text;
	}
	if (program->user)
		ret = notes_ended(&program->user->notes, program->pid, how);
	remove_program(programs, program);
	return ret;
}

/* After exec() the process connects anew: end its old connection, which exec() closed. */
static int note_exec(struct programs *programs, pid_t pid)
{
	struct program *program, *next;
	int ret = 0;

	for (program = programs->programs; program && !ret; program = next) {
		next = program->next;
		if (program->fd < 0 && program->pid == pid)
			ret = note_end(programs, program, "left");
	}
	return ret;
}

static int add_program(struct programs *programs, int fd)
{
	struct program *program;
	struct ucred ucred;
	socklen_t len = sizeof(ucred);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &ucred, &len)) {
		notice("cannot get the user of a program: %s; it is not recorded", strerror(errno));
		programs->failed = true;
		close(fd);
		return 0;
	}
	if ((geteuid() && ucred.uid != geteuid()) || has_too_many(programs, ucred.uid)) {
		close(fd);
		return 0;
	}
	program = calloc(1, sizeof(*program));
	if (!program) {
		close(fd);
		return fail("out of memory");
	}
	if (note_exec(programs, ucred.pid)) {
		close(fd);
		free(program);
		return -1;
	}
	program->fd = fd;
	program->pidfd = -1;
	program->pid = ucred.pid;
	program->uid = ucred.uid;
	program->until = programs_now() + HELLO_MS;
	program->next = programs->programs;
	programs->programs = program;
	programs->nr_programs++;
	return programs_wait_for(programs, fd, program);
}

int connections_accept(struct programs *programs)
{
	int fd, left = CONNECTIONS_MAX;

	while (left-- && (fd = accept4(programs->listening, NULL, NULL, SOCK_CLOEXEC)) >= 0)
		if (add_program(programs, fd))
			return -1;
	/* The socket stays ready: pause until other connections have closed. */
	if (left >= 0 && (errno == EMFILE || errno == ENFILE))
		poll(NULL, 0, FULL_MS);
	return left < 0;
}

/* The connection has closed.  A process closes its descriptors shortly before it is dead, so
 * wait for it up to DEATH_MS. */
static int lose(struct programs *programs, struct program *program)
{
	epoll_ctl(programs->epoll, EPOLL_CTL_DEL, program->fd, NULL);
	close(program->fd);
	program->fd = -1;
	program->until = programs_now() + DEATH_MS;
	program->pidfd = syscall(SYS_pidfd_open, program->pid, 0);
	if (program->pidfd < 0)
		return note_end(programs, program, "ended");
	return programs_wait_for(programs, program->pidfd, program);
}

/* End programs that closed their connection and did not die in time (they called exec(), or
 * closed it), and those that sent no HELLO in time. */
int connections_look_after(struct programs *programs)
{
	struct program *program, *next;
	uint64_t now = programs_now();
	int ret = 0;

	control_settled(programs);
	for (program = programs->programs; program && !ret; program = next) {
		next = program->next;
		if (now >= program->until && (program->fd < 0 || !program->user))
			ret = note_end(programs, program, "left");
	}
	return ret;
}

/* Process up to MESSAGES_MAX messages, so that other programs do not wait long. */
int connections_hear(struct programs *programs, struct program *program)
{
	int ret = 0, left = MESSAGES_MAX;

	if (program->fd < 0)
		return note_end(programs, program, "ended");
	while (!ret && left--)
		ret = program_hear(program, &programs->host);
	/* This may have been the last acknowledgement that an lttctl waits for. */
	control_settled(programs);
	if (ret == -ECONNRESET)
		return lose(programs, program);
	return ret == -1 ? -1 : 0;
}

static bool is_dead(const struct program *program)
{
	struct pollfd pollfd = { .fd = syscall(SYS_pidfd_open, program->pid, 0), .events = POLLIN };
	bool dead = pollfd.fd < 0 ? errno == ESRCH : poll(&pollfd, 1, 0) > 0;

	if (pollfd.fd >= 0)
		close(pollfd.fd);
	return dead;
}

/* The recording ends.  A program that has ended already is recorded as such. */
static int end_one(struct programs *programs, struct program *program)
{
	int ret = program->fd < 0 ? -ECONNRESET : 0, left = END_MESSAGES_MAX;

	while (!ret && left--)
		ret = program_hear(program, &programs->host);
	if (ret == -ECONNRESET || program->bye)
		return note_end(programs, program, is_dead(program) ? "ended" : "left");
	remove_program(programs, program);
	return ret == -1 ? -1 : 0;
}

int connections_end(struct programs *programs)
{
	int ret = 0;

	while (programs->programs)
		ret |= end_one(programs, programs->programs);
	return ret;
}
