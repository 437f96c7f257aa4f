// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The counts of a trace, from text to numbers.
 *
 * Layer: liblttctl.  Lines have words and `key number` pairs.  Unknown keys are
 * skipped, so that the tracer may add some.
 */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *key;
	size_t offset;
} keys[] = {
	{ "emitted", offsetof(struct lttctl_counts, emitted) },
	{ "stored", offsetof(struct lttctl_counts, stored) },
	{ "refused", offsetof(struct lttctl_counts, refused) },
	{ "overwritten", offsetof(struct lttctl_counts, overwritten) },
	{ "filtered", offsetof(struct lttctl_counts, filtered) },
	{ "unjudged", offsetof(struct lttctl_counts, unjudged) },
	{ "bytes", offsetof(struct lttctl_counts, bytes) },
	{ "full", offsetof(struct lttctl_counts, full) },
	{ "big", offsetof(struct lttctl_counts, big) },
	{ "nested", offsetof(struct lttctl_counts, nested) },
	{ "missed", offsetof(struct lttctl_counts, missed) },
	{ "waits", offsetof(struct lttctl_counts, waits) },
	{ "timeouts", offsetof(struct lttctl_counts, timeouts) },
	{ "unread", offsetof(struct lttctl_counts, unread) },
};

/* Parse `key number key number …` */
static void parse_counts(char *text, struct lttctl_counts *counts)
{
	char *key, *number;
	size_t i;

	while ((key = strsep(&text, " ")) && (number = strsep(&text, " "))) {
		for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			if (!strcmp(key, keys[i].key))
				*(uint64_t *)((char *)counts + keys[i].offset) =
					strtoull(number, NULL, 10);
		}
	}
}

/* Add an element to an array.  Return: the element, zeroed; NULL without memory. */
static void *grow(void *array, size_t *count, size_t size)
{
	char *bigger = reallocarray(*(void **)array, *count + 1, size);

	if (!bigger)
		return NULL;
	*(void **)array = bigger;
	return memset(bigger + size * (*count)++, 0, size);
}

static int parse_buffer(struct lttctl_stats *stats, const char *channel,
			const char *cpu, char *counts)
{
	struct lttctl_buffer_stats *buffer;

	buffer = grow(&stats->buffers, &stats->nr_buffers, sizeof(*buffer));
	if (!buffer)
		return -ENOMEM;
	strncpy(buffer->channel, channel, sizeof(buffer->channel) - 1);
	buffer->cpu = strtoul(cpu, NULL, 10);
	parse_counts(counts, &buffer->counts);
	return 0;
}

static int parse_event(struct lttctl_stats *stats, const char *name,
		       char *counts)
{
	struct lttctl_event_stats *event;

	event = grow(&stats->events, &stats->nr_events, sizeof(*event));
	if (!event)
		return -ENOMEM;
	strncpy(event->name, name, sizeof(event->name) - 1);
	parse_counts(counts, &event->counts);
	return 0;
}

/* Return: true when the first word is a number. */
static bool is_number(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits && (!text[digits] || text[digits] == ' ');
}

/*
 * A line whose second word is a number is about a buffer.  The name of its channel may
 * be any word, such as `state`, `halted` or `total`.
 */
static int parse_line(struct lttctl_stats *stats, char *line)
{
	char *first = strsep(&line, " ");
	char *rest = line;
	char *second;

	if (rest && !strcmp(first, "halted") && !is_number(rest)) {
		strncpy(stats->halted, rest, sizeof(stats->halted) - 1);
		return 0;
	}
	if (rest && !strcmp(first, "triggered") && !is_number(rest)) {
		strncpy(stats->triggered, rest, sizeof(stats->triggered) - 1);
		return 0;
	}
	second = strsep(&rest, " ");
	if (!rest)	/* `trace NAME`, `state STATE` */
		return 0;
	if (is_number(second))
		return parse_buffer(stats, first, second, rest);
	if (!strcmp(first, "event"))
		return parse_event(stats, second, rest);
	if (!strcmp(first, "total")) {
		rest[-1] = ' ';		/* undo the second cut */
		parse_counts(second, &stats->total);
	}
	return 0;
}

int lttctl_trace_stats(struct lttctl_trace *trace, struct lttctl_stats *stats)
{
	char *text, *line, *rest;
	size_t i;
	int err;

	memset(stats, 0, sizeof(*stats));
	err = lttctl_ask(trace->ctl, trace, "stats", NULL, &text,
			 "show the counts of trace %s", trace->name);
	if (err)
		return err;
	rest = text;
	while (!err && (line = strsep(&rest, "\n"))) {
		err = parse_line(stats, line);
		if (err)
			lttctl_fail(trace->ctl, err, "out of memory");
	}
	free(text);
	if (err) {
		lttctl_stats_free(stats);
		return err;
	}
	/* Only the lines of buffers have the causes, and what is unread. */
	stats->total.full = stats->total.big = stats->total.nested = stats->total.unread = 0;
	for (i = 0; i < stats->nr_buffers; i++) {
		stats->total.full += stats->buffers[i].counts.full;
		stats->total.big += stats->buffers[i].counts.big;
		stats->total.nested += stats->buffers[i].counts.nested;
		stats->total.unread += stats->buffers[i].counts.unread;
	}
	/* Only the lines of events have what no buffer has seen. */
	for (i = 0; i < stats->nr_events; i++)
		stats->total.missed += stats->events[i].counts.missed;
	return 0;
}

void lttctl_stats_free(struct lttctl_stats *stats)
{
	free(stats->buffers);
	free(stats->events);
	memset(stats, 0, sizeof(*stats));
}
