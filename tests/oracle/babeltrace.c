// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Traces as libbabeltrace2 reads them: source.ctf.fs for each trace, a muxer, and our sink.
 */
#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <babeltrace2/babeltrace.h>

static bt_message_iterator *iterator;

/* --- Events ------------------------------------------------------------------------- */

static const bt_event *event_of(const struct oracle_event *event)
{
	return bt_message_event_borrow_event_const((const bt_message *)event);
}

void oracle_event_put(struct oracle_event *event)
{
	bt_message_put_ref((const bt_message *)event);
}

static unsigned int members(const bt_field *structure)
{
	return structure ? bt_field_class_structure_get_member_count(bt_field_borrow_class_const(structure)) : 0;
}

void oracle_head(const struct oracle_event *event, struct oracle_head *head)
{
	const bt_event *of = event_of(event);
	const bt_field *context = bt_packet_borrow_context_field_const(bt_event_borrow_packet_const(of));
	const bt_field *cpu = bt_field_structure_borrow_member_field_by_name_const(context, "cpu_id");

	*head = (struct oracle_head){
		.clock = bt_clock_snapshot_get_value(
			bt_message_event_borrow_default_clock_snapshot_const((const bt_message *)event)),
		.cpu = cpu ? bt_field_integer_unsigned_get_value(cpu) : 0,
		.name = bt_event_class_get_name(bt_event_borrow_class_const(of)),
		.common = members(bt_event_borrow_common_context_field_const(of)),
		.own = members(bt_event_borrow_specific_context_field_const(of)),
		.payload = members(bt_event_borrow_payload_field_const(of)),
	};
}

static void member(const bt_field *structure, unsigned int index, struct oracle_field *field)
{
	const bt_field_class *class = bt_field_borrow_class_const(structure);

	field->field = bt_field_structure_borrow_member_field_by_index_const(structure, index);
	field->name = bt_field_class_structure_member_get_name(
		bt_field_class_structure_borrow_member_by_index_const(class, index));
}

void oracle_field(const struct oracle_event *event, unsigned int index, const struct oracle_head *head,
		  struct oracle_field *field)
{
	const bt_event *of = event_of(event);

	if (index < head->common)
		member(bt_event_borrow_common_context_field_const(of), index, field);
	else if (index - head->common < head->own)
		member(bt_event_borrow_specific_context_field_const(of), index - head->common, field);
	else
		member(bt_event_borrow_payload_field_const(of), index - head->common - head->own, field);
}

static void get_value(const bt_field *field, struct oracle_value *value)
{
	const bt_field_class_type type = bt_field_get_class_type(field);

	*value = (struct oracle_value){ .kind = ORACLE_OTHER };
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)) {
		value->kind = ORACLE_UNSIGNED;
		value->u = bt_field_integer_unsigned_get_value(field);
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)) {
		value->kind = ORACLE_SIGNED;
		value->s = bt_field_integer_signed_get_value(field);
	} else if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL) {
		value->kind = ORACLE_REAL;
		value->f = bt_field_real_single_precision_get_value(field);
	} else if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL) {
		value->kind = ORACLE_REAL;
		value->f = bt_field_real_double_precision_get_value(field);
	} else if (type == BT_FIELD_CLASS_TYPE_STRING) {
		value->kind = ORACLE_TEXT;
		value->text = bt_field_string_get_value(field);
		value->size = strlen(value->text);
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
		value->kind = ORACLE_LIST;
		value->size = bt_field_array_get_length(field);
	}
}

void oracle_value(const struct oracle_field *field, struct oracle_value *value)
{
	get_value(field->field, value);
}

void oracle_element(const struct oracle_field *field, size_t index, struct oracle_value *value)
{
	get_value(bt_field_array_borrow_element_field_by_index_const(field->field, index), value);
}

/* --- Messages ------------------------------------------------------------------------ */

static int64_t ns_of(const bt_clock_snapshot *clock)
{
	int64_t ns;

	if (!clock || bt_clock_snapshot_get_ns_from_origin(clock, &ns))
		unreadable("libbabeltrace2 has no time");
	return ns;
}

static void take(const bt_message *message)
{
	struct oracle_loss loss = { 0 };

	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		oracle_take_event((struct oracle_event *)message,
				  ns_of(bt_message_event_borrow_default_clock_snapshot_const(message)));
		return;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		loss.from = ns_of(bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message));
		loss.until = ns_of(bt_message_discarded_events_borrow_end_default_clock_snapshot_const(message));
		loss.has_count = bt_message_discarded_events_get_count(message, &loss.count) ==
				 BT_PROPERTY_AVAILABILITY_AVAILABLE;
		oracle_take_loss(&loss);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		loss.is_packets = true;
		loss.from = ns_of(bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(message));
		loss.until = ns_of(bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(message));
		loss.has_count = bt_message_discarded_packets_get_count(message, &loss.count) ==
				 BT_PROPERTY_AVAILABILITY_AVAILABLE;
		oracle_take_loss(&loss);
		break;
	default:
		break;
	}
	bt_message_put_ref(message);
}

