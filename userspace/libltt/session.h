/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The connection to an lttd, and the buffers that it gave this program.
 *
 * Context of all, but where it is told: ltt_lock held, by the listener, or by who finds
 * that there is none.
 */
#ifndef LTT_SESSION_H
#define LTT_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/un.h>

#include "common/protocol.h"

struct channel;

/**
 * struct session - the connection to an lttd
 * @next: of all
 * @address: of the lttd's socket
 * @fd: the connection, in the table of the listener; -1: to be made (again)
 * @told: all sites below have been told of
 * @said_hello: and the program's name
 * @round: of the telling, which lttd can make begin again
 * @told_objects: libraries whose first site is below were told of
 * @told_gone: and of so many libraries that were unloaded
 * @said_end: SITES_END was sent for this many
 * @ready: lttd has dealt with all sites below; no more are told of before that is
 *	@said_end, or its answers would find no room
 * @unable: why lttd does not get all that it wants, an errno; 0 when it knows
 * @challenge: what who may have us run code can read here, and says; fresh each time
 * @challenged: @challenge is one
 * @said_all: SITES_END was sent in this round
 * @channels: what lttd gave
 */
struct session {
	struct session *next;
	struct sockaddr_un address;
	int fd;
	uint32_t told;
	bool said_hello;
	uint32_t round;
	uint32_t told_objects;
	uint64_t told_gone;
	uint32_t said_end;
	uint32_t ready;
	bool said_all;
	int unable;
	uint8_t challenge[LTT_PROGRAM_PROOF];
	bool challenged;
	struct channel *channels;
};

extern struct session *ltt_sessions;

/**
 * ltt_session_new() - that there is an lttd at a socket
 * @folder: where
 * @name: and how the socket is called
 *
 * Does nothing if it is known.  Return: 0 or -ENOMEM.
 */
int ltt_session_new(const char *folder, const char *name);

/**
 * ltt_sessions_unable() - not all of this program is recorded
 * @err: why not, an errno, which all lttds that are known are told
 *
 * Context: any, ltt_lock held.
 */
void ltt_sessions_unable(int err);

/** ltt_sessions_unable_for_good() - the same, and those that come later are told, too */
void ltt_sessions_unable_for_good(int err);

/** ltt_session_connect() - make the connection; -EAGAIN: try later, else -errno: there is none */
int ltt_session_connect(struct session *session);

/** ltt_session_speak() - tell what is to be told; -EAGAIN: the rest when there is room */
int ltt_session_speak(struct session *session);

/** ltt_session_hear() - do what was said; -EAGAIN: that was all; -ECONNRESET: the end */
int ltt_session_hear(struct session *session);

/** ltt_session_say_bye() - the program exits */
void ltt_session_say_bye(struct session *session, int status);

/**
 * ltt_session_forked() - the connection is the parent's: make another
 * @has_it: it is in this table of descriptors, too
 *
 * Not by the listener.
 */
void ltt_session_forked(struct session *session, bool has_it);

/** ltt_session_end() - the lttd has gone: nobody listens for it any more */
void ltt_session_end(struct session *session);

#endif /* LTT_SESSION_H */
