/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Writing a record where there are no restartable sequences: to a ring that the thread
 * has for itself.
 */
#ifndef LTT_OWN_H
#define LTT_OWN_H

#include "common/shm.h"

/**
 * ltt_own_write() - store a record, or count it as lost
 *
 * See ltt_shm_write() for the arguments.  The ring is had from the first record on until
 * the thread ends; where all are taken, what is not stored is counted in that of CPU 0.
 *
 * Context: any thread, and handlers of signals in it.  errno is kept.  Waits as
 * ltt_shm_write() does.
 * Return: 0; -ENOBUFS, -EMSGSIZE: see there; -EBUSY: there is no ring for this thread.
 */
int ltt_own_write(const struct ltt_shm *shm, uint32_t id, const uint64_t *words, uint32_t size);

/** ltt_own_prepare() - before the first record; to be called by one thread at a time */
void ltt_own_prepare(void);

/** ltt_own_forget() - this thread is another, after a fork(): the rings are its parent's */
void ltt_own_forget(void);

#endif /* LTT_OWN_H */
