// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Writing a record to a ring that the thread has for itself.
 *
 * Only its handlers of signals come between, and these are over when it goes on.  What
 * sequences get from the kernel it gets from one instruction at the end: @head is stored
 * only if it is still what the record was made for, else all is done again.  A handler
 * may have written over what was half done; nobody has seen that.
 */
#include "own.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counter.h"
#include "write.h"

#define RINGS_MAX	4	/* as many lttds can a thread write for */

/* Which ring the thread has of which buffers. */
struct own {
	const struct ltt_shm *shm;
	struct ltt_shm_ring *ring;
};

static __thread struct own own[RINGS_MAX] __attribute__((tls_model("initial-exec")));
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- Having a ring ---- */

static void give_back(void *unused)
{
	unsigned int i;

	(void)unused;
	for (i = 0; i < RINGS_MAX; i++) {
		/* Released: our records before it is somebody else's. */
		if (own[i].ring)
			__atomic_store_n(&own[i].ring->owner, 0, __ATOMIC_RELEASE);
		own[i] = (struct own){ NULL, NULL };
	}
}

static void make_key(void)
{
	pthread_key_create(&key, give_back);
}

void ltt_own_forget(void)
{
	memset(own, 0, sizeof(own));
}

/* Is nobody there with this id?  Then what it had is as it left it, and whole. */
static bool is_dead(uint32_t tid)
{
	return kill(tid, 0) && errno == ESRCH;
}

static struct ltt_shm_ring *claim(const struct ltt_shm *shm)
{
	uint32_t tid = syscall(SYS_gettid), owner, i;
	struct ltt_shm_ring *ring;

	for (i = shm->nr_cpus; i < shm->nr_rings; i++) {
		ring = ltt_shm_ring(shm, i);
		owner = __atomic_load_n(&ring->owner, __ATOMIC_RELAXED);
		if (owner && !is_dead(owner))
			continue;
		/* Acquired: what its last owner has written. */
		if (__atomic_compare_exchange_n(&ring->owner, &owner, tid, false, __ATOMIC_ACQUIRE,
						__ATOMIC_RELAXED))
			return ring;
	}
	return NULL;
}

/* Handlers do the same, if they come between: so the entry is looked at again. */
static struct ltt_shm_ring *own_ring(const struct ltt_shm *shm)
{
	struct ltt_shm_ring *ring;
	unsigned int i;

	for (i = 0; i < RINGS_MAX; i++)
		if (own[i].shm == shm)
			return own[i].ring;
	pthread_once(&once, make_key);
	ring = claim(shm);
	if (!ring)
		return NULL;
	pthread_setspecific(key, own);
	for (i = 0; i < RINGS_MAX; i++) {
		if (!own[i].shm) {
			own[i] = (struct own){ shm, ring };
			return ring;
		}
	}
	__atomic_store_n(&ring->owner, 0, __ATOMIC_RELEASE);
	return NULL;
}

/* ---- Writing ---- */

/* If @at is still @old: an instruction that handlers of this thread do not come into the
 * middle of.  Stores before it are seen by other CPUs before it is. */
static bool exchange(uint64_t *at, uint64_t old, uint64_t new)
{
#ifdef __x86_64__
	uint64_t was = old;

	__asm__ __volatile__("cmpxchgq %[new], %[at]" : [at] "+m" (*at), "+a" (was)
			     : [new] "r" (new) : "memory", "cc");
	return was == old;
#else
	return __atomic_compare_exchange_n(at, &old, new, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
#endif
}

static uint64_t load(const uint64_t *at)
{
	return __atomic_load_n(at, __ATOMIC_RELAXED);
}

/* The sub-buffer's @end as well is stored only if no handler has closed it meanwhile:
 * looked at before @head was seen to be the same, it can have changed only after. */
static void close_sub(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint64_t pos)
{
	struct ltt_shm_sub *sub = ltt_shm_sub(shm, ring, pos);
	uint64_t end = load(&sub->end);

	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (load(&ring->head) == pos && exchange(&sub->end, end, pos) &&
	    exchange(&ring->head, pos, (pos | (ltt_shm_sb_size(shm) - 1)) + 1))
		ltt_shm_wake(shm);
}

/* Where @head is @pos, and the payload has @size bytes. */
static bool store(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint64_t pos, uint32_t id,
		  const uint64_t *words, uint32_t size)
{
	bool first = !(pos & (ltt_shm_sb_size(shm) - 1));
	char *at = ltt_shm_at(shm, ring, pos);
	uint64_t time, epoch = load(&ring->epoch);
	uint32_t word, header;

	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	time = ltt_counter();
	if (first)
		__atomic_store_n(&ltt_shm_sub(shm, ring, pos)->begin, time, __ATOMIC_RELAXED);
	if (!first && id < LTT_SHM_ID_COMPACT && epoch == time >> LTT_SHM_TIME_BITS) {
		word = (uint32_t)time << LTT_SHM_ID_BITS | id;
		memcpy(at, &word, sizeof(word));
		header = sizeof(word);
	} else {
		at[0] = LTT_SHM_ID_WHOLE;
		memcpy(at + 1, &id, sizeof(id));
		memcpy(at + 5, &time, sizeof(time));
		header = LTT_SHM_HEADER_WHOLE;
	}
	memcpy(at + header, words, size);
	if (!exchange(&ring->head, pos, pos + header + size))
		return false;
	__atomic_store_n(&ring->epoch, time >> LTT_SHM_TIME_BITS, __ATOMIC_RELAXED);
	return true;
}

/* One step towards a record that is stored, which is the last. */
static int step(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint32_t id,
		const uint64_t *words, uint32_t size)
{
	uint64_t pos = load(&ring->head), offset = pos & (ltt_shm_sb_size(shm) - 1);

	if (offset && offset + LTT_SHM_HEADER_WHOLE + size >= ltt_shm_sb_size(shm)) {
		close_sub(shm, ring, pos);
		return -EAGAIN;
	}
	if (!offset && !ltt_shm_may_open(shm, ring, pos))
		return -ENOBUFS;
	return store(shm, ring, pos, id, words, size) ? 0 : -EAGAIN;
}

int ltt_own_write(const struct ltt_shm *shm, uint32_t id, const uint64_t *words, uint32_t size)
{
	int saved = errno, ret = -EAGAIN;
	struct ltt_shm_ring *ring = own_ring(shm);

	errno = saved;
	if (!ring)
		return ltt_shm_lose(ltt_shm_ring(shm, 0), -EBUSY);
	if (LTT_SHM_HEADER_WHOLE + size >= ltt_shm_sb_size(shm))
		return ltt_shm_lose(ring, -EMSGSIZE);
	/* Each time that it is done again a handler has got on. */
	while (ret == -EAGAIN)
		ret = step(shm, ring, id, words, size);
	return ret ? ltt_shm_lose(ring, ret) : 0;
}
