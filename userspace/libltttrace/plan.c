// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Where each field of an event is.
 *
 * Layer: libltttrace.  A plan is made once for each class: the fields of variable size are its steps, and all others have a
 * constant place after the last step before them.  So a record of fixed size takes one comparison, and a field of any record
 * as many steps as there are strings and sequences before it.
 */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIXED_MAX (1U << 28)

uint64_t load_unsigned(const unsigned char *data, unsigned int bytes)
{
	uint16_t u16;
	uint32_t u32;
	uint64_t u64;

	switch (bytes) {
	case 1:
		return *data;
	case 2:
		memcpy(&u16, data, 2);
		return u16;
	case 3:
		memcpy(&u16, data, 2);
		return u16 | (uint64_t)data[2] << 16;
	case 4:
		memcpy(&u32, data, 4);
		return u32;
	default:
		memcpy(&u64, data, 8);
		return u64;
	}
}

/* Return: the bytes of a field of fixed size. */
static uint64_t fixed_size(const struct ltttrace_field *field)
{
	return (uint64_t)(field->bits / 8) * (field->kind == LTTTRACE_ARRAY ? field->length : 1);
}

int plan_make(struct event *event)
{
	const struct ltttrace_field *field = event->public.fields;
	const unsigned int nr = event->public.nr_fields;
	uint64_t fixed = 0;
	unsigned int i;

	event->place = calloc(nr + 1, sizeof(*event->place));
	event->step = calloc(nr + 1, sizeof(*event->step));
	if (!event->place || !event->step)
		return -ENOMEM;
	for (i = 0; i < nr; i++, field++) {
		event->place[i] = (struct place){ .steps = event->steps, .offset = fixed };
		if (field->kind == LTTTRACE_STRING || field->kind == LTTTRACE_SEQUENCE) {
			event->step[event->steps++] = (struct step){
				.fixed = fixed, .element = field->bits / 8,
				.length = field->kind == LTTTRACE_SEQUENCE ? field[-1].bits / 8 : 0,
			};
			fixed = 0;
			continue;
		}
		fixed += fixed_size(field);
		if (fixed > FIXED_MAX)
			return -EMSGSIZE;
	}
	event->rest = fixed;
	return 0;
}

/* Return: the bytes of a field of variable size at @data; more than @room if it does not end within @room. */
static size_t step_size(const struct step *step, const unsigned char *data, size_t room)
{
	const unsigned char *nul;
	uint64_t length;

	if (!step->element) {
		nul = memchr(data, 0, room);
		return nul ? (size_t)(nul - data) + 1 : room + 1;
	}
	length = load_unsigned(data - step->length, step->length);
	return length > room / step->element ? room + 1 : length * step->element;
}

size_t plan_size(const struct event *event, const unsigned char *data, size_t room)
{
	size_t at = 0;
	uint32_t i;

	for (i = 0; i < event->steps; i++) {
		at += event->step[i].fixed;
		if (at > room)
			return at;
		at += step_size(&event->step[i], data + at, room - at);
		if (at > room)
			return at;
	}
	return at + event->rest;
}

const unsigned char *plan_field(const struct event *event, const unsigned char *data, unsigned int field)
{
	const struct place *place = &event->place[field];
	const struct step *step = event->step, *end = step + place->steps;

	/* plan_size() has found the end of each. */
	for (; step < end; step++) {
		data += step->fixed;
		if (step->element)
			data += load_unsigned(data - step->length, step->length) * step->element;
		else
			data += strlen((const char *)data) + 1;
	}
	return data + place->offset;
}
