// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Channels: the buffers that an lttd provides.
 *
 * The child of a fork() inherits its parent's buffers and goes on writing there.  When it has
 * connected, lttd gives it buffers of its own:
 *
 *  1. All targets of the old buffers get the new ones, each by one store.
 *  2. The old buffers are marked as retired.  Restartable sequences check the mark.
 *  3. A barrier (membarrier) restarts the sequences that run.  Afterwards no sequence writes to
 *     the old buffers, and each thread without sequences has claimed its ring there, or sees
 *     the mark.
 *  4. When no thread owns such a ring, private memory replaces the old buffers.
 */
#include "channel.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/perf-counter.h"
#include "own.h"
#include "perf.h"
#include "sites.h"
#include "write.h"

/**
 * struct ltt_channel - the buffers of an lttd's channel
 * @next: the next channel of the same lttd, or in a list below
 * @trace: the UUID of its trace
 * @number: its number in the trace
 * @set: the number of its buffer set
 * @shm: the mapped buffers; targets point to it, so it is never freed
 */
struct ltt_channel {
	struct ltt_channel *next;
	uint8_t trace[16];
	uint32_t number;
	uint64_t set;
	struct ltt_shm shm;
};

/* Channels whose buffers are released.  Leak checkers find them by this list. */
static struct ltt_channel *gone;

/* Retired channels that threads may still use. */
static struct ltt_channel *retired;

static bool is_of(const struct ltt_channel *channel, const struct ltt_program_channel *message)
{
	return channel->number == message->channel &&
	       !memcmp(channel->trace, message->trace, sizeof(channel->trace));
}

static struct ltt_channel *find(struct ltt_channel *channel, uint32_t number)
{
	while (channel && channel->number != number)
		channel = channel->next;
	return channel;
}

bool ltt_channels_have(struct ltt_channel *const *channels, const struct ltt_program_channel *message)
{
	const struct ltt_channel *channel = find(*channels, message->channel);

	return channel && is_of(channel, message);
}

const struct ltt_shm *ltt_channels_find(struct ltt_channel *const *channels, uint32_t number)
{
	const struct ltt_channel *channel = find(*channels, number);

	return channel ? &channel->shm : NULL;
}

/* Threads may still hold the address of the buffers.  So private memory replaces them at the same
 * addresses, which are never used again; the buffers themselves are released.  Where vm.overcommit_memory is 2, the kernel can
 * refuse that memory, and mmap(MAP_FIXED) would have unmapped the buffers by then.  So it is mapped elsewhere first; when that
 * fails, the buffers stay.  PROT_NONE first: see ltt_shm_map(). */
static bool replace(char *at, size_t size)
{
	void *memory = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		return false;
	munlock(memory, size);
	if (!mprotect(memory, size, PROT_READ | PROT_WRITE) &&
	    mremap(memory, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, at) != MAP_FAILED)
		return true;
	munmap(memory, size);
	return false;
}

/* As few rings at a time as whole pages hold: a program of 32 bits may not have the addresses for all of them. */
static void release(struct ltt_channel *channel)
{
	const struct ltt_shm *shm = &channel->shm;
	size_t page = sysconf(_SC_PAGESIZE), part = shm->stride, at = 0;

	while (part % page)
		part += shm->stride;
	channel->next = gone;
	gone = channel;
	while (at < shm->size && replace(shm->base + at, part < shm->size - at ? part : shm->size - at))
		at += part;
}

static void unlink_channel(struct ltt_channel **channels, const struct ltt_channel *channel)
{
	while (*channels != channel)
		channels = &(*channels)->next;
	*channels = channel->next;
}

/* The lttd has gone, or records another user's trace: what threads write from now on is lost. */
static void let_go(struct ltt_channel **channels, struct ltt_channel *channel)
{
	unlink_channel(channels, channel);
	__atomic_store_n(&channel->shm.gone, true, __ATOMIC_RELAXED);
	ltt_sites_forget(&channel->shm);
	release(channel);
}

/* Run a barrier in all threads of the process, which restarts their sequences.  Return: false:
 * the kernel has none. */
static bool run_barrier(void)
{
	static bool registered;

	/* The child of a fork() is registered if its parent is. */
	if (!registered)
		registered = !syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ, 0, 0);
	return registered && !syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ, 0, 0);
}

bool ltt_channels_release(void)
{
	struct ltt_channel **link = &retired, *channel;

	/* A(owner:R): our store of @successor before our loads of owners; pairs with A(owner:S).
	 * Without a barrier the buffers stay mapped, which is harmless. */
	if (!retired || !run_barrier())
		return false;
	while ((channel = *link)) {
		if (ltt_own_is_used(&channel->shm)) {
			link = &channel->next;
		} else {
			*link = channel->next;
			release(channel);
		}
	}
	return retired;
}

static void retire(struct ltt_channel **channels, struct ltt_channel *channel, const struct ltt_shm *by)
{
	unlink_channel(channels, channel);
	channel->next = retired;
	retired = channel;
	ltt_sites_move(&channel->shm, by);
	/* A(successor:S): store the new buffers' description before its address; pairs with
	 * A(successor:R). */
	__atomic_store_n(&channel->shm.successor, by, __ATOMIC_RELEASE);
	ltt_channels_release();
}

static struct ltt_channel *make(const struct ltt_program_channel *message, int fd, int *err)
{
	struct ltt_channel *channel = calloc(1, sizeof(*channel));

	*err = -ENOMEM;
	if (!channel)
		return NULL;
	memcpy(channel->trace, message->trace, sizeof(channel->trace));
	channel->number = message->channel;
	channel->set = message->set;
	channel->shm.overwrite = message->overwrite;
	channel->shm.lossless_ms = message->lossless_ms < LTT_LOSSLESS_MS_MAX ? message->lossless_ms
									       : LTT_LOSSLESS_MS_MAX;
	channel->shm.context = message->context;
	if (message->context >> LTT_CONTEXT_PERF_SHIFT & ((1U << PERF_OF_CPU) - 1))
		ltt_perf_prepare();
	*err = ltt_shm_map(&channel->shm, fd, message->nr_cpus, message->nr_rings, message->nr_sb,
			   message->sb_order);
	if (*err) {
		free(channel);
		return NULL;
	}
	if (!ltt_shm_can_write())
		channel->shm.sequence_cpus = 0;
	channel->shm.opened = calloc(channel->shm.nr_rings, sizeof(*channel->shm.opened));
	return channel;
}

int ltt_channels_add(struct ltt_channel **channels, const struct ltt_program_channel *message, int fd)
{
	struct ltt_channel *old = find(*channels, message->channel), *channel;
	int err;

	/* After a fork(), with shared buffers. */
	if (old && is_of(old, message) && old->set == message->set)
		return 0;
	if (fd < 0)
		return -EMFILE;
	channel = make(message, fd, &err);
	if (!channel)
		return err;
	channel->next = *channels;
	*channels = channel;
	if (!old)
		return 0;
	if (is_of(old, message)) {
		retire(channels, old, &channel->shm);
		return 0;
	}
	/* In another trace, events have other ids: none is recorded until lttd has given them. */
	let_go(channels, old);
	return -EINPROGRESS;
}

void ltt_channels_forked(struct ltt_channel **channels)
{
	struct ltt_channel *channel;

	for (channel = *channels; channel; channel = channel->next)
		if (channel->shm.opened)
			memset(channel->shm.opened, 0, channel->shm.nr_rings * sizeof(*channel->shm.opened));
}

void ltt_channels_end(struct ltt_channel **channels)
{
	while (*channels)
		let_go(channels, *channels);
}
