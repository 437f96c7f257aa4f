/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of contexts, which events have.
 *
 * Layer: tracer.
 */
#ifndef LTT_TRACER_CONTEXT_H
#define LTT_TRACER_CONTEXT_H

#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/types.h>

#include <ltt/context.h>

#include "../../core/record.h"
#include "stack.h"

struct ltt_channel;
struct ltt_counter;
struct ltt_event;
struct ltt_marker;
struct ltt_trace;

#define LTT_CONTEXTS_MAX	24	/* of an event */
#define LTT_CONTEXT_FIELDS_MAX	(LTT_CONTEXTS_MAX + LTT_STACKS_MAX)

/* The thread id, and all values and counters that a list can have. */
#define LTT_CONTEXT_FIXED_MAX	(LTT_CONTEXT_SIZE + 8 * LTT_CONTEXTS_MAX + LTT_CONTEXT_VALUE_MAX)

/**
 * struct ltt_context - a context of a list
 * @type: its row in the table
 * @counter: COUNTER: the counter, which all lists share
 * @depth: STACK: the most addresses
 */
struct ltt_context {
	const struct ltt_context_type *type;
	union {
		struct ltt_counter *counter;
		unsigned int depth;
	};
};

/**
 * enum ltt_context_shape - how an event with a list of contexts is written
 * @LTT_SHAPE_ANY: by the general way
 * @LTT_SHAPE_PID: has pid only; this and the following have a way of their own, see write.c
 * @LTT_SHAPE_COMM: has comm only
 * @LTT_SHAPE_PID_COMM: has both
 */
enum ltt_context_shape {
	LTT_SHAPE_ANY,
	LTT_SHAPE_PID,
	LTT_SHAPE_COMM,
	LTT_SHAPE_PID_COMM,
	LTT_SHAPES,
};

/**
 * struct ltt_contexts - the contexts of events; never changed
 * @users: references; registry lock
 * @shape: how events are written
 * @nr: number of contexts
 * @nr_values: number of values and counters, which are the first of @context
 * @context: in the order of the table
 * @text: as users write it, in that order
 */
struct ltt_contexts {
	unsigned int users;
	enum ltt_context_shape shape;
	unsigned int nr;
	unsigned int nr_values;
	struct ltt_context context[LTT_CONTEXTS_MAX];
	char text[LTT_CONTEXT_TEXT_MAX];
};

/**
 * struct ltt_gathered - the contexts of one event, read
 * @bytes: the thread id, and the contexts
 * @size: their number
 * @scratch: where they are; NULL if they are in the caller's memory
 * @nr_new: stacks with their addresses
 * @tag: where to note each of those
 * @number: the number of each
 */
struct ltt_gathered {
	u8 *bytes;
	u32 size;
	struct ltt_stack_scratch *scratch;
	unsigned int nr_new;
	ltt_u64 *tag[LTT_STACKS_MAX];
	u64 number[LTT_STACKS_MAX];
};

/* Contexts that programs can ask for, too (judge.c).  Sinks are called with preemption turned off
 * once more than it was. */
static inline s32 ltt_context_preempt(void)
{
	return (preempt_count() & PREEMPT_MASK) - PREEMPT_OFFSET;
}

static inline u8 ltt_context_irq(bool is_off)
{
	u8 level = in_nmi() ? 6 : in_hardirq() ? 4 : in_serving_softirq() ? 2 : 0;

	return level + is_off;
}

/* Kernels from 6.13 on have a second flag, for a switch that can wait until the task leaves the kernel, or for the next
 * tick; their need_resched() does not read it. */
static inline bool ltt_context_need_resched(void)
{
#ifdef TIF_NEED_RESCHED_LAZY
	if (test_thread_flag(TIF_NEED_RESCHED_LAZY))
		return true;
#endif
	return need_resched();
}

/* context.c */
void ltt_contexts_init(void);
struct ltt_contexts *ltt_contexts_get(struct ltt_contexts *contexts);
void ltt_contexts_put(struct ltt_contexts *contexts);
unsigned int ltt_contexts_values(const struct ltt_contexts *contexts, struct ltt_field *fields);
unsigned int ltt_contexts_stacks(const struct ltt_contexts *contexts, struct ltt_field *fields);
bool ltt_contexts_have_stack(const struct ltt_contexts *contexts);

/* gather.c */
void ltt_gather(struct ltt_gathered *gathered, const struct ltt_event *event,
		u8 room[LTT_CONTEXT_FIXED_MAX + LTT_STACKS_MAX * LTT_STACK_HEAD], u64 packet,
		bool complete, unsigned long site);
void ltt_gather_end(const struct ltt_gathered *gathered, u64 packet, bool is_written);

/* context-rules.c */
struct ltt_contexts *ltt_contexts_for(const struct ltt_channel *channel,
				      const struct ltt_marker *marker);
void ltt_context_rules_free(struct ltt_trace *trace);

#endif /* LTT_TRACER_CONTEXT_H */
