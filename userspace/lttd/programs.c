// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The recording of programs: a loop that waits for connections, for what programs say,
 * and for full sub-buffers.
 *
 * Layer: lttd.
 */
#include "programs.h"
#include "call.h"
#include "daemon.h"
#include "log.h"
#include "program.h"

#include <errno.h>
#include <fnmatch.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "../libltt/folder.h"
#include "../libltt/protocol.h"

/* A program that was killed as it was about to wake us has not. */
#define LOOK_MS		200
#define DEATH_MS	100
#define BACKLOG		4096
#define MESSAGES_MAX	64
#define HELLO_MS	5000
#define FULL_MS		10
#define USERS_MAX	1024
#define PROGRAMS_MAX	4096	/* of a user */

/**
 * struct programs - a recording
 * @host: for programs
 * @options: what is asked for
 * @clock: of all traces
 * @users: whose programs have connected, @nr_users of them
 * @nr_users: how many
 * @failed: some could not be recorded
 * @programs: those that are connected, @nr_programs of them
 * @nr_programs: how many
 * @told_too_many: and that more could not be recorded has been said
 * @path: of the socket, "" before there is one
 * @listening: the socket
 * @epoll: what to wait for
 */
struct programs {
	struct program_host host;
	const struct programs_options *options;
	struct clock clock;
	struct user *users;
	unsigned int nr_users;
	bool failed;
	struct program *programs;
	unsigned int nr_programs;
	bool told_too_many;
	char path[sizeof(((struct sockaddr_un *)0)->sun_path)];
	int listening;
	int epoll;
};

static int wait_for(struct programs *programs, int fd, void *what)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = what };

	return epoll_ctl(programs->epoll, EPOLL_CTL_ADD, fd, &event) ?
	       fail("cannot wait for programs: %s", strerror(errno)) : 0;
}

/* ---- The socket ---- */

/* Under another name until programs can connect: they look at any time. */
static int open_socket(struct programs *programs)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char folder[LTT_FOLDER_SIZE], path[sizeof(address.sun_path)];
	int err = ltt_folder(folder);

	if (err)
		return fail("cannot make the folder %s: %s", folder, strerror(-err));
	snprintf(path, sizeof(path), "%s/" LTT_PROGRAM_SOCKET "%d", folder, getpid());
	if (snprintf(address.sun_path, sizeof(address.sun_path), "%s/.%d", folder, getpid()) >=
	    (int)sizeof(address.sun_path))
		return fail("%s: the name is too long for a socket", folder);
	programs->listening = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	unlink(address.sun_path);
	if (programs->listening < 0 ||
	    bind(programs->listening, (struct sockaddr *)&address, sizeof(address)) ||
	    chmod(address.sun_path, geteuid() ? 0600 : 0666) ||
	    listen(programs->listening, BACKLOG) || rename(address.sun_path, path))
		return fail("cannot make the socket %s: %s", path, strerror(errno));
	strcpy(programs->path, path);
	return wait_for(programs, programs->listening, &programs->listening);
}

static void close_socket(struct programs *programs)
{
	if (*programs->path)
		unlink(programs->path);
	if (programs->listening >= 0)
		close(programs->listening);
}

/* ---- What programs ask for ---- */

static bool wanted(struct program_host *host, const char *group, const char *name)
{
	struct programs *programs = (struct programs *)host;
	char event[2 * LTT_MARK_NAME_SIZE];
	char **pattern;

	if (snprintf(event, sizeof(event), "%s:%s", group, name) >= (int)sizeof(event))
		return true;	/* to be refused by its name */
	for (pattern = programs->options->patterns; *pattern; pattern++)
		/* As for the kernel's: without a colon it is a name, in any group. */
		if (!fnmatch(*pattern, strchr(*pattern, ':') ? event : name, 0))
			return true;
	return false;
}

static struct user *find_user(struct program_host *host, uid_t uid)
{
	struct programs *programs = (struct programs *)host;
	struct user *user;

