/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Performance counters of the calling thread, as context of its events.
 */
#ifndef LTT_PERF_H
#define LTT_PERF_H

#include "common/shm.h"

/* The bytes of the counters that &ltt_shm.context selects. */
#define LTT_PERF_SIZE(context)	(__builtin_popcount((context) & LTT_CONTEXT_PERF) * sizeof(uint64_t))

/**
 * ltt_perf() - store the counters that the buffers' context selects
 * @to: receives them, LTT_PERF_SIZE(&ltt_shm.context) bytes; LTT_PERF_UNAVAILABLE where one cannot be read,
 *	which is counted in &ltt_shm_ring.uncounted
 * @shm: the buffers
 *
 * Context: any thread, and its signal handlers.  Preserves errno.
 * Return: the end of the counters.
 */
char *ltt_perf(char *to, const struct ltt_shm *shm);

/**
 * ltt_perf_prepare() - set up what ltt_perf() needs
 *
 * Context: ltt_lock held, before the first record.
 */
void ltt_perf_prepare(void);

/**
 * ltt_perf_forget() - leave the counters to the parent
 *
 * Context: the child, right after fork().
 */
void ltt_perf_forget(void);

#endif /* LTT_PERF_H */
