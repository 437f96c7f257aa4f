// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Pairs of events: doc/format.md, "Pairs of events".
 *
 * Layer: lttctl html.
 *
 * A slice of a thread has the row of its depth.  An async slice or flow has a row of its process that is free until
 * it ends.  Of a flow, the row has what is from each of its events to the next.
 */
#include "pairs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX	24	/* rows of a thread; deeper slices are not shown */
#define ROWS_MAX	64	/* rows of a process, of async slices and of flows; more are not shown */
#define OPEN_MAX	16384	/* async slices and flows that are open, as for lttctl view */
#define BUCKETS		4096

/**
 * struct nested - an open slice of a thread
 * @name: of the slice
 * @ns: its begin
 * @losses: how often events were lost until then
 */
struct nested {
	uint32_t name;
	int64_t ns;
	uint64_t losses;
};

/**
 * struct stack - the open slices of a thread
 * @open: the slices, the outermost first
 * @nr: number of @open
 * @room: of @open
 */
struct stack {
	struct nested *open;
	size_t nr;
	size_t room;
};

/**
 * struct async - an open async slice or flow
 * @next: the next one in the bucket, the older
 * @older: the next older of all
 * @newer: the next newer of all
 * @is_flow: it is a flow
 * @id: its id
 * @process: the process in the page that began it
 * @thread: of a flow, the number of the task of its last event
 * @row: its row there; ROWS_MAX: none was free
 * @slice: the rest; of a flow, the time is that of its last event
 */
struct async {
	struct async *next;
	struct async *older;
	struct async *newer;
	bool is_flow;
	int64_t id;
	uint32_t process;
	uint32_t thread;
	uint32_t row;
	struct nested slice;
};

/**
 * struct slices - all open slices
 * @stacks: by the number of a task
 * @nr_stacks: number of @stacks
 * @buckets: of async slices
 * @newest: of these
 * @oldest: of these
 * @nr_open: number of these
 * @rows: by twice the number of a process, + 1 for flows: a bit for each row that is taken
 * @nr_rows: number of @rows
 * @losses: how often events were lost
 */
struct slices {
	struct stack *stacks;
	size_t nr_stacks;
	struct async *buckets[BUCKETS];
	struct async *newest, *oldest;
	size_t nr_open;
	uint64_t *rows;
	size_t nr_rows;
	uint64_t losses;
};

enum pair pair_of(const char *event)
{
	static const char *const ends[] = {
		[PAIR_BEGIN] = ".begin", [PAIR_END] = ".end", [PAIR_ASYNC_BEGIN] = ".async_begin",
		[PAIR_ASYNC_END] = ".async_end", [PAIR_FLOW_BEGIN] = ".flow_begin", [PAIR_FLOW_STEP] = ".flow_step", [PAIR_FLOW_END] = ".flow_end",
	};
	const char *dot = strchr(event, ':') ? strrchr(event, '.') : NULL;
	enum pair pair;

	for (pair = PAIR_BEGIN; dot && pair <= PAIR_FLOW_END; pair++)
		if (!strcmp(dot, ends[pair]))
			return pair;
	return PAIR_NONE;
}

/* The group and name without the suffix. */
static uint32_t name_of(struct collector *collector, const char *event)
{
	char name[160];

	snprintf(name, sizeof(name), "%.*s", (int)(strrchr(event, '.') - event), event);
	return collect_name(collector, name);
}

/* Return: the name of a slice, with what is not sure about its duration. */
static uint32_t name_with(struct collector *collector, uint32_t name, const char *note)
{
	char text[200];

	snprintf(text, sizeof(text), "%s (%s)", collector->page->names.texts[name], note);
	return collect_name(collector, text);
}

/* ---- Slices of a thread ---- */

static struct stack *stack_of(struct collector *collector, const struct task *task)
{
	struct slices *slices = collector->slices;
	size_t nr = task->number + 1;
	struct stack *more;

	if (nr > slices->nr_stacks) {
		nr *= 2;
		more = reallocarray(slices->stacks, nr, sizeof(*more));
		if (!more) {
			collector_check(collector, -ENOMEM);
			return NULL;
		}
		memset(more + slices->nr_stacks, 0, (nr - slices->nr_stacks) * sizeof(*more));
		slices->stacks = more;
		slices->nr_stacks = nr;
	}
	return &slices->stacks[task->number];
}

