// SPDX-License-Identifier: GPL-2.0-only
/*
 * When the system calls began in which threads are.
 *
 * Layer: instrument.  Context: a thread at the beginning or the end of a system call,
 * preemption off.
 *
 * A thread is in at most one call, and it owns at most one entry of a table from the
 * beginning of the call to its end.  It looks for its entry in a few places that the address of
 * its task structure determines; if others have all of them, its call has no duration.  The
 * task structure and not the thread id, because a thread that calls execve() may come back
 * with another id.
 *
 * An entry also has the epoch of the call, which changes when sinks of its marker come.  So an
 * entry that was left behind, because the sinks went during the call, or because the thread
 * ended in it, gives no duration to a later call.  A thread that begins a call uses an entry
 * that it left behind; one of a thread that is gone stays used until no duration is wanted.
 */
#include "syscall.h"

#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#define ENTRIES_BITS	14
#define ENTRIES		(1UL << ENTRIES_BITS)
#define PLACES		8	/* where a thread looks */

/**
 * struct entry - a thread in a system call
 * @task: the thread that owns the entry; NULL if it is free.  A thread takes a free one with
 *	cmpxchg(), and only the owner changes it after that
 * @epoch: that of the call
 * @began: in nanoseconds
 */
struct entry {
	struct task_struct *task;
	unsigned long epoch;
	u64 began;
};

static struct entry *entries;

/**
 * ltt_durations_start() - prepare for the first call whose duration is wanted
 *
 * Allocates the table, which then stays, or clears it of what was left behind.
 *
 * Context: may sleep; registry lock held; no call has an epoch.
 * Return: 0 or -ENOMEM.
 */
int ltt_durations_start(void)
{
	ltt_markers_assert_held();
	if (!entries) {
		entries = kvcalloc(ENTRIES + PLACES, sizeof(*entries), GFP_KERNEL);
		return entries ? 0 : -ENOMEM;
	}
	/* A thread may still be writing to its entry. */
	ltt_marker_synchronize();
	memset(entries, 0, (ENTRIES + PLACES) * sizeof(*entries));
	return 0;
}

/**
 * ltt_durations_exit() - free the table; no probe runs any more
 */
void ltt_durations_exit(void)
{
	kvfree(entries);
}

static __always_inline struct entry *first_place(void)
{
	return &entries[hash_ptr(current, ENTRIES_BITS)];
}

/**
 * ltt_duration_begin() - the thread begins a call
 * @epoch: that of the call, not 0
 */
notrace void ltt_duration_begin(unsigned long epoch)
{
	struct entry *entry = first_place(), *end = entry + PLACES, *free = NULL;

	for (; entry < end; entry++) {
		/* Lockless: other threads take and free entries, but never ours. */
		struct task_struct *task = READ_ONCE(entry->task);

		if (task == current)
			goto found;
		if (!task && !free)
			free = entry;
	}
	/* Acquire: pairs with the release in ltt_duration_end() of the last owner. */
	if (!free || cmpxchg(&free->task, NULL, current))
		return;
	entry = free;
found:
	entry->epoch = epoch;
	entry->began = ktime_get_mono_fast_ns();
}

/**
 * ltt_duration_end() - the thread ends a call
 * @epoch: that of the call, not 0
 *
 * Return: nanoseconds since its beginning; 0 if that is not known.
 */
notrace u64 ltt_duration_end(unsigned long epoch)
{
	struct entry *entry = first_place(), *end = entry + PLACES;
	u64 duration = 0;

	for (; entry < end; entry++) {
		if (READ_ONCE(entry->task) != current)
			continue;
		if (entry->epoch == epoch)
			duration = ktime_get_mono_fast_ns() - entry->began;
		/*
		 * The values are read before another thread may write them:
		 * pairs with the cmpxchg() in ltt_duration_begin().
		 */
		smp_store_release(&entry->task, NULL);
		break;
	}
	return duration;
}
