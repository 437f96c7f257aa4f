// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A buffer set: the buffers of one process, or those of all processes of a user.
 *
 * Layer: lttd.
 */
#include "buffer-set.h"
#include "vault.h"
#include "lttd/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/counter.h"

/* Rings for threads that have no restartable sequences and write at the same time.  Unused rings
 * take no memory. */
#define THREAD_RINGS	64
/* Those that take memory. */
#define THREAD_RINGS_ALLOCATED	8

/* The kernel waits 0.15 seconds for pages that a program has pinned, as for io_uring or in a pipe.  No more than half of
 * lttd's time is for that, and of a set not more than a hundredth, and less each time. */
#define SLOW_NS		100000000
#define SHARE_OF_SET	100

/* A CPU that is added later has no ring: its threads get rings of their own.  So "possible"
 * CPUs, of which virtual machines have hundreds, need no rings. */
static uint32_t count_cpus(void)
{
	char line[256] = "", *last;
	FILE *f = fopen("/sys/devices/system/cpu/present", "re");
	size_t len = f ? fread(line, 1, sizeof(line) - 1, f) : 0;

	if (f)
		fclose(f);
	last = line + len;
	while (last > line && strchr("0123456789\n", last[-1]))
		last--;
	return len ? strtol(last, NULL, 10) + 1 : sysconf(_SC_NPROCESSORS_CONF);
}

uint32_t buffer_set_cpus(void)
{
	static uint32_t cpus;

	if (!cpus)
		cpus = count_cpus();
	return cpus;
}

bool buffers_must_be_allocated(void)
{
	FILE *f = fopen("/proc/sys/vm/overcommit_memory", "re");
	int mode = 0;

	if (f && fscanf(f, "%d", &mode) != 1)
		mode = 0;
	if (f)
		fclose(f);
	return mode == 2;
}

uint32_t buffer_set_rings(const struct buffers *buffers)
{
	return buffer_set_cpus() + (buffers->allocated ? THREAD_RINGS_ALLOCATED : THREAD_RINGS);
}