static void push(struct collector *collector, struct stack *stack, uint32_t name, int64_t ns)
{
	struct nested *more;

	if (stack->nr == stack->room) {
		if (stack->nr >= OPEN_MAX)	/* begins without ends */
			stack->nr = 0;
		more = reallocarray(stack->open, stack->nr * 2 + 8, sizeof(*more));
		if (!more) {
			collector_check(collector, -ENOMEM);
			return;
		}
		stack->open = more;
		stack->room = stack->nr * 2 + 8;
	}
	stack->open[stack->nr++] = (struct nested){ .name = name, .ns = ns, .losses = collector->slices->losses };
}

static void add_nested(struct collector *collector, uint32_t thread, size_t depth, const struct nested *slice, int64_t to_ns)
{
	uint32_t name = slice->name;

	if (depth >= DEPTH_MAX)
		return;
	if (slice->losses != collector->slices->losses)
		name = name_with(collector, name, "events were lost");
	collect_item(collector, collect_track(collector, TRACK_SLICE, thread, depth, 0), slice->ns, to_ns, name, 0);
}

/* Slices within the one that ends have no end, and are not shown. */
static void pop(struct collector *collector, const struct task *task, struct stack *stack, uint32_t name, int64_t ns)
{
	size_t i;

	for (i = stack->nr; i > 0; i--)
		if (stack->open[i - 1].name == name)
			break;
	if (!i)
		return;
	add_nested(collector, task->number, i - 1, &stack->open[i - 1], ns);
	stack->nr = i - 1;
}

/* ---- Async slices and flows ---- */

static struct async **bucket_of(struct slices *slices, uint32_t name, int64_t id)
{
	return &slices->buckets[((uint64_t)id * 31 + name) * 0x9e3779b97f4a7c15ULL >> 52];
}

static uint64_t *rows_of(struct collector *collector, bool is_flow, uint32_t process)
{
	struct slices *slices = collector->slices;
	const size_t number = 2 * (size_t)process + is_flow;
	size_t nr = number + 1;
	uint64_t *more;

	if (nr > slices->nr_rows) {
		nr *= 2;
		more = reallocarray(slices->rows, nr, sizeof(*more));
		if (!more) {
			collector_check(collector, -ENOMEM);
			return NULL;
		}
		memset(more + slices->nr_rows, 0, (nr - slices->nr_rows) * sizeof(*more));
		slices->rows = more;
		slices->nr_rows = nr;
	}
	return &slices->rows[number];
}

static uint32_t take_row(struct collector *collector, bool is_flow, uint32_t process)
{
	uint64_t *rows = rows_of(collector, is_flow, process);
	uint32_t row;

	if (!rows || *rows == UINT64_MAX)
		return ROWS_MAX;
	row = __builtin_ctzll(~*rows);
	*rows |= 1ULL << row;
	return row;
}

static void async_end(struct collector *collector, struct async *async)
{
	struct slices *slices = collector->slices;
	struct async **link = bucket_of(slices, async->slice.name, async->id);

	while (*link != async)
		link = &(*link)->next;
	*link = async->next;
	*(async->newer ? &async->newer->older : &slices->newest) = async->older;
	*(async->older ? &async->older->newer : &slices->oldest) = async->newer;
	if (async->row < ROWS_MAX)
		slices->rows[2 * (size_t)async->process + async->is_flow] &= ~(1ULL << async->row);
	slices->nr_open--;
	free(async);
}

static void async_begin(struct collector *collector, bool is_flow, uint32_t name, int64_t id, int64_t ns,
			const struct task *task)
{
	const uint32_t process = page_process_number(collector, task);

	struct slices *slices = collector->slices;
	struct async *async = malloc(sizeof(*async)), **bucket = bucket_of(slices, name, id);

	if (!async) {
		collector_check(collector, -ENOMEM);
		return;
	}
	if (slices->nr_open == OPEN_MAX)
		async_end(collector, slices->oldest);
	*async = (struct async){
		.next = *bucket, .older = slices->newest, .is_flow = is_flow, .id = id, .process = process,
		.thread = task->number, .row = take_row(collector, is_flow, process), .slice = { .name = name, .ns = ns, .losses = slices->losses },
	};
	*bucket = async;
	*(slices->newest ? &slices->newest->newer : &slices->oldest) = async;
	slices->newest = async;
	slices->nr_open++;
}

