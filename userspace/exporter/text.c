// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Metrics as text: OpenMetrics 1.0, and the text of Prometheus before it.
 *
 * Layer: ltt-exporter.  In the latter, the name of a family has the suffix of its type, and there are no infos.
 */
#include "metrics.h"
#include "common/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *suffix(const struct family *family)
{
	return family->type == METRIC_COUNTER ? "_total" : family->type == METRIC_INFO ? "_info" : "";
}

/* The shortest of these that is the same number. */
static void format_number(char text[32], double value)
{
	if (isinf(value)) {
		strcpy(text, "+Inf");
		return;
	}
	snprintf(text, 32, "%.15g", value);
	if (strtod(text, NULL) != value)
		snprintf(text, 32, "%.17g", value);
}

/* A limit of buckets is a label, so each format has to write it alike: the shortest digits, as Go's programs do. */
static void format_limit(char text[32], double limit)
{
	int digits = 0, exponent;

	do
		snprintf(text, 32, "%.*e", digits, limit);
	while (strtod(text, NULL) != limit && ++digits < 17);
	exponent = atoi(strchr(text, 'e') + 1);
	if (exponent >= -4 && exponent < 6)
		snprintf(text, 32, "%.*f", digits > exponent ? digits - exponent : 1, limit);
}

static void put_character(FILE *to, char c)
{
	if (c == '\n')
		fputs("\\n", to);
	else if (c == '\\' || c == '"')
		fprintf(to, "\\%c", c);
	else
		fputc(c, to);
}

/* A text of any bytes as UTF-8, with escapes. */
static void put_text(FILE *to, const char *text)
{
	size_t left = strlen(text), valid;

	while (left) {
		for (valid = utf8_valid(text, left); valid; valid--, left--)
			put_character(to, *text++);
		if (left) {
			fputs(UTF8_REPLACEMENT, to);
			text++;
			left--;
		}
	}
}

static void put_labels(FILE *to, const struct labels *labels, const char *le)
{
	unsigned int i;

	if (!labels->nr && !le)
		return;
	for (i = 0; i < labels->nr; i++) {
		fprintf(to, "%c%s=\"", i ? ',' : '{', labels->label[i].name);
		put_text(to, labels->label[i].value);
		fputc('"', to);
	}
	if (le)
		fprintf(to, "%cle=\"%s\"", labels->nr ? ',' : '{', le);
	fputc('}', to);
}

void text_value(struct family *family, const struct labels *labels, double value)
{
	char number[32];

	format_number(number, value);
	fprintf(family->to, "%s%s", family->name, suffix(family));
	put_labels(family->to, labels, NULL);
	fprintf(family->to, " %s\n", number);
}

static void put_bucket(const struct family *family, const struct labels *labels, const char *le, uint64_t count)
{
	fprintf(family->to, "%s_bucket", family->name);
	put_labels(family->to, labels, le);
	fprintf(family->to, " %" PRIu64 "\n", count);
}

void text_histogram(struct family *family, const struct labels *labels, const struct histogram *histogram, bool openmetrics)
{
	const bool is_negative = histogram->is_negative || histogram->bounds[histogram->first] < 0;
	uint64_t count = 0;
	char number[32];
	unsigned int i;

	for (i = 0; i < histogram->nr; i++) {
		count += histogram->buckets[i];
		if (i < histogram->first || i > histogram->last || isinf(histogram->bounds[i]))
			continue;
		format_limit(number, histogram->bounds[i]);
		put_bucket(family, labels, number, count);
	}
	put_bucket(family, labels, "+Inf", count);
	/* The sum of OpenMetrics never decreases: with negative limits or values there is none, and then no count. */
	if (openmetrics && is_negative)
		return;
	fprintf(family->to, "%s_count", family->name);
	put_labels(family->to, labels, NULL);
	fprintf(family->to, " %" PRIu64 "\n%s_sum", count, family->name);
	put_labels(family->to, labels, NULL);
	format_number(number, histogram->sum);
	fprintf(family->to, " %s\n", number);
}

/* The unit is the end of the name. */
static void put_unit(FILE *to, const struct family *family)
{
	static const char *const units[] = { "seconds", "bytes" };
	const char *end = strrchr(family->name, '_');
	size_t i;

	for (i = 0; end && i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(end + 1, units[i]))
			fprintf(to, "# UNIT %s %s\n", family->name, units[i]);
}

void text_family(FILE *to, const struct family *family, bool openmetrics)
{
	static const char *const types[] = {
		[METRIC_COUNTER] = "counter", [METRIC_GAUGE] = "gauge", [METRIC_INFO] = "info",
		[METRIC_HISTOGRAM] = "histogram",
	};
	enum metric_type type = !openmetrics && family->type == METRIC_INFO ? METRIC_GAUGE : family->type;
	const char *end = openmetrics ? "" : suffix(family);

	fprintf(to, "# HELP %s%s %s\n# TYPE %s%s %s\n", family->name, end, family->help, family->name, end, types[type]);
	if (openmetrics)
		put_unit(to, family);
	fwrite(family->data, 1, family->len, to);
}
