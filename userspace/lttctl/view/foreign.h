/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Traces of other tracers, in the Common Trace Format: the part of `lttctl view` on libbabeltrace2.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_VIEW_FOREIGN_H
#define LTTCTL_VIEW_FOREIGN_H

#include "out.h"

#include <babeltrace2/babeltrace.h>

/**
 * graph_run() - read traces (graph.c)
 * @dirs: traces or directories of traces, and NULL after the last
 * @consume: the sink, which is called with the messages in order of time
 * @data: for @consume
 *
 * Return: 0, or EXIT_FAILED after a message.
 */
int graph_run(const char *const *dirs, bt_graph_simple_sink_component_consume_func consume, void *data);

/* Write the members of a structure, "name=value, …".  Return: false if it has none (foreign-field.c). */
bool foreign_put_members(struct out *out, const bt_field *structure);

/* Find a member of a structure.  Return: NULL if @structure is NULL, or has none of this name. */
const bt_field *foreign_member(const bt_field *structure, const char *name);

/* Return: false if the field is NULL, or not an integer. */
bool foreign_integer(const bt_field *field, int64_t *value);

#endif /* LTTCTL_VIEW_FOREIGN_H */