static bt_graph_simple_sink_component_initialize_func_status begin(bt_message_iterator *of, void *data)
{
	(void)data;
	iterator = of;
	return BT_GRAPH_SIMPLE_SINK_COMPONENT_INITIALIZE_FUNC_STATUS_OK;
}

static bt_graph_simple_sink_component_consume_func_status consume(bt_message_iterator *of, void *data)
{
	bt_message_array_const messages;
	bt_message_iterator_next_status status;
	uint64_t nr, i;

	(void)data;
	status = bt_message_iterator_next(of, &messages, &nr);
	if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return (int)status;
	for (i = 0; i < nr; i++)
		take(messages[i]);
	return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

/* --- The graph ----------------------------------------------------------------------- */

static void must(bool is_so, const char *what)
{
	if (!is_so)
		unreadable("libbabeltrace2: %s", what);
}

static const bt_plugin *plugin(const char *name)
{
	const bt_plugin *found = NULL;

	must(bt_plugin_find(name, BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, &found) == BT_PLUGIN_FIND_STATUS_OK, name);
	return found;
}

/* Traces with the same UUID are one for libbabeltrace2, and have to be given together. */
static void uuid_of(const char *path, char uuid[64])
{
	char name[4096], text[8192], *found;
	FILE *file;

	snprintf(name, sizeof(name), "%s/metadata", path);
	file = fopen(name, "r");
	if (!file)
		unreadable("cannot read %s", name);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	found = strstr(text, "uuid = \"");
	snprintf(uuid, 64, "%.36s", found ? found + strlen("uuid = \"") : path);
}

/* The source of a trace and of those after it with the same UUID, which are marked as taken. */
static const bt_component_source *add_source(bt_graph *graph, const bt_component_class_source *class,
					     const char *const *path, size_t paths, bool *taken)
{
	bt_value *params = bt_value_map_create(), *inputs;
	const bt_component_source *source = NULL;
	char uuid[64], other[64], name[32];
	static unsigned int number;
	size_t i;

	uuid_of(path[0], uuid);
	must(!bt_value_map_insert_empty_array_entry(params, "inputs", &inputs), "inputs");
	for (i = 0; i < paths; i++) {
		uuid_of(path[i], other);
		if (strcmp(uuid, other))
			continue;
		taken[i] = true;
		must(!bt_value_array_append_string_element(inputs, path[i]), "inputs");
	}
	snprintf(name, sizeof(name), "trace-%u", number++);
	must(!bt_graph_add_source_component(graph, class, name, params, BT_LOGGING_LEVEL_ERROR, &source), path[0]);
	bt_value_put_ref(params);
	return source;
}

static void connect(bt_graph *graph, const bt_component_source *source, const bt_component_filter *muxer,
		    uint64_t *inputs)
{
	const uint64_t nr = bt_component_source_get_output_port_count(source);
	uint64_t i;

	/* The muxer has one free port at a time. */
	for (i = 0; i < nr; i++)
		must(!bt_graph_connect_ports(graph, bt_component_source_borrow_output_port_by_index_const(source, i),
					     bt_component_filter_borrow_input_port_by_index_const(muxer, (*inputs)++), NULL),
		     "cannot connect");
}

void oracle_read(const char *const *path, size_t paths)
{
	const bt_plugin *ctf = plugin("ctf"), *utils = plugin("utils");
	const bt_component_class_source *fs = bt_plugin_borrow_source_component_class_by_name_const(ctf, "fs");
	const bt_component_class_filter *mux = bt_plugin_borrow_filter_component_class_by_name_const(utils, "muxer");
	bool *taken = calloc(paths, sizeof(*taken));
	const bt_component_filter *muxer;
	const bt_component_sink *sink;
	uint64_t inputs = 0;
	bt_graph *graph;
	size_t i;

	graph = bt_graph_create(0);
	must(fs && mux && graph && taken, "no plugins");
	must(!bt_graph_add_filter_component(graph, mux, "muxer", NULL, BT_LOGGING_LEVEL_ERROR, &muxer), "muxer");
	must(!bt_graph_add_simple_sink_component(graph, "sink", begin, consume, NULL, NULL, &sink), "sink");
	for (i = 0; i < paths; i++)
		if (!taken[i])
			connect(graph, add_source(graph, fs, path + i, paths - i, taken + i), muxer, &inputs);
	free(taken);
	must(!bt_graph_connect_ports(graph, bt_component_filter_borrow_output_port_by_index_const(muxer, 0),
				     bt_component_sink_borrow_input_port_by_index_const(sink, 0), NULL), "cannot connect");
	must(bt_graph_run(graph) == BT_GRAPH_RUN_STATUS_OK, "cannot read the traces");
	bt_graph_put_ref(graph);
	bt_plugin_put_ref(ctf);
	bt_plugin_put_ref(utils);
}
