/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A private recording makes itself known, so that list and status can show it.
 *
 * Layer: lttctl.  Over /dev/ltt no other process sees the trace of `lttctl record`.
 * It listens on the socket record-PID in the rendezvous folder of its user, where lttds
 * of programs' recordings listen, too, and describes itself to each process that connects.
 */
#ifndef LTTCTL_ANNOUNCE_H
#define LTTCTL_ANNOUNCE_H

#include "lttctl/command.h"

/**
 * struct announcement - the socket of a running recording
 * @fd: listens, non-blocking; -1 when there is none
 * @path: of the socket
 */
struct announcement {
	int fd;
	char path[128];
};

/**
 * announce_begin() - listen
 * @announcement: receives the socket; without one, after a warning, the recording is
 *	not shown
 */
void announce_begin(struct announcement *announcement);

/**
 * announce_reply() - describe the recording to all that have connected
 * @announcement: the socket; nothing is done without one
 * @description: a JSON object, see doc/man/lttctl.1; the caller keeps its reference
 *
 * Context: does not block.
 */
void announce_reply(const struct announcement *announcement, struct json_object *description);

/**
 * announce_end() - remove the socket
 * @announcement: the socket; nothing is done without one
 */
void announce_end(struct announcement *announcement);

/**
 * announced_show() - print the private recordings of this user; of all users, for root
 * @name: the name of one, record-PID; NULL for all
 * @counts: print its counts, too
 * @to: append JSON objects to this array; NULL for text
 * @nr: receives how many were printed
 *
 * Context: blocks for up to a second for each recording that does not reply, three of a user at most; the others of
 * that user are left out then.
 */
void announced_show(const char *name, bool counts, struct json_object *to, unsigned int *nr);

/** announced_own() - append those of this user, with their counts; as announced_show() */
void announced_own(struct json_object *to);

/** announced_output() - return the directory of this user's private recording @name, to be freed; NULL if there is none */
char *announced_output(const char *name);

#endif /* LTTCTL_ANNOUNCE_H */
