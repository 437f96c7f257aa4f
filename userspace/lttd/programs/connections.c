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
#define FILES		256		/* descriptors that are not for programs */
#define DESCRIPTORS_MAX	(1 << 20)

/* ---- The lists ---- */

static void add_pending(struct programs *programs, struct program *program, unsigned int ms)
{
	program->until = programs_now() + ms;
	if (!program->is_pending)
		LIST_INSERT_HEAD(&programs->pending, program, pending);
	program->is_pending = true;
}

static void remove_pending(struct program *program)
{
	if (program->is_pending)
		LIST_REMOVE(program, pending);
	program->is_pending = false;
}

static struct program_list *list_of_pid(struct programs *programs, pid_t pid)
{
	return &programs->pids[(unsigned int)pid % PROGRAM_PIDS];
}

bool connections_have(struct programs *programs, pid_t pid)
{
	const struct program *program;

	LIST_FOREACH(program, list_of_pid(programs, pid), same_pid)
		if (program->pid == pid && program->user)
			return true;
	return false;
}

void connections_free_removed(struct programs *programs)
{
	struct program *program;

	while ((program = LIST_FIRST(&programs->removed))) {
		LIST_REMOVE(program, all);
		free(program);
	}
}

static int remove_program(struct programs *programs, struct program *program)
{
	int ret = program->set ? user_disconnect(program->user, program->set) : 0;

	/* It has ended, or the recording ends, before it had lttd's answer for all its sites. */
	if (program->running)
		programs->host.joined(&programs->host, program);
	if (program->pidfd >= 0)
		close(program->pidfd);
	if (program->fd >= 0)
		close(program->fd);

	remove_pending(program);
	LIST_REMOVE(program, same_pid);
	LIST_REMOVE(program, all);
	LIST_INSERT_HEAD(&programs->removed, program, all);
	program->removed = true;
	programs->nr_programs--;
	return ret;
}

