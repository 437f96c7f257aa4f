// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The recordings of this user beside the traces of debugfs, as metrics: private ones, and those of programs.
 *
 * Layer: ltt-exporter.  They describe themselves, as for lttctl status.
 */
#include "collect.h"
#include "lttctl/programs/recordings.h"
#include "lttctl/record/announce.h"

#include <stdio.h>

static uint64_t number_of(struct json_object *object, const char *member)
{
	return json_object_get_uint64(json_object_object_get(object, member));
}

/* Return: a text of @object, "" without. */
static const char *text_of(struct json_object *object, const char *member)
{
	return json_object_get_string(json_object_object_get(object, member)) ?: "";
}

static void add_channel(struct metrics *metrics, const struct labels *labels, struct json_object *channel)
{
	const struct labels with = labels_with(*labels, "channel", text_of(channel, "name"));
	const struct lttctl_counts counts = {
		.stored = number_of(channel, "stored"),
		.overwritten = number_of(channel, "overwritten"),
		.filtered = number_of(channel, "filtered"),
		.bytes = number_of(channel, "bytes"),
		.full = number_of(channel, "full"),
		.big = number_of(channel, "big"),
		.nested = number_of(channel, "nested"),
		.unread = number_of(channel, "unread"),
	};

	collect_counts(metrics, &with, &counts, number_of(channel, "size"));
}

static void add_user(struct metrics *metrics, const struct labels *labels, struct json_object *user)
{
	const struct labels with = labels_with(*labels, "user", text_of(user, "uid"));

	metrics_value(metrics, "ltt_programs", METRIC_GAUGE, "Programs that are recorded.", &with, number_of(user, "programs"));
	metrics_value(metrics, "ltt_programs_events_stored", METRIC_COUNTER, "Events of programs that lttd has stored.", &with,
		      number_of(user, "stored"));
	metrics_value(metrics, "ltt_programs_events_lost", METRIC_COUNTER, "Events of programs that were lost.", &with,
		      number_of(user, "lost"));
	metrics_value(metrics, "ltt_programs_events_filtered", METRIC_COUNTER, "Events of programs that filters dropped.", &with,
		      number_of(user, "filtered"));
}

/* Add each member of a list by @add. */
static void add_each(struct metrics *metrics, const struct labels *labels, struct json_object *list,
		     void (*add)(struct metrics *metrics, const struct labels *labels, struct json_object *member))
{
	size_t i;

	for (i = 0; json_object_is_type(list, json_type_array) && i < json_object_array_length(list); i++)
		add(metrics, labels, json_object_array_get_idx(list, i));
}

static void add_recording(struct metrics *metrics, const struct labels *none, struct json_object *recording)
{
	const struct labels labels = labels_with(*none, "trace", text_of(recording, "name"));

	metrics_value(metrics, "ltt_trace_running", METRIC_GAUGE, "1 if the trace records.", &labels, 1);
	add_each(metrics, &labels, json_object_object_get(recording, "channels"), add_channel);
	add_each(metrics, &labels, json_object_object_get(recording, "users"), add_user);
	collect_lttd(metrics, &labels, number_of(recording, "lttd"));
}

void collect_recordings(struct metrics *metrics)
{
	struct json_object *list = json_object_new_array();
	const struct labels none = { .nr = 0 };
	unsigned int nr;

	announced_own(list);
	recordings_show(NULL, true, list, &nr);
	add_each(metrics, &none, list, add_recording);
	json_object_put(list);
}
