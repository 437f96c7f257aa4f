/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A program that is connected.
 *
 * Layer: lttd.
 */
#ifndef LTTD_PROGRAM_H
#define LTTD_PROGRAM_H

#include "patterns.h"
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
 * @nr_sites: markers that it has told of, in this round
 * @round: as often as it was told to tell again
 * @settled: and has dealt with all that was said of its markers in the last
 * @asker: it is lttctl, which has asked for something; answered when all are settled, or
 *	at @until
 * @bye: it has said that it exits, and @status
 * @unable: it has said that not all of it is recorded
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
	uint32_t round;
	bool settled;
	bool asker;
	bool bye;
	int status;
	bool unable;
};

/**
 * struct program_host - what a program may ask of who has it
 * @user: the user with this id, made if need be; NULL after having said why not
 * @patterns: which events are to be recorded
 * @ask: deal with a &struct ltt_program_text of lttctl.  As program_hear()
 */
struct program_host {
	struct user *(*user)(struct program_host *host, uid_t uid);
	struct patterns *patterns;
	int (*ask)(struct program_host *host, struct program *program, const void *data, size_t size);
};

/**
 * program_hear() - deal with one message
 *
 * Return: 0; -EAGAIN: there is none; -ECONNRESET: the program has gone, or is not to be
 * heard any more, which has been said; -1: we cannot go on, which has been said.
 */
int program_hear(struct program *program, struct program_host *host);

/**
 * program_tell() - have a program tell of all its markers again
 *
 * Return: 0; -ECONNRESET: it is not to be heard any more.
 */
int program_tell(struct program *program);

#endif /* LTTD_PROGRAM_H */
