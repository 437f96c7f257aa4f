// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of tasks that a trace begins with: event "ltt:task" in the state
 * channel, one for each thread.
 *
 * Layer: tracer.  Context: task.
 *
 * The start of a trace writes the list until the state channel's buffer is half full.
 * A work item writes the rest, whenever the reader has made room; the other half of
 * the buffer stays free for the events of threads that begin, end or get another name.
 * Such a thread is named by its events, whether the list comes to it or not.
 *
 * When the list does not advance for PATIENCE, or the trace is stopped, the rest is
 * written at once.  Threads that do not fit are counted as refused.  So a caller that
 * stops a trace first waits for a reader that reads, with ltt_trace_try_list().
 *
 * Locking: the registry lock is held where traces start and stop.  The work item does
 * not take it: it runs only while the trace records.  So one context at a time uses
 * struct ltt_task_list, except that ltt_trace_try_list() looks at its @next.
 */
#include "tracer.h"

#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/idr.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/workqueue.h>

/* Threads that are written in one RCU read-side critical section. */
#define BATCH		256

/* How long to wait for a reader that does not read, in jiffies. */
#define PATIENCE	(10 * HZ)
#define STOP_PATIENCE	HZ

/* The longest wait of ltt_trace_try_list(), in jiffies, for a reader that reads a little now
 * and then. */
#define STOP_LIMIT	(5 * HZ)

/* How often to look whether there is room. */
#define RETRY		msecs_to_jiffies(10)

struct task_payload {
	s32 tid;
	s32 pid;
	s32 ppid;
	char comm[TASK_COMM_LEN];
} __packed;

static const struct ltt_field task_fields[] = {
	{ .name = "tid", .type = "pid_t", .kind = LTT_FIELD_INT, .size = 4,
	  .is_signed = true, .base = 10 },
	{ .name = "pid", .type = "pid_t", .kind = LTT_FIELD_INT, .size = 4,
	  .is_signed = true, .base = 10 },
	{ .name = "ppid", .type = "pid_t", .kind = LTT_FIELD_INT, .size = 4,
	  .is_signed = true, .base = 10 },
	{ .name = "comm", .type = "char", .kind = LTT_FIELD_TEXT, .size = 1,
	  .count = TASK_COMM_LEN, .base = 10 },
};

/* ---- Writing ---- */

/* Is this CPU's buffer less than half full? */
static bool has_room(const struct ltt_channel *channel)
{
	const struct ltt_ring *ring = &raw_cpu_ptr(channel->relay->bufs)->ring;

	/* The oldest records give way, so there is nothing to wait for. */
	if (ring->overwrite)
		return true;
	return (ltt_count_read(&ring->offset) - ltt_u64_read(&ring->read_pos)) << 1 <
	       1ULL << ring->buf_order;
}

/* RCU read side. */
static void write_task(struct ltt_event *event, struct task_struct *thread)
{
	struct task_payload payload = {
		.tid = thread->pid,
		.pid = thread->tgid,
		.ppid = rcu_dereference(thread->real_parent)->tgid,
	};

	get_task_comm(payload.comm, thread);
	ltt_event_write(event, &payload, sizeof(payload));
}

/*
 * Write up to BATCH threads, in the order of their numbers; with @force, whether they
 * fit or not.  Return: false if there is no room for the next one.
 */
static bool write_batch(struct ltt_trace *trace, bool force)
{
	struct ltt_task_list *list = &trace->task_list;
	struct ltt_channel *channel = trace->channels[0];
	struct ltt_event *event = list_first_entry(&channel->events, struct ltt_event, node);
	struct task_struct *thread;
	int next = list->next;
	bool room = true;
	struct pid *pid;
	unsigned int i;

	rcu_read_lock();
	for (i = 0; i < BATCH && next; i++) {
		room = force || has_room(channel);
		if (!room)
			break;
		pid = idr_get_next(&init_pid_ns.idr, &next);
		thread = pid ? pid_task(pid, PIDTYPE_PID) : NULL;
		if (thread)
			write_task(event, thread);
		next = pid ? next + 1 : 0;
	}
	rcu_read_unlock();
	WRITE_ONCE(list->next, next);
	return room;
}

