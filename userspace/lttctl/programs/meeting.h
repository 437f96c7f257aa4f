/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Calling the programs that run, and hearing what they say.
 *
 * Layer: lttctl.  It is done as an lttd would; none is needed.  Those of this user, and
 * root calls those of all.
 */
#ifndef LTTCTL_MEETING_H
#define LTTCTL_MEETING_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/protocol.h"

/**
 * struct meeting_program - one that has come
 * @pid: its process
 * @name: as it says
 * @messages: that it has said, but for the first
 */
struct meeting_program {
	pid_t pid;
	char name[LTT_PROGRAM_NAME + 1];
	unsigned int messages;
};

/**
 * struct meeting - all that come
 * @hear: is told each message but the first, of a program whose @name is known then; data,
 *	size in bytes, a connection on which it may answer, without waiting.  Return: 1: that
 *	was the last of this one, 0, or -1 after having said what is wrong
 * @arg: for @hear
 * @wait_ms: no longer than this
 * @enough: by @hear: nobody else need be heard
 * @silent: told how many were called and have not come, or not said all; also of those
 *	that have another process id for themselves, in a namespace
 * @polls: the socket, then a connection for each of @programs; -1: it has said all
 * @programs: from 1 on
 * @nr: how many @polls and @programs
 * @called: process ids, @nr_called of them, of programs that have not said all
 * @nr_called: how many
 * @forgot: one of these could not be noted
 */
struct meeting {
	int (*hear)(struct meeting *meeting, struct meeting_program *program, const void *data,
		    size_t size, int fd);
	void *arg;
	int wait_ms;
	bool enough;
	unsigned int silent;
	struct pollfd *polls;
	struct meeting_program *programs;
	size_t nr;
	pid_t *called;
	size_t nr_called;
	bool forgot;
};

/** meeting_hold() - from calling them to the end.  0, or a status after having said what is wrong */
int meeting_hold(struct meeting *meeting);

#endif /* LTTCTL_MEETING_H */
