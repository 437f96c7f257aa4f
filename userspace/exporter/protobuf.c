// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Metrics as messages of Protocol Buffers, the only format with native histograms.
 *
 * Layer: ltt-exporter.  The fields are those of metrics.proto of github.com/prometheus/client_model.
 */
#include "metrics.h"
#include "common/proto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FAMILY_NAME = 1, FAMILY_HELP = 2, FAMILY_TYPE = 3, FAMILY_METRIC = 4 };
enum { METRIC_LABEL = 1, METRIC_IS_GAUGE = 2, METRIC_IS_COUNTER = 3, METRIC_IS_HISTOGRAM = 7 };
enum { LABEL_NAME = 1, LABEL_VALUE = 2 };
enum { NUMBER_VALUE = 1 };
enum {
	HISTOGRAM_COUNT = 1, HISTOGRAM_SUM = 2, HISTOGRAM_BUCKET = 3, HISTOGRAM_SCHEMA = 5, HISTOGRAM_ZERO_THRESHOLD = 6,
	HISTOGRAM_ZERO_COUNT = 7, HISTOGRAM_SPAN = 12, HISTOGRAM_DELTA = 13,
};
enum { BUCKET_COUNT = 1, BUCKET_BOUND = 2 };
enum { SPAN_OFFSET = 1, SPAN_LENGTH = 2 };

/* A text that is valid. */
static void put_text(struct proto *proto, uint32_t field, const char *text)
{
	proto_text(proto, field, text, strlen(text));
}

/* A signed number in zigzag encoding. */
static void put_signed(struct proto *proto, uint32_t field, int64_t value)
{
	proto_number(proto, field, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

/* Begin a metric, with its labels. */
static size_t begin_metric(struct proto *proto, const struct labels *labels)
{
	size_t metric = proto_begin(proto, FAMILY_METRIC), label;
	unsigned int i;

	for (i = 0; i < labels->nr; i++) {
		label = proto_begin(proto, METRIC_LABEL);
		put_text(proto, LABEL_NAME, labels->label[i].name);
		put_text(proto, LABEL_VALUE, labels->label[i].value);
		proto_end(proto, label);
	}
	return metric;
}

static bool write_out(FILE *to, struct proto *proto)
{
	bool done = !proto->failed;

	if (done)
		fwrite(proto->data, 1, proto->len, to);
	free(proto->data);
	return done;
}

bool protobuf_value(struct family *family, const struct labels *labels, double value)
{
	struct proto proto = { NULL };
	size_t metric = begin_metric(&proto, labels);
	size_t number = proto_begin(&proto, family->type == METRIC_COUNTER ? METRIC_IS_COUNTER : METRIC_IS_GAUGE);

	proto_double(&proto, NUMBER_VALUE, value);
	proto_end(&proto, number);
	proto_end(&proto, metric);
	return write_out(family->to, &proto);
}

static void put_buckets(struct proto *proto, const struct histogram *histogram)
{
	uint64_t count = 0;
	unsigned int i;
	size_t bucket;

	for (i = 0; i < histogram->nr; i++) {
		count += histogram->buckets[i];
		if (i < histogram->first || i > histogram->last || isinf(histogram->bounds[i]))
			continue;
		bucket = proto_begin(proto, HISTOGRAM_BUCKET);
		proto_number(proto, BUCKET_COUNT, count);
		proto_double(proto, BUCKET_BOUND, histogram->bounds[i]);
		proto_end(proto, bucket);
	}
}

/* The first span begins at the number of its bucket, others at the distance from the one before. */
static void put_span(struct proto *proto, int offset, unsigned int length)
{
	size_t span = proto_begin(proto, HISTOGRAM_SPAN);

	put_signed(proto, SPAN_OFFSET, offset);
	proto_number(proto, SPAN_LENGTH, length);
	proto_end(proto, span);
}

/* In schema 0, the bucket with the number i has (2^(i - 1), 2^i].  Buckets without a value are not in it. */
static void put_native(struct proto *proto, const struct histogram *histogram)
{
	unsigned int i, end, from = 0;
	uint64_t last = 0;

	put_signed(proto, HISTOGRAM_SCHEMA, 0);
	proto_double(proto, HISTOGRAM_ZERO_THRESHOLD, ldexp(1, histogram->exponent));
	proto_number(proto, HISTOGRAM_ZERO_COUNT, histogram->buckets[0]);
	for (i = 1; i < histogram->nr; i = end + 1) {
		for (end = i; end < histogram->nr && histogram->buckets[end]; end++)
			;
		if (end == i)
			continue;
		put_span(proto, from ? (int)(i - from) : (int)i + histogram->exponent, end - i);
		from = end;
	}
	for (i = 1; i < histogram->nr; i++) {
		if (!histogram->buckets[i])
			continue;
		put_signed(proto, HISTOGRAM_DELTA, histogram->buckets[i] - last);
		last = histogram->buckets[i];
	}
}

bool protobuf_histogram(struct family *family, const struct labels *labels, const struct histogram *histogram)
{
	struct proto proto = { NULL };
	size_t metric = begin_metric(&proto, labels), begin = proto_begin(&proto, METRIC_IS_HISTOGRAM);
	uint64_t count = 0;
	unsigned int i;

	for (i = 0; i < histogram->nr; i++)
		count += histogram->buckets[i];
	proto_number(&proto, HISTOGRAM_COUNT, count);
	proto_double(&proto, HISTOGRAM_SUM, histogram->sum);
	put_buckets(&proto, histogram);
	if (histogram->is_native)
		put_native(&proto, histogram);
	proto_end(&proto, begin);
	proto_end(&proto, metric);
	return write_out(family->to, &proto);
}

/* A family after its length, as the stream has it. */
bool protobuf_family(FILE *to, const struct family *family)
{
	static const unsigned int types[] = {
		[METRIC_COUNTER] = 0, [METRIC_GAUGE] = 1, [METRIC_INFO] = 1, [METRIC_HISTOGRAM] = 4,
	};
	static const char *const suffixes[] = {
		[METRIC_COUNTER] = "_total", [METRIC_GAUGE] = "", [METRIC_INFO] = "_info", [METRIC_HISTOGRAM] = "",
	};
	const struct proto metrics = { .data = (unsigned char *)family->data, .len = family->len };
	struct proto proto = { NULL };
	char name[512];

	snprintf(name, sizeof(name), "%s%s", family->name, suffixes[family->type]);
	put_text(&proto, FAMILY_NAME, name);
	put_text(&proto, FAMILY_HELP, family->help);
	proto_number(&proto, FAMILY_TYPE, types[family->type]);
	proto_append(&proto, &metrics);
	proto_end(&proto, 0);
	return write_out(to, &proto);
}
