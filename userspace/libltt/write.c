// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Writing a record by restartable sequences.
 *
 * One sequence stores nearly every record.  Several are needed at the beginning and at the
 * end of a sub-buffer, and when records are far apart in time.  Other threads may write to
 * the ring between two sequences, so each sequence names the @head that it expects, and it
 * is repeated if @head has moved.
 */
#include "write.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/time_types.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common/counter.h"
#include "sequence.h"

#define ATTEMPTS_MAX	64
#define WAIT_NS		200000

int ltt_shm_lose(const struct ltt_shm *shm, struct ltt_shm_ring *ring, int err)
{
	if (ltt_shm_is_retired(shm))
		return -ESTALE;
	/* Threads on any CPU count here, outside of sequences, so the addition is atomic. */
	__atomic_fetch_add(&ring->lost, 1, __ATOMIC_RELAXED);
	if (err == -EDQUOT)
		__atomic_fetch_add(&ring->over_limit, 1, __ATOMIC_RELAXED);
	/* If the buffers were retired meanwhile, one loss too many may be counted, but none too few. */
	return ltt_shm_is_retired(shm) ? -ESTALE : err;
}

/* Threads on any CPU count here, as in ltt_shm_lose(), but most on their own. */
int ltt_shm_filtered(const struct ltt_shm *shm)
{
	uint32_t cpu = ltt_sequence_cpu();

	if (ltt_shm_is_retired(shm))
		return -ESTALE;
	__atomic_fetch_add(&ltt_shm_ring(shm, cpu < shm->nr_cpus ? cpu : 0)->filtered, 1, __ATOMIC_RELAXED);
	return ltt_shm_is_retired(shm) ? -ESTALE : 0;
}

/* A futex, not a descriptor: the program might close the descriptor and reuse its number. */
void ltt_shm_wake(const struct ltt_shm *shm)
{
	struct ltt_shm_ring *first = ltt_shm_ring(shm, 0);
	int saved = errno;

	if (!__atomic_load_n(&first->waiting, __ATOMIC_RELAXED))
		return;
	/* A(closed:S): our store of @head before the count; pairs with lttd's load of the
	 * count before its load of @head. */
	__atomic_fetch_add(&first->closed, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &first->closed, FUTEX_WAKE, 1, NULL, NULL, 0);
	errno = saved;
}

/* How much of a ring may be opened at @pos, counted from the oldest record that lttd has not read. */
static int64_t needed_at(const struct ltt_shm *shm, const struct ltt_shm_ring *ring, uint64_t pos)
{
	/* A(tail:S): our stores to the sub-buffer after this; pairs with A(tail:R).  @tail can be
	 * beyond @pos, if other threads and lttd moved on after @pos was loaded: hence signed. */
	return pos + ltt_shm_sb_size(shm) - __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
}

bool ltt_shm_may_open(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint64_t pos)
{
	int64_t size = shm->mask + 1;
	int64_t withheld = (uint64_t)__atomic_load_n(&ltt_shm_ring(shm, 0)->withheld, __ATOMIC_RELAXED) << shm->sb_order;

	/* After the first lap, a flight recorder needs no more memory. */
	if (shm->overwrite)
		return !withheld || pos >= (uint64_t)size || (int64_t)(pos + ltt_shm_sb_size(shm)) <= size - withheld;
	return needed_at(shm, ring, pos) <= size - withheld;
}

int ltt_shm_why_full(const struct ltt_shm *shm, const struct ltt_shm_ring *ring, uint64_t pos)
{
	int64_t size = shm->mask + 1;

	if (!__atomic_load_n(&ltt_shm_ring(shm, 0)->withheld, __ATOMIC_RELAXED))
		return -ENOBUFS;
	return shm->overwrite || needed_at(shm, ring, pos) <= size ? -EDQUOT : -ENOBUFS;
}

static uint64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000ULL + ts.tv_nsec / 1000;
}

/* Has a thread waited for this sub-buffer already and timed out, or has lttd gone? */
static bool is_in_vain(const struct ltt_shm *shm, const struct ltt_shm_ring *ring, uint64_t tail)
{
	return __atomic_load_n(&shm->gone, __ATOMIC_RELAXED) || ltt_shm_is_retired(shm) ||
	       __atomic_load_n(&ring->in_vain, __ATOMIC_RELAXED) == tail + 1;
}

