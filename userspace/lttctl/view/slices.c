// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Pairs of events: how long a slice or a flow took, at its end.
 *
 * Layer: lttctl view.
 */
#include "slices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lttctl/command.h"

#define BUCKETS		4096
#define NAME_SIZE	128	/* of group:name */
#define OPEN_MAX	16384	/* slices that are open; beyond that the oldest is dropped */

/** enum kind - by which key the begin of an end is found */
enum kind { BY_THREAD, ASYNC, FLOW };

static const struct suffix {
	const char *text;
	enum kind kind;
	bool begins;
} suffixes[] = {
	{ ".begin", BY_THREAD, true },
	{ ".end", BY_THREAD, false },
	{ ".async_begin", ASYNC, true },
	{ ".async_end", ASYNC, false },
	{ ".flow_begin", FLOW, true },
	{ ".flow_end", FLOW, false },
};

/**
 * struct losses - losses of a trace, or of all traces
 * @next: of the next trace
 * @trace: the trace
 * @count: messages about losses so far
 * @until: events before the end of the last loss may be missing: its time
 */
struct losses {
	struct losses *next;
	const bt_trace *trace;
	uint64_t count;
	int64_t until;
};

/**
 * struct key - identifies a slice
 * @kind: of the slice
 * @number: thread, or the field "id"
 * @name: group:name without the suffix
 */
struct key {
	enum kind kind;
	int64_t number;
	char name[NAME_SIZE];
};

/**
 * struct open - a slice that has begun
 * @next: the next older slice in the bucket
 * @link: what points to this slice in the bucket
 * @older: the next older slice of all
 * @newer: the next newer slice of all
 * @key: its key
 * @ns: when it began
 * @losses: of the trace, or of all, with which it began
 * @count: &losses.count then
 * @is_sure: no loss went on at that time
 */
struct open {
	struct open *next;
	struct open **link;
	struct open *older;
	struct open *newer;
	struct key key;
	int64_t ns;
	const struct losses *losses;
	uint64_t count;
	bool is_sure;
};

static struct open *buckets[BUCKETS];		/* each from the newest on */
static struct open *newest, *oldest;
static unsigned int nr_open;
static struct losses all = { .until = INT64_MIN };

/* For the report. */
static uint64_t ends_alone, begins_alone, unknown, dropped, without_key;

/* ---- Keys ---- */

