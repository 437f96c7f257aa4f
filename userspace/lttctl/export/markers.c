// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Pair the begins and ends of slices; markers.h has the interface.
 *
 * Layer: lttctl export.
 */
#include "markers.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS 1024

/* The open slices of a thread, the innermost last. */
struct stack {
	struct slice *slices;
	size_t nr;
	size_t room;
};

struct markers {
	const struct ltttrace *trace;
	struct marker **of;		/* by the number of the event class */
	size_t nr_of;
	char **names;
	unsigned int nr_names;
	struct stack *stacks;
	size_t nr_stacks;
	struct slice *open[BUCKETS];	/* async slices, the newest first */
	uint64_t *losses;		/* by the number of the part */
	size_t nr_losses;
	uint64_t all_losses;
};

static const struct {
	const char *end;
	enum marker_kind kind;
	const char *field;
} kinds[] = {
	{ ".begin", MARKER_BEGIN, NULL },
	{ ".end", MARKER_END, NULL },
	{ ".async_begin", MARKER_ASYNC_BEGIN, "id" },
	{ ".async_end", MARKER_ASYNC_END, "id" },
	{ ".flow_begin", MARKER_FLOW_BEGIN, "id" },
	{ ".flow_step", MARKER_FLOW_STEP, "id" },
	{ ".flow_end", MARKER_FLOW_END, "id" },
	{ ".counter", MARKER_COUNTER, "value" },
};

struct markers *markers_new(const struct ltttrace *trace)
{
	struct markers *markers = calloc(1, sizeof(*markers));

	if (markers)
		markers->trace = trace;
	return markers;
}

void markers_free(struct markers *markers)
{
	struct slice *slice;
	size_t i;

	if (!markers)
		return;
	for (i = 0; i < BUCKETS; i++)
		while ((slice = markers->open[i])) {
			markers->open[i] = slice->next;
			free(slice);
		}
	for (i = 0; i < markers->nr_stacks; i++)
		free(markers->stacks[i].slices);
	for (i = 0; i < markers->nr_of; i++)
		free(markers->of[i]);
	for (i = 0; i < markers->nr_names; i++)
		free(markers->names[i]);
	free(markers->names);
	free(markers->of);
	free(markers->stacks);
	free(markers->losses);
	free(markers);
}

/* Make an array long enough for an index.  Return: false if memory is out. */
static bool reach(void *array, size_t *nr, size_t index, size_t size)
{
	void **pointer = array;
	size_t more = index + index / 2 + 16;
	char *larger;

	if (index < *nr)
		return true;
	larger = reallocarray(*pointer, more, size);
	if (!larger)
		return false;
	memset(larger + *nr * size, 0, (more - *nr) * size);
	*pointer = larger;
	*nr = more;
	return true;
}

/* --- Classes ---------------------------------------------------------------- */

static bool set_name(struct markers *markers, struct marker *marker, const char *name, size_t len)
{
	char **names;
	unsigned int i;

	for (i = 0; i < markers->nr_names; i++)
		if (!strncmp(markers->names[i], name, len) && !markers->names[i][len])
			break;
	if (i == markers->nr_names) {
		names = reallocarray(markers->names, i + 1, sizeof(*names));
		if (!names)
			return false;
		markers->names = names;
		names[i] = strndup(name, len);
		if (!names[i])
			return false;
		markers->nr_names++;
	}
	marker->name = markers->names[i];
	marker->number = i + 1;
	return true;
}

static struct marker *classify(struct markers *markers, const struct ltttrace_event *event)
{
	struct marker *marker = calloc(1, sizeof(*marker));
	size_t len = strlen(event->name), end, i;

	if (!marker)
		return NULL;
	marker->field = -1;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && strchr(event->name, ':'); i++) {
		end = strlen(kinds[i].end);
		if (len <= end || strcmp(event->name + len - end, kinds[i].end))
			continue;
		if (kinds[i].field)
			marker->field = ltttrace_payload_field(event, kinds[i].field);
		/* Without its field it is an event like others. */
		if (kinds[i].field && (marker->field < 0 || event->fields[marker->field].kind > LTTTRACE_FLOAT))
			break;
		marker->kind = kinds[i].kind;
		len -= end;
		break;
	}
	if (set_name(markers, marker, event->name, len))
		return marker;
	free(marker);
	return NULL;
}

