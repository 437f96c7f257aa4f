/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Showing a trace as text: the parts of `lttctl view`.
 *
 * Layer: lttctl, on libbabeltrace2.
 */
#ifndef LTTCTL_VIEW_H
#define LTTCTL_VIEW_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stdint.h>

/* --- Names of threads (view-comm.c) ------------------------------------- */

/*
 * The names are learnt from the trace itself: the list of tasks it begins with,
 * forks, renames and switches.
 *
 * LEARN_FIRST is for a look at the state channel ahead of all: what is learnt then
 * is the thread's first name, and holds until another is learnt.  Of an event to
 * be shown, LEARN_BEFORE is what held when it happened, LEARN_AFTER what holds
 * from then on.
 */
enum learn {
	LEARN_FIRST,
	LEARN_BEFORE,
	LEARN_AFTER,
};

void comm_learn(const bt_event *event, enum learn when);

/* The thread's name on CPU @cpu, or "-". */
const char *comm_of(int64_t tid, uint64_t cpu);

/* --- Fields (view-field.c) ---------------------------------------------- */

/* Print `name=value, …` of a structure, or the value of any other field. */
void field_print(const bt_field *field);

/* Look up an integer in a structure; false when it is not there. */
bool field_integer(const bt_field *structure, const char *name, int64_t *value);

/* Look up a string in a structure; NULL when it is not there. */
const char *field_string(const bt_field *structure, const char *name);

/* --- Messages (view-print.c) -------------------------------------------- */

/*
 * Sinks: consume messages, and print them, or only learn the threads' first names
 * from them.
 */
bt_graph_simple_sink_component_consume_func_status
print_messages(bt_message_iterator *iterator, void *unused);

bt_graph_simple_sink_component_consume_func_status
learn_messages(bt_message_iterator *iterator, void *unused);

#endif /* LTTCTL_VIEW_H */
