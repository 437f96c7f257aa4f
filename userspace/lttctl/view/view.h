/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The parts of `lttctl view`, which prints a recording as text.
 *
 * Layer: lttctl, on libbabeltrace2.
 */
#ifndef LTTCTL_VIEW_H
#define LTTCTL_VIEW_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stdint.h>

/* --- Reading a recording (graph.c) --------------------------------- */

/**
 * graph_run() - read recordings
 * @dirs: traces or directories of traces, and NULL after the last
 * @state_only: read only the state channels
 * @consume: the sink, which is called with the messages in order of time
 * @data: for @consume
 *
 * Return: 0, or EXIT_FAILED after a message.
 */
int graph_run(const char *const *dirs, bool state_only,
	      bt_graph_simple_sink_component_consume_func consume, void *data);

/* --- Counting (count.c) -------------------------------------------- */

/**
 * count_events() - count the events of a recording by reading it
 * @dir: a trace, or a directory of traces
 * @events: number of events, those of the state channels excepted
 * @lost: number of lost events that the files report
 *
 * Return: 0, or EXIT_FAILED after a message; the counts are those up to the failure.
 */
int count_events(const char *dir, uint64_t *events, uint64_t *lost);

/* --- Names of threads (comm.c) ------------------------------------- */

/**
 * enum learn - which name of a thread to take from an event
 * @LEARN_FIRST: the first name, while the state channels are read before all others
 * @LEARN_BEFORE: the name at the time of the event, before it is printed
 * @LEARN_AFTER: the name that the event sets, after it is printed
 *
 * The names come from the recording: the list of tasks at its begin, and the events of
 * forks, renames and switches.
 */
enum learn {
	LEARN_FIRST,
	LEARN_BEFORE,
	LEARN_AFTER,
};

void comm_learn(const bt_event *event, enum learn when);

/* Return: the name of the thread, or "-"; thread 0 has another one on each CPU. */
const char *comm_of(int64_t tid, uint64_t cpu);

/* --- Code addresses (mapped.c) -------------------------------------- */

/**
 * mapped_learn() - take the place of a file in the memory of a process from an event
 * @event: of a state channel; all of these are learned, in order, before any is looked up
 * @pid: the process
 * @ns: the time of the event
 */
void mapped_learn(const bt_event *event, int64_t pid, int64_t ns);

/* Set the time of the event whose fields are printed next. */
void mapped_set_time(int64_t ns);

/**
 * mapped_print() - print a code address as function+offset, or else as file+offset
 * @pid: the process
 * @address: the address
 * @returns: a call returns to this address.  The call is before it, and can be the last
 *	instruction of its function
 *
 * Return: false if no file is known to be there; then nothing is printed.
 */
bool mapped_print(int64_t pid, uint64_t address, bool returns);

/* Free what mapped_learn() has taken. */
void mapped_forget(void);

/* --- System calls (syscalls.c) -------------------------------------- */

/* From now on, syscall_print() prints nothing. */
void syscall_show_numbers(void);

/* Set the event whose fields are printed next. */
void syscall_begin(const char *event);

/**
 * syscall_print() - print a number of a system call by name, or an address of a socket
 * @name: the name of the field
 * @field: the field
 *
 * Return: false if it is none, or has no name; then nothing is printed.
 */
bool syscall_print(const char *name, const bt_field *field);

/* --- Contexts of the kernel's events (event-context.c) ---------------- */

/* Take the addresses of the stacks of an event that is not printed. */
void event_context_learn(const bt_event *event);

/**
 * event_context_print() - print the contexts that an event has of its own
 * @event: the event; all earlier ones of its stream have been printed or learned, as they may have
 *	the addresses of its stacks
 * @between: stands before the first one
 *
 * Return: false if it has none.
 */
bool event_context_print(const bt_event *event, const char *between);

/* Return: the number of fields that the payload begins with and event_context_print() prints. */
uint64_t event_context_in_payload(const bt_field *payload);

/* Free what event_context_print() has kept. */
void event_context_forget(void);

/* From now on, print stacks and cgroups as numbers. */
void event_context_show_numbers(void);

/* --- Fields (field.c) ---------------------------------------------- */

/**
 * field_print() - print a field
 * @field: a structure, for `name=value, …` of its members, or any other field
 * @pid: the process whose code addresses are shown by name; -1 if it is not known
 *
 * Fields of the payload of an event that belong to its contexts are left out.
 */
void field_print(const bt_field *field, int64_t pid);

/* Print an array of return addresses, by name where @pid has one. */
void field_print_stack(const bt_field *field, int64_t pid);

/* Print a text without control characters. */
void print_plain(const char *text);

/* Find an integer in a structure.  Return: false if there is none of this name. */
bool field_integer(const bt_field *structure, const char *name, int64_t *value);

/* Return: the text of a field that is a string. */
const char *string_of(const bt_field *field);

/* Find a string in a structure.  Return: NULL if there is none of this name. */
const char *field_string(const bt_field *structure, const char *name);

/* --- Messages (print.c) -------------------------------------------- */

/* Call a function with each message that is there; for a sink. */
bt_graph_simple_sink_component_consume_func_status
consume_messages(bt_message_iterator *iterator, void (*use)(const bt_message *message, void *data),
		 void *data);

/* Return: the name of the file that a data stream was read from. */
const char *stream_name(const bt_stream *stream);

/* Sinks: print the messages, or only take the first names of threads from them. */
bt_graph_simple_sink_component_consume_func_status
print_messages(bt_message_iterator *iterator, void *unused);

bt_graph_simple_sink_component_consume_func_status
learn_messages(bt_message_iterator *iterator, void *unused);

#endif /* LTTCTL_VIEW_H */
