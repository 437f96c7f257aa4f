// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The clock of a host by TCP segments with another.
 *
 * Layer: lttctl hosts.  Points are values of the clock, in seconds since one of the segments, and how far the
 * other host's time is ahead of the frequency in the metadata, in nanoseconds: numbers small enough for a double.
 */
#include "tcp.h"
#include "hull.h"
#include "samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEEPEST 1e6	/* ns per second: 1000 ppm */
#define FINER	4	/* windows than needed */

/**
 * struct frame - where points are counted from
 * @clock: a value of the clock, at which a segment was sent or received
 * @ns: the other host's time at it, about
 * @frequency: of the clock
 */
struct frame {
	uint64_t clock;
	int64_t ns;
	double frequency;
};

static double seconds(const struct frame *frame, uint64_t clock)
{
	return (double)(int64_t)(clock - frame->clock) / frame->frequency;
}

static int64_t time_at(const struct frame *frame, double x, double y)
{
	return frame->ns + (int64_t)llround(x * 1e9 + y);
}

/* A segment from the host was received later than it was sent: its time is not above that of the receive. */
static bool add(struct hull_points sets[2], const struct frame *frame, bool is_sent, uint64_t clock,
		const struct passage *there)
{
	const double x = seconds(frame, clock);
	const int64_t ns = ltttrace_ns(there->part, there->clock);

	return hull_add(&sets[!is_sent], x, (double)(ns - frame->ns) - x * 1e9);
}

static bool is_between(const struct segment *segment, const struct ltttrace_part *one, const struct ltttrace_part *other)
{
	return samples_same_clock(segment->sent.part, one) && samples_same_clock(segment->received.part, other);
}

static enum tcp_result add_all(struct hull_points sets[2], const struct frame *frame, const struct segments *segments,
			       const struct tcp_fit *fit, const struct ltttrace_part *other)
{
	const struct segment *segment;
	bool has_room = true;
	size_t i;

	for (i = 0; i < segments->nr && has_room; i++) {
		segment = &segments->segment[i];
		if (is_between(segment, fit->part, other))
			has_room = add(sets, frame, true, segment->sent.clock, &segment->received);
		else if (is_between(segment, other, fit->part))
			has_room = add(sets, frame, false, segment->received.clock, &segment->sent);
	}
	if (!has_room)
		return TCP_NO_MEMORY;
	if (!sets[0].nr && !sets[1].nr)
		return TCP_NONE;
	return sets[0].nr && sets[1].nr ? TCP_FITS : TCP_ONE_WAY;
}

/* Return: a segment between the two; NULL if there is none. */
static const struct segment *find_segment(const struct segments *segments, const struct ltttrace_part *one,
					  const struct ltttrace_part *other)
{
	size_t i;

	for (i = 0; i < segments->nr; i++)
		if (is_between(&segments->segment[i], one, other) || is_between(&segments->segment[i], other, one))
			return &segments->segment[i];
	return NULL;
}

/* The frame has its origin at a segment, so that numbers are small wherever the two clocks are. */
static struct frame make_frame(const struct segment *segment, const struct ltttrace_part *part)
{
	const bool is_sent = samples_same_clock(segment->sent.part, part);
	const struct passage *here = is_sent ? &segment->sent : &segment->received;
	const struct passage *there = is_sent ? &segment->received : &segment->sent;

	return (struct frame){ here->clock, ltttrace_ns(there->part, there->clock), (double)part->frequency };
}

/* The places between which all points are: more than one. */
static void set_places(struct hull_line *line, const struct ltttrace *trace, const struct ltttrace_part *part,
		       const struct frame *frame)
{
	const int64_t origin = ltttrace_ns(part, frame->clock);
	int64_t span[2];

	samples_span(trace, part, span);
	line->x[0] = (double)(span[0] - origin) / 1e9;
	line->x[1] = fmax((double)(span[1] - origin) / 1e9, line->x[0] + 1);
}

/* ---- Windows ---- */

