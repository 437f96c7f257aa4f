/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The slots of a user: each has data streams, to which the buffer sets of its processes are
 * written, one process after the other.  So there are as many files as processes at one time
 * need, however many there are in all.
 *
 * Layer: lttd.
 */
#ifndef LTTD_SLOTS_H
#define LTTD_SLOTS_H

#include "buffer-set.h"

/**
 * struct slot - a slot
 * @slots: all slots of its user
 * @number: its number; its data streams are named by it
 * @streams: the data streams by the numbers of rings; NULL before there is a ring
 * @oldest: its oldest buffer set.  Only a flight recorder keeps sets that have ended
 * @newest: its newest buffer set; all but this one have ended
 */
struct slot {
	struct slots *slots;
	uint32_t number;
	uint32_t nr_streams;
	struct stream **streams;
	struct buffer_set *oldest;
	struct buffer_set *newest;
};

/**
 * struct slots - all slots of a user
 * @trace: the user's trace
 * @buffers: layout and use of buffers
 * @bells: all bells
 * @slot: the slots
 * @nr: number of @slot
 * @first: no slot with a lower number is free
 * @searched: the slot whose rings are searched for next
 * @reserved: bytes of memory that all buffers may take, see memory.h
 * @oldest_ended: of a flight recorder: the buffer set that ended first
 * @newest_ended: the one that ended last
 * @nr_ended: number of those that have ended
 * @damaged: programs have damaged their buffers, which is logged
 * @uncounted: programs could not read performance counters, which is logged
 */
struct slots {
	struct ring_trace *trace;
	const struct buffers *buffers;
	struct bells *bells;
	struct slot **slot;
	uint32_t nr;
	uint32_t first;
	uint32_t searched;
	uint64_t reserved;
	struct buffer_set *oldest_ended;
	struct buffer_set *newest_ended;
	unsigned int nr_ended;
	bool damaged;
	bool uncounted;
};

/**
 * slots_add() - make a buffer set, and a slot if none is free
 * @slots: the slots
 * @pid: the process
 * @name: the program's name
 * @err: set to -errno on failure; -EDQUOT: the buffers of the user have reached the limit
 *
 * Return: the set, connected; NULL.
 */
struct buffer_set *slots_add(struct slots *slots, pid_t pid, const char *name, int *err);

/**
 * slots_disconnect() - the process of a buffer set has closed its connection
 * @slots: the slots
 * @set: the set, which may be freed
 *
 * Return: 0; -1 with the failure logged.
 */
int slots_disconnect(struct slots *slots, struct buffer_set *set);

/** slots_find_rings() - find the rings that programs have begun to use, before a snapshot */
int slots_find_rings(struct slots *slots);

/** enum slots_take - what slots_take() takes */
enum slots_take {
	SLOTS_FULL,	/* full sub-buffers */
	SLOTS_ALL,	/* all records; sub-buffers of slow processes give memory back */
};

/**
 * slots_take() - write packets to data streams
 * @slots: the slots
 * @what: which
 *
 * Return: 0; -1 with the failure logged.
 */
int slots_take(struct slots *slots, enum slots_take what);

/**
 * slots_take_rung() - write packets of full sub-buffers of the processes that have rung
 * @bells: all bells
 *
 * Return: 0; -1 with the failure logged.
 */
int slots_take_rung(struct bells *bells);

/**
 * slots_look_after() - end buffer sets that no process can write to, and share memory out anew
 * @slots: the slots
 *
 * Return: 0; -1 with the failure logged.
 */
int slots_look_after(struct slots *slots);

/** slots_pass() - return true if ring_passes() is true for all rings that programs write to; call it for each */
bool slots_pass(struct slots *slots);

/** slots_move() - continue in files in another &ring_trace.dir: see stream_move() */
void slots_move(struct slots *slots);

/**
 * slots_end() - write all that is left, and wait until it is on the disk
 * @slots: the slots, which have no buffer sets afterwards
 *
 * Return: 0; -1 with the failure logged.
 */
int slots_end(struct slots *slots);

/** slots_free() - free all buffer sets and slots, and close their files */
void slots_free(struct slots *slots);

#endif /* LTTD_SLOTS_H */
