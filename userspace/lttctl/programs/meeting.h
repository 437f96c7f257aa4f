/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Call the running programs of this user, for root of all users, and receive their messages.
 *
 * Layer: lttctl.  lttctl does here what lttd does in a recording; it needs no lttd.
 */
#ifndef LTTCTL_MEETING_H
#define LTTCTL_MEETING_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/protocol.h"

/**
 * struct meeting_program - a program that has connected
 * @pid: its process id
 * @name: the name that it has sent
 * @messages: number of messages received after the first
 */
struct meeting_program {
	pid_t pid;
	char name[LTT_PROGRAM_NAME + 1];
	unsigned int messages;
};

/**
 * struct meeting - the programs that connect
 * @receive: called for each message after a program's first, which sets its name.  @data has
 *	@size bytes; @fd is the connection, for replies with MSG_DONTWAIT.  Return: 1 if this
 *	was the program's last message, 0 if not, -1 after an error message
 * @arg: for @receive
 * @wait_ms: longest duration of the meeting in milliseconds
 * @enough: @receive sets this to end the meeting
 * @silent: set to the number of called programs that did not connect, or did not send all
 *	messages, in time; includes programs with another process id in a namespace of theirs
 * @polls: the socket, then the connection of each of @programs; -1 after its last message
 * @programs: the programs, from index 1 on
 * @nr: number of @polls and of @programs
 * @called: process ids of the called programs that have not sent their last message
 * @nr_called: number of @called
 * @forgot: there was no memory for an element of @called
 */
struct meeting {
	int (*receive)(struct meeting *meeting, struct meeting_program *program, const void *data,
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

/**
 * meeting_hold() - call the programs and receive their messages
 * @meeting: @receive, @arg and @wait_ms are set, the rest is zero
 *
 * Return: 0, or EXIT_FAILED after a message.
 */
int meeting_hold(struct meeting *meeting);

#endif /* LTTCTL_MEETING_H */
