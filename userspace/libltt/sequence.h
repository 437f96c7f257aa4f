/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Restartable sequences that write to the ring of the CPU that they run on.
 *
 * A thread that is preempted, migrated or sent a signal inside a sequence continues at the
 * sequence's abort handler.  So no other thread on that CPU sees a sequence half done: the
 * stores before the last instruction go beyond @head, or to @last or to a sub-buffer's
 * @begin, @lost or @end, which are not valid before @head moves.  Descriptors and code are
 * in this library, which is never unloaded (-z nodelete), as the kernel may read them long
 * after the thread has left the sequence.
 *
 * Source: Linux Documentation/userspace-api/rseq.rst and include/uapi/linux/rseq.h.
 */
#ifndef LTT_SEQUENCE_H
#define LTT_SEQUENCE_H

#include "common/shm.h"
#include "layout.h"
#include "thread-name.h"

#define LTT_CPU_UNKNOWN	UINT32_MAX

enum ltt_sequence {
	LTT_SEQUENCE_DONE,
	LTT_SEQUENCE_ABORTED,	/* interrupted, retired, not on @cpu, or @head is not at @pos */
	LTT_SEQUENCE_SLOW,	/* there is no room, a sub-buffer to open, another epoch, or it is too late */
};

/* Without these, each thread owns a ring: own.c. */
#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__GLIBC__) && __has_include(<sys/rseq.h>)
#define LTT_HAS_SEQUENCES

#include <sys/rseq.h>

static inline struct rseq *ltt_rseq(void)
{
	return (struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);
}

/* Return: the CPU of the thread, as it was a moment ago; LTT_CPU_UNKNOWN: the thread has no sequences. */
static inline uint32_t ltt_sequence_cpu(void)
{
	uint32_t cpu = __atomic_load_n(&ltt_rseq()->cpu_id, __ATOMIC_RELAXED);

	return (int32_t)cpu < 0 ? LTT_CPU_UNKNOWN : cpu;
}

/**
 * ltt_sequence_record() - store a record with the low bits of its time inside a sub-buffer
 * @shm: the buffers
 * @cpu: the CPU that the thread is expected to be on
 * @header: the header, without the time
 * @header_size: its size in bytes: LTT_HEADER_COMPACT or LTT_HEADER_MEDIUM
 * @words: the payload
 * @nr_words: of 8 bytes each; the bytes of the last one that are not payload are
 *	overwritten by the next record
 * @size: of header and payload, in bytes
 * @until: the last time that the record may have
 */
static inline enum ltt_sequence ltt_sequence_record(const struct ltt_shm *shm, uint32_t cpu,
						    uint64_t header, uint64_t header_size,
						    const uint64_t *words, uint64_t nr_words,
						    uint64_t size, uint64_t until);

/**
 * ltt_sequence_whole() - store a record with all 64 bits of its time
 * @shm: the buffers
 * @cpu: the CPU that the thread is expected to be on
 * @pos: the expected @head, with room for the record behind it
 * @sub: receives @begin and @lost: that of the sub-buffer for its first record, else any
 * @header: u8 LTT_ID_LONG and u32 id
 * @words: the payload
 * @nr_words: of 8 bytes each
 * @size: of header and payload, in bytes
 * @time: receives the time of the record
 */
static inline enum ltt_sequence ltt_sequence_whole(const struct ltt_shm *shm, uint32_t cpu, uint64_t pos,
						   struct ltt_shm_sub *sub, uint64_t header,
						   const uint64_t *words, uint64_t nr_words,
						   uint64_t size, uint64_t *time);

/**
 * ltt_sequence_close() - end the sub-buffer that @head is in
 * @shm: the buffers
 * @cpu: the CPU that the thread is expected to be on
 * @pos: the expected @head
 */
static inline enum ltt_sequence ltt_sequence_close(const struct ltt_shm *shm, uint32_t cpu, uint64_t pos);

/* &__rseq_offset, which ltt_shm_can_write() copies before any buffers have sequence_cpus. */
extern ptrdiff_t ltt_rseq_offset __attribute__((visibility("hidden")));

#ifdef __x86_64__
#include "sequence-x86-64.h"
#else
#include "sequence-arm64.h"
#endif

#else

static inline uint32_t ltt_sequence_cpu(void)
{
	return LTT_CPU_UNKNOWN;
}

#endif

#ifndef LTT_HAS_VALUES
#define LTT_HAS_VALUES	0

/**
 * ltt_sequence_values() - store a record of values inside a sub-buffer
 * @shm: the buffers
 * @layout: of the record
 * @context: its context
 * @nr: number of its values, at most LTT_VALUES_MAX; a constant
 * @a: the first value; and so on
 *
 * Return: LTT_SEQUENCE_DONE; LTT_SEQUENCE_ABORTED: nothing is stored, and ltt_shm_write() can store the record.
 */
static inline enum ltt_sequence ltt_sequence_values(const struct ltt_shm *shm, const struct ltt_layout *layout,
						    uint64_t context, unsigned int nr, uint64_t a, uint64_t b,
						    uint64_t c, uint64_t d, uint64_t e)
{
	(void)shm, (void)layout, (void)context, (void)nr, (void)a, (void)b, (void)c, (void)d, (void)e;
	return LTT_SEQUENCE_ABORTED;
}

/**
 * ltt_sequence_named() - store a record of values with the name of the thread inside a sub-buffer
 * @shm: the buffers
 * @layout: of the record without the name
 * @context: the thread id and process id
 * @name: the name; the time of the record is at most its @until
 * @words: the values, 8 bytes each
 * @nr_words: their number, at most LTT_VALUES_MAX
 *
 * Return: as ltt_sequence_values().
 */
static inline enum ltt_sequence ltt_sequence_named(const struct ltt_shm *shm, const struct ltt_layout *layout,
						   uint64_t context, const struct ltt_thread_name *name,
						   const uint64_t *words, uint64_t nr_words)
{
	(void)shm, (void)layout, (void)context, (void)name, (void)words, (void)nr_words;
	return LTT_SEQUENCE_ABORTED;
}
#endif

#endif /* LTT_SEQUENCE_H */
