// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A line between two sets of points, by their convex hulls.
 *
 * Layer: lttctl hosts.  For each slope, the points leave a range of lines, whose width is a concave function of the
 * slope.  So the slopes that are possible are an interval.  At its ends are the steepest and the flattest line, of which each
 * touches both hulls, unless @steepest ends it.  Before and behind all points, no line is further out than these two.
 */
#include "hull.h"

#include <math.h>
#include <stdlib.h>

#define STEPS 200	/* of a search: more than a double can tell apart */

bool hull_add(struct hull_points *points, double x, double y)
{
	struct hull_point *more = points->point;

	/* Room is doubled at powers of two. */
	if (!(points->nr & (points->nr - 1))) {
		more = reallocarray(more, points->nr ? 2 * points->nr : 1, sizeof(*more));
		if (!more)
			return false;
		points->point = more;
	}
	more[points->nr++] = (struct hull_point){ x, y };
	return true;
}

static int compare(const void *one, const void *other)
{
	const struct hull_point *a = one, *b = other;

	return a->x != b->x ? (a->x > b->x) - (a->x < b->x) : (a->y > b->y) - (a->y < b->y);
}

void hull_sort(struct hull_points *points)
{
	if (points->nr)
		qsort(points->point, points->nr, sizeof(*points->point), compare);
}

/* Leave the points of the hull that faces the line: with @sign 1 the lower one, with -1 the upper. */
static void reduce(struct hull_points *points, double sign)
{
	struct hull_point *p = points->point;
	size_t i, nr = 0;

	hull_sort(points);
	for (i = 0; i < points->nr; i++) {
		while (nr > 1 && sign * ((p[nr - 1].x - p[nr - 2].x) * (p[i].y - p[nr - 2].y) -
					 (p[nr - 1].y - p[nr - 2].y) * (p[i].x - p[nr - 2].x)) <= 0)
			nr--;
		p[nr++] = p[i];
	}
	points->nr = nr;
}

/* Return: the highest that a line of this slope can be at @x, or with @sign -1 the lowest. */
static double limit(const struct hull_points *points, double slope, double x, double sign)
{
	double best = INFINITY, y;
	size_t i;

	for (i = 0; i < points->nr; i++) {
		y = sign * (points->point[i].y - slope * (points->point[i].x - x));
		best = y < best ? y : best;
	}
	return sign * best;
}

/**
 * struct search - the two sets, reduced to their hulls
 * @above: see hull_fit()
 * @below: see hull_fit()
 * @x: where limits are computed
 */
struct search {
	const struct hull_points *above;
	const struct hull_points *below;
	double x;
};

/* Return: the width of the range of lines of a slope; negative if there is none. */
static double width(const struct search *search, double slope)
{
	return limit(search->above, slope, search->x, 1) - limit(search->below, slope, search->x, -1);
}

/* Return: the slope with the widest range. */
static double find_widest(const struct search *search, double low, double high)
{
	double a, b;
	int i;

	for (i = 0; i < STEPS; i++) {
		a = low + (high - low) / 3;
		b = high - (high - low) / 3;
		if (width(search, a) < width(search, b))
			low = a;
		else
			high = b;
	}
	return (low + high) / 2;
}

/* Return: the last slope from @inside to @outside that is possible. */
static double find_end(const struct search *search, double inside, double outside)
{
	double middle;
	int i;

	if (width(search, outside) >= 0)
		return outside;
	for (i = 0; i < STEPS; i++) {
		middle = inside + (outside - inside) / 2;
		if (width(search, middle) >= 0)
			inside = middle;
		else
			outside = middle;
	}
	return inside;
}

bool hull_fit(struct hull_points *above, struct hull_points *below, double steepest, struct hull_line *line)
{
	struct search search = { above, below, 0 };
	double widest, flat, steep, high[2], low[2];
	int i;

	reduce(above, 1);
	reduce(below, -1);
	search.x = (line->x[0] + line->x[1]) / 2;
	widest = find_widest(&search, -steepest, steepest);
	if (width(&search, widest) < 0)
		return false;
	flat = find_end(&search, widest, -steepest);
	steep = find_end(&search, widest, steepest);
	high[0] = limit(above, flat, line->x[0], 1);
	low[0] = limit(below, steep, line->x[0], -1);
	high[1] = limit(above, steep, line->x[1], 1);
	low[1] = limit(below, flat, line->x[1], -1);
	line->error = 0;
	for (i = 0; i < 2; i++) {
		line->y[i] = (high[i] + low[i]) / 2;
		line->error = fmax(line->error, (high[i] - low[i]) / 2);
	}
	return true;
}
