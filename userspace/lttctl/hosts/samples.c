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

/* How much a clock may gain or lose where there are no samples: the most that adjtimex(2) sets, and what gaps do to a line;
 * with one sample, what the frequency of the metadata may be off.  In millionths. */
#define PPM_OF_GAPS	100
#define PPM_OF_SAMPLES	(500 + PPM_OF_GAPS)
#define PPM_OF_METADATA	1000

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
	const int64_t ns = field(record, "realtime"), boot_ns = field(record, "boottime");
	struct sample *more = list->sample;

	/* As only hostile recordings have them, and those without these fields. */
	if (ns <= 0 || boot_ns <= 0)
		return 0;
	if (!(list->nr & (list->nr - 1))) {
		more = reallocarray(more, list->nr ? 2 * list->nr : 1, sizeof(*more));
		if (!more)
			return -ENOMEM;
		list->sample = more;
	}
	more[list->nr++] = (struct sample){
		.clock = before + (after - before) / 2,
		.gap = 1e9 * (double)(after - before) / (double)record->stream->part->frequency,
		.ns = ns,
		.boot_ns = boot_ns,
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

/* Return: false if a line through two samples would say nothing of the rate: they are close together where a recording is
 * short, and two lttds may sample at the same time. */
static bool is_later(const struct sample *one, const struct sample *next)
{
	return next->clock > one->clock && next->ns > one->ns &&
	       (one->gap + next->gap) / 2 <= (double)(next->ns - one->ns) * PPM_OF_GAPS / 1e6;
}

static double counts(const struct sample *sample)
{
	return (double)(sample[1].clock - sample[0].clock);
}

/* How far the clock may be from the lines between samples: as the rate of a line differs from that of the line before it,
 * but for what the gaps of the samples explain. */
static double bend(const struct sample *sample, size_t nr)
{
	double rate, before = 0, doubt, doubt_before = 0, most = 0;
	size_t i;

	for (i = 0; i + 1 < nr; i++, sample++) {
		rate = (double)(sample[1].ns - sample[0].ns) / counts(sample);
		doubt = (sample[0].gap + sample[1].gap) / 2 / counts(sample);
		if (i)
			most = fmax(most, (fabs(rate - before) - doubt - doubt_before) *
					  fmax(counts(sample - 1), counts(sample)) / 2);
		before = rate;
		doubt_before = doubt;
	}
	return most;
}

/* Take the samples since the date was last set. */
static int make_ticks(const struct list *list, struct samples *samples)
{
	size_t first = list->nr - 1, i;
	struct sample *last;

	while (first && !is_step(&list->sample[first - 1], &list->sample[first]))
		first--;
	samples->tick = calloc(list->nr - first, sizeof(*samples->tick));
	if (!samples->tick)
		return -ENOMEM;
	samples->is_synchronised = true;
	for (last = &list->sample[first], i = first; i < list->nr; i++) {
		const struct sample *sample = &list->sample[i];

		samples->is_synchronised &= sample->is_synchronised;
		samples->error = fmax(samples->error, sample->error + sample->gap / 2);
		if (samples->nr && !is_later(last, sample))
			continue;
		samples->tick[samples->nr] = (struct ltttrace_tick){ sample->clock, sample->ns };
		last = &list->sample[first + samples->nr++];
		*last = *sample;
	}
	samples->error += bend(&list->sample[first], samples->nr);
	return 0;
}

/* How far the times may be wrong before the first tick and after the last one, by how long these are: the kernel, too, takes
 * its clock to be off by as much for each second without NTP. */
static double extend(const struct ltttrace *trace, const struct ltttrace_part *part, const struct samples *samples)
{
	const int64_t first = ltttrace_ns(part, samples->tick[0].clock),
		      last = ltttrace_ns(part, samples->tick[samples->nr - 1].clock);
	int64_t span[2];

	if (!samples_span(trace, part, span))
		return 0;
	return fmax(fmax((double)first - (double)span[0], (double)span[1] - (double)last), 0) *
	       (samples->nr > 1 ? PPM_OF_SAMPLES : PPM_OF_METADATA) / 1e6;
}

bool samples_span(const struct ltttrace *trace, const struct ltttrace_part *part, int64_t span[2])
{
	const struct ltttrace_stream *stream;
	bool found = false;
	size_t i;

	span[0] = span[1] = 0;
	for (i = 0; i < ltttrace_nr_streams(trace); i++) {
		stream = ltttrace_stream(trace, i);
		if (!stream->packets || stream->part->is_state || !samples_same_clock(stream->part, part))
			continue;
		span[0] = !found || stream->first_ns < span[0] ? stream->first_ns : span[0];
		span[1] = !found || stream->last_ns > span[1] ? stream->last_ns : span[1];
		found = true;
	}
	return found;
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
	if (!err && list.nr)
		samples->error += extend(trace, part, samples);
	free(list.sample);
	return err;
}

void samples_free(struct samples *samples)
{
	free(samples->tick);
	samples->tick = NULL;
}
