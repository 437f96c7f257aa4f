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

#include "../libltt/protocol.h"

/**
 * struct meeting_program - one that has come
 * @pid: its process
 * @name: as it says
 * @asked: for &struct meeting.hear: that it has been
 */
struct meeting_program {
	pid_t pid;
	char name[LTT_PROGRAM_NAME + 1];
	bool asked;
};

/**
 * struct meeting - all that come
 * @hear: is told each message but the first, of a program whose @name is known then; data,
 *	size in bytes, a connection on which it may answer, without waiting.  Return: 1: that
 *	was the last of this one, 0, or -1 after having said what is wrong
 * @arg: for @hear
 * @silent: told how many have not come, or not said all, in two seconds
 * @polls: the socket, then a connection for each of @programs; -1: it has said all
 * @programs: from 1 on
 * @nr: how many @polls and @programs
 * @called: programs
 * @heard: of them, to the end
 */
struct meeting {
	int (*hear)(struct meeting *meeting, struct meeting_program *program, const void *data,
		    size_t size, int fd);
	void *arg;
	unsigned int silent;
	struct pollfd *polls;
	struct meeting_program *programs;
	size_t nr;
	unsigned int called;
	unsigned int heard;
};

/** meeting_hold() - from calling them to the end.  0, or a status after having said what is wrong */
int meeting_hold(struct meeting *meeting);

#endif /* LTTCTL_MEETING_H */
