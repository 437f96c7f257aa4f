// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Pairs of events: how long a slice or a flow took, at its end.
 *
 * Layer: lttctl view.
 */
#include "slices.h"

#include "machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lttctl/command.h"

#define BUCKETS		4096
#define OPEN_MAX	16384	/* slices that are open; beyond that the oldest is dropped */

static const struct suffix {
	const char *text;
	enum slice_kind kind;
	bool begins;
} suffixes[] = {
	{ ".begin", SLICE_OF_THREAD, true },
	{ ".end", SLICE_OF_THREAD, false },
	{ ".async_begin", SLICE_ASYNC, true },
	{ ".async_end", SLICE_ASYNC, false },
	{ ".flow_begin", SLICE_FLOW, true },
	{ ".flow_end", SLICE_FLOW, false },
};

/* A name without its suffix, which all classes of slices with this name share. */
struct slice_name {
	struct slice_name *next;
	size_t len;
	char text[];
};

static struct slice_name *names;

/**
 * struct losses - losses of a trace, or of all traces
 * @next: of the next trace
 * @part: the trace
 * @count: messages about losses so far
 * @until: events before the end of the last loss may be missing: its time
 */
struct losses {
	struct losses *next;
	const struct ltttrace_part *part;
	uint64_t count;
	int64_t until;
};

/**
 * struct key - identifies a slice
 * @kind: of the slice
 * @machine: of a thread; slices that are not of one may begin on one machine and end on another
 * @number: thread, or the field "id"
 * @name: group:name without the suffix
 */
struct key {
	enum slice_kind kind;
	unsigned int machine;
	int64_t number;
	const struct slice_name *name;
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

/* ---- Classes ---- */

static const struct suffix *find_suffix(const char *name)
{
	const char *dot = strchr(name, ':') ? strrchr(name, '.') : NULL;
	size_t i;

	for (i = 0; dot && i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (!strcmp(dot, suffixes[i].text))
			return &suffixes[i];
	return NULL;
}

/* Return: NULL without memory. */
static const struct slice_name *find_name(const char *text, size_t len)
{
	struct slice_name *name;

	for (name = names; name; name = name->next)
		if (name->len == len && !memcmp(name->text, text, len))
			return name;
	name = malloc(sizeof(*name) + len);
	if (!name)
		return NULL;
	name->len = len;
	memcpy(name->text, text, len);
	name->next = names;
	names = name;
	return name;
}

void slices_class(struct slice_class *class, const struct ltttrace_event *event)
{
	const struct suffix *suffix = find_suffix(event->name);

	*class = (struct slice_class){ .id = -1 };
	if (!suffix)
		return;
	class->name = find_name(event->name, strlen(event->name) - strlen(suffix->text));
	class->kind = suffix->kind;
	class->begins = suffix->begins;
	class->id = suffix->kind == SLICE_OF_THREAD ? -1 : ltttrace_payload_field(event, "id");
	if (class->id >= 0 && event->fields[class->id].kind > LTTTRACE_SIGNED)
		class->id = -1;
}

/* ---- Keys ---- */

static bool make_key(struct key *key, const struct slice_class *class, const struct ltttrace_record *record,
		     const int64_t *tid)
{
	*key = (struct key){ .kind = class->kind, .name = class->name };
	if (class->kind != SLICE_OF_THREAD) {
		key->number = ltttrace_integer(record, class->id);
		return class->id >= 0;
	}
	key->machine = machine_of(record->stream->part);
	if (tid)
		key->number = *tid;
	return tid;
}

static bool is_same_number(const struct key *a, const struct key *b)
{
	return a->kind == b->kind && a->number == b->number && a->machine == b->machine;
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

	while (open && !(is_same_number(&open->key, key) && open->key.name == key->name))
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
	if (key->kind == SLICE_OF_THREAD)
		drop_within(open);
	*duration = ns - open->ns;
	is_known = open->losses == losses && open->count == losses->count && open->is_sure;
	unknown += !is_known;
	drop(open);
	return is_known ? SLICE_DURATION : SLICE_UNKNOWN;
}

/* ---- Losses ---- */

/* Without memory for one, losses of any trace count. */
static struct losses *losses_of(const struct ltttrace_part *part)
{
	struct losses *losses;

	for (losses = all.next; losses; losses = losses->next)
		if (losses->part == part)
			return losses;
	losses = malloc(sizeof(*losses));
	if (!losses)
		return &all;
	*losses = (struct losses){ .next = all.next, .part = part, .until = INT64_MIN };
	all.next = losses;
	return losses;
}

static void count_loss(struct losses *losses, int64_t until)
{
	losses->count++;
	if (until > losses->until)
		losses->until = until;
}

void slices_lost(const struct ltttrace_record *record)
{
	struct losses *losses = losses_of(record->stream->part);

	count_loss(&all, record->until_ns);
	if (losses != &all)
		count_loss(losses, record->until_ns);
}

/* ---- Events ---- */

enum slice_end slices_event(const struct slice_class *class, const struct ltttrace_record *record, const int64_t *tid,
			    int64_t *duration)
{
	const struct losses *losses = &all;
	struct key key;

	if (!make_key(&key, class, record, tid)) {
		without_key++;
		return SLICE_NO_END;
	}
	if (key.kind == SLICE_OF_THREAD)
		losses = losses_of(record->stream->part);
	if (!class->begins)
		return end(&key, record->ns, losses, duration);
	begin(&key, record->ns, losses);
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
}

void slices_forget(void)
{
	struct slice_name *name;
	struct losses *losses;

	while (oldest)
		drop(oldest);
	while ((name = names)) {
		names = name->next;
		free(name);
	}
	while ((losses = all.next)) {
		all.next = losses->next;
		free(losses);
	}
}