static struct async *async_find(struct slices *slices, bool is_flow, uint32_t name, int64_t id)
{
	struct async *async = *bucket_of(slices, name, id);

	while (async && !(async->is_flow == is_flow && async->slice.name == name && async->id == id))
		async = async->next;
	return async;
}

static void add_async(struct collector *collector, const struct async *async, int64_t to_ns)
{
	uint32_t name = async->slice.name;

	if (async->row >= ROWS_MAX)
		return;
	if (async->slice.losses != collector->slices->losses)
		name = name_with(collector, name, "events were lost");
	collect_item(collector, collect_track(collector, TRACK_ASYNC, async->process, async->row, 0), async->slice.ns, to_ns, name, 0);
}

static void add_step(struct collector *collector, struct async *flow, const struct task *task, int64_t ns)
{
	if (flow->row < ROWS_MAX)
		collect_item(collector, collect_track(collector, TRACK_FLOW, flow->process, flow->row, flow->slice.name),
			     flow->slice.ns, ns, flow->thread, task->number);
	flow->thread = task->number;
	flow->slice.ns = ns;
}

static void async_event(struct collector *collector, enum pair pair, const struct ltttrace_record *record, const struct task *task)
{
	const bool is_flow = pair >= PAIR_FLOW_BEGIN;
	int field = ltttrace_payload_field(record->event, "id");
	uint32_t name = name_of(collector, record->event->name);
	int64_t id = ltttrace_integer(record, field);
	struct async *async;

	if (field < 0)
		return;
	if (pair == PAIR_ASYNC_BEGIN || pair == PAIR_FLOW_BEGIN) {
		if (task)
			async_begin(collector, is_flow, name, id, record->ns, task);
		return;
	}
	async = async_find(collector->slices, is_flow, name, id);
	if (!async)
		return;
	if (!is_flow)
		add_async(collector, async, record->ns);
	else if (task)
		add_step(collector, async, task, record->ns);
	if (pair != PAIR_FLOW_STEP)
		async_end(collector, async);
}

/* ---- All ---- */

struct slices *pairs_new(void)
{
	return calloc(1, sizeof(struct slices));
}

void pairs_event(struct collector *collector, enum pair pair, const struct ltttrace_record *record, struct task *task)
{
	struct stack *stack;

	if (pair >= PAIR_ASYNC_BEGIN) {
		async_event(collector, pair, record, task);
		return;
	}
	stack = task ? stack_of(collector, task) : NULL;
	if (!stack)
		return;
	if (pair == PAIR_BEGIN)
		push(collector, stack, name_of(collector, record->event->name), record->ns);
	else
		pop(collector, task, stack, name_of(collector, record->event->name), record->ns);
}

void pairs_lost(struct slices *slices)
{
	slices->losses++;
}

void pairs_finish(struct collector *collector)
{
	struct slices *slices = collector->slices;
	int64_t end = collector->recording->to_ns;
	struct async *async;
	size_t i, depth;

	for (i = 0; i < slices->nr_stacks; i++)
		for (depth = 0; depth < slices->stacks[i].nr; depth++) {
			struct nested *open = &slices->stacks[i].open[depth];

			open->name = name_with(collector, open->name, "has not ended");
			add_nested(collector, i, depth, open, end);
		}
	for (async = slices->oldest; async; async = async->newer) {
		struct async copy = *async;

		if (copy.is_flow)
			continue;
		copy.slice.name = name_with(collector, copy.slice.name, "has not ended");
		add_async(collector, &copy, end);
	}
}

void pairs_free(struct slices *slices)
{
	struct async *async, *newer;
	size_t i;

	if (!slices)
		return;
	for (i = 0; i < slices->nr_stacks; i++)
		free(slices->stacks[i].open);
	for (async = slices->oldest; async; async = newer) {
		newer = async->newer;
		free(async);
	}
	free(slices->stacks);
	free(slices->rows);
	free(slices);
}
