/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Writing a record to the buffers of a channel.
 */
#ifndef LTT_WRITE_H
#define LTT_WRITE_H

#include "common/shm.h"

/**
 * ltt_shm_can_write() - are there restartable sequences here?
 *
 * There are none on a kernel before 4.18, with a C library other than glibc, under
 * valgrind, or with GLIBC_TUNABLES=glibc.pthread.rseq=0.  The first time that it is asked
 * they are tried, in memory that nobody else has: if they do not store there what they
 * should, there are none.  That the kernel restarts them is not tried.
 */
bool ltt_shm_can_write(void);

/**
 * ltt_shm_write() - store a record, or count it as lost
 * @shm: the buffers
 * @id: of the event; those from LTT_SHM_ID_COMPACT on take 9 bytes more, as does a record
 *	that is half a sub-buffer long, or comes long after the last one
 * @words: the payload; what the last word has beyond @size may be anything
 * @size: of the payload, in bytes
 *
 * Context: any thread, and handlers of signals in it; not a child of vfork(), whose
 * restartable sequences are its parent's.  errno is kept.  Waits if &ltt_shm.lossless_ms
 * says so.
 * Return: 0; -ENOBUFS when the next sub-buffer has not been read (S5); -EMSGSIZE when it
 * is larger than a sub-buffer (S5); -EINTR when it was interrupted in each of many
 * attempts, as by a debugger that goes step by step; -ENXIO when there are no sequences, or
 * on a CPU without a ring: these are not counted, there is another way (own.h).
 */
int ltt_shm_write(const struct ltt_shm *shm, uint32_t id, const uint64_t *words, uint32_t size);

/* ---- What both ways need ---- */

/** ltt_shm_lose() - count a record as lost (S5).  Return: @err. */
int ltt_shm_lose(struct ltt_shm_ring *ring, int err);

/** ltt_shm_wake() - a sub-buffer has been closed: wake lttd.  errno is kept. */
void ltt_shm_wake(const struct ltt_shm *shm);

/**
 * ltt_shm_wait() - wait until the sub-buffer at @pos may be opened, if that is asked for
 *
 * Return: it may; false: it is in vain, or not asked for.  errno is kept.
 */
bool ltt_shm_wait(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint64_t pos);

/** ltt_shm_may_open() - has what was in the sub-buffer at @pos a lap ago been read? */
bool ltt_shm_may_open(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint64_t pos);

#endif /* LTT_WRITE_H */
