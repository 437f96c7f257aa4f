// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A graph of libbabeltrace2 that reads traces of other tracers: a source for each trace in their
 * directories, a muxer that orders the messages by time, and a sink of the caller.
 *
 * Layer: lttctl view, on libbabeltrace2.
 */
#include "foreign.h"

#include "lttctl/command.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

/* Report the first cause that babeltrace2 recorded, which is the deepest. */
static int babeltrace_failed(const char *doing)
{
	const bt_error *error = bt_current_thread_take_error();
	const char *why = "no reason given";

	if (error && bt_error_get_cause_count(error))
		why = bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0));
	complain("cannot %s: %s", doing, why);
	if (error)
		bt_error_release(error);
	return EXIT_FAILED;
}

static const bt_plugin *find_plugin(const char *name)
{
	const bt_plugin *plugin = NULL;

	bt_plugin_find(name, BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE,
		       &plugin);
	if (!plugin)
		complain("babeltrace2 plugin %s: not found; install the package babeltrace2",
			 name);
	return plugin;
}

struct graph {
	bt_graph *graph;
	const bt_plugin *ctf;
	const bt_plugin *utils;
	const bt_component_filter *muxer;
	unsigned int traces;
	unsigned int ports;
};

static int connect_ports(struct graph *graph, const bt_component_source *source)
{
	uint64_t count = bt_component_source_get_output_port_count(source);
	const bt_port_output *port;
	uint64_t last, i;

	for (i = 0; i < count; i++) {
		port = bt_component_source_borrow_output_port_by_index_const(source, i);
		/* The muxer always has one free input port, its last. */
		last = bt_component_filter_get_input_port_count(graph->muxer) - 1;
		if (bt_graph_connect_ports(graph->graph, port,
				bt_component_filter_borrow_input_port_by_index_const(graph->muxer, last),
				NULL))
			return babeltrace_failed("set up babeltrace2");
		graph->ports++;
	}
	return 0;
}

/* Return: a source that reads the trace in @path; NULL with the error in babeltrace2. */
static const bt_component_source *add_source(struct graph *graph, const char *path)
{
	const bt_component_source *source = NULL;
	const bt_component_class_source *class;
	bt_value *params = bt_value_map_create();
	bt_value *inputs = bt_value_array_create();

	class = bt_plugin_borrow_source_component_class_by_name_const(graph->ctf, "fs");
	if (!params || !inputs ||
	    bt_value_array_append_string_element(inputs, path) ||
	    bt_value_map_insert_entry(params, "inputs", inputs) ||
	    bt_graph_add_source_component(graph->graph, class, path, params,
					  BT_LOGGING_LEVEL_NONE, &source))
		source = NULL;
	bt_value_put_ref(inputs);
	bt_value_put_ref(params);
	return source;
}

/* Add the trace in @path, a directory with a file "metadata".  After a failure the graph is of
 * no use any more. */
static int add_trace(struct graph *graph, const char *path)
{
	const bt_component_source *source = add_source(graph, path);

	graph->traces++;
	return source ? connect_ports(graph, source) : babeltrace_failed("read the trace");
}

static bool is_trace(const char *dir)
{
	char path[PATH_MAX + sizeof("/metadata")];

	snprintf(path, sizeof(path), "%s/metadata", dir);
	return !access(path, F_OK);
}

/* @dir is a trace or contains traces. */
static int add_traces(struct graph *graph, const char *dir)
{
	const unsigned int before = graph->traces;
	struct dirent *entry;
	char path[PATH_MAX];
	int status = 0;
	DIR *entries;

	if (is_trace(dir))
		return add_trace(graph, dir);
	entries = opendir(dir);
	while (entries && !status && (entry = readdir(entries))) {
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		if (*entry->d_name != '.' && is_trace(path))
			status = add_trace(graph, path);
	}
	if (entries)
		closedir(entries);
	if (graph->traces == before)
		return complain("%s: contains no trace", dir);
	return status;
}

static int build(struct graph *graph, const char *const *dirs,
		 bt_graph_simple_sink_component_consume_func consume, void *data)
{
	const bt_component_class_filter *class;
	const bt_component_sink *sink;
	int status;

	graph->ctf = find_plugin("ctf");
	graph->utils = find_plugin("utils");
	if (!graph->ctf || !graph->utils)
		return EXIT_FAILED;
	graph->graph = bt_graph_create(0);
	class = bt_plugin_borrow_filter_component_class_by_name_const(graph->utils,
								     "muxer");
	if (!graph->graph ||
	    bt_graph_add_filter_component(graph->graph, class, "muxer", NULL,
					  BT_LOGGING_LEVEL_NONE, &graph->muxer))
		return babeltrace_failed("set up babeltrace2");
	do {
		status = add_traces(graph, *dirs);
	} while (!status && *++dirs);
	if (status)
		return status;
	if (bt_graph_add_simple_sink_component(graph->graph, "sink", NULL,
					       consume, NULL, data, &sink) ||
	    bt_graph_connect_ports(graph->graph,
			bt_component_filter_borrow_output_port_by_index_const(graph->muxer, 0),
			bt_component_sink_borrow_input_port_by_index_const(sink, 0),
			NULL))
		return babeltrace_failed("set up babeltrace2");
	return 0;
}

static void put(struct graph *graph)
{
	bt_graph_put_ref(graph->graph);
	bt_plugin_put_ref(graph->ctf);
	bt_plugin_put_ref(graph->utils);
}

int graph_run(const char *const *dirs, bt_graph_simple_sink_component_consume_func consume, void *data)
{
	struct graph graph = { .traces = 0 };
	int status;

	status = build(&graph, dirs, consume, data);
	if (!status && graph.ports &&
	    bt_graph_run(graph.graph) != BT_GRAPH_RUN_STATUS_OK)
		status = babeltrace_failed("read the trace");
	put(&graph);
	return status;
}
