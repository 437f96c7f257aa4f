// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * metrics FORMAT: write metrics as ltt-exporter does, in enum metrics_format FORMAT: a label of any bytes, and a histogram
 * with negative limits, one with negative values and one with neither.
 *
 * Layer: tests.
 */
#include "exporter/metrics.h"

#include <math.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	static const uint64_t buckets[] = { 3, 2, 1 };
	static const double negative[] = { -1, 9, INFINITY }, positive[] = { 1, 2, 4 };
	struct metrics metrics = { .format = argc > 1 ? atoi(argv[1]) : METRICS_TEXT };
	struct histogram histogram = { .buckets = buckets, .bounds = negative, .nr = 3, .last = 2, .sum = 5 };
	struct labels labels = { .nr = 0 };
	size_t len = 0;
	char *text;

	labels = labels_with(labels, "any", "a\nb\"c\\d\x01\xff\xc3\xa9\xc3");
	metrics_histogram(&metrics, "limits", "Negative limits.", &labels, &histogram);
	histogram.bounds = positive;
	metrics_histogram(&metrics, "neither", "Nothing negative.", &labels, &histogram);
	histogram.sum = -5;
	histogram.is_negative = true;
	metrics_histogram(&metrics, "values", "Negative values.", &labels, &histogram);
	text = metrics_finish(&metrics, &len);
	fwrite(text, 1, len, stdout);
	free(text);
	return 0;
}
