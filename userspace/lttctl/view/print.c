// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Print one line for each event and for each loss:
 *
 *   15:04:05.123456789 [001]   1234 bash             sched_wakeup: comm="sh", …
 *   15:04:05.123456999 [001]   1234 app              app:load.end: bytes=4; duration 0.000333 ms
 *   *** 12 events lost in events_1
 *
 * Layer: lttctl view.
 */
#include "decode.h"
#include "slices.h"
#include "common/context.h"
#include "common/shm.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define NS_PER_SECOND INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)

/* Local time of day; localtime_r() once for each second of the trace. */
static void print_time(const bt_clock_snapshot *snapshot)
{
	static int64_t shown = -1;
	static char text[16];
	int64_t ns, second;
	struct tm tm;
	time_t when;

	if (bt_clock_snapshot_get_ns_from_origin(snapshot, &ns)) {
		fputs("--:--:--.---------", stdout);
		return;
	}
	second = ns / NS_PER_SECOND;
	if (second != shown) {
		when = second;
		strftime(text, sizeof(text), "%H:%M:%S", localtime_r(&when, &tm));
		shown = second;
	}
	printf("%s.%09" PRId64, text, ns % NS_PER_SECOND);
}

/* Return: nanoseconds; INT64_MIN if they do not fit. */
static int64_t time_of(const bt_message *message)
{
	int64_t ns;

	return bt_clock_snapshot_get_ns_from_origin(bt_message_event_borrow_default_clock_snapshot_const(message),
						    &ns) ? INT64_MIN : ns;
}

/* Performance counters of a program's thread.  Return: there are some, or @has_fields. */
static bool print_counters(const bt_field *context, bool has_fields)
{
	unsigned int i;
	int64_t value;

	for (i = 0; i < PERF_COUNTERS; i++) {
		if (!field_integer(context, context_counters[i].field, &value))
			continue;
		printf("%s%s=", has_fields ? ", " : " ", context_counters[i].field);
		if ((uint64_t)value == LTT_PERF_UNAVAILABLE)
			fputs("unavailable", stdout);
		else
			printf("%" PRIu64, (uint64_t)value);
		has_fields = true;
	}
	return has_fields;
}

/* The payload, and the context fields that are not in a column of their own.  Return: there was
 * something to print. */
static bool print_fields(const bt_field *payload, const bt_field *context, int64_t pid)
{
	bool has_fields = payload && bt_field_class_structure_get_member_count(bt_field_borrow_class_const(payload)) >
				     event_context_in_payload(payload);
	const bt_field *stack;

	if (payload) {
		putchar(' ');
		field_print(payload, pid);
	}
	if (!context)
		return has_fields;
	stack = bt_field_structure_borrow_member_field_by_name_const(context, "stack");
	if (stack) {
		fputs(has_fields ? ", stack=" : " stack=", stdout);
		field_print_stack(stack, pid);
		has_fields = true;
	}
	return print_counters(context, has_fields);
}

/* @between: stands before it, as there are fields.  @tid: NULL if it is not recorded. */
static void print_duration(const bt_message *message, const char *between, const int64_t *tid)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	int64_t ns = time_of(message), duration = 0;

	if (ns == INT64_MIN)
		return;
	switch (slices_event(event, ns, tid, &duration)) {
	case SLICE_DURATION:
		printf("%sduration %" PRId64 ".%06" PRId64 " ms", between, duration / NS_PER_MS,
		       duration % NS_PER_MS);
		break;
	case SLICE_UNKNOWN:
		printf("%sduration unknown", between);
		break;
	case SLICE_NO_END:
		break;
	}
}

