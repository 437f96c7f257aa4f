// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Writing a record to a ring that one thread owns.
 *
 * Only the thread's signal handlers can interrupt a record, and each returns before the
 * thread continues.  So one instruction reserves a record, the thread writes it, and @head
 * moves when the outermost record is complete: then the records of all handlers after it
 * are complete, too.  A handler that leaves a record by siglongjmp() stops the thread from
 * publishing any later record.
 */
#include "own.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/counter.h"
#include "own-values.h"
#include "section.h"
#include "write.h"

__thread struct own ltt_own[LTT_OWN_MAX] __attribute__((tls_model("initial-exec")));
static pthread_key_t key;
static bool prepared;
static uint32_t namespace;

/* ---- Owning a ring ---- */

/* In a section: a handler would write to a ring that another thread owns. */
static void let_go(struct own *slot)
{
	/* Release: our records before the next owner's; pairs with claim() and ltt_own_is_used(). */
	if (slot->ring && !slot->orphan)
		__atomic_store_n(&slot->ring->owner, 0, __ATOMIC_RELEASE);
	*slot = (struct own){ .shm = NULL };
}

static void give_back(void *unused)
{
	struct ltt_section before;
	unsigned int i;

	(void)unused;
	ltt_section_begin(&before);
	for (i = 0; i < LTT_OWN_MAX; i++)
		let_go(&ltt_own[i]);
	ltt_section_end(&before);
}

static void find_namespace(void)
{
	struct stat st;

	if (!stat("/proc/self/ns/pid", &st))
		namespace = st.st_ino;
}

void ltt_own_prepare(void)
{
	if (prepared)
		return;
	find_namespace();
	prepared = !pthread_key_create(&key, give_back);
}

/* A handler that forks may have interrupted a record.  The child writes the rest of it to
 * private memory.  If there is no memory, the rest goes to the parent's ring and damages a
 * record, which lttd detects; the program must not fail. */
static void make_orphan(struct own *slot)
{
	char *memory = mmap(NULL, slot->shm->stride, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory != MAP_FAILED)
		slot->ring = (struct ltt_shm_ring *)memory;
	slot->orphan = true;
}

void ltt_own_forget(void)
{
	unsigned int i;

	for (i = 0; i < LTT_OWN_MAX; i++)
		if (ltt_own[i].shm)
			make_orphan(&ltt_own[i]);
	/* unshare(CLONE_NEWPID) puts the caller's children into another one. */
	if (prepared)
		find_namespace();
}

/* Has the thread ended, and its process is not yet waited for? */
static bool is_zombie(uint32_t tid)
{
	char path[32] = "/proc/", text[128] = "", *at = path + sizeof(path) - 6, *end;
	uint32_t left = tid;
	int fd;

	/* Not snprintf(): this may be a signal handler. */
	memcpy(at, "/stat", 6);
	do
		*--at = '0' + left % 10;
	while (left /= 10);
	memmove(path + 6, at, path + sizeof(path) - at);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (read(fd, text, sizeof(text) - 1) < 0)
		*text = '\0';
	close(fd);
	end = strrchr(text, ')');
	return end && (end[2] == 'Z' || end[2] == 'X');
}

/* Has the owner died?  Then its ring is complete.  A thread in another namespace of process
 * ids is taken to be alive, as it cannot be looked up. */
static bool is_dead(uint64_t owner)
{
	if (owner >> 32 != namespace)
		return false;
	return kill((uint32_t)owner, 0) ? errno == ESRCH : is_zombie(owner);
}

static struct ltt_shm_ring *claim(const struct ltt_shm *shm)
{
	uint64_t me = (uint32_t)syscall(SYS_gettid) | (uint64_t)namespace << 32, owner;
	struct ltt_shm_ring *ring;
	uint32_t i;

	for (i = shm->nr_cpus; i < shm->nr_rings; i++) {
		ring = ltt_shm_ring(shm, i);
		owner = __atomic_load_n(&ring->owner, __ATOMIC_RELAXED);
		if (owner && !is_dead(owner))
			continue;
		/* Before @owner: see ltt_own_is_used(). */
		if (shm->opened)
			__atomic_fetch_add(&shm->opened[i], 1, __ATOMIC_RELAXED);
		/* Acquire: the last owner's records; pairs with give_back(). */
		if (__atomic_compare_exchange_n(&ring->owner, &owner, me, false, __ATOMIC_ACQUIRE,
						__ATOMIC_RELAXED))
			return ring;
	}
	return NULL;
}

bool ltt_own_is_used(const struct ltt_shm *shm)
{
	uint64_t owner;
	uint32_t i;

	for (i = shm->nr_cpus; i < shm->nr_rings; i++) {
		/* A load would allocate the first page of a ring that no thread uses. */
		if (shm->opened && !__atomic_load_n(&shm->opened[i], __ATOMIC_RELAXED))
			continue;
		/* Acquire: the owner's last store; pairs with let_go(). */
		owner = __atomic_load_n(&ltt_shm_ring(shm, i)->owner, __ATOMIC_ACQUIRE);
		if (owner && owner >> 32 == namespace && !syscall(SYS_tgkill, getpid(), (uint32_t)owner, 0))
			return true;
	}
	return false;
}