bool ltt_shm_wait(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint64_t pos)
{
	const struct __kernel_old_timespec pause = { .tv_nsec = WAIT_NS };
	uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_RELAXED), until;
	int saved = errno;
	bool may = false;

	if (!shm->lossless_ms || is_in_vain(shm, ring, tail))
		return false;
	until = now_us() + shm->lossless_ms * 1000ULL;
	while (!(may = ltt_shm_may_open(shm, ring, pos)) && !is_in_vain(shm, ring, tail) && now_us() < until)
		/* The C library's nanosleep() is a cancellation point; this is not.  The call has the kernel's
		 * old time, and not that of a C library for 32 bits with a 64-bit time_t. */
		syscall(SYS_nanosleep, &pause, NULL);
	/* @tail may have moved, but not far enough: the wait timed out all the same.  A wait that
	 * ended for another reason, such as new buffers after a fork(), is not for others. */
	if (!may && now_us() >= until)
		__atomic_store_n(&ring->in_vain, __atomic_load_n(&ring->tail, __ATOMIC_RELAXED) + 1,
				 __ATOMIC_RELAXED);
	errno = saved;
	return may;
}

#ifdef LTT_HAS_SEQUENCES

static uint64_t nr_words(uint32_t size)
{
	return (size + sizeof(uint64_t) - 1) / sizeof(uint64_t);
}

/* One step towards a stored record.  Return: 0 when it is stored; -EAGAIN: call again. */
static int step(const struct ltt_shm *shm, uint32_t id, const uint64_t *words, uint32_t size, uint64_t until)
{
	uint32_t cpu = __atomic_load_n(&ltt_rseq()->cpu_id_start, __ATOMIC_RELAXED);
	struct ltt_shm_ring *ring = ltt_shm_ring(shm, cpu);
	uint64_t needed = LTT_HEADER_LONG + nr_words(size) * sizeof(uint64_t);
	struct ltt_shm_sub none, *sub = &none;
	uint64_t time, pos, offset;

	if (ltt_shm_is_retired(shm))
		return -ESTALE;
	if (ltt_counter() > until)
		return -ETIME;
	if (cpu >= shm->sequence_cpus)
		return -ENXIO;
	if (needed >= ltt_shm_sb_size(shm))
		return ltt_shm_lose(shm, ring, -EMSGSIZE);
	pos = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
	offset = pos & (ltt_shm_sb_size(shm) - 1);
	if (offset && offset + needed >= ltt_shm_sb_size(shm)) {
		if (ltt_sequence_close(shm, cpu, pos) == LTT_SEQUENCE_DONE)
			ltt_shm_wake(shm);
		return -EAGAIN;
	}
	if (!offset) {
		if (!ltt_shm_may_open(shm, ring, pos))
			return ltt_shm_wait(shm, ring, pos) ? -EAGAIN : ltt_shm_lose(shm, ring, ltt_shm_why_full(shm, ring, pos));
		ltt_shm_begin(shm, pos);
		ltt_shm_map_prepared(shm, ring, pos);
		sub = ltt_shm_sub(shm, ring, pos);
	}
	if (ltt_sequence_whole(shm, cpu, pos, sub, (uint64_t)id << 8 | LTT_ID_LONG, words,
			       nr_words(size), LTT_HEADER_LONG + size, &time) != LTT_SEQUENCE_DONE)
		return -EAGAIN;
	__atomic_store_n(&ring->epoch, time >> LTT_TIME_BITS, __ATOMIC_RELAXED);
	return 0;
}

static int write_slow(const struct ltt_shm *shm, uint32_t id, const uint64_t *words, uint32_t size, uint64_t until)
{
	int ret = -EAGAIN;
	unsigned int i;

	for (i = 0; i < ATTEMPTS_MAX && ret == -EAGAIN; i++)
		ret = step(shm, id, words, size, until);
	return ret == -EAGAIN ? -EINTR : ret;
}

int ltt_shm_write(const struct ltt_shm *shm, uint32_t id, const uint64_t *words, uint32_t size, uint64_t until)
{
	bool compact = id < LTT_COMPACT_IDS;
	uint64_t header = compact ? id : LTT_ID_MEDIUM | (uint64_t)id << 32;
	uint64_t header_size = compact ? LTT_HEADER_COMPACT : LTT_HEADER_MEDIUM;
	/* Without sequences cpu_id is negative, which is above any number of CPUs. */
	uint32_t cpu = __atomic_load_n(&ltt_rseq()->cpu_id, __ATOMIC_RELAXED);

	if (__builtin_expect(cpu >= shm->sequence_cpus, 0))
		return -ENXIO;
	if (__builtin_expect(size < ltt_shm_sb_size(shm) / 2 &&
			     ltt_sequence_record(shm, cpu, header, header_size, words, nr_words(size),
						 header_size + size, until) == LTT_SEQUENCE_DONE, 1))
		return 0;
	return write_slow(shm, id, words, size, until);
}

#else

int ltt_shm_write(const struct ltt_shm *shm, uint32_t id, const uint64_t *words, uint32_t size, uint64_t until)
{
	(void)shm, (void)id, (void)words, (void)size, (void)until;
	return -ENXIO;
}

#endif
