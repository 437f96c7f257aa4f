/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A program that is connected.
 *
 * Layer: lttd.
 */
#ifndef LTTD_PROGRAM_H
#define LTTD_PROGRAM_H

#include "user.h"

/**
 * struct program - one end of a connection
 * @next: of all
 * @fd: the connection; -1: it has ended
 * @pidfd: its process, to be waited for then; -1: it cannot be
 * @until: how long, or for its hello: in milliseconds of the monotonic clock
 * @uid: its user
 * @pid: as it was when it connected
 * @name: as it says
 * @user: whose buffers it has; NULL before it has said hello
 * @nr_sites: markers that it has told of
 * @bye: it has said that it exits, and @status
 */
struct program {
	struct program *next;
	int fd;
	int pidfd;
	uint64_t until;
	pid_t pid;
	uid_t uid;
	char name[17];
	struct user *user;
	unsigned int nr_sites;
	bool bye;
	int status;
};

/**
 * struct program_host - what a program may ask of who has it
 * @user: the user with this id, made if need be; NULL after having said why not
 * @wanted: is the event group:name to be recorded?
 */
struct program_host {
	struct user *(*user)(struct program_host *host, uid_t uid);
	bool (*wanted)(struct program_host *host, const char *group, const char *name);
};

/**
 * program_hear() - deal with one message
 *
 * Return: 0; -EAGAIN: there is none; -ECONNRESET: the program has gone, or is not to be
 * heard any more, which has been said; -1: we cannot go on, which has been said.
 */
int program_hear(struct program *program, struct program_host *host);

#endif /* LTTD_PROGRAM_H */
