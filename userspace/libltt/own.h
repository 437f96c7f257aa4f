/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Writing a record without restartable sequences: to a ring that one thread owns.
 */
#ifndef LTT_OWN_H
#define LTT_OWN_H

#include "common/shm.h"

/**
 * ltt_own_write() - store a record, or count it as lost
 * @shm: the channel's buffers
 * @id: of the event
 * @words: the context and the payload
 * @size: of these, in bytes
 * @until: as for ltt_shm_write()
 *
 * The thread owns the ring from its first record until it ends.  If all rings have owners,
 * the loss is counted in the ring of CPU 0.
 *
 * Context: any thread, and its signal handlers.  Preserves errno.  Waits as
 *	ltt_shm_write() does.
 * Return: 0; -ENOBUFS, -EDQUOT, -EMSGSIZE, -ESTALE or -ETIME as ltt_shm_write(); -EBUSY if no ring is free.
 */
int ltt_own_write(const struct ltt_shm *shm, uint32_t id, const uint64_t *words, uint32_t size, uint64_t until);

/**
 * ltt_own_is_used() - find out if a thread of this process owns a ring
 * @shm: retired buffers, after a barrier in all threads
 *
 * Return: false: no thread writes to a thread's ring of @shm any more.
 */
bool ltt_own_is_used(const struct ltt_shm *shm);

/**
 * ltt_own_prepare() - set up what ltt_own_write() needs
 *
 * Context: ltt_lock held, before the first record.
 */
void ltt_own_prepare(void);

/**
 * ltt_own_forget() - leave the rings to the parent
 *
 * Context: the child, right after fork().
 */
void ltt_own_forget(void);

#endif /* LTT_OWN_H */
