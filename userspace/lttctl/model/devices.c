// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The names of block devices: see devices.h.
 *
 * Layer: lttctl model.
 */
#include "devices.h"

#include "dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MINOR_BITS	20

struct device {
	uint32_t dev;
	char name[DEVICE_TEXT];
};

struct devices {
	struct device *devices;
	size_t nr;
};

/* The first name stays: a later state may have another device of this number. */
static int add(struct devices *devices, const struct ltttrace_record *record)
{
	const uint32_t dev = ltttrace_integer(record, ltttrace_payload_field(record->event, "dev"));
	struct device *more;
	size_t i;

	for (i = 0; i < devices->nr; i++)
		if (devices->devices[i].dev == dev)
			return 0;
	more = reallocarray(devices->devices, devices->nr + 1, sizeof(*more));
	if (!more)
		return -1;
	devices->devices = more;
	more[devices->nr].dev = dev;
	record_text(record, ltttrace_payload_field(record->event, "name"), more[devices->nr].name, DEVICE_TEXT);
	devices->nr++;
	return 0;
}

static bool is_state(const struct ltttrace_stream *stream, void *data)
{
	(void)data;
	return stream->part->is_state;
}

struct devices *devices_new(const struct ltttrace *trace)
{
	struct devices *devices = calloc(1, sizeof(*devices));
	const struct ltttrace_record *record;
	struct ltttrace_cursor *cursor;
	int err = 0;

	if (!devices || ltttrace_merge(trace, is_state, NULL, &cursor)) {
		free(devices);
		return NULL;
	}
	while (!err && ltttrace_next(cursor, &record) > 0)
		if (record->kind == LTTTRACE_EVENT && !strcmp(record->event->name, "state:block_device"))
			err = add(devices, record);
	ltttrace_cursor_free(cursor);
	if (!err)
		return devices;
	devices_free(devices);
	return NULL;
}

void devices_free(struct devices *devices)
{
	if (!devices)
		return;
	free(devices->devices);
	free(devices);
}

const char *device_text(const struct devices *devices, uint32_t dev, char text[DEVICE_TEXT])
{
	size_t i;

	for (i = 0; i < devices->nr; i++)
		if (devices->devices[i].dev == dev && devices->devices[i].name[0])
			return devices->devices[i].name;
	snprintf(text, DEVICE_TEXT, "%u,%u", dev >> MINOR_BITS, dev & ((1u << MINOR_BITS) - 1));
	return text;
}
