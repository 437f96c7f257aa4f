// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of tasks that a trace begins with: event "ltt:task" in the state
 * channel, one for each thread.
 *
 * Layer: tracer.  Context: task, registry lock held.
 */
#include "tracer.h"

#include <linux/err.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

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

/**
 * ltt_state_define() - define the event, first of all, so that its id is 0
 * Return: 0 or -ENOMEM.
 */
int ltt_state_define(struct ltt_trace *trace)
{
	return PTR_ERR_OR_ZERO(ltt_event_create(trace->channels[0], "ltt", "task", false,
						task_fields, ARRAY_SIZE(task_fields)));
}

/**
 * ltt_state_dump() - record all tasks; the trace is running
 *
 * What forks or exits meanwhile is recorded by its own events.
 */
void ltt_state_dump(struct ltt_trace *trace)
{
	struct ltt_event *event = list_first_entry(&trace->channels[0]->events,
						   struct ltt_event, node);
	struct task_struct *process, *thread;

	rcu_read_lock();
	for_each_process_thread(process, thread) {
		struct task_payload payload = {
			.tid = thread->pid,
			.pid = thread->tgid,
			.ppid = rcu_dereference(thread->real_parent)->tgid,
		};

		get_task_comm(payload.comm, thread);
		ltt_event_write(event, &payload, sizeof(payload));
	}
	rcu_read_unlock();
}
