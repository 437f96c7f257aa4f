/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Metrics of one scrape, in one of the formats of Prometheus.
 *
 * Layer: ltt-exporter.  metrics.c has the families, text.c the two texts, protobuf.c the messages, and accept.c chooses
 * the format.  A sample is encoded when it is added, to the end of its family, as the samples of a family have to be together.
 *
 * Sources: the OpenMetrics specification 1.0; prometheus.io/docs/instrumenting/exposition_formats;
 * github.com/prometheus/client_model, metrics.proto.
 */
#ifndef EXPORTER_METRICS_H
#define EXPORTER_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * enum metrics_format - a format
 * @METRICS_TEXT: the text of Prometheus, version 0.0.4
 * @METRICS_OPENMETRICS: OpenMetrics 1.0
 * @METRICS_PROTOBUF: messages MetricFamily, each after its length; has native histograms
 */
enum metrics_format {
	METRICS_TEXT,
	METRICS_OPENMETRICS,
	METRICS_PROTOBUF,
};

/* Return: the format that the header Accept prefers; @accept is NULL without it. */
enum metrics_format metrics_accepted(const char *accept);

/* Return: the value of Content-Type. */
const char *metrics_content_type(enum metrics_format format);

enum metric_type {
	METRIC_COUNTER,
	METRIC_GAUGE,
	METRIC_INFO,
	METRIC_HISTOGRAM,
};

#define LABELS_MAX 6

/**
 * struct labels - the labels of a sample
 * @label: their names, which are valid, and values, which may be any bytes
 * @nr: how many there are
 */
struct labels {
	struct {
		const char *name;
		const char *value;
	} label[LABELS_MAX];
	unsigned int nr;
};

/* Return: @labels and one more. */
struct labels labels_with(struct labels labels, const char *name, const char *value);

/**
 * struct histogram - a distribution
 * @buckets: how many values each bucket has
 * @bounds: the upper limits, which belong to the buckets
 * @nr: number of @buckets and @bounds
 * @first: the first bucket whose limit the classic formats have
 * @last: the last one
 * @sum: of all values
 * @is_negative: some of these are negative
 * @is_native: the limits are powers of two: bucket i has (2^(i - 1 + @exponent), 2^(i + @exponent)], and the first one
 *	has 0, too
 * @exponent: see @is_native
 */
struct histogram {
	const uint64_t *buckets;
	const double *bounds;
	unsigned int nr;
	unsigned int first, last;
	double sum;
	bool is_negative;
	bool is_native;
	int exponent;
};

/**
 * struct family - the samples of one name
 * @name: without the suffix of its type
 * @help: one line
 * @type: their type
 * @to: receives what is encoded
 * @data: the memory of @to
 * @len: bytes of @data
 * @next: the next family
 */
struct family {
	char *name;
	const char *help;
	enum metric_type type;
	FILE *to;
	char *data;
	size_t len;
	struct family *next;
};

/**
 * struct metrics - what a scrape returns
 * @format: its format
 * @families: all families
 * @failed: memory is out
 */
struct metrics {
	enum metrics_format format;
	struct family *families;
	bool failed;
};

/**
 * metrics_value() - add a sample
 * @metrics: zeroed, but for the format
 * @name: the family, without _total or _info
 * @type: its type, METRIC_HISTOGRAM excluded
 * @help: its help, a constant
 * @labels: the labels
 * @value: the value
 */
void metrics_value(struct metrics *metrics, const char *name, enum metric_type type, const char *help,
		   const struct labels *labels, double value);

/* Add a histogram; as metrics_value(). */
void metrics_histogram(struct metrics *metrics, const char *name, const char *help, const struct labels *labels,
		       const struct histogram *histogram);

/* Free all, and return the whole in memory that is to be freed; NULL if memory was out. */
char *metrics_finish(struct metrics *metrics, size_t *len);

/* --- The formats (text.c, protobuf.c) ------------------------------------ */

void text_value(struct family *family, const struct labels *labels, double value);
void text_histogram(struct family *family, const struct labels *labels, const struct histogram *histogram, bool openmetrics);
void text_family(FILE *to, const struct family *family, bool openmetrics);

/* Return: false if memory is out. */
bool protobuf_value(struct family *family, const struct labels *labels, double value);
bool protobuf_histogram(struct family *family, const struct labels *labels, const struct histogram *histogram);
bool protobuf_family(FILE *to, const struct family *family);

#endif /* EXPORTER_METRICS_H */
