// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The families of a scrape.
 *
 * Layer: ltt-exporter.
 */
#include "metrics.h"

#include <stdlib.h>
#include <string.h>

const char *metrics_content_type(enum metrics_format format)
{
	static const char *const types[] = {
		[METRICS_TEXT] = "text/plain; version=0.0.4; charset=utf-8",
		[METRICS_OPENMETRICS] = "application/openmetrics-text; version=1.0.0; charset=utf-8",
		[METRICS_PROTOBUF] = "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited",
	};

	return types[format];
}

struct labels labels_with(struct labels labels, const char *name, const char *value)
{
	labels.label[labels.nr].name = name;
	labels.label[labels.nr++].value = value;
	return labels;
}

static struct family *family_new(const char *name, enum metric_type type, const char *help)
{
	struct family *family = calloc(1, sizeof(*family));

	if (!family)
		return NULL;
	family->name = strdup(name);
	family->help = help;
	family->type = type;
	family->to = family->name ? open_memstream(&family->data, &family->len) : NULL;
	if (family->to)
		return family;
	free(family->name);
	free(family);
	return NULL;
}

/* Find a family, or add it. */
static struct family *find_family(struct metrics *metrics, const char *name, enum metric_type type, const char *help)
{
	struct family **at = &metrics->families;

	while (*at && strcmp((*at)->name, name))
		at = &(*at)->next;
	if (!*at)
		*at = family_new(name, type, help);
	metrics->failed |= !*at;
	return *at;
}

void metrics_value(struct metrics *metrics, const char *name, enum metric_type type, const char *help,
		   const struct labels *labels, double value)
{
	struct family *family = find_family(metrics, name, type, help);

	if (!family)
		return;
	if (metrics->format == METRICS_PROTOBUF)
		metrics->failed |= !protobuf_value(family, labels, value);
	else
		text_value(family, labels, value);
}

void metrics_histogram(struct metrics *metrics, const char *name, const char *help, const struct labels *labels,
		       const struct histogram *histogram)
{
	struct family *family = find_family(metrics, name, METRIC_HISTOGRAM, help);

	if (!family)
		return;
	if (metrics->format == METRICS_PROTOBUF)
		metrics->failed |= !protobuf_histogram(family, labels, histogram);
	else
		text_histogram(family, labels, histogram, metrics->format == METRICS_OPENMETRICS);
}

/* Write a family, and free it. */
static void finish_family(struct metrics *metrics, struct family *family, FILE *to)
{
	metrics->failed |= fclose(family->to) != 0;
	if (!metrics->failed && metrics->format == METRICS_PROTOBUF)
		metrics->failed |= !protobuf_family(to, family);
	else if (!metrics->failed)
		text_family(to, family, metrics->format == METRICS_OPENMETRICS);
	free(family->data);
	free(family->name);
	free(family);
}

char *metrics_finish(struct metrics *metrics, size_t *len)
{
	struct family *family;
	char *data = NULL;
	FILE *to = open_memstream(&data, len);

	metrics->failed |= !to;
	while ((family = metrics->families)) {
		metrics->families = family->next;
		finish_family(metrics, family, to);
	}
	if (to && metrics->format == METRICS_OPENMETRICS)
		fputs("# EOF\n", to);
	if (to)
		metrics->failed |= fclose(to) != 0;
	if (!metrics->failed)
		return data;
	free(data);
	return NULL;
}
