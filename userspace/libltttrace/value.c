// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The values of fields.
 *
 * Layer: libltttrace.
 */
#include "internal.h"

#include <string.h>

static struct ltttrace_value load(enum ltttrace_kind kind, unsigned int bits, const unsigned char *data)
{
	struct ltttrace_value value = { 0 };
	float single;

	switch (kind) {
	case LTTTRACE_UNSIGNED:
		value.u = load_unsigned(data, bits / 8);
		break;
	case LTTTRACE_SIGNED:
		value.u = load_unsigned(data, bits / 8) << (64 - bits);
		value.s >>= 64 - bits;
		break;
	case LTTTRACE_FLOAT:
		if (bits == 64) {
			memcpy(&value.f, data, sizeof(value.f));
		} else {
			memcpy(&single, data, sizeof(single));
			value.f = single;
		}
		break;
	default:
		break;
	}
	return value;
}

struct ltttrace_value ltttrace_value(const struct ltttrace_record *record, unsigned int index)
{
	const struct ltttrace_field *field = &record->event->fields[index];
	const unsigned char *data = plan_field((const struct event *)record->event, record->data, index);
	struct ltttrace_value value = { 0 };

	switch (field->kind) {
	case LTTTRACE_STRING:
		value.text = (const char *)data;
		value.size = strlen(value.text);
		return value;
	case LTTTRACE_ARRAY:
		value.length = field->length;
		break;
	case LTTTRACE_SEQUENCE:
		value.length = load_unsigned(data - field[-1].bits / 8, field[-1].bits / 8);
		break;
	default:
		return load(field->kind, field->bits, data);
	}
	value.elements = data;
	if (field->is_text) {
		value.text = (const char *)data;
		value.size = strnlen(value.text, value.length);
	}
	return value;
}

struct ltttrace_value ltttrace_element(const struct ltttrace_field *field, const struct ltttrace_value *value,
				       size_t index)
{
	return load(field->element, field->bits, (const unsigned char *)value->elements + index * (field->bits / 8));
}

int64_t ltttrace_integer(const struct ltttrace_record *record, int index)
{
	const struct ltttrace_field *field;

	if (index < 0)
		return 0;
	field = &record->event->fields[index];
	if (field->kind != LTTTRACE_UNSIGNED && field->kind != LTTTRACE_SIGNED)
		return 0;
	return load(field->kind, field->bits,
		    plan_field((const struct event *)record->event, record->data, index)).s;
}

const char *ltttrace_label(const struct ltttrace_field *field, uint64_t value)
{
	const bool is_signed = field->element == LTTTRACE_SIGNED;
	const struct ltttrace_label *label = field->labels;
	size_t i;

	for (i = 0; i < field->nr_labels; i++, label++)
		if (is_signed ? (int64_t)label->first <= (int64_t)value && (int64_t)value <= (int64_t)label->last :
				label->first <= value && value <= label->last)
			return label->name;
	return NULL;
}

static int find_field(const struct ltttrace_event *event, const char *name, unsigned int first, unsigned int end)
{
	for (; first < end; first++)
		if (!strcmp(event->fields[first].name, name))
			return first;
	return -1;
}

int ltttrace_payload_field(const struct ltttrace_event *event, const char *name)
{
	return find_field(event, name, event->payload, event->nr_fields);
}

int ltttrace_context_field(const struct ltttrace_event *event, const char *name)
{
	return find_field(event, name, 0, event->payload);
}
