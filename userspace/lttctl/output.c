// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Numbers, names and statistics as text and as JSON.
 *
 * Layer: lttctl.
 */
#include "command.h"
#include "common/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct json_object *json_any_text(const char *text)
{
	size_t left = strlen(text), size, valid;
	struct json_object *object = NULL;
	char *utf8 = NULL;
	FILE *to = open_memstream(&utf8, &size);

	while (to && left) {
		valid = utf8_valid(text, left);
		fwrite(text, 1, valid, to);
		text += valid;
		left -= valid;
		if (left) {
			fputs(UTF8_REPLACEMENT, to);
			text++;
			left--;
		}
	}
	if (to && !fclose(to))
		object = json_object_new_string_len(utf8, size);
	free(utf8);
	return object;
}

const char *with_commas(uint64_t value, char buf[32])
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%llu",
			   (unsigned long long)value);
	int i, at = 0;

	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			buf[at++] = ',';
		buf[at++] = digits[i];
	}
	buf[at] = '\0';
	return buf;
}

const char *as_bytes(uint64_t value, char buf[32])
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	double scaled = value;
	int unit = 0;

	while (scaled >= 999.95 && unit < 4) {
		scaled /= 1000;
		unit++;
	}
	snprintf(buf, 32, unit ? "%.1f %s" : "%.0f %s", scaled, units[unit]);
	return buf;
}

const char *errno_name(int error)
{
	return strerrorname_np(error) ?: "unknown";
}

void make_printable(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

void print_json(struct json_object *object)
{
	puts(json_object_to_json_string_ext(object,
					    JSON_C_TO_STRING_PRETTY |
					    JSON_C_TO_STRING_SPACED |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}

struct json_object *json_counts(const struct lttctl_counts *counts)
{
	const struct {
		const char *name;
		uint64_t value;
	} members[] = {
		{ "emitted", counts->emitted },
		{ "stored", counts->stored },
		{ "refused", counts->refused },
		{ "overwritten", counts->overwritten },
		{ "filtered", counts->filtered },
		{ "unjudged", counts->unjudged },
		{ "bytes", counts->bytes },
		{ "full", counts->full },
		{ "big", counts->big },
		{ "nested", counts->nested },
		{ "missed", counts->missed },
		{ "unread", counts->unread },
	};
	struct json_object *object = json_object_new_object();
	size_t i;

	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		json_object_object_add(object, members[i].name,
				       json_object_new_uint64(members[i].value));
	return object;
}

struct json_object *json_refused(const struct lttctl_stats *stats)
{
	struct json_object *list = json_object_new_array(), *object;
	const struct lttctl_counts *counts;
	size_t i;

	for (i = 0; i < stats->nr_events; i++) {
		counts = &stats->events[i].counts;
		object = json_object_new_object();
		json_object_object_add(object, "name",
				       json_object_new_string(stats->events[i].name));
		json_object_object_add(object, "refused",
				       json_object_new_uint64(counts->refused));
		json_object_object_add(object, "full",
				       json_object_new_uint64(counts->full));
		json_object_object_add(object, "big",
				       json_object_new_uint64(counts->big));
		json_object_object_add(object, "nested",
				       json_object_new_uint64(counts->nested));
		json_object_object_add(object, "missed",
				       json_object_new_uint64(counts->missed));
		json_object_array_add(list, object);
	}
	return list;
}

void add_counts(struct lttctl_counts *sum, const struct lttctl_counts *more)
{
	sum->emitted += more->emitted;
	sum->stored += more->stored;
	sum->refused += more->refused;
	sum->overwritten += more->overwritten;
	sum->filtered += more->filtered;
	sum->unjudged += more->unjudged;
	sum->bytes += more->bytes;
	sum->full += more->full;
	sum->unread += more->unread;
	sum->big += more->big;
	sum->nested += more->nested;
	sum->missed += more->missed;
}

/* The lines of a channel are adjacent. */
bool channel_stats(const struct lttctl_stats *stats, unsigned int n,
		   const char **name, struct lttctl_counts *sum)
{
	const struct lttctl_buffer_stats *buffer;
	const char *last = "";
	unsigned int seen = 0;
	size_t i;

	memset(sum, 0, sizeof(*sum));
	for (i = 0; i < stats->nr_buffers; i++) {
		buffer = &stats->buffers[i];
		if (strcmp(buffer->channel, last))
			seen++;
		last = buffer->channel;
		if (seen == n + 1) {
			*name = last;
			add_counts(sum, &buffer->counts);
		}
	}
	return seen > n;
}
