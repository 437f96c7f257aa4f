// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Fields of the payload by name.
 *
 * Layer: lttctl view.
 */
#include "payload.h"

#include <string.h>

bool payload_integer(const struct ltttrace_record *record, const char *name, int64_t *value)
{
	const int field = ltttrace_payload_field(record->event, name);

	if (field < 0 || record->event->fields[field].kind > LTTTRACE_SIGNED)
		return false;
	*value = ltttrace_integer(record, field);
	return true;
}

char *payload_text(const struct ltttrace_record *record, const char *name)
{
	const int field = ltttrace_payload_field(record->event, name);
	struct ltttrace_value value;

	if (field < 0 || (record->event->fields[field].kind != LTTTRACE_STRING && !record->event->fields[field].is_text))
		return NULL;
	value = ltttrace_value(record, field);
	return strndup(value.text, value.size);
}
