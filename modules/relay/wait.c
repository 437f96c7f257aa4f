// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lossless channels: a thread that writes faster than the reader reads waits for the reader.
 *
 * Layer: relay.
 *
 * A probe cannot wait: it may hold any lock of the kernel.  So a thread that wrote
 * to a buffer that is half full is entered in the table below.  It waits later, where it
 * holds no lock: in task work just before it returns to user space, or at a marker's site
 * that may sleep.  Interrupts do not wait, nor do kernel threads elsewhere; the ring
 * refuses and counts their records that do not fit, as in every channel.
 *
 * The wait is bounded.  If it times out and the reader has not moved, the buffer counts as
 * stalled, and no thread waits for it before the reader moves: a dead reader costs one wait,
 * not one for each event.  A process that reads one of the channel's buffers never waits, or
 * it would wait for itself.
 *
 * A thread can stay in the kernel for long after it was entered.  Its place in the table
 * keeps this module (task work cannot be taken back), but not the channel.
 *
 * Locking: table_lock guards the channels' nr_waiting, and keeps the channel of a
 * waiter.buf that is found under it; innermost.  waiter.task is lockless: taken by the
 * thread itself with preemption off, given back by it; other threads only look whether
 * it is free.  waiter.buf is set by the thread, and cleared by it or by the channel's
 * end.
 */
#include "relay.h"

#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <linux/task_work.h>

/* Places for the threads that are entered at one time.  A thread looks at TABLE_LOOK places,
 * from that of its hash on; a thread that finds none free does not wait. */
#define TABLE_ORDER	10
#define TABLE_SIZE	(1 << TABLE_ORDER)
#define TABLE_LOOK	8

/* Not all tasks that run task work are about to return to user space. */
#define NEVER_WAIT	(PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER | PF_EXITING)

/**
 * struct waiter - a place in the table: a thread that is to wait
 * @task: the thread; NULL when the place is free
 * @buf: the buffer to wait for; NULL once the channel is closed
 * @work: runs when the thread returns to user space
 * @pause: for a site that may sleep
 */
struct waiter {
	struct task_struct *task;
	struct ltt_relay_buf *buf;
	struct callback_head work;
	struct ltt_pause pause;
};

static struct waiter table[TABLE_SIZE];
static DEFINE_SPINLOCK(table_lock);

/* Lockless: written by readers at each access. */
static bool is_reader(const struct ltt_relay_buf *buf)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (READ_ONCE(per_cpu_ptr(buf->chan->bufs, cpu)->reader) == current->tgid)
			return true;
	return false;
}

/* ---- Waiting ---- */

/* Return: the buffer to wait for, kept until done_waiting(); NULL when it is closed. */
static struct ltt_relay_buf *begin_waiting(struct waiter *waiter)
{
	struct ltt_relay_buf *buf;

	spin_lock(&table_lock);
	buf = READ_ONCE(waiter->buf);
	if (buf)
		buf->chan->nr_waiting++;
	spin_unlock(&table_lock);
	return buf;
}

static void done_waiting(struct ltt_relay_buf *buf)
{
	spin_lock(&table_lock);
	/* Under the lock, or the channel could be gone. */
	if (!--buf->chan->nr_waiting)
		wake_up_all(&buf->chan->none_waiting);
	spin_unlock(&table_lock);
}

/* Lockless: a reader that moves, ltt_relay_close() and ltt_relay_set_quiet() wake. */
static bool over(struct ltt_relay_buf *buf)
{
	return !ltt_relay_pressed(buf) || READ_ONCE(buf->chan->closed) ||
	       READ_ONCE(buf->chan->quiet);
}

static void wait_for_room(struct waiter *waiter)
{
	struct ltt_relay_buf *buf = begin_waiting(waiter);
	ktime_t start = ktime_get();
	u64 read_pos;
	long left;

	if (!buf)
		return;
	read_pos = ltt_u64_read(&buf->ring.read_pos);
	/* The thread may have opened the buffer after it was entered. */
	if (over(buf) || is_reader(buf) || fatal_signal_pending(current))
		goto out;
	left = wait_event_killable_timeout(buf->room, over(buf),
					   msecs_to_jiffies(buf->chan->config.wait_ms));
	atomic64_inc(&buf->waits);
	atomic64_add(ktime_us_delta(ktime_get(), start), &buf->waited_us);
	/* A slow reader has moved: threads wait for it again. */
	if (!left && ltt_u64_read(&buf->ring.read_pos) == read_pos) {
		atomic64_inc(&buf->timeouts);
		ltt_u64_write(&buf->stalled_at, read_pos);
		wake_up_all(&buf->room);
	}
out:
	done_waiting(buf);
}

