/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A buffer set: the buffers of one process, or with shared buffers those of all processes of
 * a user.
 *
 * Layer: lttd.
 */
#ifndef LTTD_BUFFER_SET_H
#define LTTD_BUFFER_SET_H

#include <stddef.h>

#include "bells.h"
#include "ring.h"

/**
 * struct buffers - layout and use of the buffers; see &struct ltt_shm
 * @sb_order: log2 of a sub-buffer's size in bytes
 * @nr_sb: sub-buffers of each CPU, a power of two
 * @overwrite: a full buffer loses its oldest sub-buffer instead of new events
 * @lossless_ms: how long a thread waits when the buffer is full, in milliseconds
 * @context: context fields of each event
 * @shared: all processes of a user share a buffer set
 * @memory: limit for the buffers of a user, in bytes
 * @objects: record where programs and libraries are in memory; so it is with a call stack in
 *	@context
 * @allocated: see buffers_must_be_allocated()
 */
struct buffers {
	uint32_t sb_order;
	uint32_t nr_sb;
	bool overwrite;
	uint32_t lossless_ms;
	uint32_t context;
	bool shared;
	uint64_t memory;
	bool objects;
	bool allocated;
};

/**
 * buffers_must_be_allocated() - find out if a buffer set must have all its memory from the beginning
 *
 * Where vm.overcommit_memory is 2, the kernel refuses a page when too much memory is promised. A store to a page that a
 * buffer set does not have yet would then kill the program by SIGBUS.
 */
bool buffers_must_be_allocated(void);

struct slot;

/**
 * struct buffer_set - a buffer set
 * @newer: the next one of the same slot
 * @ended_later: of a flight recorder: the next one that has ended
 * @slot: where it is written to
 * @number: its number in the recording
 * @pid: process id of its process, when it connected
 * @name: the program's name, printable
 * @shm: the buffers
 * @memfd: their memory; -1: the set has ended
 * @is_in_vault: @memfd is a number in the table of the vault
 * @ring: the rings, NULL for those that no program has used
 * @rings: those that programs have used, in the order in which they were found
 * @begun: &ltt_shm_ring.begun when they were last looked for
 * @bell: rings when a sub-buffer is full
 * @allocated: it has all its memory, and keeps it
 * @share: number of sub-buffers that each ring may use; lttd withholds the others
 * @reserved: bytes of memory that it may take
 * @passed: number of sub-buffers that programs had filled when memory_look_after() last looked
 * @connected: its process is connected
 * @ended: no process can write to it any more
 * @end_time: when that was found out
 * @try_after: earliest moment to ask the kernel again whether it has ended: nanoseconds of the monotonic clock
 * @pause: how long the last pause was until @try_after; 0: there was none
 * @cut_off: it had to end before that
 * @reported: its damage is logged
 */
struct buffer_set {
	struct buffer_set *newer;
	struct buffer_set *ended_later;
	struct slot *slot;
	uint64_t number;
	pid_t pid;
	char name[17];
	struct ltt_shm shm;
	int memfd;
	bool is_in_vault;
	struct ring **ring;
	struct ring *rings;
	uint32_t begun;
	struct bell bell;
	bool allocated;
	uint32_t share;
	uint64_t reserved;
	uint64_t passed;
	bool connected;
	bool ended;
	uint64_t end_time;
	uint64_t try_after;
	uint64_t pause;
	bool cut_off;
	bool reported;
};

static inline struct buffer_set *buffer_set_of(struct bell *bell)
{
	return (struct buffer_set *)((char *)bell - offsetof(struct buffer_set, bell));
}

/**
 * buffer_set_new() - make a buffer set
 * @buffers: its use, and the largest layout
 * @sb_order: log2 of the size of its sub-buffers, at most that of @buffers
 * @nr_sb: sub-buffers of each ring, a power of two
 * @bells: all bells
 * @err: set to -errno on failure
 *
 * Return: the set, to be freed with buffer_set_free(); NULL.
 */
struct buffer_set *buffer_set_new(const struct buffers *buffers, uint32_t sb_order, uint32_t nr_sb, struct bells *bells, int *err);

/** buffer_set_cpus() - return the number of rings of CPUs that a buffer set has */
uint32_t buffer_set_cpus(void);

/** buffer_set_rings() - return the number of rings that a buffer set has */
uint32_t buffer_set_rings(const struct buffers *buffers);

/** buffer_set_put_away() - move the memory's descriptor to the vault, if there is room; no program needs it any more */
void buffer_set_put_away(struct buffer_set *set);

/** buffer_set_close() - close the memory's descriptor; the mapping stays */
void buffer_set_close(struct buffer_set *set);

/** buffer_set_free() - free @set, whose records that were not taken are lost */
void buffer_set_free(struct buffer_set *set, struct bells *bells);

/** typedef stream_of_fn - return the data stream for ring @nr of @slot; NULL: out of memory */
typedef struct stream *stream_of_fn(struct slot *slot, uint32_t nr);

/**
 * buffer_set_find_all_rings() - find the rings that programs have begun to use
 * @set: the set
 * @stream_of: finds their streams
 *
 * Does not touch the others, so that they take no memory.
 *
 * Return: 0; -1 with the failure logged.
 */
int buffer_set_find_all_rings(struct buffer_set *set, stream_of_fn *stream_of);

/**
 * buffer_set_find_rings() - the same if programs have counted new ones, which is much faster
 *
 * A program counts no ring in which it has only lost events.
 */
int buffer_set_find_rings(struct buffer_set *set, stream_of_fn *stream_of);

/**
 * buffer_set_take() - write the packets of all rings that were found
 * @set: the set
 * @trace: its trace
 * @how: see ring_take()
 *
 * Return: 0; -1 with the failure logged.
 */
int buffer_set_take(struct buffer_set *set, struct ring_trace *trace, const struct ring_how *how);

/**
 * buffer_set_try_end() - find out if no process can write to a set any more
 * @set: the set
 * @bells: all bells
 *
 * A process that was forked may still write to its parent's buffers.  The kernel knows: it seals
 * a memfd against writing only if no process has a writable mapping.
 *
 * Return: true: the set has ended, and is read from a private mapping from now on.
 */
bool buffer_set_try_end(struct buffer_set *set, struct bells *bells);

/** buffer_set_measure() - find out how much memory @set has, in bytes; it is open */
uint64_t buffer_set_measure(const struct buffer_set *set);

/** buffer_set_is_damaged() - find out if a program has damaged a ring of @set, or its mapping */
bool buffer_set_is_damaged(const struct buffer_set *set);

#endif /* LTTD_BUFFER_SET_H */