const struct marker *markers_of(struct markers *markers, const struct ltttrace_event *event)
{
	if (!reach(&markers->of, &markers->nr_of, event->number, sizeof(*markers->of)))
		return NULL;
	if (!markers->of[event->number])
		markers->of[event->number] = classify(markers, event);
	return markers->of[event->number];
}

unsigned int markers_nr_names(const struct markers *markers)
{
	return markers->nr_names;
}

/* --- Losses ------------------------------------------------------------------- */

void markers_lose(struct markers *markers, const struct ltttrace_part *part)
{
	if (reach(&markers->losses, &markers->nr_losses, part->number, sizeof(*markers->losses)))
		markers->losses[part->number]++;
	markers->all_losses++;
}

static uint64_t losses_of(const struct markers *markers, const struct ltttrace_part *part)
{
	return part->number < markers->nr_losses ? markers->losses[part->number] : 0;
}

/* --- Slices of threads --------------------------------------------------------- */

bool markers_begin(struct markers *markers, size_t thread, const struct ltttrace_record *record)
{
	const struct marker *marker = markers_of(markers, record->event);
	struct stack *stack;

	if (!marker || !reach(&markers->stacks, &markers->nr_stacks, thread, sizeof(*markers->stacks)))
		return false;
	stack = &markers->stacks[thread];
	if (!reach(&stack->slices, &stack->room, stack->nr, sizeof(*stack->slices)))
		return false;
	stack->slices[stack->nr++] = (struct slice){
		.marker = marker, .part = record->event->part, .losses = losses_of(markers, record->event->part),
	};
	return true;
}

size_t markers_end(struct markers *markers, size_t thread, const struct ltttrace_record *record, bool *is_sure)
{
	const struct marker *marker = markers_of(markers, record->event);
	struct stack *stack = thread < markers->nr_stacks ? &markers->stacks[thread] : NULL;
	size_t i, ended;

	for (i = stack && marker ? stack->nr : 0; i > 0; i--) {
		if (stack->slices[i - 1].marker->number != marker->number)
			continue;
		*is_sure = stack->slices[i - 1].losses == losses_of(markers, record->event->part);
		ended = stack->nr - (i - 1);
		stack->nr = i - 1;
		return ended;
	}
	return 0;
}

/* --- Async slices ---------------------------------------------------------------- */

static struct slice **bucket(struct markers *markers, unsigned int number, int64_t id)
{
	return &markers->open[((uint64_t)id * 0x9e3779b97f4a7c15u >> 32 ^ number) % BUCKETS];
}

struct slice *markers_async_begin(struct markers *markers, const struct ltttrace_record *record)
{
	const struct marker *marker = markers_of(markers, record->event);
	struct slice *slice = calloc(1, sizeof(*slice)), **list;

	if (!slice || !marker) {
		free(slice);
		return NULL;
	}
	slice->marker = marker;
	slice->part = record->event->part;
	slice->losses = markers->all_losses;
	slice->id = ltttrace_integer(record, marker->field);
	list = bucket(markers, marker->number, slice->id);
	slice->next = *list;
	*list = slice;
	return slice;
}

struct slice *markers_async_end(struct markers *markers, const struct ltttrace_record *record, bool *is_sure)
{
	const struct marker *marker = markers_of(markers, record->event);
	const int64_t id = marker ? ltttrace_integer(record, marker->field) : 0;
	struct slice **list, *slice;

	if (!marker)
		return NULL;
	for (list = bucket(markers, marker->number, id); (slice = *list); list = &slice->next) {
		if (slice->marker->number != marker->number || slice->id != id)
			continue;
		*list = slice->next;
		*is_sure = slice->losses == markers->all_losses;
		return slice;
	}
	return NULL;
}
