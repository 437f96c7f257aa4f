/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The trace of a user's programs: DIR/user-UID.
 *
 * Layer: lttd.
 */
#ifndef LTTD_USER_H
#define LTTD_USER_H

#include <pthread.h>

#include "clock.h"
#include "notes.h"
#include "ring.h"

/**
 * struct buffers - layout of the buffers; see &struct ltt_shm
 * @sb_order: log2 of a sub-buffer's size in bytes
 * @nr_sb: sub-buffers of each CPU, a power of two
 * @overwrite: a full buffer loses its oldest sub-buffer instead of new events
 * @lossless_ms: how long a thread waits when the buffer is full, in milliseconds
 * @context: context fields of each event
 */
struct buffers {
	uint32_t sb_order;
	uint32_t nr_sb;
	bool overwrite;
	uint32_t lossless_ms;
	uint32_t context;
};

/**
 * struct rejected - a marker that matches a pattern and cannot be recorded
 * @next: the next one
 * @text: its name, format and the reason
 */
struct rejected {
	struct rejected *next;
	char text[];
};

/**
 * struct user - a user, whose programs share buffers
 * @next: the next user
 * @uid: user id
 * @trace: data that the rings share
 * @ring: the rings
 * @notes: starts and ends of programs
 * @memfd: the buffers, sent to programs
 * @metadata: the metadata file
 * @metadata_size: bytes of whole blocks in @metadata
 * @full: eventfd, ready when a sub-buffer may be full
 * @waiter: thread that writes to @full
 * @rejected: the rejected markers, each once
 * @nr_rejected: number of @rejected
 * @incomplete: a program could not be recorded, with the reason logged
 * @ending: @waiter is to exit; written by the loop, read by @waiter
 */
struct user {
	struct user *next;
	uid_t uid;
	struct ring_trace trace;
	struct ring *ring;
	struct notes notes;
	int memfd;
	int metadata;
	off_t metadata_size;
	int full;
	pthread_t waiter;
	struct rejected *rejected;
	unsigned int nr_rejected;
	bool incomplete;
	bool ending;
};

/**
 * user_refuse_old() - reject a directory that holds the trace of a user
 * @root: the directory
 *
 * Return: 0; -1 with the failure logged.
 */
int user_refuse_old(const char *root);

/**
 * user_new() - make the trace of a user's programs
 * @uid: user id
 * @root: output directory, in which user-UID is made
 * @clock: clock for the metadata
 * @buffers: layout of the buffers
 *
 * Return: the user, to be freed with user_free(); NULL with the failure logged.
 */
struct user *user_new(uid_t uid, const char *root, const struct clock *clock,
		      const struct buffers *buffers);

/**
 * user_event() - find or add a marker's event, and describe it in the metadata
 * @user: the user
 * @marker: the marker, as an untrusted program describes it
 * @number: receives the event's number
 *
 * Return: 0; -1: the marker is rejected; -2: lttd failed.  Both are logged.
 */
int user_event(struct user *user, const struct marker *marker, uint32_t *number);

/**
 * user_prepare() - allocate memory ahead of the writers of a flight recorder
 * @user: the user
 *
 * Programs wake lttd when a sub-buffer is full only until no memory is left to allocate.
 */
void user_prepare(struct user *user);

/** user_take() - write the packets of all rings: see ring_take() */
int user_take(struct user *user, bool partial);

/**
 * struct user_counts - result of a user's recording
 * @stored: number of events written
 * @lost: number of events known to be lost
 * @bytes: bytes written
 * @overwritten: number of sub-buffers that a flight recorder has overwritten
 */
struct user_counts {
	unsigned long long stored;
	unsigned long long lost;
	unsigned long long bytes;
	unsigned long long overwritten;
};

/** user_count() - compute @user's counts so far */
void user_count(const struct user *user, struct user_counts *counts);

/**
 * user_end() - write the rest of all buffers, and wait until it is on the disk
 * @user: the user
 *
 * Return: 0; -1: the trace is not complete, with the reason logged.
 */
int user_end(struct user *user);

/** user_free() - free @user, and close its files */
void user_free(struct user *user);

/** user_discard() - as user_free(), and remove the empty trace from @root */
void user_discard(struct user *user, const char *root);

#endif /* LTTD_USER_H */
