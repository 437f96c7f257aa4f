/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Filters: expressions for patterns, and the programs that evaluate them for events.
 *
 * Layer: tracer.
 */
#ifndef LTT_TRACER_JUDGE_H
#define LTT_TRACER_JUDGE_H

#include <linux/types.h>

#include "../../core/ring.h"

struct bpf_prog;
struct list_head;
struct ltt_event;
struct ltt_marker;
struct ltt_sink;
struct ltt_trace;

/**
 * struct ltt_expression - the text of a filter; never changed
 * @users: references; registry lock
 * @text: as the user wrote it
 */
struct ltt_expression {
	unsigned int users;
	char text[];
};

/**
 * struct ltt_judged - what the filter of an event decided on a CPU
 * @passed: events that the program let pass
 * @filtered: events that it dropped
 * @unjudged: events that were recorded without it, as it was running on this CPU already
 * @depth: how often it is running, if it can be nested
 * @dropped: the last event on this CPU was dropped; see pause_judged() in judge.c
 */
struct ltt_judged {
	ltt_u64 passed;
	ltt_u64 filtered;
	ltt_u64 unjudged;
	int depth;
	bool dropped;
};

/* filter-rules.c */
struct ltt_expression *ltt_expression_for(const struct ltt_trace *trace,
					  const struct ltt_marker *marker);
struct ltt_expression *ltt_expression_named(const struct ltt_trace *trace,
					    const struct ltt_marker *marker);
struct ltt_expression *ltt_expression_get(struct ltt_expression *expression);
void ltt_expression_put(struct ltt_expression *expression);
bool ltt_expression_same(const struct ltt_expression *a, const struct ltt_expression *b);
void ltt_filter_rules_free(struct ltt_trace *trace);

/* program.c */
bool ltt_program_is_alone(const struct bpf_prog *program);

/* judge.c */
bool ltt_event_waits(const struct ltt_event *event);
int ltt_event_set_filter(struct ltt_event *event, struct ltt_expression *expression,
			 bool *disconnected);
void ltt_event_set_judged(struct ltt_event *event);
void ltt_event_take_judge(struct ltt_event *event, const struct ltt_event *former);
void ltt_event_free_judge(struct ltt_event *event);
void ltt_judges_sweep(struct ltt_trace *trace);
u64 ltt_event_unjudged(const struct ltt_event *event);
unsigned int ltt_event_program_id(const struct ltt_event *event);

/* trigger.c */
bool ltt_event_fire(const struct ltt_event *event, const void *payload, size_t len, u32 verdict);
bool ltt_event_begins(const struct ltt_event *event);

#endif /* LTT_TRACER_JUDGE_H */
