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
 * @rung: its value has changed; set by the thread, cleared by bell_was_rung()
 */
struct bell {
	struct bell_group *group;
	const uint32_t *word;
	uint32_t seen;
	bool rung;
};

/**
 * struct bells - all bells of a recording
 * @full: eventfd, ready when a bell has rung
 * @nr_rung: number of bells that have rung
 * @groups: the threads
 */
struct bells {
	int full;
	unsigned int nr_rung;
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

/** bell_was_rung() - find out if @bell has rung since the last call */
bool bell_was_rung(struct bells *bells, struct bell *bell);

/** bells_any_rung() - find out if any bell has rung */
static inline bool bells_any_rung(const struct bells *bells)
{
	return __atomic_load_n(&bells->nr_rung, __ATOMIC_RELAXED);
}

#endif /* LTTD_BELLS_H */