static void print_event(const bt_message *message)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	const bt_field *context, *context_of_its_own, *payload;
	const char *name;
	int64_t cpu = -1, tid = -1, pid = -1, slices_of;
	char thread[24] = "-";
	bool has_tid, has_fields;

	comm_learn(event, LEARN_BEFORE);
	context = bt_packet_borrow_context_field_const(bt_event_borrow_packet_const(event));
	if (context)
		field_integer(context, "cpu_id", &cpu);
	context = bt_event_borrow_common_context_field_const(event);
	/* Events of programs may have no tid. */
	has_tid = context && field_integer(context, "tid", &tid);
	if (has_tid)
		snprintf(thread, sizeof(thread), "%" PRId64, tid);
	if (context)
		field_integer(context, "pid", &pid);
	context_of_its_own = bt_event_borrow_specific_context_field_const(event);
	if (context_of_its_own)
		field_integer(context_of_its_own, "pid", &pid);
	mapped_set_time(time_of(message));
	decode_set_event(event);
	print_time(bt_message_event_borrow_default_clock_snapshot_const(message));
	name = bt_event_class_get_name(bt_event_borrow_class_const(event));
	printf(" [%03" PRId64 "] %6s %-15s %s:", cpu, thread,
	       comm_of(tid, cpu), name ? name : "?");
	payload = bt_event_borrow_payload_field_const(event);
	syscall_begin(name);
	has_fields = print_fields(payload, context, pid);
	has_fields |= event_context_print(event, has_fields ? ", " : payload ? "" : " ");
	/* Each CPU has a thread 0 of its own. */
	slices_of = tid ? tid : -1 - cpu;
	print_duration(message, has_fields ? "; " : "", has_tid ? &slices_of : NULL);
	putchar('\n');
	comm_learn(event, LEARN_AFTER);
}

/* The last component of the name of a data stream is the name of its file. */
const char *stream_name(const bt_stream *stream)
{
	const char *name = bt_stream_get_name(stream);
	const char *slash = name ? strrchr(name, '/') : NULL;

	return slash ? slash + 1 : name ? name : "a buffer";
}

/* For losses before the end of the first packet babeltrace2 has no number. */
static void print_lost_events(const bt_message *message)
{
	const char *name = stream_name(bt_message_discarded_events_borrow_stream_const(message));
	uint64_t count;

	if (bt_message_discarded_events_get_count(message, &count) == BT_PROPERTY_AVAILABILITY_AVAILABLE)
		printf("*** %" PRIu64 " events lost in %s\n", count, name);
	else
		printf("*** events lost in %s\n", name);
}

static void print_lost_packets(const bt_message *message)
{
	uint64_t count = 0;

	bt_message_discarded_packets_get_count(message, &count);
	printf("*** %" PRIu64 " packets overwritten in %s\n", count,
	       stream_name(bt_message_discarded_packets_borrow_stream_const(message)));
}

static void print_message(const bt_message *message, void *unused)
{
	(void)unused;
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		print_event(message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		print_lost_events(message);
		slices_lost(message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		print_lost_packets(message);
		slices_lost(message);
		break;
	default:
		break;
	}
}

static void learn_message(const bt_message *message, void *unused)
{
	const bt_field *context;
	const bt_event *event;
	int64_t pid;

	(void)unused;
	if (bt_message_get_type(message) != BT_MESSAGE_TYPE_EVENT)
		return;
	event = bt_message_event_borrow_event_const(message);
	comm_learn(event, LEARN_FIRST);
	decode_learn(event);
	context = bt_event_borrow_common_context_field_const(event);
	if (context && field_integer(context, "pid", &pid))
		mapped_learn(event, pid, time_of(message));
}

bt_graph_simple_sink_component_consume_func_status
consume_messages(bt_message_iterator *iterator, void (*use)(const bt_message *message, void *data),
		 void *data)
{
	bt_message_iterator_next_status status;
	bt_message_array_const messages;
	uint64_t count, i;

	status = bt_message_iterator_next(iterator, &messages, &count);
	if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return (bt_graph_simple_sink_component_consume_func_status)status;
	for (i = 0; i < count; i++) {
		use(messages[i], data);
		bt_message_put_ref(messages[i]);
	}
	return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

bt_graph_simple_sink_component_consume_func_status
print_messages(bt_message_iterator *iterator, void *unused)
{
	(void)unused;
	return consume_messages(iterator, print_message, NULL);
}

bt_graph_simple_sink_component_consume_func_status
learn_messages(bt_message_iterator *iterator, void *unused)
{
	(void)unused;
	return consume_messages(iterator, learn_message, NULL);
}