/* Has the list, whose next thread is @next, not advanced for so many jiffies? */
static bool is_stuck(struct ltt_list_wait *wait, int next, unsigned long patience)
{
	if (next != wait->seen) {
		wait->seen = next;
		wait->since = jiffies;
	}
	return time_after(jiffies, wait->since + patience);
}

/* Return: true when the list is complete, or the trace has been halted. */
static bool write_on(struct ltt_trace *trace, bool force)
{
	while (trace->task_list.next && READ_ONCE(trace->active)) {
		if (!write_batch(trace, force))
			return false;
		cond_resched();
	}
	WRITE_ONCE(trace->task_list.next, 0);
	return true;
}

static void write_later(struct work_struct *work)
{
	struct ltt_task_list *list = container_of(work, struct ltt_task_list, work.work);
	struct ltt_trace *trace = container_of(list, struct ltt_trace, task_list);

	if (!write_on(trace, is_stuck(&list->wait, list->next, PATIENCE)))
		queue_delayed_work(system_dfl_wq, &list->work, RETRY);
}

static bool has_reader(const struct ltt_channel *channel)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (test_bit(0, &per_cpu_ptr(channel->relay->bufs, cpu)->opened))
			return true;
	return false;
}

/* ---- For the life of a trace ---- */

/**
 * ltt_state_define() - define the event of the list
 * @trace: a trace without events, so that the event's id is 0
 *
 * Context: may sleep; registry lock held.
 * Return: 0 or -ENOMEM.
 */
int ltt_state_define(struct ltt_trace *trace)
{
	INIT_DELAYED_WORK(&trace->task_list.work, write_later);
	return PTR_ERR_OR_ZERO(ltt_event_create(trace->channels[0], "ltt", "task", false, NULL,
						task_fields, ARRAY_SIZE(task_fields)));
}

/**
 * ltt_state_begin() - begin to write the list of tasks
 * @trace: a trace that has just begun to record
 *
 * A trace without names has no list.  It is complete on return unless it takes more than half of a buffer.
 *
 * Context: sleeps; registry lock held.
 */
void ltt_state_begin(struct ltt_trace *trace)
{
	struct ltt_task_list *list = &trace->task_list;

	if (trace->nameless)
		return;
	WRITE_ONCE(list->next, 1);
	list->wait.seen = 0;
	if (!write_on(trace, false))
		queue_delayed_work(system_dfl_wq, &list->work, RETRY);
}

/**
 * ltt_state_finish() - write what is left of the list of tasks, whether it fits or not
 * @trace: a trace that records, or has been halted
 *
 * Context: sleeps, but does not wait for a reader; registry lock held.
 */
void ltt_state_finish(struct ltt_trace *trace)
{
	cancel_delayed_work_sync(&trace->task_list.work);
	write_on(trace, true);
}

u64 ltt_trace_try_list(struct ltt_trace *trace, struct ltt_list_wait *wait)
{
	int next = READ_ONCE(trace->task_list.next);

	ltt_markers_assert_held();
	if (trace->state != LTT_TRACE_RUNNING || !next)
		return 0;
	if (!wait->limit)
		wait->limit = (jiffies + STOP_LIMIT) | 1;
	if (!is_stuck(wait, next, STOP_PATIENCE) && time_before(jiffies, wait->limit) &&
	    READ_ONCE(trace->active) && has_reader(trace->channels[0]))
		return jiffies_to_nsecs(RETRY);
	ltt_state_finish(trace);
	return 0;
}
EXPORT_SYMBOL_GPL(ltt_trace_try_list);

int ltt_trace_set_nameless(struct ltt_trace *trace)
{
	int err;

	ltt_markers_assert_held();
	if (trace->state != LTT_TRACE_CONFIGURING)
		return -EBUSY;
	if (trace->nameless)
		return 0;
	trace->nameless = true;
	err = ltt_rules_apply(trace);
	if (err) {
		trace->nameless = false;
		ltt_rules_apply(trace);
	}
	return err;
}
EXPORT_SYMBOL_GPL(ltt_trace_set_nameless);

int ltt_trace_list_tasks(struct ltt_trace *trace)
{
	ltt_markers_assert_held();
	if (trace->state != LTT_TRACE_RUNNING || trace->nameless)
		return -EINVAL;
	ltt_state_finish(trace);
	ltt_state_begin(trace);
	return 0;
}
EXPORT_SYMBOL_GPL(ltt_trace_list_tasks);
