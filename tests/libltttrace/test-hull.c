// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The line between two sets of points: userspace/lttctl/hosts/hull.c.
 */
#include "lttctl/hosts/hull.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../unit/unit.h"

#define STEEPEST	1e6
#define NEAR(a, b)	(fabs((a) - (b)) < 1e-3)

static struct hull_points above, below;
static struct hull_line line;

static void begin(double from, double to)
{
	above = below = (struct hull_points){ .nr = 0 };
	line = (struct hull_line){ .x = { from, to } };
}

static void end(void)
{
	free(above.point);
	free(below.point);
}

static double random_below(double most)
{
	return most * random() / ((double)RAND_MAX + 1);
}

/* Delays that are at least @least, mostly little more, and sometimes much. */
static double delay(double least)
{
	return least - log(1 - random_below(1)) * 20e3;
}

static void fit_random(double offset, double slope, unsigned int nr, double least)
{
	double x, error;
	unsigned int i;

	begin(0, 100);
	for (i = 0; i < nr; i++) {
		x = random_below(100);
		hull_add(i % 2 ? &above : &below, x, offset + slope * x + (i % 2 ? 1 : -1) * delay(least));
	}
	CU_ASSERT(hull_fit(&above, &below, STEEPEST, &line));
	for (i = 0; i <= 10; i++) {
		x = 10 * i;
		error = line.y[0] + (line.y[1] - line.y[0]) * x / 100 - (offset + slope * x);
		CU_ASSERT(fabs(error) <= line.error + 1e-3);
	}
	/* Many points leave little more than the least delay. */
	CU_ASSERT(nr < 1000 || line.error < least + 5e3);
	end();
}

static void the_true_line_is_within_the_bound(void)
{
	unsigned int i;

	for (i = 0; i < 300; i++)
		fit_random(random_below(2e9) - 1e9, random_below(2e5) - 1e5, 2 + random() % 60, random_below(1e5));
	for (i = 0; i < 20; i++)
		fit_random(random_below(2e9) - 1e9, random_below(2e5) - 1e5, 10000, 25e3);
}

static void the_middle_is_taken(void)
{
	begin(0, 10);
	hull_add(&above, 0, 30);
	hull_add(&above, 10, 30);
	hull_add(&below, 0, 10);
	hull_add(&below, 10, 10);
	CU_ASSERT(hull_fit(&above, &below, STEEPEST, &line));
	CU_ASSERT(NEAR(line.y[0], 20) && NEAR(line.y[1], 20) && NEAR(line.error, 10));
	end();
}

/* With one point in each direction, the line is known there, and the frequency limits it elsewhere. */
static void one_point_each_leaves_the_steepest_slopes(void)
{
	begin(0, 10);
	hull_add(&above, 5, 4);
	hull_add(&below, 5, 2);
	CU_ASSERT(hull_fit(&above, &below, 1, &line));
	CU_ASSERT(NEAR(line.y[0], 3) && NEAR(line.y[1], 3) && NEAR(line.error, 6));
	end();
}

static void points_that_touch_leave_one_line(void)
{
	begin(0, 4);
	hull_add(&above, 0, 0);
	hull_add(&above, 4, 8);
	hull_add(&below, 0, 0);
	hull_add(&below, 4, 8);
	CU_ASSERT(hull_fit(&above, &below, STEEPEST, &line));
	CU_ASSERT(NEAR(line.y[0], 0) && NEAR(line.y[1], 8) && line.error < 1e-3);
	end();
}

static void sets_that_overlap_have_no_line(void)
{
	begin(0, 4);
	hull_add(&above, 2, 1);
	hull_add(&below, 0, 2);
	hull_add(&below, 4, 2);
	CU_ASSERT(!hull_fit(&above, &below, STEEPEST, &line));
	end();
}

static void a_slope_beyond_the_steepest_has_no_line(void)
{
	begin(0, 10);
	hull_add(&above, 0, 1);
	hull_add(&below, 10, 100);
	CU_ASSERT(!hull_fit(&above, &below, 9, &line));
	end();
	begin(0, 10);
	hull_add(&above, 0, 1);
	hull_add(&below, 10, 100);
	CU_ASSERT(hull_fit(&above, &below, 10, &line));
	end();
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(the_true_line_is_within_the_bound),
		UNIT_TEST(the_middle_is_taken),
		UNIT_TEST(one_point_each_leaves_the_steepest_slopes),
		UNIT_TEST(points_that_touch_leave_one_line),
		UNIT_TEST(sets_that_overlap_have_no_line),
		UNIT_TEST(a_slope_beyond_the_steepest_has_no_line),
		{ NULL, NULL }
	};

	(void)argc;
	return unit_main(argv[0], tests);
}