	for (user = programs->users; user; user = user->next)
		if (user->uid == uid)
			return user;
	if (programs->nr_users == USERS_MAX) {
		notice("programs of more than %d users: those of user %u are not recorded", USERS_MAX, uid);
		return NULL;
	}
	user = user_new(uid, programs->options->root, &programs->clock, &programs->options->buffers);
	if (!user || wait_for(programs, user->full, user)) {
		notice("programs of user %u are not recorded", uid);
		programs->failed = true;
		if (user)
			user_free(user);
		return NULL;
	}
	user->next = programs->users;
	programs->users = user;
	programs->nr_users++;
	return user;
}

/* ---- Connections ---- */

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

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ULL + ts.tv_nsec / 1000000;
}

/* Each takes a descriptor, of which files need some: of one user, so that others have
 * room, and of all. */
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
	if (too_many && !programs->told_too_many)
		notice("user %u has too many programs: not all are recorded", uid);
	programs->told_too_many |= too_many;
	return too_many;
}

/* Write down how it ended, as far as one can know. */
static int note_end(struct programs *programs, struct program *program, const char *how)
{
	char text[32];
	int ret = 0;

	if (program->bye) {
		snprintf(text, sizeof(text), "exit %d", program->status);
		how = text;
	}
	if (program->user)
		ret = notes_ended(&program->user->notes, program->pid, how);
	remove_program(programs, program);
	return ret;
}

/* exec() closes the connection before the new program makes its own. */
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

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &ucred, &len) ||
	    (geteuid() && ucred.uid != geteuid()) || has_too_many(programs, ucred.uid)) {
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
	program->until = now_ms() + HELLO_MS;
	program->next = programs->programs;
	programs->programs = program;
	programs->nr_programs++;
	return wait_for(programs, fd, program);
}

static int accept_programs(struct programs *programs)
{
	int fd, left = MESSAGES_MAX;

	while (left-- && (fd = accept4(programs->listening, NULL, NULL, SOCK_CLOEXEC)) >= 0)
		if (add_program(programs, fd))
			return -1;
	/* It stays ready: others end meanwhile. */
	if (left >= 0 && (errno == EMFILE || errno == ENFILE))
		poll(NULL, 0, FULL_MS);
	return 0;
}

/* Who ends loses its descriptors a moment before it is dead. */
static int lose(struct programs *programs, struct program *program)
{
	epoll_ctl(programs->epoll, EPOLL_CTL_DEL, program->fd, NULL);
	close(program->fd);
	program->fd = -1;
	program->until = now_ms() + DEATH_MS;
	program->pidfd = syscall(SYS_pidfd_open, program->pid, 0);
	if (program->pidfd < 0)
		return note_end(programs, program, "ended");
	return wait_for(programs, program->pidfd, program);
}

/* What has lost its connection and is not dead yet: exec(), or it left.  And what has
 * connected, and says nothing. */
static int look_after_lost(struct programs *programs)
{
	struct program *program, *next;
	uint64_t now = now_ms();
	int ret = 0;

	for (program = programs->programs; program && !ret; program = next) {
		next = program->next;
		if (now >= program->until && (program->fd < 0 || !program->user))
			ret = note_end(programs, program, "left");
	}
	return ret;
}

/* As much as the others can wait for. */
static int hear(struct programs *programs, struct program *program)
{
	int ret = 0, left = MESSAGES_MAX;

	if (program->fd < 0)
		return note_end(programs, program, "ended");
	while (!ret && left--)
		ret = program_hear(program, &programs->host);
	if (ret == -ECONNRESET)
		return lose(programs, program);
	return ret == -1 ? -1 : 0;
}

/* ---- The loop ---- */

static bool is_user(const struct programs *programs, const void *what)
{
	const struct user *user;

	for (user = programs->users; user; user = user->next)
		if (user == what)
			return true;
	return false;
}

/* What came before in the same round may have removed it. */
static bool is_program(const struct programs *programs, const void *what)
{
	const struct program *program;

	for (program = programs->programs; program; program = program->next)
		if (program == what)
			return true;
	return false;
}

static int take_all(struct programs *programs)
{
	struct user *user;

	for (user = programs->users; user; user = user->next)
		if (user_take(user, false))
			return -1;
	return 0;
}