static int open_memory(struct buffer_set *set, const struct buffers *buffers, uint32_t sb_order, uint32_t nr_sb)
{
	uint32_t cpus = buffer_set_cpus(), rings = buffer_set_rings(buffers);
	uint64_t size = ltt_shm_size(rings, nr_sb, sb_order);

	set->memfd = memfd_create("ltt", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	/* Not F_SEAL_SEAL: see buffer_set_try_end(). */
	if (set->memfd < 0 || ftruncate(set->memfd, size) || fcntl(set->memfd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW))
		return -errno;
	/* A process that is stopped for a moment gets EINTR.  ENOSPC: the kernel's word for memory that it does not promise. */
	if (buffers->allocated && TEMP_FAILURE_RETRY(fallocate(set->memfd, 0, 0, size)))
		return errno == ENOSPC ? -ENOMEM : -errno;
	set->allocated = buffers->allocated;
	set->shm.overwrite = buffers->overwrite;
	set->shm.lossless_ms = buffers->lossless_ms;
	set->shm.context = buffers->context;
	return ltt_shm_map(&set->shm, set->memfd, cpus, rings, nr_sb, sb_order);
}

struct buffer_set *buffer_set_new(const struct buffers *buffers, uint32_t sb_order, uint32_t nr_sb, struct bells *bells, int *err)
{
	static uint64_t number;
	struct buffer_set *set = calloc(1, sizeof(*set));
	struct ltt_shm_ring *first;

	*err = -ENOMEM;
	if (!set)
		return NULL;
	set->number = ++number;
	*err = open_memory(set, buffers, sb_order, nr_sb);
	if (*err)
		goto err_free;
	*err = -ENOMEM;
	set->ring = calloc(set->shm.nr_rings, sizeof(*set->ring));
	if (!set->ring)
		goto err_free;
	/* A flight recorder's sub-buffers are not read when they become full. */
	if (buffers->overwrite)
		return set;
	first = ltt_shm_ring(&set->shm, 0);
	*err = bell_hang(bells, &set->bell, &first->closed);
	if (*err)
		goto err_free;
	__atomic_store_n(&first->waiting, 1, __ATOMIC_SEQ_CST);
	return set;

err_free:
	buffer_set_free(set, bells);
	return NULL;
}

/* ---- The descriptor ---- */

void buffer_set_put_away(struct buffer_set *set)
{
	int number = vault_keep(set->memfd);

	if (number < 0)
		return;
	set->memfd = number;
	set->is_in_vault = true;
}

/* Call @fn where @memfd is that of the set. */
static void with_memory(const struct buffer_set *set, void (*fn)(void *arg), void *arg)
{
	if (set->is_in_vault)
		vault_run(fn, arg);
	else
		fn(arg);
}

static void close_memory(void *arg)
{
	struct buffer_set *set = arg;

	close(set->memfd);
}

void buffer_set_close(struct buffer_set *set)
{
	with_memory(set, close_memory, set);
	set->memfd = -1;
	set->is_in_vault = false;
}

void buffer_set_free(struct buffer_set *set, struct bells *bells)
{
	uint32_t i;

	bell_remove(bells, &set->bell);
	for (i = 0; set->ring && i < set->shm.nr_rings; i++)
		free(set->ring[i]);
	free(set->ring);
	if (set->shm.base)
		ltt_shm_unmap(&set->shm);
	if (set->memfd >= 0)
		buffer_set_close(set);
	free(set);
}

static void end_ring(const struct buffer_set *set, struct ring *ring)
{
	ring->keeps = true;
	ring->ended = set->end_time;
}

/* Return: true; false: out of memory. */
static bool add_ring(struct buffer_set *set, uint32_t nr, struct stream *stream)
{
	struct ring *ring = stream ? malloc(sizeof(*ring)) : NULL, **link = &set->rings;

	if (!ring)
		return false;
	ring_init(ring, &set->shm, nr, stream);
	if (set->ended)
		end_ring(set, ring);
	while (*link)
		link = &(*link)->later;
	*link = set->ring[nr] = ring;
	return true;
}

struct search {
	struct buffer_set *set;
	stream_of_fn *stream_of;
	int err;
};

/* A ring that was used has its first page. */
static void search(void *arg)
{
	struct search *search = arg;
	struct buffer_set *set = search->set;
	off_t at = 0;
	uint32_t nr;

	while ((at = lseek(set->memfd, at, SEEK_DATA)) >= 0) {
		nr = at / set->shm.stride;
		if (nr >= set->shm.nr_rings)
			return;
		at = (off_t)(nr + 1) * set->shm.stride;
		if (set->ring[nr] || add_ring(set, nr, search->stream_of(set->slot, nr)))
			continue;
		search->err = ENOMEM;
		return;
	}
	/* ENXIO: there is no more. */
	search->err = errno == ENXIO ? 0 : errno;
}

int buffer_set_find_all_rings(struct buffer_set *set, stream_of_fn *stream_of)
{
	struct search it = { set, stream_of, 0 };

	if (set->memfd >= 0)
		with_memory(set, search, &it);
	return it.err ? fail("cannot look for records of program %s (pid %d): %s", set->name, set->pid, strerror(it.err)) : 0;
}

int buffer_set_find_rings(struct buffer_set *set, stream_of_fn *stream_of)
{
	/* Acquire: the search after this; pairs with ltt_shm_begin(). */
	uint32_t begun = __atomic_load_n(&ltt_shm_ring(&set->shm, 0)->begun, __ATOMIC_ACQUIRE);

	if (begun == set->begun)
		return 0;
	set->begun = begun;
	return buffer_set_find_all_rings(set, stream_of);
}

int buffer_set_take(struct buffer_set *set, struct ring_trace *trace, const struct ring_how *how)
{
	struct ring *ring;
	int ret = 0;

	for (ring = set->rings; ring && !ret; ring = ring->later)
		ret = ring_take(ring, trace, how);
	return ret;
}

/* Replace the mapping.  At no time is there nothing at its address, which the thread that waits
 * for the bell reads. */
static bool map(const struct buffer_set *set, int prot, int flags, int fd)
{
	return mmap(set->shm.base, set->shm.size, prot, flags | MAP_FIXED, fd, 0) != MAP_FAILED;
}

static void end_rings(struct buffer_set *set)
{
	struct ring *ring;

	set->ended = true;
	set->end_time = ltt_counter();
	for (ring = set->rings; ring; ring = ring->later)
		end_ring(set, ring);
}

struct sealing {
	struct buffer_set *set;
	bool done;
};

/* Our own writable mapping must go first.  If the memory cannot be mapped again, because memory is
 * out or because a program has sealed it, the set is read as far as it goes. */
static void seal(void *arg)
{
	struct sealing *sealing = arg;
	struct buffer_set *set = sealing->set;

	if (!map(set, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1))
		return;
	if (fcntl(set->memfd, F_ADD_SEALS, F_SEAL_WRITE)) {
		if (errno == EBUSY && map(set, PROT_READ | PROT_WRITE, MAP_SHARED, set->memfd)) {
			madvise(set->shm.base, set->shm.size, MADV_DONTDUMP);
			return;
		}
		set->cut_off = true;
	}
	/* Not shared: before Linux 6.7 the kernel refuses that for sealed memory. */
	if (!map(set, PROT_READ, MAP_PRIVATE, set->memfd))
		set->cut_off = true;
	sealing->done = true;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

bool buffer_set_try_end(struct buffer_set *set, struct bells *bells)
{
	static uint64_t all_try_after;
	struct sealing sealing = { set, false };
	uint64_t began = now_ns(), took;

	if (began < set->try_after || began < all_try_after)
		return false;
	with_memory(set, seal, &sealing);
	took = now_ns() - began;
	if (took >= SLOW_NS)
		all_try_after = began + 2 * took;
	if (!sealing.done && took >= SLOW_NS) {
		set->pause = set->pause ? 2 * set->pause : SHARE_OF_SET * took;
		set->try_after = began + set->pause;
	}
	if (!sealing.done)
		return false;
	bell_remove(bells, &set->bell);
	end_rings(set);
	return true;
}

struct measure {
	const struct buffer_set *set;
	uint64_t bytes;
};

static void measure(void *arg)
{
	struct measure *measure = arg;
	struct stat st;

	measure->bytes = fstat(measure->set->memfd, &st) ? 0 : st.st_blocks * 512ULL;
}

uint64_t buffer_set_measure(const struct buffer_set *set)
{
	struct measure it = { set, 0 };

	with_memory(set, measure, &it);
	return it.bytes;
}

bool buffer_set_is_damaged(const struct buffer_set *set)
{
	const struct ring *ring;

	for (ring = set->rings; ring; ring = ring->later)
		if (ring->damaged)
			return true;
	return set->cut_off;
}
