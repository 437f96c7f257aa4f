/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Restartable sequences that write to the ring of the CPU that they run on.
 *
 * The kernel takes a thread that is preempted, migrated or sent a signal inside of one
 * to its abort handler, so none is ever seen half done by anyone else on that CPU: what
 * they store before their last instruction lies beyond @head, or is @last or a
 * sub-buffer's @begin, @lost or @end, which are not valid yet.  Descriptors and code are in
 * this library, which is never unloaded (-z nodelete): the kernel may look at them
 * long after the thread has left.
 *
 * Source: Linux Documentation/userspace-api/rseq.rst and include/uapi/linux/rseq.h.
 */
#ifndef LTT_SEQUENCE_H
#define LTT_SEQUENCE_H

#include "common/shm.h"

/* Elsewhere each thread has a ring for itself: own.c. */
#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__GLIBC__) && __has_include(<sys/rseq.h>)
#define LTT_HAS_SEQUENCES

#include <sys/rseq.h>

enum ltt_sequence {
	LTT_SEQUENCE_DONE,
	LTT_SEQUENCE_ABORTED,	/* or the thread is not on @cpu, or @head is elsewhere */
	LTT_SEQUENCE_SLOW,	/* no room, a sub-buffer to open, or another epoch */
};

static inline struct rseq *ltt_rseq(void)
{
	return (struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);
}

/**
 * ltt_sequence_record() - store a compact record, where that is a matter of a few stores
 * @shm: the buffers
 * @cpu: that the thread may be on
 * @id: of the event, below LTT_SHM_ID_COMPACT
 * @words: the payload
 * @nr_words: of 8 bytes each; the bytes of the last one that are not payload are
 *	overwritten by the next record
 * @size: of header and payload, in bytes
 */
static inline enum ltt_sequence ltt_sequence_record(const struct ltt_shm *shm, uint32_t cpu, uint32_t id,
						    const uint64_t *words, uint64_t nr_words,
						    uint64_t size);

/**
 * ltt_sequence_whole() - store a record with its whole time where @head is @pos
 * @shm: the buffers
 * @cpu: that the thread may be on
 * @pos: there is room for it
 * @sub: of the sub-buffer, if it is the first there, or else of none: told what it begins with
 * @header: u8 LTT_SHM_ID_WHOLE and u32 id
 * @words: the payload
 * @nr_words: of 8 bytes each
 * @size: of header and payload, in bytes
 * @time: told the record's
 */
static inline enum ltt_sequence ltt_sequence_whole(const struct ltt_shm *shm, uint32_t cpu, uint64_t pos,
						   struct ltt_shm_sub *sub, uint64_t header,
						   const uint64_t *words, uint64_t nr_words,
						   uint64_t size, uint64_t *time);

/**
 * ltt_sequence_close() - end the sub-buffer that @head is in, where it is @pos
 */
static inline enum ltt_sequence ltt_sequence_close(const struct ltt_shm *shm, uint32_t cpu, uint64_t pos);

#ifdef __x86_64__
#include "sequence-x86-64.h"
#else
#include "sequence-arm64.h"
#endif

#endif

#endif /* LTT_SEQUENCE_H */
