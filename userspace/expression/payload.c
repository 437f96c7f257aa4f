// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Evaluates bound expressions on packed payloads.
 */
#include "expression.h"
#include "tree.h"

#include <errno.h>
#include <string.h>

/**
 * struct payload - a payload that is read
 * @scope: its fields
 * @bytes: the payload
 * @size: number of @bytes
 * @contexts: the values of the contexts
 * @is_cut: a field that was read is not whole
 */
struct payload {
	const struct expression_scope *scope;
	const char *bytes;
	size_t size;
	const struct expression_value *contexts;
	bool is_cut;
};

static uint64_t load_integer(const struct ltt_field *field, const char *from)
{
	const unsigned int unused = 64 - 8 * field->size;
	uint64_t value = 0;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	memcpy(&value, from, field->size);
#else
	memcpy((char *)&value + sizeof(value) - field->size, from, field->size);
#endif
	if (field->is_signed)
		value = (int64_t)(value << unused) >> unused;
	return value;
}

/* Return: bytes of a field at @from, of which there are @room; SIZE_MAX if it is not whole. */
static size_t size_of(const struct ltt_field *field, const char *from, size_t room)
{
	size_t size = field->size;
	uint16_t count;

	switch (field->kind) {
	case LTT_FIELD_STRING:
		size = strnlen(from, room) + 1;
		break;
	case LTT_FIELD_TEXT:
	case LTT_FIELD_ARRAY:
		size = (size_t)field->count * field->size;
		break;
	case LTT_FIELD_SEQUENCE:
		if (room < sizeof(count))
			return SIZE_MAX;
		memcpy(&count, from, sizeof(count));
		size = sizeof(count) + (size_t)count * field->size;
		break;
	}
	return size <= room ? size : SIZE_MAX;
}

static struct expression_value get(const struct ltt_field *wanted, void *data)
{
	static const struct expression_value none = { .text = "" };
	struct payload *payload = data;
	const struct ltt_field *field = payload->scope->fields;
	const struct ltt_field *end = field + payload->scope->nr_fields;
	size_t at = 0, size;

	if (wanted < field || wanted >= end)
		return payload->contexts[wanted - payload->scope->contexts];
	for (; field < end; field++, at += size) {
		size = size_of(field, payload->bytes + at, payload->size - at);
		if (size == SIZE_MAX)
			break;
		if (field != wanted)
			continue;
		if (is_text(field))
			return (struct expression_value){ .text = payload->bytes + at, .size = size };
		return (struct expression_value){ .number = load_integer(field, payload->bytes + at) };
	}
	payload->is_cut = true;
	return none;
}

int expression_holds_payload(const struct expression_bound *bound, const void *payload, size_t size,
			     const struct expression_value *contexts)
{
	struct payload from = { .scope = &bound->scope, .bytes = payload, .size = size, .contexts = contexts };
	const bool holds = expression_holds(bound, get, &from);

	return from.is_cut ? -EINVAL : holds;
}