static const struct suffix *find_suffix(const char *name)
{
	const char *dot = name && strchr(name, ':') ? strrchr(name, '.') : NULL;
	size_t i;

	for (i = 0; dot && i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (!strcmp(dot, suffixes[i].text))
			return dot - name < NAME_SIZE ? &suffixes[i] : NULL;
	return NULL;
}

static bool make_key(struct key *key, const struct suffix *suffix, const bt_event *event, const char *name,
		     const int64_t *tid)
{
	const bt_field *payload = bt_event_borrow_payload_field_const(event);

	key->kind = suffix->kind;
	snprintf(key->name, sizeof(key->name), "%.*s", (int)(strlen(name) - strlen(suffix->text)), name);
	if (suffix->kind != BY_THREAD)
		return payload && field_integer(payload, "id", &key->number);
	if (tid)
		key->number = *tid;
	return tid;
}

static bool is_same_number(const struct key *a, const struct key *b)
{
	return a->kind == b->kind && a->number == b->number;
}

/* Slices of a thread are in one bucket, whatever their names. */
static struct open **bucket_of(const struct key *key)
{
	return &buckets[((uint64_t)key->number * 3 + key->kind) * 0x9e3779b97f4a7c15ULL >> 52];
}

/* ---- Open slices ---- */

static void drop(struct open *open)
{
	*open->link = open->next;
	if (open->next)
		open->next->link = open->link;
	*(open->newer ? &open->newer->older : &newest) = open->older;
	*(open->older ? &open->older->newer : &oldest) = open->newer;
	free(open);
	nr_open--;
}

/* A slice for which there is no memory is as one that began before the recording. */
static void begin(const struct key *key, int64_t ns, const struct losses *losses)
{
	struct open *open, **bucket = bucket_of(key);

	if (nr_open == OPEN_MAX) {
		drop(oldest);
		dropped++;
	}
	open = malloc(sizeof(*open));
	if (!open)
		return;
	*open = (struct open){
		.next = *bucket, .link = bucket, .older = newest, .key = *key, .ns = ns,
		.losses = losses, .count = losses->count, .is_sure = ns > losses->until,
	};
	if (open->next)
		open->next->link = &open->next;
	*bucket = open;
	*(newest ? &newest->newer : &oldest) = open;
	newest = open;
	nr_open++;
}

static struct open *find(const struct key *key)
{
	struct open *open = *bucket_of(key);

	while (open && !(is_same_number(&open->key, key) && !strcmp(open->key.name, key->name)))
		open = open->next;
	return open;
}

/* Drop the slices of the thread that are within another. */
static void drop_within(const struct open *outer)
{
	struct open *open, *next;

	for (open = *bucket_of(&outer->key); open != outer; open = next) {
		next = open->next;
		if (!is_same_number(&open->key, &outer->key))
			continue;
		drop(open);
		begins_alone++;
	}
}

static enum slice_end end(const struct key *key, int64_t ns, const struct losses *losses, int64_t *duration)
{
	struct open *open = find(key);
	bool is_known;

	if (!open) {
		ends_alone++;
		return SLICE_NO_END;
	}
	if (key->kind == BY_THREAD)
		drop_within(open);
	*duration = ns - open->ns;
	is_known = open->losses == losses && open->count == losses->count && open->is_sure;
	unknown += !is_known;
	drop(open);
	return is_known ? SLICE_DURATION : SLICE_UNKNOWN;
}

/* ---- Losses ---- */

/* Without memory for one, losses of any trace count. */
static struct losses *losses_of(const bt_trace *trace)
{
	struct losses *losses;

	for (losses = all.next; losses; losses = losses->next)
		if (losses->trace == trace)
			return losses;
	losses = malloc(sizeof(*losses));
	if (!losses)
		return &all;
	*losses = (struct losses){ .next = all.next, .trace = trace, .until = INT64_MIN };
	all.next = losses;
	return losses;
}

static void count_loss(struct losses *losses, int64_t until)
{
	losses->count++;
	if (until > losses->until)
		losses->until = until;
}

/* Return: the clock when the loss ended; NULL if the trace does not show it. */
static const bt_clock_snapshot *end_of_loss(const bt_message *message, const bt_stream **stream)
{
	const bt_stream_class *class;

	if (bt_message_get_type(message) == BT_MESSAGE_TYPE_DISCARDED_EVENTS) {
		*stream = bt_message_discarded_events_borrow_stream_const(message);
		class = bt_stream_borrow_class_const(*stream);
		return bt_stream_class_discarded_events_have_default_clock_snapshots(class) ?
		       bt_message_discarded_events_borrow_end_default_clock_snapshot_const(message) : NULL;
	}
	*stream = bt_message_discarded_packets_borrow_stream_const(message);
	class = bt_stream_borrow_class_const(*stream);
	return bt_stream_class_discarded_packets_have_default_clock_snapshots(class) ?
	       bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(message) : NULL;
}

void slices_lost(const bt_message *message)
{
	const bt_stream *stream;
	const bt_clock_snapshot *snapshot = end_of_loss(message, &stream);
	struct losses *losses = losses_of(bt_stream_borrow_trace_const(stream));
	int64_t until = INT64_MIN;

	if (snapshot && bt_clock_snapshot_get_ns_from_origin(snapshot, &until))
		until = INT64_MIN;
	count_loss(&all, until);
	if (losses != &all)
		count_loss(losses, until);
}

/* ---- Events ---- */

enum slice_end slices_event(const bt_event *event, int64_t ns, const int64_t *tid, int64_t *duration)
{
	const char *name = bt_event_class_get_name(bt_event_borrow_class_const(event));
	const struct suffix *suffix = find_suffix(name);
	const struct losses *losses = &all;
	struct key key;

	if (!suffix)
		return SLICE_NO_END;
	if (!make_key(&key, suffix, event, name, tid)) {
		without_key++;
		return SLICE_NO_END;
	}
	if (key.kind == BY_THREAD)
		losses = losses_of(bt_stream_borrow_trace_const(bt_event_borrow_stream_const(event)));
	if (!suffix->begins)
		return end(&key, ns, losses, duration);
	begin(&key, ns, losses);
	return SLICE_NO_END;
}

void slices_report(void)
{
	begins_alone += nr_open;
	if (ends_alone || begins_alone)
		complain("slices and flows: ends without a begin: %" PRIu64 "; begins without an end: %" PRIu64,
			 ends_alone, begins_alone);
	if (unknown)
		complain("slices and flows: %" PRIu64 " durations are unknown, because events were lost", unknown);
	if (dropped)
		complain("slices and flows: %" PRIu64 " begins were dropped, because more than %d were open",
			 dropped, OPEN_MAX);
	if (without_key)
		complain("slices and flows: %" PRIu64 " events have no thread id, or no field \"id\"", without_key);
	while (oldest)
		drop(oldest);
}