/* Return: the number of sorted points before @x. */
static size_t nr_before(const struct hull_points *points, double x)
{
	size_t low = 0, high = points->nr, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (points->point[middle].x < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Return: those of sorted points that are from @from to @to; without memory, without points. */
static struct hull_points cut(const struct hull_points *points, double from, double to)
{
	struct hull_points part = { .nr = 0 };
	size_t i;

	for (i = nr_before(points, from); i < points->nr && points->point[i].x <= to; i++)
		if (!hull_add(&part, points->point[i].x, points->point[i].y)) {
			part.nr = 0;
			break;
		}
	return part;
}

static bool fit_window(const struct hull_points sets[2], struct hull_line *line)
{
	struct hull_points above = cut(&sets[0], line->x[0], line->x[1]), below = cut(&sets[1], line->x[0], line->x[1]);
	const bool fits = above.nr && below.nr && hull_fit(&above, &below, STEEPEST, line);

	free(above.point);
	free(below.point);
	return fits;
}

/* Fit a line in each window.  Return: false if one has none. */
static bool fit_windows(const struct hull_points sets[2], const struct hull_line *whole, struct hull_line *lines,
			size_t nr)
{
	const double length = (whole->x[1] - whole->x[0]) / nr;
	size_t i;

	for (i = 0; i < nr; i++) {
		lines[i].x[0] = whole->x[0] + i * length;
		lines[i].x[1] = lines[i].x[0] + length;
		if (!fit_window(sets, &lines[i]))
			return false;
	}
	return true;
}

static double middle(const struct hull_line *line)
{
	return (line->y[0] + line->y[1]) / 2;
}

static void add_tick(struct tcp_fit *fit, const struct frame *frame, double x, double y)
{
	fit->tick[fit->ticks].clock = frame->clock + (int64_t)llround(x * frame->frequency);
	fit->tick[fit->ticks++].ns = time_at(frame, x, y);
}

/* The times are on lines from the middle of one window to that of the next, which is off the lines of both by most where
 * they meet. */
static void make_ticks(struct tcp_fit *fit, const struct frame *frame, const struct hull_line *lines, size_t nr)
{
	double meet, off = 0;
	size_t i;

	add_tick(fit, frame, lines[0].x[0], lines[0].y[0]);
	for (i = 0; i < nr; i++) {
		if (nr > 1)
			add_tick(fit, frame, (lines[i].x[0] + lines[i].x[1]) / 2, middle(&lines[i]));
		fit->error = fmax(fit->error, lines[i].error);
		if (!i)
			continue;
		meet = (middle(&lines[i - 1]) + middle(&lines[i])) / 2;
		off = fmax(off, fmax(fabs(meet - lines[i - 1].y[1]), fabs(meet - lines[i].y[0])));
	}
	add_tick(fit, frame, lines[nr - 1].x[1], lines[nr - 1].y[1]);
	fit->error += off;
}

static double at(const struct hull_line *line, double x)
{
	return line->y[0] + (line->y[1] - line->y[0]) * (x - line->x[0]) / (line->x[1] - line->x[0]);
}

/* A line may only just fit a clock whose frequency has changed a little, and seem to be exact for that.  So its error is as
 * far as it is from all lines that are possible in a part of the time. */
static void widen(const struct hull_points sets[2], struct hull_line *line)
{
	struct hull_line parts[FINER];
	int i, end;

	if (!fit_windows(sets, line, parts, FINER))
		return;
	for (i = 0; i < FINER; i++)
		for (end = 0; end < 2; end++)
			line->error = fmax(line->error, parts[i].error +
							fabs(parts[i].y[end] - at(line, parts[i].x[end])));
}

/* Return: the number of windows; 0: no number fits. */
static size_t choose_windows(const struct hull_points sets[2], const struct hull_line *whole, struct hull_line *lines)
{
	size_t nr = 1;

	while (nr <= TCP_WINDOWS && !fit_windows(sets, whole, lines, nr))
		nr *= 2;
	if (nr > TCP_WINDOWS)
		return 0;
	if (nr == 1) {
		widen(sets, &lines[0]);
		return 1;
	}
	/* Where lines only just fit, the clock is off them by as much as the segments allow. */
	if (FINER * nr <= TCP_WINDOWS && fit_windows(sets, whole, lines, FINER * nr))
		return FINER * nr;
	return fit_windows(sets, whole, lines, nr) ? nr : 0;
}

static enum tcp_result fit_sets(struct hull_points sets[2], const struct hull_line *whole,
				const struct frame *frame, struct tcp_fit *fit)
{
	struct hull_line *lines = calloc(TCP_WINDOWS, sizeof(*lines));
	size_t nr;

	if (!lines)
		return TCP_NO_MEMORY;
	hull_sort(&sets[0]);
	hull_sort(&sets[1]);
	nr = choose_windows(sets, whole, lines);
	if (nr)
		make_ticks(fit, frame, lines, nr);
	free(lines);
	return nr ? TCP_FITS : TCP_CONTRADICT;
}

enum tcp_result tcp_fit(const struct ltttrace *trace, const struct segments *segments,
			const struct ltttrace_part *part, const struct ltttrace_part *other, struct tcp_fit *fit)
{
	const struct segment *any = find_segment(segments, part, other);
	struct hull_points sets[2] = { { .nr = 0 }, { .nr = 0 } };
	struct hull_line whole;
	enum tcp_result result;
	struct frame frame;

	*fit = (struct tcp_fit){ .part = part };
	if (!any)
		return TCP_NONE;
	frame = make_frame(any, part);
	set_places(&whole, trace, part, &frame);
	result = add_all(sets, &frame, segments, fit, other);
	fit->nr = sets[0].nr + sets[1].nr;
	if (result == TCP_FITS)
		result = fit_sets(sets, &whole, &frame, fit);
	free(sets[0].point);
	free(sets[1].point);
	return result;
}
