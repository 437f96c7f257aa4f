/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Writing a record to the buffers of a channel by restartable sequences.
 */
#ifndef LTT_WRITE_H
#define LTT_WRITE_H

#include "common/shm.h"

/**
 * ltt_shm_can_write() - find out if restartable sequences work
 *
 * They do not exist on a kernel before 4.18, with a C library other than glibc, under
 * valgrind, or with GLIBC_TUNABLES=glibc.pthread.rseq=0.  The first call runs them on
 * private memory and checks what they store; it does not check that the kernel restarts
 * them.
 *
 * Context: ltt_lock held.
 * Return: true if they store what they should.
 */
bool ltt_shm_can_write(void);

/**
 * ltt_shm_write() - store a record, or count it as lost
 * @shm: the buffers
 * @id: of the event, at most UINT16_MAX; from LTT_COMPACT_IDS on the record takes two bytes
 *	more.  A record that is at least half a sub-buffer long, or that comes long after the last
 *	one, has the long header
 * @words: the context and the payload; bytes of the last word beyond @size are ignored
 * @size: of these, in bytes
 * @until: do not store a record with a later time; UINT64_MAX: store any
 *
 * Context: any thread, and its signal handlers; not the child of a vfork(), which shares the
 *	restartable sequences of its parent.  Preserves errno.  Waits up to
 *	&ltt_shm.lossless_ms for room.
 * Return: 0; -ENOBUFS if lttd has not read the next sub-buffer, -EDQUOT if lttd withholds it (S6),
 *	and -EMSGSIZE if the record is larger than a sub-buffer: these are counted as lost (S5).  -EINTR if each of many
 *	attempts was interrupted, as by a debugger that single-steps; -ENXIO if there are no
 *	sequences, or no ring for this CPU: these two are not counted, and ltt_own_write()
 *	can store the record.  -ESTALE if the buffers are retired: not counted, and
 *	&ltt_shm.successor takes the record.  -ETIME if it is later than @until: not counted.
 */
int ltt_shm_write(const struct ltt_shm *shm, uint32_t id, const uint64_t *words, uint32_t size, uint64_t until);

/**
 * ltt_shm_filtered() - count an event that its filter has dropped (S5)
 * @shm: the buffers
 *
 * Context: any thread, and its signal handlers.
 * Return: 0; -ESTALE if the buffers are retired, so that &ltt_shm.successor counts it.
 */
int ltt_shm_filtered(const struct ltt_shm *shm);

/* ---- Shared with own.c ---- */

/**
 * ltt_shm_is_retired() - find out if other buffers have replaced these
 * @shm: the buffers
 */
static inline bool ltt_shm_is_retired(const struct ltt_shm *shm)
{
	return __atomic_load_n(&shm->successor, __ATOMIC_RELAXED);
}

/**
 * ltt_shm_lose() - count a record as lost (S5)
 * @shm: the buffers
 * @ring: the ring that counts
 * @err: the reason, a negative errno; -EDQUOT: see &ltt_shm_ring.over_limit
 *
 * Context: any thread, and its signal handlers.
 * Return: @err; -ESTALE if the buffers are retired, so that the count may have come too late.
 */
int ltt_shm_lose(const struct ltt_shm *shm, struct ltt_shm_ring *ring, int err);

/**
 * ltt_shm_wake() - wake lttd after a sub-buffer was closed
 * @shm: the buffers
 *
 * Context: any thread, and its signal handlers.  Preserves errno.
 */
void ltt_shm_wake(const struct ltt_shm *shm);

/**
 * ltt_shm_wait() - wait until a sub-buffer may be opened
 * @shm: the buffers; without &ltt_shm.lossless_ms this does not wait
 * @ring: the ring
 * @pos: the position where the sub-buffer begins
 *
 * Context: any thread, and its signal handlers.  Preserves errno.
 * Return: true if it may be opened; false after a time-out, or if lttd has gone.
 */
bool ltt_shm_wait(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint64_t pos);

/**
 * ltt_shm_may_open() - find out if lttd has read a sub-buffer's former contents, and permits its memory
 * @shm: the buffers
 * @ring: the ring
 * @pos: the position where the sub-buffer begins
 *
 * Return: true if it may be opened.
 */
bool ltt_shm_may_open(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint64_t pos);

/**
 * ltt_shm_why_full() - find out why a sub-buffer may not be opened
 * @shm: the buffers
 * @ring: the ring
 * @pos: the position where the sub-buffer begins
 *
 * Return: -EDQUOT: lttd withholds it (S6); -ENOBUFS: lttd has not read it.
 */
int ltt_shm_why_full(const struct ltt_shm *shm, const struct ltt_shm_ring *ring, uint64_t pos);

#endif /* LTT_WRITE_H */
