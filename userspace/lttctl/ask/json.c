// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * An answer as JSON: one object in one line.
 *
 * Layer: lttctl.
 */
#include "ask.h"

#include <stdio.h>

#include "lttctl/view/kernel-symbols.h"

static struct json_object *number(const struct answer *answer, uint64_t value)
{
	return question_is_signed(answer->question) ? json_object_new_int64(value) : json_object_new_uint64(value);
}

static struct json_object *json_stack(const uint64_t *addresses)
{
	struct json_object *list = json_object_new_array();
	const char *name, *module;
	uint64_t offset;
	char text[256];

	for (addresses = stack_begin(addresses); *addresses; addresses++) {
		name = kernel_symbols_find(*addresses, &module, &offset);
		if (name)
			snprintf(text, sizeof(text), "%s+0x%llx", name, (unsigned long long)offset);
		else
			snprintf(text, sizeof(text), "0x%llx", (unsigned long long)*addresses);
		json_object_array_add(list, json_object_new_string(text));
	}
	return list;
}

static struct json_object *json_key(const struct answer *answer, unsigned int key, const struct question_key *part)
{
	switch (question_key_type(answer->question, key)) {
	case QUESTION_STRING:
		return json_any_text(part->text);
	case QUESTION_STACK:
		return json_stack(part->addresses);
	case QUESTION_SIGNED:
		return json_object_new_int64(part->number);
	default:
		return json_object_new_uint64(part->number);
	}
}

static struct json_object *json_buckets(const struct answer *answer, const struct question_row *row)
{
	struct json_object *list = json_object_new_array(), *bucket;
	struct bucket_limits limits;
	unsigned int i;

	for (i = 0; i < question_nr_buckets(answer->question); i++) {
		if (!row->buckets[i])
			continue;
		limits = question_limits(answer->question, i);
		bucket = json_object_new_object();
		if (limits.has_from)
			json_object_object_add(bucket, "from", number(answer, limits.from));
		if (limits.has_to)
			json_object_object_add(bucket, "to", number(answer, limits.to));
		json_object_object_add(bucket, "count", json_object_new_uint64(row->buckets[i]));
		json_object_array_add(list, bucket);
	}
	return list;
}

static struct json_object *json_row(const struct answer *answer, const struct question_row *row)
{
	struct json_object *object = json_object_new_object(), *keys = json_object_new_object();
	unsigned int key;

	if (answer->options->kind != QUESTION_LATENCY)
		json_object_object_add(object, "event", json_object_new_string(answer->events->events[row->event].name));
	for (key = 0; key < answer->options->nr_keys; key++)
		json_object_object_add(keys, answer->options->keys[key], json_key(answer, key, &row->keys[key]));
	json_object_object_add(object, "keys", keys);
	json_object_object_add(object, "count", json_object_new_uint64(row->count));
	if (answer->options->kind == QUESTION_COUNT)
		return object;
	json_object_object_add(object, "sum", number(answer, row->sum));
	if (!answer->is_interval) {
		json_object_object_add(object, "min", number(answer, row->min));
		json_object_object_add(object, "max", number(answer, row->max));
	}
	json_object_object_add(object, "buckets", json_buckets(answer, row));
	return object;
}

void answer_print_json(const struct answer *answer, unsigned int top)
{
	struct json_object *object = json_object_new_object(), *rows = json_object_new_array();
	size_t i;

	json_object_object_add(object, "seconds", json_object_new_double(answer->seconds));
	for (i = 0; i < answer->rows.nr && (!top || i < top) && answer->rows.rows[i].count; i++)
		json_object_array_add(rows, json_row(answer, &answer->rows.rows[i]));
	json_object_object_add(object, "rows", rows);
	json_object_object_add(object, "missed", json_object_new_uint64(answer->rows.missed));
	if (answer->options->kind == QUESTION_LATENCY)
		json_object_object_add(object, "unmatched", json_object_new_uint64(answer->rows.unmatched));
	json_object_object_add(object, "stacks_missed", json_object_new_uint64(answer->rows.stacks_missed));
	json_object_object_add(object, "unjudged", json_object_new_uint64(answer->unjudged));
	json_object_object_add(object, "big", json_object_new_uint64(answer->big));
	json_object_object_add(object, "emitted", json_object_new_uint64(answer->emitted));
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}
