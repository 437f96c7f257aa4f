/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The trace of a user's programs: DIR/user-UID.
 *
 * Layer: lttd.
 */
#ifndef LTTD_USER_H
#define LTTD_USER_H

#include "clock.h"
#include "notes.h"
#include "slots.h"

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
 * struct user - a user, whose programs are in one trace
 * @next: the next user
 * @uid: user id
 * @trace: data that the rings share
 * @slots: the buffers, and the data streams that they are written to
 * @shared: the buffers that all programs share; NULL: each process has its own
 * @notes: starts and ends of programs, and where objects are
 * @objects: programs are to send where their objects are
 * @metadata: the metadata file
 * @metadata_size: bytes of whole blocks in @metadata
 * @metadata_synced: @metadata_size when it was last written to the disk, in a recording in pieces
 * @rejected: the rejected markers, each once
 * @nr_rejected: number of @rejected
 * @incomplete: a program could not be recorded, with the reason logged
 */
struct user {
	struct user *next;
	uid_t uid;
	struct ring_trace trace;
	struct slots slots;
	struct buffer_set *shared;
	struct notes notes;
	bool objects;
	int metadata;
	off_t metadata_size;
	off_t metadata_synced;
	struct rejected *rejected;
	unsigned int nr_rejected;
	bool incomplete;
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
 * @buffers: layout and use of buffers
 * @bells: all bells
 *
 * Return: the user, to be freed with user_free(); NULL with the failure logged.
 */
struct user *user_new(uid_t uid, const char *root, const struct clock *clock,
		      const struct buffers *buffers, struct bells *bells);

/**
 * user_move() - continue in another piece, with all metadata from the beginning on
 * @user: the user, with no record in &user.notes that is not on the disk
 * @root: directory of the piece, in which user-UID is made
 *
 * Return: 0; -1 with the failure logged.
 */
int user_move(struct user *user, const char *root);

/** user_connect() - give a program buffers: see slots_add() */
struct buffer_set *user_connect(struct user *user, pid_t pid, const char *name, int *err);

/** user_provided() - the program has been sent the descriptor of its buffers */
void user_provided(const struct user *user, struct buffer_set *set);

/** user_disconnect() - a program has closed its connection: see slots_disconnect() */
int user_disconnect(struct user *user, struct buffer_set *set);

/**
 * user_event() - find or add a marker's event, and describe it in the metadata
 * @user: the user
 * @share: what the marker's program has added
 * @marker: the marker, as an untrusted program describes it
 * @number: receives the event's number
 *
 * Return: 0; -1: the marker is rejected; -2: lttd failed.  Both are logged.
 */
int user_event(struct user *user, struct event_share *share, const struct marker *marker, uint32_t *number);

/**
 * user_reject() - note a marker that matches a pattern and cannot be recorded, and report it, once
 * @user: the user
 * @marker: the marker
 * @why: the reason
 *
 * Return: 0; -1: out of memory, which is logged.
 */
int user_reject(struct user *user, const struct marker *marker, const char *why);

/**
 * struct user_counts - result of a user's recording
 * @stored: number of events written
 * @lost: number of events known to be lost
 * @filtered: number of events that filters have dropped
 * @bytes: bytes written
 * @overwritten: number of sub-buffers that a flight recorder has overwritten
 */
struct user_counts {
	unsigned long long stored;
	unsigned long long lost;
	unsigned long long filtered;
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
