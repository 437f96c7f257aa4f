// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The times of clock values.
 *
 * Layer: libltttrace.
 */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* As babeltrace2 computes it, so that both show the same time: in floating point, cut to nanoseconds. */
int64_t clock_ns(uint64_t frequency, uint64_t value)
{
	double ns;

	if (frequency == (uint64_t)NS_PER_S)
		return value < INT64_MAX ? (int64_t)value : INT64_MAX;
	ns = 1e9 * (double)value / (double)frequency;
	return ns < 9e18 ? (int64_t)ns : INT64_MAX;
}

/* Return: the first of the two ticks whose line the time lies on. */
static size_t find_line(const struct correction *correction, uint64_t clock)
{
	size_t low = 0, high = correction->nr - 1, middle;

	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (correction->tick[middle].clock <= clock)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static int64_t corrected_ns(const struct correction *correction, uint64_t frequency, uint64_t clock)
{
	const struct ltttrace_tick *tick = correction->tick;
	double rate = 1e9 / (double)frequency, ns;

	if (correction->nr > 1) {
		tick += find_line(correction, clock);
		rate = (double)(tick[1].ns - tick[0].ns) / (double)(tick[1].clock - tick[0].clock);
	}
	ns = rate * (double)(int64_t)(clock - tick->clock);
	/* Times that a hostile recording has need not be right, but fit. */
	if (ns > 4e18 - (double)tick->ns)
		return INT64_MAX;
	return ns < -(double)tick->ns ? 0 : tick->ns + (int64_t)ns;
}

int64_t part_ns(const struct part *part, uint64_t clock)
{
	int64_t ns;

	if (part->correction)
		return corrected_ns(part->correction, part->public.frequency, clock);
	return __builtin_add_overflow(part->base_ns, clock_ns(part->public.frequency, clock), &ns) ? INT64_MAX : ns;
}

int64_t ltttrace_ns(const struct ltttrace_part *part, uint64_t clock)
{
	return part_ns((const struct part *)part, clock);
}

static bool has_clock_of(const struct part *one, const struct part *other)
{
	return one->public.frequency == other->public.frequency && !strcmp(one->public.host, other->public.host) &&
	       !memcmp(one->public.clock_uuid, other->public.clock_uuid, sizeof(one->public.clock_uuid));
}

void part_correct(struct part *part)
{
	const struct ltttrace *trace = part->trace;
	size_t i;

	for (i = 0; i < trace->corrections; i++)
		if (has_clock_of(part, trace->correction[i]->of))
			part->correction = trace->correction[i];
}

int ltttrace_correct(struct ltttrace *trace, const struct ltttrace_part *part, const struct ltttrace_tick *tick,
		     size_t nr)
{
	struct correction *correction;
	size_t i;

	for (i = 0; i < nr; i++)
		if (tick[i].ns < 0 || (i && (tick[i].clock <= tick[i - 1].clock || tick[i].ns <= tick[i - 1].ns)))
			return -EINVAL;
	if (!nr)
		return -EINVAL;
	correction = malloc(sizeof(*correction) + nr * sizeof(*tick));
	if (!correction || list_add(&trace->correction, &trace->corrections, correction)) {
		free(correction);
		return -ENOMEM;
	}
	correction->of = (const struct part *)part;
	correction->nr = nr;
	memcpy(correction->tick, tick, nr * sizeof(*tick));
	for (i = 0; i < trace->parts; i++)
		if (has_clock_of(trace->part[i], correction->of))
			trace->part[i]->correction = correction;
	for (i = 0; i < trace->streams; i++)
		if (trace->stream[i]->part->correction == correction)
			stream_span(trace->stream[i]);
	return 0;
}