static struct own *find_own(const struct ltt_shm *shm)
{
	unsigned int i;

	for (i = 0; i < LTT_OWN_MAX; i++)
		if (ltt_own[i].shm == shm && !ltt_own[i].orphan)
			return &ltt_own[i];
	return NULL;
}

/* An entry that is unused, or whose lttd has gone. */
static struct own *find_free(void)
{
	unsigned int i;

	for (i = 0; i < LTT_OWN_MAX; i++)
		if (!ltt_own[i].depth &&
		    (!ltt_own[i].shm || ltt_own[i].orphan || __atomic_load_n(&ltt_own[i].shm->gone, __ATOMIC_RELAXED)))
			return &ltt_own[i];
	return NULL;
}

/* Let the library's thread release retired buffers.  In a section. */
static void let_go_retired(void)
{
	unsigned int i;

	for (i = 0; i < LTT_OWN_MAX; i++)
		if (ltt_own[i].shm && !ltt_own[i].depth && ltt_shm_is_retired(ltt_own[i].shm))
			let_go(&ltt_own[i]);
}

/* In a section: a handler would claim another ring. */
static struct own *claim_own(const struct ltt_shm *shm)
{
	struct ltt_shm_ring *ring = NULL;
	struct own *free;

	let_go_retired();
	free = find_free();
	if (free && prepared)
		ring = claim(shm);
	if (!ring)
		return NULL;
	/* A(owner:S): our store of @owner before this load of @successor; pairs with A(owner:R). */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (ltt_shm_is_retired(shm)) {
		__atomic_store_n(&ring->owner, 0, __ATOMIC_RELEASE);
		return NULL;
	}
	*free = (struct own){
		.shm = shm,
		.ring = ring,
		.reserved = __atomic_load_n(&ring->head, __ATOMIC_RELAXED),
		.epoch = UINT64_MAX,
	};
	/* It can allocate, and allocations may be traced: the ring is there by now. */
	pthread_setspecific(key, ltt_own);
	return free;
}

/* Called for the first record, and for each record while no ring is free. */
static __attribute__((noinline)) struct own *make_own(const struct ltt_shm *shm)
{
	struct ltt_section before;
	struct own *found;
	int saved = errno;

	ltt_section_begin(&before);
	/* A handler may have claimed one before the section. */
	found = find_own(shm);
	if (!found)
		found = claim_own(shm);
	ltt_section_end(&before);
	errno = saved;
	return found;
}

/* ---- Writing ---- */

/* Reserve the rest of the sub-buffer.  The sub-buffer is closed once @head is beyond it. */
static void close_sub(struct own *own, uint64_t pos)
{
	if (ltt_own_exchange(&own->reserved, pos, (pos | (ltt_shm_sb_size(own->shm) - 1)) + 1))
		__atomic_store_n(&ltt_shm_sub(own->shm, own->ring, pos)->end, pos, __ATOMIC_RELAXED);
}

/* Writes no byte more: a handler may have written its record right behind this one. */
static inline __attribute__((always_inline)) void copy(char *to, const uint64_t *words, uint32_t size)
{
	const char *from = (const char *)words;

	for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t)) {
		memcpy(to, from, sizeof(uint64_t));
		to += sizeof(uint64_t);
		from += sizeof(uint64_t);
	}
	if (size & 4) {
		memcpy(to, from, 4);
		to += 4;
		from += 4;
	}
	if (size & 2) {
		memcpy(to, from, 2);
		to += 2;
		from += 2;
	}
	if (size & 1)
		*to = *from;
}

static uint32_t header_size(bool same_epoch, uint32_t id)
{
	if (!same_epoch)
		return LTT_HEADER_LONG;
	return id < LTT_COMPACT_IDS ? LTT_HEADER_COMPACT : LTT_HEADER_MEDIUM;
}

static void store(struct own *own, uint64_t pos, uint32_t header, uint64_t time, uint32_t id,
		  const uint64_t *words, uint32_t size)
{
	char *at = ltt_shm_at(own->shm, own->ring, pos);
	uint32_t word = (uint32_t)time << LTT_ID_BITS;
	uint16_t medium = id;

	if (header == LTT_HEADER_COMPACT) {
		word |= id;
		memcpy(at, &word, sizeof(word));
	} else if (header == LTT_HEADER_MEDIUM) {
		word |= LTT_ID_MEDIUM;
		memcpy(at, &word, sizeof(word));
		memcpy(at + sizeof(word), &medium, sizeof(medium));
	} else {
		at[0] = LTT_ID_LONG;
		memcpy(at + 1, &id, sizeof(id));
		memcpy(at + 5, &time, sizeof(time));
	}
	copy(at + header, words, size);
}

/* In overwrite mode lttd must not take the sub-buffer that is overwritten next, and it reads
 * from @head which one that is.  So @head moves to @pos before a byte is stored there.  All
 * records below @pos are complete, unless this is a handler that interrupted one. */