/* The name of a process that has sent nothing yet, for a message. */
static void name_process(pid_t pid, char *name, size_t size)
{
	char path[32], line[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	file = fopen(path, "re");
	if (file) {
		if (fgets(line, sizeof(line), file))
			line[strcspn(line, "\n")] = '\0';
		fclose(file);
	}
	copy_printable(name, size, *line ? line : "?");
}

/* How many programs the descriptors are for: a program has a connection.  (Its buffers are in the
 * vault.)  The rest is for lttd's files. */
static unsigned int nr_possible(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	if (limit.rlim_cur > DESCRIPTORS_MAX)
		limit.rlim_cur = DESCRIPTORS_MAX;
	return limit.rlim_cur < 4 * FILES ? limit.rlim_cur / 4 : limit.rlim_cur - FILES;
}

/* A user's programs never take more than three quarters of what the other users' have left, so that
 * there is always room for another user's. */
static bool has_too_many(struct programs *programs, uid_t uid, pid_t pid)
{
	unsigned int possible = nr_possible(), of_user = 0, left;
	const struct program *program;
	char name[17];

	left = possible < programs->nr_programs ? 0 : possible - programs->nr_programs;
	/* Count only where it matters: there can be thousands. */
	if (geteuid() ? left : 3 * left > programs->nr_programs)
		return false;
	LIST_FOREACH(program, &programs->programs, all)
		of_user += program->uid == uid;
	if (!geteuid() && 3 * left > of_user)
		return false;
	name_process(pid, name, sizeof(name));
	notice_of_others("program %s (pid %d) is not recorded: lttd's limit of open files (ulimit -Hn) has room for %u programs; %u are recorded, %u of them of user %u",
			 name, pid, possible, programs->nr_programs, of_user, uid);
	programs->failed = true;
	return true;
}

/* Remove the socket of a process that has died, or replaced itself.  Only in our folder, and only
 * of our user: a program of another user removes those of its user when it starts. */
static void remove_socket(const struct programs *programs, const struct program *program)
{
	const char *name = strrchr(programs->path, '/');
	char path[MEET_PATH_SIZE + 64];

	if (!program->socket || program->uid != geteuid() || !name)
		return;
	snprintf(path, sizeof(path), "%.*s/" LTT_PROGRAM_CALL "%d-%llx", (int)(name - programs->path),
		 programs->path, program->pid, (unsigned long long)program->socket);
	unlink(path);
}

/* Record how the process ended, and remove @program.  @dead: without BYE, a signal or _exit() has
 * ended it; else it has left this program or user. */
static int note_end(struct programs *programs, struct program *program, bool dead)
{
	const char *how = dead ? "ended" : "left";
	char text[32];
	int ret = 0;

	if (dead)
		remove_socket(programs, program);
	if (program->bye && program->status == LTT_PROGRAM_STATUS_UNKNOWN)
		how = "exit";
	else if (program->bye) {
		snprintf(text, sizeof(text), "exit %d", program->status);
		how = text;
	}
	if (program->user)
		ret = notes_ended(&program->user->notes, program->pid, how);
	return remove_program(programs, program) || ret ? -1 : 0;
}

/* After exec() the process connects anew: end its old connection, which exec() closed. */
static int note_exec(struct programs *programs, pid_t pid)
{
	struct program *program, *next;
	int ret = 0;

	for (program = LIST_FIRST(list_of_pid(programs, pid)); program && !ret; program = next) {
		next = LIST_NEXT(program, same_pid);
		if (program->fd >= 0 || program->pid != pid)
			continue;
		remove_socket(programs, program);
		ret = note_end(programs, program, false);
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
	if ((geteuid() && ucred.uid != geteuid()) || has_too_many(programs, ucred.uid, ucred.pid)) {
		close(fd);
		return 0;
	}
	program = calloc(1, sizeof(*program));
	if (!program) {
		close(fd);
		return fail("out of memory");
	}
	/* After exec(), with its ancestors gone, only this shows that it is one of those to record. */
	program->heir = connections_have(programs, ucred.pid);
	if (note_exec(programs, ucred.pid)) {
		close(fd);
		free(program);
		return -1;
	}
	program->fd = fd;
	program->pidfd = -1;
	program->pid = ucred.pid;
	program->uid = ucred.uid;
	LIST_INSERT_HEAD(&programs->programs, program, all);
	LIST_INSERT_HEAD(list_of_pid(programs, program->pid), program, same_pid);
	add_pending(programs, program, HELLO_MS);
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
	add_pending(programs, program, DEATH_MS);
	program->pidfd = syscall(SYS_pidfd_open, program->pid, 0);
	if (program->pidfd < 0)
		return note_end(programs, program, true);
	return programs_wait_for(programs, program->pidfd, program);
}

/* So is one whose thread did not run for so long. */
static void report_silent(struct programs *programs, const struct program *program)
{
	char name[17];

	name_process(program->pid, name, sizeof(name));
	notice_of_others("program %s (pid %d) is not recorded: it connected and sent nothing for %d seconds",
			 name, program->pid, HELLO_MS / 1000);
	programs->failed = true;
}

/* End programs that closed their connection and did not die in time (they called exec(), or
 * closed it), and those that sent no HELLO in time. */
int connections_look_after(struct programs *programs)
{
	struct program *program, *next;
	uint64_t now = programs_now();
	int ret = 0;

	control_settled(programs);
	for (program = LIST_FIRST(&programs->pending); program && !ret; program = next) {
		next = LIST_NEXT(program, pending);
		if (now < program->until)
			continue;
		if (program->fd >= 0 && !program->lttctl)
			report_silent(programs, program);
		ret = note_end(programs, program, false);
	}
	return ret;
}

/* Process up to MESSAGES_MAX messages, so that other programs do not wait long. */
int connections_hear(struct programs *programs, struct program *program)
{
	int ret = 0, left = MESSAGES_MAX;

	if (program->fd < 0)
		return note_end(programs, program, true);
	while (!ret && left--)
		ret = program_hear(program, &programs->host);
	if (program->user)
		remove_pending(program);
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
		return note_end(programs, program, is_dead(program));
	return remove_program(programs, program) || ret == -1 ? -1 : 0;
}

int connections_end(struct programs *programs)
{
	int ret = 0;

	while (!LIST_EMPTY(&programs->programs))
		ret |= end_one(programs, LIST_FIRST(&programs->programs));
	connections_free_removed(programs);
	return ret;
}
