// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * All records of a recording: fields of events, points, counters, losses.
 *
 * Layer: lttctl html.
 */
#include "collect.h"
#include "pairs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/**
 * enum role - what the page makes of a class of events, besides keeping its fields
 * @ROLE_POINT: a point
 * @ROLE_SHOWN: nothing: the states, system calls or interrupts show it
 * @ROLE_COUNTER: a value of a counter
 * @ROLE_PAIR: a slice or flow; + enum pair.  Events of a flow are points, too
 */
enum role {
	ROLE_POINT,
	ROLE_SHOWN,
	ROLE_COUNTER,
	ROLE_PAIR,
};

/**
 * struct open_counter - a counter whose last value lasts
 * @track: its track
 * @ns: since when
 * @value: the value
 */
struct open_counter {
	struct track *track;
	int64_t ns;
	double value;
};

/* ---- Roles ---- */

static bool begins_with(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

static bool ends_with(const char *name, const char *suffix)
{
	size_t length = strlen(name), end = strlen(suffix);

	return length > end && !strcmp(name + length - end, suffix);
}

/* The events that the states of threads, the system calls and the interrupts are made of. */
static bool is_shown(const char *name)
{
	static const char *const names[] = {
		"sched_switch", "sched_waking", "sched_wakeup", "sched_wakeup_new", "sched_stat_runtime", "sched_stat_wait",
		"sched_stat_sleep", "sched_stat_blocked", "sched_stat_iowait", "sys_enter", "sys_exit", "irq_handler_entry",
		"irq_handler_exit", "softirq_entry", "softirq_exit", "softirq_raise", "ltt:task", "heartbeat",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return begins_with(name, "syscall:") || begins_with(name, "syscall_time:");
}

static unsigned int find_role(const struct ltttrace_event *event)
{
	enum pair pair = pair_of(event->name);

	if (is_shown(event->name))
		return ROLE_SHOWN;
	if (pair != PAIR_NONE)
		return ROLE_PAIR + pair;
	if (ends_with(event->name, ".counter") && strchr(event->name, ':') && ltttrace_payload_field(event, "value") >= 0)
		return ROLE_COUNTER;
	return ROLE_POINT;
}

static unsigned int role_of(struct collector *collector, const struct ltttrace_event *event)
{
	size_t nr = event->number + 1;
	unsigned char *more;

	if (nr > collector->nr_roles) {
		more = realloc(collector->roles, nr);
		if (!more) {
			collector_check(collector, -ENOMEM);
			return ROLE_SHOWN;
		}
		memset(more + collector->nr_roles, 0, nr - collector->nr_roles);
		collector->roles = more;
		collector->nr_roles = nr;
	}
	if (!collector->roles[event->number])
		collector->roles[event->number] = find_role(event) + 1;
	return collector->roles[event->number] - 1;
}

/* ---- Events ---- */

static void add_point(struct collector *collector, const struct ltttrace_record *record, const struct task *task)
{
	uint32_t class = record->event->number;
	struct track *track;

	if (task && task->tid)
		track = collect_track(collector, TRACK_POINT, task->number, 0, 0);
	else
		track = collect_track(collector, TRACK_POINT, page_cpu_number(collector, tasks_host_of(collector->recording->tasks, record->event->part),
									 record->cpu), POINT_OF_CPU, 0);
	collect_item(collector, track, record->ns, record->ns, class, 0);
}

/* A value lasts until the next one. */
static void end_value(struct collector *collector, struct open_counter *counter, int64_t ns)
{
	struct item item = { .start = since_begin(collector, counter->ns), .number = counter->value };

	item.length = since_begin(collector, ns) - item.start;
	collector_check(collector, track_add(&collector->page->tracks, counter->track, item));
	counter->ns = ns;
}

/* A number that is not finite has no place on a curve. */
static double value_of(const struct ltttrace_record *record)
{
	int field = ltttrace_payload_field(record->event, "value");
	struct ltttrace_value value = ltttrace_value(record, field);

	switch (record->event->fields[field].kind) {
	case LTTTRACE_UNSIGNED:
		return value.u;
	case LTTTRACE_SIGNED:
		return value.s;
	case LTTTRACE_FLOAT:
		return __builtin_isfinite(value.f) ? value.f : 0;
	default:
		return 0;
	}
}

static struct open_counter *counter_of(struct collector *collector, struct track *track)
{
	struct open_counter *more;
	size_t i;

	for (i = 0; i < collector->nr_counters; i++)
		if (collector->counters[i].track == track)
			return &collector->counters[i];
	more = reallocarray(collector->counters, collector->nr_counters + 1, sizeof(*more));
	if (!more) {
		collector_check(collector, -ENOMEM);
		return NULL;
	}
	collector->counters = more;
	more += collector->nr_counters++;
	*more = (struct open_counter){ .track = track, .ns = INT64_MIN };
	return more;
}

static void add_value(struct collector *collector, const struct ltttrace_record *record, const struct task *task)
{
	const char *name = record->event->name;
	struct open_counter *counter;
	struct track *track;
	char text[160];

	snprintf(text, sizeof(text), "%.*s", (int)(strlen(name) - strlen(".counter")), name);
	track = collect_track(collector, TRACK_COUNTER, page_process_number(collector, task), 0, collect_name(collector, text));
	counter = track ? counter_of(collector, track) : NULL;
	if (!counter)
		return;
	if (counter->ns != INT64_MIN)
		end_value(collector, counter, record->ns);
	counter->ns = record->ns;
	counter->value = value_of(record);
}

static void collect_event(struct collector *collector, const struct ltttrace_record *record)
{
	struct task *task = task_of(collector->recording->tasks, record);
	unsigned int role = role_of(collector, record->event);

	collector->page->nr_records++;
	collector_check(collector, events_add(&collector->page->events, record, since_begin(collector, record->ns),
					      task ? task->number + 1 : 0));
	if (role >= ROLE_PAIR)
		pairs_event(collector, role - ROLE_PAIR, record, task);
	else if (role == ROLE_COUNTER && task)
		add_value(collector, record, task);
	if (role == ROLE_POINT || (role == ROLE_COUNTER && !task) || role >= ROLE_PAIR + PAIR_FLOW_BEGIN)
		add_point(collector, record, task);
}

/* ---- Losses ---- */

static bool keep_loss(struct page *page, const struct page_loss *loss)
{
	struct page_loss *more;

	if (page->nr_losses == LOSSES_MAX) {
		page->more_losses++;
		return true;
	}
	more = reallocarray(page->losses, page->nr_losses + 1, sizeof(*more));
	if (!more)
		return false;
	page->losses = more;
	page->losses[page->nr_losses++] = *loss;
	return true;
}

static void collect_loss(struct collector *collector, const struct ltttrace_record *record)
{
	int64_t from_ns = record->ns, to_ns = record->until_ns > record->ns ? record->until_ns : record->ns;
	const struct host *host = tasks_host_of(collector->recording->tasks, record->stream->part);
	struct page_loss loss = { .stream = record->stream, .kind = record->kind, .count = record->count, .why = NO_NAME };

	if (!recording_clip(collector->recording, &from_ns, &to_ns))
		return;
	pairs_lost(collector->slices);
	loss.start = since_begin(collector, from_ns);
	loss.length = since_begin(collector, to_ns) - loss.start;
	if (record->why)
		loss.why = collect_name(collector, record->why);
	collector->page->lost[record->kind] += record->kind == LTTTRACE_CUT ? 1 : record->count;
	if (!keep_loss(collector->page, &loss))
		collector_check(collector, -ENOMEM);
	collect_item(collector, collect_track(collector, TRACK_LOSS, page_cpu_number(collector, host, record->cpu), 0, 0), from_ns, to_ns, 0,
		     record->kind == LTTTRACE_LOST_EVENTS ? (int64_t)record->count : 0);
}

void collect_record(const struct ltttrace_record *record, void *data)
{
	struct collector *collector = data;

	if (record->kind == LTTTRACE_EVENT)
		collect_event(collector, record);
	else
		collect_loss(collector, record);
}

void records_finish(struct collector *collector)
{
	size_t i;

	for (i = 0; i < collector->nr_counters; i++)
		end_value(collector, &collector->counters[i], collector->recording->to_ns);
}

void records_free(struct collector *collector)
{
	free(collector->roles);
	free(collector->counters);
}
