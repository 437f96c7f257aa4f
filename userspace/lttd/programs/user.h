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
 * struct buffers - how large they are to be, for each CPU
 * @sb_order: of a sub-buffer's size in bytes
 * @nr_sb: how many, a power of two
 * @overwrite: without room the oldest are lost, not the newest
 * @lossless_ms: see &struct ltt_shm, as for @context
 * @context: what each event has
 */
struct buffers {
	uint32_t sb_order;
	uint32_t nr_sb;
	bool overwrite;
	uint32_t lossless_ms;
	uint32_t context;
};

/**
 * struct user - whose programs share buffers
 * @next: of all
 * @uid: who
 * @trace: what the rings share
 * @ring: for each CPU
 * @notes: which programs came and went
 * @memfd: the buffers, for programs
 * @metadata: the file
 * @metadata_size: of what is whole in it
 * @full: an eventfd: a sub-buffer may be full
 * @waiter: tells @full
 * @refused: markers that are none
 * @incomplete: a program could not be recorded, which has been said
 * @ending: it is to end; written by the loop, read by @waiter
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
	unsigned int refused;
	bool incomplete;
	bool ending;
};

/**
 * user_new() - begin the trace of a user's programs
 * @root: the folder that user-UID is made in
 *
 * Return: the user; NULL after having said why not.
 */
struct user *user_new(uid_t uid, const char *root, const struct clock *clock,
		      const struct buffers *buffers);

/**
 * user_event() - the number of a marker's event
 *
 * It is in the metadata when this returns 0.
 *
 * Return: 0; -1 after having said what is wrong with the marker; -2 after having said
 * what is wrong here.
 */
int user_event(struct user *user, const struct marker *marker, uint32_t *number);

/** user_take() - write what is there: see ring_take() */
int user_take(struct user *user, bool partial);

/**
 * struct user_counts - what has been written
 * @stored: events
 * @lost: events that are not in the trace, as far as is known
 * @bytes: on disk
 * @overwritten: sub-buffers of a flight recorder; of how many events nobody knows
 */
struct user_counts {
	unsigned long long stored;
	unsigned long long lost;
	unsigned long long bytes;
	unsigned long long overwritten;
};

void user_count(const struct user *user, struct user_counts *counts);

/** user_end() - the trace is complete.  0; -1: it is not, and it has been said */
int user_end(struct user *user);

void user_free(struct user *user);

/** user_discard() - the same, of one of whom nothing was recorded: its folder in @root, too */
void user_discard(struct user *user, const char *root);

#endif /* LTTD_USER_H */