static void give_back(struct waiter *waiter)
{
	WRITE_ONCE(waiter->buf, NULL);
	/* The module's exit function waits for code that this thread has yet to run.
	 * module_put() is an event, too.  It must find the place taken, or it would enter this
	 * thread again; and a thread that is being killed, which does not wait, for ever. */
	module_put(THIS_MODULE);
	/* O(place:A): all use of the place first; pairs with O(place:B) in take(). */
	smp_store_release(&waiter->task, NULL);
}

static void before_user_space(struct callback_head *work)
{
	struct waiter *waiter = container_of(work, struct waiter, work);

	if (!(current->flags & NEVER_WAIT))
		wait_for_room(waiter);
	give_back(waiter);
}

/* At a site, by a thread that has task work queued: that gives the place back. */
static void at_site(struct ltt_pause *pause)
{
	wait_for_room(container_of(pause, struct waiter, pause));
}

/* At a site, by a kernel thread: it has the place for this wait only. */
static void at_site_only(struct ltt_pause *pause)
{
	struct waiter *waiter = container_of(pause, struct waiter, pause);

	wait_for_room(waiter);
	give_back(waiter);
}

/* ---- Entering a thread: with preemption off, in the writer ---- */

static struct waiter *place(unsigned int i)
{
	return &table[(hash_ptr(current, TABLE_ORDER) + i) % TABLE_SIZE];
}

static struct waiter *find(void)
{
	unsigned int i;

	for (i = 0; i < TABLE_LOOK; i++)
		if (READ_ONCE(place(i)->task) == current)
			return place(i);
	return NULL;
}

static struct waiter *take(struct ltt_relay_buf *buf)
{
	unsigned int i;

	for (i = 0; i < TABLE_LOOK; i++) {
		/* O(place:B): the place is free before we use it; pairs with O(place:A). */
		if (READ_ONCE(place(i)->task) || cmpxchg(&place(i)->task, NULL, current))
			continue;
		/* Not under the lock, which a probe must not take: only this thread uses
		 * the place, and the channel cannot be closed while a writer is in it. */
		WRITE_ONCE(place(i)->buf, buf);
		/* The channel's client uses this module, so it is there. */
		__module_get(THIS_MODULE);
		return place(i);
	}
	return NULL;
}

void ltt_relay_ask_to_wait(struct ltt_relay_buf *buf)
{
	struct waiter *waiter;

	if (!in_task() || current->flags & NEVER_WAIT || find() || is_reader(buf))
		return;
	waiter = take(buf);
	if (!waiter)
		return;
	init_task_work(&waiter->work, before_user_space);
	/* Fails for a thread that will not come back to user space. */
	if (task_work_add(current, &waiter->work, TWA_RESUME))
		give_back(waiter);
}
EXPORT_SYMBOL_GPL(ltt_relay_ask_to_wait);

struct ltt_pause *ltt_relay_pause(struct ltt_relay_buf *buf)
{
	struct waiter *waiter = find();

	if (is_reader(buf))
		return NULL;
	if (waiter) {
		/* The thread may have been entered for the buffer of another CPU or channel.
		 * If this races with ltt_relay_end_waits(), the thread does not wait. */
		WRITE_ONCE(waiter->buf, buf);
		waiter->pause.wait = at_site;
		return &waiter->pause;
	}
	if (!(current->flags & PF_KTHREAD))
		return NULL;
	waiter = take(buf);
	if (!waiter)
		return NULL;
	waiter->pause.wait = at_site_only;
	return &waiter->pause;
}
EXPORT_SYMBOL_GPL(ltt_relay_pause);

/* ---- The end ---- */

static bool none_waiting(struct ltt_relay_chan *chan)
{
	bool none;

	spin_lock(&table_lock);
	none = !chan->nr_waiting;
	spin_unlock(&table_lock);
	return none;
}

/**
 * ltt_relay_end_waits() - end all waits for a channel
 * @chan: closed; no writer is in it
 *
 * Context: sleeps.
 */
void ltt_relay_end_waits(struct ltt_relay_chan *chan)
{
	struct ltt_relay_buf *buf;
	unsigned int i;
	int cpu;

	spin_lock(&table_lock);
	for (i = 0; i < TABLE_SIZE; i++) {
		/* Of this channel, or of one that cannot go without this lock. */
		buf = READ_ONCE(table[i].buf);
		if (buf && buf->chan == chan)
			WRITE_ONCE(table[i].buf, NULL);
	}
	spin_unlock(&table_lock);
	for_each_possible_cpu(cpu)
		wake_up_all(&per_cpu_ptr(chan->bufs, cpu)->room);
	wait_event(chan->none_waiting, none_waiting(chan));
}

/**
 * ltt_relay_wait_exit() - wait until no thread uses the table
 *
 * The thread that gave the last place back may still have to clear the table, and to
 * leave the code of this module, which it does without sleeping.
 */
void ltt_relay_wait_exit(void)
{
	synchronize_rcu_tasks();
}
