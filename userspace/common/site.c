// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Sites: a program's message about one, and the checks of its marker.
 *
 * Layer: common.
 */
#include "site.h"

#include <string.h>

#include "core/name.h"
#include "protocol.h"

/* Split the NUL-terminated texts at the end of the message.  Return: true if there are @nr. */
static bool split_texts(const char *at, const char *end, const char *text[], unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		text[i] = at;
		at = at < end ? memchr(at, '\0', end - at) : NULL;
		if (!at)
			return false;
		at++;
	}
	return true;
}

bool site_arg(uint32_t arg, struct ltt_mark_arg *to)
{
	uint32_t bytes = arg >> 8 & 0xff;

	*to = (struct ltt_mark_arg){ arg & 0xff, bytes, arg >> 16 & 1, arg >> 24 };
	return to->type < LTT_MARK_NR_TYPES && to->element < LTT_MARK_NR_TYPES &&
	       (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
}

const char *marker_fields(const struct marker *marker, struct ltt_mark_fields *fields)
{
	const char *where;

	if (!ltt_name_valid(marker->group) || !ltt_name_valid(marker->name))
		return "group and name are 1 to 63 characters of A-Z a-z 0-9 _ . -, the first not a dot";
	if (!strcmp(marker->group, LTT_PROGRAM_OWN_GROUP))
		return "the group " LTT_PROGRAM_OWN_GROUP " is for the events of lttd";
	return ltt_mark_parse(marker->format, marker->args, marker->nr_args, fields, &where);
}

bool site_parse(const void *data, size_t size, struct site *site)
{
	const struct ltt_program_site *message = data;
	const char *text[4];	/* group, name, format, file */
	unsigned int i;

	if (size < sizeof(*message) || message->nr_args > LTT_MARK_MAX_ARGS ||
	    !split_texts(message->text, (const char *)message + size, text, 4))
		return false;
	*site = (struct site){
		.number = message->number,
		.marker = { .group = text[0], .name = text[1], .format = text[2],
			    .nr_args = message->nr_args },
		.file = text[3],
		.line = message->line,
		.recorded = message->recorded,
	};
	for (i = 0; i < message->nr_args; i++)
		if (!site_arg(message->args[i], &site->marker.args[i]))
			return false;
	return true;
}
