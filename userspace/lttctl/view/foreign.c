// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Traces of other tracers as lines, like those of line.c.
 *
 * Layer: lttctl view, on libbabeltrace2.
 */
#include "foreign.h"

#include "comm.h"
#include "lttctl/command.h"
#include "view.h"

#include <inttypes.h>

/* ---- Columns ---- */

static void put_time(struct view *view, const bt_message *message)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	const bt_stream_class *class = bt_stream_borrow_class_const(bt_event_borrow_stream_const(event));
	int64_t ns;

	if (bt_stream_class_borrow_default_clock_class_const(class) &&
	    !bt_clock_snapshot_get_ns_from_origin(bt_message_event_borrow_default_clock_snapshot_const(message), &ns))
		when_put(&view->when, &view->out, ns, 0);
	else
		out_text(&view->out, "--:--:--.---------");
}

/* A packet has the CPU; LTTng has threads and their names in contexts of these names. */
static void put_thread(struct out *out, const bt_event *event)
{
	const bt_packet *packet = bt_event_borrow_packet_const(event);
	const bt_field *context = bt_event_borrow_common_context_field_const(event);
	const bt_field *name = foreign_member(context, "procname");
	int64_t cpu = -1, tid;
	size_t before;

	if (packet)
		foreign_integer(foreign_member(bt_packet_borrow_context_field_const(packet), "cpu_id"), &cpu);
	if (cpu >= 0)
		out_printf(out, " [%03" PRId64 "] ", cpu);
	else
		out_text(out, " [---] ");
	if (foreign_integer(foreign_member(context, "tid"), &tid) || foreign_integer(foreign_member(context, "vtid"), &tid))
		out_right(out, tid, 6);
	else
		out_text(out, "     -");
	out_char(out, ' ');
	out_room(out, OUT_SHORT + 1024);
	before = out->len;
	if (name && bt_field_get_class_type(name) == BT_FIELD_CLASS_TYPE_STRING && bt_field_string_get_length(name))
		out_plain(out, bt_field_string_get_value(name), bt_field_string_get_length(name));
	else
		out_char(out, '-');
	while (out->len - before < COMM_WIDTH)
		out_char(out, ' ');
}

/* ---- Messages ---- */

static void put_event(struct view *view, const bt_message *message)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	const char *name = bt_event_class_get_name(bt_event_borrow_class_const(event));
	const bt_field *parts[] = {
		bt_event_borrow_payload_field_const(event), bt_event_borrow_common_context_field_const(event),
		bt_event_borrow_specific_context_field_const(event),
	};
	const char *between = " ";
	size_t i;

	put_time(view, message);
	put_thread(&view->out, event);
	out_char(&view->out, ' ');
	name = name ? name : "?";
	out_plain(&view->out, name, strlen(name));
	out_char(&view->out, ':');
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!parts[i] || !bt_field_class_structure_get_member_count(bt_field_borrow_class_const(parts[i])))
			continue;
		out_text(&view->out, between);
		foreign_put_members(&view->out, parts[i]);
		between = ", ";
	}
	out_char(&view->out, '\n');
}

/* End the line with the last component of the name of a data stream: the name of its file. */
static void put_stream(struct out *out, const bt_stream *stream)
{
	const char *name = bt_stream_get_name(stream), *slash = name ? strrchr(name, '/') : NULL;

	name = slash ? slash + 1 : name ? name : "a buffer";
	out_plain(out, name, strlen(name));
	out_char(out, '\n');
}

/* For losses before the end of the first packet babeltrace2 has no number. */
static void put_lost_events(struct out *out, const bt_message *message)
{
	uint64_t count;

	if (bt_message_discarded_events_get_count(message, &count) == BT_PROPERTY_AVAILABILITY_AVAILABLE)
		out_printf(out, "*** %" PRIu64 " events lost in ", count);
	else
		out_text(out, "*** events lost in ");
	put_stream(out, bt_message_discarded_events_borrow_stream_const(message));
}

static void put_lost_packets(struct out *out, const bt_message *message)
{
	uint64_t count = 0;

	bt_message_discarded_packets_get_count(message, &count);
	out_printf(out, "*** %" PRIu64 " packets overwritten in ", count);
	put_stream(out, bt_message_discarded_packets_borrow_stream_const(message));
}

static void put_message(struct view *view, const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		put_event(view, message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		put_lost_events(&view->out, message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		put_lost_packets(&view->out, message);
		break;
	default:
		break;
	}
}

static bt_graph_simple_sink_component_consume_func_status consume(bt_message_iterator *iterator, void *data)
{
	bt_message_iterator_next_status status;
	bt_message_array_const messages;
	struct view *view = data;
	uint64_t count, i;

	status = bt_message_iterator_next(iterator, &messages, &count);
	if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return (bt_graph_simple_sink_component_consume_func_status)status;
	for (i = 0; i < count; i++) {
		put_message(view, messages[i]);
		bt_message_put_ref(messages[i]);
	}
	return view->out.error ? BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END :
				 BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

int view_foreign(struct view *view)
{
	return graph_run(view->dirs, consume, view);
}
