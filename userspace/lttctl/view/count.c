// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Count the events of a recording whose lttd did not report a number.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "view.h"

#include <string.h>

struct counts {
	uint64_t events;
	uint64_t lost;
};

static bool is_state(const bt_message *message)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	char channel[LTTCTL_NAME_SIZE];

	return !lttctl_buffer_channel(stream_name(bt_event_borrow_stream_const(event)), channel) &&
	       !strcmp(channel, "state");
}

static void count_message(const bt_message *message, void *data)
{
	struct counts *counts = data;
	uint64_t lost;

	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		counts->events += !is_state(message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		if (bt_message_discarded_events_get_count(message, &lost) ==
		    BT_PROPERTY_AVAILABILITY_AVAILABLE)
			counts->lost += lost;
		break;
	default:
		break;
	}
}

static bt_graph_simple_sink_component_consume_func_status
count_messages(bt_message_iterator *iterator, void *data)
{
	return consume_messages(iterator, count_message, data);
}

int count_events(const char *dir, uint64_t *events, uint64_t *lost)
{
	struct counts counts = { 0 };
	int status = graph_run((const char *[]){ dir, NULL }, false, count_messages, &counts);

	*events = counts.events;
	*lost = counts.lost;
	return status;
}
