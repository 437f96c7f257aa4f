// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The samples of a clock in recordings.
 *
 * Layer: lttctl hosts.
 */
#include "samples.h"

#include "common/state.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>

/**
 * struct sample - an event "clock:sample"
 * @clock: the middle of the two values of the clock
 * @gap: nanoseconds between these
 * @ns: the time of day
 * @boot_ns: the boot time, which NTP slews as the time of day, but nothing sets
 * @error: the error that the kernel knows of, in nanoseconds
 * @is_synchronised: the kernel takes the time of day for right
 */
struct sample {
	uint64_t clock;
	double gap;
	int64_t ns;
	int64_t boot_ns;
	double error;
	bool is_synchronised;
};

struct list {
	struct sample *sample;
	size_t nr;
};

bool samples_same_clock(const struct ltttrace_part *one, const struct ltttrace_part *other)
{
	return one->frequency == other->frequency && !strcmp(one->host, other->host) &&
	       !memcmp(one->clock_uuid, other->clock_uuid, sizeof(one->clock_uuid));
}

static bool is_wanted(const struct ltttrace_stream *stream, void *part)
{
	return clock_trace_is(stream->part->name) && samples_same_clock(stream->part, part);
}

static int64_t field(const struct ltttrace_record *record, const char *name)
{
	return ltttrace_integer(record, ltttrace_payload_field(record->event, name));
}

/* Return: 0; -ENOMEM. */
static int take(struct list *list, const struct ltttrace_record *record)
{
	const uint64_t before = field(record, "before"), after = field(record, "after");
	struct sample *more = list->sample;

	if (!(list->nr & (list->nr - 1))) {
		more = reallocarray(more, list->nr ? 2 * list->nr : 1, sizeof(*more));
		if (!more)
			return -ENOMEM;
		list->sample = more;
	}
	more[list->nr++] = (struct sample){
		.clock = before + (after - before) / 2,
		.gap = 1e9 * (double)(after - before) / (double)record->stream->part->frequency,
		.ns = field(record, "realtime"),
		.boot_ns = field(record, "boottime"),
		.error = 1e3 * (double)field(record, "max_error"),
		.is_synchronised = field(record, "state") != TIME_ERROR && !(field(record, "status") & STA_UNSYNC),
	};
	return 0;
}

static int compare(const void *one, const void *other)
{
	const struct sample *a = one, *b = other;

	return (a->clock > b->clock) - (a->clock < b->clock);
}

static int read_all(const struct ltttrace *trace, const struct ltttrace_part *part, struct list *list)
{
	const struct ltttrace_record *record;
	struct ltttrace_cursor *cursor;
	int err = ltttrace_merge(trace, is_wanted, (void *)part, &cursor), ret = 0;

	if (err)
		return err;
	while (!err && (ret = ltttrace_next(cursor, &record)) > 0)
		if (record->kind == LTTTRACE_EVENT && !strcmp(record->event->name, "clock:sample"))
			err = take(list, record);
	ltttrace_cursor_free(cursor);
	return err ? err : ret;
}

/* Was the date set between two samples?  Then a line between them says nothing. */
static bool is_step(const struct sample *one, const struct sample *next)
{
	const double set = (double)(next->ns - one->ns) - (double)(next->boot_ns - one->boot_ns);

	return next->ns <= one->ns || fabs(set) > one->gap + next->gap;
}

/* Return: false if a line through the tick and the sample would not rise: two lttds may sample at the same time. */
static bool is_later(const struct ltttrace_tick *tick, const struct sample *sample)
{
	return sample->clock > tick->clock && sample->ns > tick->ns;
}

static double rate(const struct ltttrace_tick *tick)
{
	return (double)(tick[1].ns - tick[0].ns) / (double)(tick[1].clock - tick[0].clock);
}

/* How far the clock may be from the line between two ticks: as the lines beside it differ from it. */
static double bend(const struct samples *samples)
{
	double most = 0, bent;
	size_t i;

	for (i = 2; i < samples->nr; i++) {
		bent = fabs(rate(&samples->tick[i - 1]) - rate(&samples->tick[i - 2]));
		most = fmax(most, bent * (double)(samples->tick[i].clock - samples->tick[i - 1].clock) / 2);
	}
	return most;
}

static int make_ticks(const struct list *list, struct samples *samples)
{
	size_t first = list->nr - 1, i;

	while (first && !is_step(&list->sample[first - 1], &list->sample[first]))
		first--;
	samples->tick = calloc(list->nr - first, sizeof(*samples->tick));
	if (!samples->tick)
		return -ENOMEM;
	samples->is_synchronised = true;
	for (i = first; i < list->nr; i++) {
		const struct sample *sample = &list->sample[i];

		samples->is_synchronised &= sample->is_synchronised;
		samples->error = fmax(samples->error, sample->error + sample->gap / 2);
		if (!samples->nr || is_later(&samples->tick[samples->nr - 1], sample))
			samples->tick[samples->nr++] = (struct ltttrace_tick){ sample->clock, sample->ns };
	}
	samples->error += bend(samples);
	return 0;
}

int samples_read(const struct ltttrace *trace, const struct ltttrace_part *part, struct samples *samples)
{
	struct list list = { .nr = 0 };
	int err;

	*samples = (struct samples){ .nr = 0 };
	err = read_all(trace, part, &list);
	/* Recordings of one boot may place the same clock differently. */
	if (list.nr)
		qsort(list.sample, list.nr, sizeof(*list.sample), compare);
	if (!err && list.nr)
		err = make_ticks(&list, samples);
	free(list.sample);
	return err;
}

void samples_free(struct samples *samples)
{
	free(samples->tick);
	samples->tick = NULL;
}
