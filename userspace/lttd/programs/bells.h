/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Bells: the futexes by which programs wake lttd when a sub-buffer is full.
 *
 * Layer: lttd.  Threads turn any number of futexes into one eventfd, because epoll cannot wait
 * for futexes.  Programs can write anything to their own futex: this wakes lttd, or makes it
 * see a full sub-buffer of that program later, but does not keep it from others.
 */
#ifndef LTTD_BELLS_H
#define LTTD_BELLS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct bell_group;

/**
 * struct bell - the futex of a buffer set
 * @group: the thread that waits for it; NULL: none
 * @word: the futex, &ltt_shm_ring.closed
 * @seen: its last value
 * @rung: its value has changed; set by the thread, cleared by bell_hear()
 * @rung_before: the next one in &bells.rung, while @rung
 */
struct bell {
	struct bell_group *group;
	const uint32_t *word;
	uint32_t seen;
	bool rung;
	struct bell *rung_before;
};

/**
 * struct bells - all bells of a recording
 * @full: eventfd, ready when a bell has rung
 * @rung: the bells that have rung, the last one first; threads add bells, the loop takes all
 * @groups: the threads
 */
struct bells {
	int full;
	struct bell *rung;
	struct bell_group *groups;
};

/** bells_init() - make @bells.  Return: 0; -1 with the failure logged. */
int bells_init(struct bells *bells);

/** bells_end() - stop the threads, which have no bells left */
void bells_end(struct bells *bells);

/**
 * bell_hang() - begin to wait for a futex
 * @bells: all bells
 * @bell: zero
 * @word: the futex, which stays readable until bell_remove()
 *
 * Return: 0 or -errno.
 */
int bell_hang(struct bells *bells, struct bell *bell, const uint32_t *word);

/** bell_remove() - do not wait for @bell any more; it need not be hung */
void bell_remove(struct bells *bells, struct bell *bell);

/** bells_take() - return the bells that have rung, a list by &bell.rung_before; call bell_hear() for each */
struct bell *bells_take(struct bells *bells);

/**
 * bell_hear() - let a bell ring again
 * @bell: from bells_take()
 *
 * Loads of heads after this see the sub-buffer for which it rang.
 *
 * Return: the next bell of the list.
 */
struct bell *bell_hear(struct bell *bell);

#endif /* LTTD_BELLS_H */