static bool give_up_oldest(struct own *own, uint64_t pos)
{
	uint64_t before = ltt_own_load(&own->ring->head);

	if (before != pos) {
		if (own->depth > 1)
			return false;
		ltt_own_exchange(&own->ring->head, before, pos);
	}
	/* A(next:S): our stores to the sub-buffer after the store of @head, also if an event that was not stored
	 * left @head there; pairs with the loads of @head in skip_overwritten() and ltt_shm_survived().  x86 stores in order. */
#if !defined(__x86_64__) && !defined(__i386__)
	__atomic_thread_fence(__ATOMIC_RELEASE);
#endif
	return true;
}

/* One step towards a stored record.  Return: 0 when it is stored; -EAGAIN: call again. */
static int step(struct own *own, uint32_t id, const uint64_t *words, uint32_t size, uint64_t until)
{
	const struct ltt_shm *shm = own->shm;
	uint64_t pos = ltt_own_load(&own->reserved), offset = pos & (ltt_shm_sb_size(shm) - 1), time;
	struct ltt_shm_sub *sub;
	uint32_t header;

	if (offset && offset + LTT_HEADER_LONG + size >= ltt_shm_sb_size(shm)) {
		close_sub(own, pos);
		return -EAGAIN;
	}
	if (!offset && !ltt_shm_may_open(shm, own->ring, pos))
		return ltt_shm_wait(shm, own->ring, pos) ? -EAGAIN : ltt_shm_why_full(shm, own->ring, pos);
	if (!offset && shm->overwrite && !give_up_oldest(own, pos))
		return -ENOBUFS;
	if (!offset && !own->orphan) {
		ltt_shm_begin(shm, pos);
		ltt_shm_map_prepared(shm, own->ring, pos);
	}
	time = ltt_counter();
	if (time > until)
		return -ETIME;
	/* @epoch is that of an earlier record; if a handler interrupts, only an older one. */
	header = header_size(offset && ltt_own_load(&own->epoch) == time >> LTT_TIME_BITS, id);
	if (!ltt_own_exchange(&own->reserved, pos, pos + header + size))
		return -EAGAIN;
	__atomic_store_n(&own->epoch, time >> LTT_TIME_BITS, __ATOMIC_RELAXED);
	if (!offset) {
		sub = ltt_shm_sub(shm, own->ring, pos);
		__atomic_store_n(&sub->begin, time, __ATOMIC_RELAXED);
		__atomic_store_n(&sub->lost, ltt_own_load(&own->ring->lost), __ATOMIC_RELAXED);
	}
	store(own, pos, header, time, id, words, size);
	return 0;
}

/* The outermost record publishes itself and those of its handlers.  A handler that reserves
 * after the load of @reserved publishes its own.  A child that a handler forks just here
 * may still use the parent's ring: the exchange fails if the parent has moved @head. */
static void publish(struct own *own)
{
	uint64_t first = ltt_own_load(&own->ring->head), before, reserved;
	const struct ltt_shm *shm = own->shm;

	do {
		own->depth = 1;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		before = ltt_own_load(&own->ring->head);
		reserved = ltt_own_load(&own->reserved);
		/* A(head:S): all records before it; pairs with A(head:R). */
		ltt_own_exchange(&own->ring->head, before, reserved);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		own->depth = 0;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		/* With other buffers, a handler has let the ring go, as its own were retired. */
	} while (ltt_own_load(&own->reserved) != reserved && own->shm == shm);
	if ((first ^ reserved) >> shm->sb_order)
		ltt_shm_wake(shm);
}

int ltt_own_write(const struct ltt_shm *shm, uint32_t id, const uint64_t *words, uint32_t size, uint64_t until)
{
	struct own *own = find_own(shm);
	int ret = -EAGAIN;

	if (__builtin_expect(!own, 0))
		own = make_own(shm);
	if (!own)
		return ltt_shm_lose(shm, ltt_shm_ring(shm, 0), -EBUSY);
	if (size + (uint64_t)LTT_HEADER_LONG >= ltt_shm_sb_size(shm))
		return ltt_shm_lose(shm, own->ring, -EMSGSIZE);
	own->depth++;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	/* A handler that came before @depth may have given the entry to other buffers. */
	if (__builtin_expect(own->shm != shm, 0)) {
		if (own->shm)
			publish(own);
		else
			own->depth = 0;
		return ltt_own_write(shm, id, words, size, until);
	}
	/* Each repetition means that a handler has made progress. */
	while (ret == -EAGAIN)
		ret = step(own, id, words, size, until);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (own->depth == 1)
		publish(own);
	else
		own->depth--;
	return ret && ret != -ETIME ? ltt_shm_lose(shm, own->ring, ret) : ret;
}

void ltt_own_finish(enum ltt_own_result result)
{
	struct own *own = &ltt_own[0];
	const struct ltt_shm *shm;

	/* So no handler lets the ring go; one may have before. */
	own->depth = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	shm = own->shm;
	if (shm)
		publish(own);
	else
		own->depth = 0;
	if (shm && result == LTT_OWN_UNFINISHED)
		ltt_shm_wake(shm);
}