/* Return: 1 for a signal, 0, or -1. */
static int look_around(struct programs *programs)
{
	struct epoll_event events[64];
	eventfd_t ignored;
	int count, i, ret = 0;

	count = epoll_wait(programs->epoll, events, 64, LOOK_MS);
	if (count < 0 && errno != EINTR)
		return fail("cannot wait for programs: %s", strerror(errno));
	for (i = 0; i < count && !ret; i++) {
		void *what = events[i].data.ptr;

		if (what == programs)
			ret = 1;
		else if (what == &programs->listening)
			ret = accept_programs(programs);
		else if (is_user(programs, what))
			eventfd_read(((struct user *)what)->full, &ignored);
		else if (is_program(programs, what))
			ret = hear(programs, what) ? -1 : take_all(programs);
	}
	if (!ret)
		ret = look_after_lost(programs);
	return ret ? ret : take_all(programs);
}

static void tell(const struct programs *programs, const char *line)
{
	if (programs->options->told >= 0)
		dprintf(programs->options->told, "%s\n", line);
}

static void report_end(struct programs *programs)
{
	unsigned long long stored = 0, lost = 0, bytes = 0;
	struct user *user;
	char line[128];
	uint32_t i;

	for (user = programs->users; user; user = user->next) {
		for (i = 0; i < user->trace.shm.nr_rings; i++) {
			stored += user->ring[i].stored;
			lost += user->ring[i].lost + !!user->ring[i].damaged;
			bytes += user->ring[i].size;
		}
		bytes += user->metadata_size;
	}
	snprintf(line, sizeof(line), "end %llu %llu %llu", stored, lost, bytes);
	tell(programs, line);
	report("programs: %llu events stored, %llu lost, %llu bytes written to %s", stored, lost, bytes,
	       programs->options->root);
}

static bool is_dead(const struct program *program)
{
	struct pollfd pollfd = { .fd = syscall(SYS_pidfd_open, program->pid, 0), .events = POLLIN };
	bool dead = pollfd.fd < 0 || poll(&pollfd, 1, 0) > 0;

	if (pollfd.fd >= 0)
		close(pollfd.fd);
	return dead;
}

/* It may have ended just before we were told to; else it goes on without us. */
static int end_program(struct programs *programs, struct program *program)
{
	int ret = program->fd < 0 ? -ECONNRESET : 0, left = MESSAGES_MAX;

	while (!ret && left--)
		ret = program_hear(program, &programs->host);
	if (ret == -ECONNRESET)
		return note_end(programs, program, is_dead(program) ? "ended" : "left");
	remove_program(programs, program);
	return ret == -1 ? -1 : 0;
}

static int end(struct programs *programs)
{
	struct user *user;
	int ret = 0;

	while (programs->programs)
		ret |= end_program(programs, programs->programs);
	for (user = programs->users; user; user = user->next)
		ret |= user_end(user);
	report_end(programs);
	return ret;
}

static int begin(struct programs *programs)
{
	char line[sizeof(programs->path) + 8];

	programs->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (programs->epoll < 0)
		return fail("cannot wait for programs: %s", strerror(errno));
	/* Who has started us, and is not there any more, will never end us. */
	if (programs->options->told >= 0 && wait_for(programs, programs->options->told, programs))
		return -1;
	if (clock_find(&programs->clock, programs->options->root) || open_socket(programs) ||
	    wait_for(programs, programs->options->signals, programs))
		return -1;
	if (programs->options->daemon >= 0 && daemon_ready(programs->options->daemon))
		return -1;
	call_programs();
	snprintf(line, sizeof(line), "ready %s", programs->path);
	tell(programs, line);
	return 0;
}

int programs_record(const struct programs_options *options)
{
	struct programs programs = {
		.host = { find_user, wanted },
		.options = options,
		.listening = -1,
		.epoll = -1,
	};
	struct user *user;
	int ret;

	ret = begin(&programs);
	while (!ret)
		ret = look_around(&programs);
	close_socket(&programs);
	if (end(&programs) || ret < 0 || programs.failed)
		ret = -1;
	else
		ret = 0;
	while ((user = programs.users)) {
		programs.users = user->next;
		user_free(user);
	}
	if (programs.epoll >= 0)
		close(programs.epoll);
	return ret;
}
