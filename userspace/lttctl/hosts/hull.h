/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A line between two sets of points, by their convex hulls.
 *
 * Layer: lttctl hosts.  It knows nothing of recordings.  Source: Poirier, Roy, Dagenais, "Accurate offline synchronization
 * of distributed traces using kernel-level events", ACM SIGOPS Operating Systems Review 44(3), 2010; the method is that of
 * Duda et al., "Estimating global time in distributed systems", ICDCS 1987.
 */
#ifndef LTTCTL_HOSTS_HULL_H
#define LTTCTL_HOSTS_HULL_H

#include <stdbool.h>
#include <stddef.h>

struct hull_point {
	double x;
	double y;
};

/**
 * struct hull_points - a set of points
 * @point: the points
 * @nr: number of @point
 */
struct hull_points {
	struct hull_point *point;
	size_t nr;
};

/* Add a point.  Return: false without memory. */
bool hull_add(struct hull_points *points, double x, double y);

/* Sort points by x. */
void hull_sort(struct hull_points *points);

/**
 * struct hull_line - a line, and the range of all lines that are possible
 * @x: two places, between which all points are
 * @y: the line at these
 * @error: how far another line may be from this one at these, and between them
 */
struct hull_line {
	double x[2];
	double y[2];
	double error;
};

/**
 * hull_fit() - find the line that is not above some points, and not below others
 * @above: the points that it is not above, at least one; reduced to their hull
 * @below: the points that it is not below, at least one; reduced to their hull
 * @steepest: the largest slope, and its negative the smallest: with few points, these alone limit it
 * @line: has @x; receives the rest: at each of these places the middle of all lines that are possible
 *
 * Return: false if there is no such line.
 */
bool hull_fit(struct hull_points *above, struct hull_points *below, double steepest, struct hull_line *line);

#endif /* LTTCTL_HOSTS_HULL_H */
