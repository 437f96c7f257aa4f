// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * TCP segments that one host has sent and another has received.
 *
 * Layer: lttctl hosts.
 */
#include "segments.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIELD	"segment"

/* The words of a header, as they are in the packet. */
enum { PORTS, SEQUENCE, ACKNOWLEDGED, WORDS };

/**
 * struct end - an event
 * @header: the begin of the TCP header
 * @is_received: it was received; else sent
 * @is_first: of a segment sent: none with this header was sent before, as the one before it shows
 * @passage: where and when
 */
struct end {
	uint32_t header[WORDS];
	bool is_received;
	bool is_first;
	struct passage passage;
};

struct ends {
	struct end *end;
	size_t nr;
};

enum direction { NEITHER, SENT, RECEIVED };

/* The events that `lttctl record -e tcp-segments` makes, of IP version 4 and 6. */
static enum direction direction_of(const struct ltttrace_event *event)
{
	static const char sent[] = "kprobe:tcp_sent", received[] = "kprobe:tcp_received";
	const bool is_sent = !strncmp(event->name, sent, strlen(sent));
	int field;

	if (!is_sent && strncmp(event->name, received, strlen(received)))
		return NEITHER;
	field = ltttrace_payload_field(event, FIELD);
	if (field < 0 || event->fields[field].kind != LTTTRACE_ARRAY || event->fields[field].length != WORDS)
		return NEITHER;
	return is_sent ? SENT : RECEIVED;
}

static int take(struct ends *ends, const struct ltttrace_record *record, enum direction direction)
{
	const int field = ltttrace_payload_field(record->event, FIELD);
	const struct ltttrace_value value = ltttrace_value(record, field);
	struct end *more = ends->end, *end;
	int i;

	if (!(ends->nr & (ends->nr - 1))) {
		more = reallocarray(more, ends->nr ? 2 * ends->nr : 1, sizeof(*more));
		if (!more)
			return -ENOMEM;
		ends->end = more;
	}
	end = &more[ends->nr++];
	*end = (struct end){
		.is_received = direction == RECEIVED, .passage = { record->stream->part, record->clock },
	};
	for (i = 0; i < WORDS; i++)
		end->header[i] = ltttrace_element(&record->event->fields[field], &value, i).u;
	return 0;
}

/* The events of all parts that may be segments. */
struct kinds {
	const struct ltttrace_event **event;
	size_t nr;
};

static bool find_kinds(const struct ltttrace *trace, struct kinds *kinds)
{
	const size_t nr = ltttrace_nr_events(trace);
	size_t i;

	kinds->event = calloc(nr + 1, sizeof(*kinds->event));
	for (i = 0; kinds->event && i < nr; i++)
		if (direction_of(ltttrace_event(trace, i)))
			kinds->event[kinds->nr++] = ltttrace_event(trace, i);
	return kinds->event;
}

static bool is_wanted(const struct ltttrace_stream *stream, void *data)
{
	const struct kinds *kinds = data;
	size_t i;

	for (i = 0; i < kinds->nr; i++)
		if (kinds->event[i]->part == stream->part && !strcmp(kinds->event[i]->channel, stream->channel))
			return true;
	return false;
}

static int read_ends(const struct ltttrace *trace, struct ends *ends)
{
	const struct ltttrace_record *record;
	struct kinds kinds = { .nr = 0 };
	struct ltttrace_cursor *cursor;
	enum direction direction;
	int err, ret = 0;

	if (!find_kinds(trace, &kinds))
		return -ENOMEM;
	err = ltttrace_merge(trace, is_wanted, &kinds, &cursor);
	free(kinds.event);
	if (err)
		return err;
	while (!err && (ret = ltttrace_next(cursor, &record)) > 0) {
		direction = record->kind == LTTTRACE_EVENT ? direction_of(record->event) : NEITHER;
		if (direction)
			err = take(ends, record, direction);
	}
	ltttrace_cursor_free(cursor);
	return err ? err : ret;
}

/* ---- Those that were sent before ---- */

/* By part, direction and connection; then by time. */
static int compare_connections(const void *one, const void *other)
{
	const struct end *a = one, *b = other;
	const struct ltttrace_part *p = a->passage.part, *q = b->passage.part;

	if (p != q)
		return (p > q) - (p < q);
	if (a->is_received != b->is_received)
		return a->is_received - b->is_received;
	if (a->header[PORTS] != b->header[PORTS])
		return (a->header[PORTS] > b->header[PORTS]) - (a->header[PORTS] < b->header[PORTS]);
	return (a->passage.clock > b->passage.clock) - (a->passage.clock < b->passage.clock);
}

static bool is_same_way(const struct end *one, const struct end *other)
{
	return one->passage.part == other->passage.part && one->is_received == other->is_received &&
	       one->header[PORTS] == other->header[PORTS];
}

static int32_t advance(const struct end *before, const struct end *end, int word)
{
	return be32toh(end->header[word]) - be32toh(before->header[word]);
}

/* An idle connection sends the same header again and again: a keepalive probe, which is one byte behind what was sent
 * before, and the answer to one.  A recording may have a later one only, and the other the receive of an earlier one. */
static void find_first(const struct ends *ends)
{
	struct end *end = ends->end;
	size_t i;

	for (i = 1; i < ends->nr; i++)
		end[i].is_first = is_same_way(&end[i - 1], &end[i]) &&
				  (advance(&end[i - 1], &end[i], ACKNOWLEDGED) > 0 ||
				   advance(&end[i - 1], &end[i], SEQUENCE) > 1);
}

/* ---- Matches ---- */

/* By header; the send first. */
static int compare(const void *one, const void *other)
{
	const struct end *a = one, *b = other;
	const int order = memcmp(a->header, b->header, sizeof(a->header));

	return order ? order : a->is_received - b->is_received;
}

static size_t nr_alike(const struct ends *ends, size_t from)
{
	size_t i = from + 1;

	while (i < ends->nr && !memcmp(ends->end[i].header, ends->end[from].header, sizeof(ends->end[i].header)))
		i++;
	return i - from;
}

static int match(const struct ends *ends, struct segments *segments)
{
	const struct end *end;
	size_t i, alike;

	segments->segment = calloc(ends->nr / 2 + 1, sizeof(*segments->segment));
	if (!segments->segment)
		return -ENOMEM;
	for (i = 0; i < ends->nr; i += alike) {
		alike = nr_alike(ends, i);
		end = &ends->end[i];
		if (alike == 2 && end[0].is_first && !end[0].is_received && end[1].is_received &&
		    end[0].passage.part != end[1].passage.part)
			segments->segment[segments->nr++] = (struct segment){ end[0].passage, end[1].passage };
	}
	return 0;
}

int segments_read(const struct ltttrace *trace, struct segments *segments)
{
	struct ends ends = { .nr = 0 };
	int err;

	*segments = (struct segments){ .nr = 0 };
	err = read_ends(trace, &ends);
	if (ends.nr) {
		qsort(ends.end, ends.nr, sizeof(*ends.end), compare_connections);
		find_first(&ends);
		qsort(ends.end, ends.nr, sizeof(*ends.end), compare);
	}
	err = err ? err : match(&ends, segments);
	free(ends.end);
	return err;
}

void segments_free(struct segments *segments)
{
	free(segments->segment);
	segments->segment = NULL;
}
