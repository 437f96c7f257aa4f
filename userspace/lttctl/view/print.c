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
#include "filter.h"
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

/* Each event is taken, printed or not, as it may be the partner of one that is.  @tid: NULL if it is not recorded. */
static enum slice_end take_slice(const bt_message *message, const int64_t *tid, int64_t *duration)
{
	const int64_t ns = time_of(message);

	return ns == INT64_MIN ? SLICE_NO_END :
	       slices_event(bt_message_event_borrow_event_const(message), ns, tid, duration);
}

/* @between: stands before it, as there are fields.  @tid: NULL if it is not recorded. */
static void print_duration(const bt_message *message, const char *between, const int64_t *tid)
{
	int64_t duration = 0;

	switch (take_slice(message, tid, &duration)) {
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

/**
 * struct thread - where an event happened
 * @cpu: the CPU; -1: it is not known
 * @tid: the thread; -1 if not @has_tid, as events of programs may have none
 * @slices: the thread as slices know it: each CPU has a thread 0 of its own
 */
struct thread {
	int64_t cpu;
	int64_t tid;
	int64_t slices;
	bool has_tid;
};

static struct thread thread_of(const bt_event *event)
{
	const bt_field *packet = bt_packet_borrow_context_field_const(bt_event_borrow_packet_const(event));
	const bt_field *context = bt_event_borrow_common_context_field_const(event);
	struct thread thread = { .cpu = -1, .tid = -1 };

	if (packet)
		field_integer(packet, "cpu_id", &thread.cpu);
	thread.has_tid = context && field_integer(context, "tid", &thread.tid);
	thread.slices = thread.tid ? thread.tid : -1 - thread.cpu;
	return thread;
}

static void print_event(const bt_message *message, const struct thread *thread)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	const bt_field *context = bt_event_borrow_common_context_field_const(event);
	const bt_field *context_of_its_own = bt_event_borrow_specific_context_field_const(event);
	const bt_field *payload = bt_event_borrow_payload_field_const(event);
	const char *name = bt_event_class_get_name(bt_event_borrow_class_const(event));
	int64_t pid = -1;
	char tid[24] = "-";
	bool has_fields;

	if (thread->has_tid)
		snprintf(tid, sizeof(tid), "%" PRId64, thread->tid);
	if (context)
		field_integer(context, "pid", &pid);
	if (context_of_its_own)
		field_integer(context_of_its_own, "pid", &pid);
	mapped_set_time(time_of(message));
	decode_set_event(event);
	print_time(bt_message_event_borrow_default_clock_snapshot_const(message));
	printf(" [%03" PRId64 "] %6s %-15s %s:", thread->cpu, tid,
	       comm_of(thread->tid, thread->cpu), name ? name : "?");
	syscall_begin(name);
	has_fields = print_fields(payload, context, pid);
	has_fields |= event_context_print(event, has_fields ? ", " : payload ? "" : " ");
	print_duration(message, has_fields ? "; " : "", thread->has_tid ? &thread->slices : NULL);
	putchar('\n');
}

static void take_event(const bt_message *message)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	const struct thread thread = thread_of(event);
	int64_t duration;

	comm_learn(event, LEARN_BEFORE);
	if (filter_holds(event, comm_of(thread.tid, thread.cpu))) {
		print_event(message, &thread);
	} else {
		event_context_learn(event);
		take_slice(message, thread.has_tid ? &thread.slices : NULL, &duration);
	}
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
		take_event(message);
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
