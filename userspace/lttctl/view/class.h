/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Facts that `lttctl view` keeps about a class of events: all that depends on names is looked up once.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_VIEW_CLASS_H
#define LTTCTL_VIEW_CLASS_H

#include "columns.h"
#include "comm.h"
#include "decode.h"
#include "filter.h"
#include "slices.h"
#include "stacks.h"
#include "syscalls.h"

/**
 * enum naming - which name the value of a field can have
 * @NAMING_NONE: none but its labels
 * @NAMING_CGROUP: the path of a cgroup
 * @NAMING_COUNTER: "unavailable", of a counter
 * @NAMING_DEVICE: a device
 * @NAMING_ERROR: the result of a system call
 * @NAMING_KERNEL: an address in the kernel
 * @NAMING_KERNEL_CODE: an address of code in the kernel or a program
 * @NAMING_NUMBER: a number that a system call takes
 * @NAMING_SOCKET: an address of a socket
 * @NAMING_STACK: a stack of a program: the elements are return addresses
 * @NAMING_STACK_NUMBER: the number of a stack, whose addresses are two fields behind it
 * @NAMING_TEXT: a text of the kernel's format
 */
enum naming {
	NAMING_NONE,
	NAMING_CGROUP,
	NAMING_COUNTER,
	NAMING_DEVICE,
	NAMING_ERROR,
	NAMING_KERNEL,
	NAMING_KERNEL_CODE,
	NAMING_NUMBER,
	NAMING_SOCKET,
	NAMING_STACK,
	NAMING_STACK_NUMBER,
	NAMING_TEXT,
};

/**
 * struct shown - a field that is shown
 * @field: the field; of a stack, that with its addresses
 * @index: of the field in the event; of a stack, that with its number
 * @label: its name in the line: "NAME=", and what stands before it
 * @label_len: bytes of @label
 * @name: its name as it was asked for
 * @is_context: it is not of the payload
 * @is_address: it is an address of code in a program
 * @returns: see mapped_put()
 * @naming: the name that it has otherwise
 * @names: of NAMING_NUMBER
 * @texts: of NAMING_TEXT
 */
struct shown {
	const struct ltttrace_field *field;
	unsigned int index;
	char *label;
	size_t label_len;
	const char *name;
	bool is_context;
	bool is_address;
	bool returns;
	enum naming naming;
	const struct number_names *names;
	struct decode_texts *texts;
};

/**
 * struct class - a class of events
 * @event: the class in the recording
 * @is_selected: its events are to be shown
 * @is_watched: its events matter also if they are not shown
 * @head: "NAME:" without control characters, and a blank if there may be something behind it
 * @head_len: bytes of @head
 * @name_len: bytes of NAME
 * @shown: the fields in their order
 * @nr_shown: number of fields in @shown that stand in the line
 * @nr_known: number of @shown, with contexts that are not in the line
 * @column: of each name in &columns.field, its index in @shown, or -1; NULL: all fields are shown
 * @is_raw: numbers are shown in place of names
 * @pid: index of the context with the process; -1: there is none
 * @format: how the kernel prints it; or NULL
 * @rules: where it has names of threads
 * @nr_rules: number of @rules
 * @nr_stacks: number of stacks that its payload begins with
 * @slice: the slices that it begins or ends
 * @filter: the filter
 */
struct class {
	const struct ltttrace_event *event;
	bool is_selected;
	bool is_watched;
	char *head;
	size_t head_len;
	size_t name_len;
	struct shown *shown;
	unsigned int nr_shown;
	unsigned int nr_known;
	int *column;
	bool is_raw;
	int pid;
	const struct print_format *format;
	struct comm_rule rules[COMM_RULES];
	unsigned int nr_rules;
	unsigned int nr_stacks;
	struct slice_class slice;
	struct filter_class filter;
};

/**
 * class_make() - look up all that depends on names
 * @event: the class in the recording
 * @columns: what is shown
 * @raw: show numbers in place of names
 *
 * Return: the class, to be freed by class_free(); NULL without memory.  The caller sets @is_selected.
 */
struct class *class_make(const struct ltttrace_event *event, const struct columns *columns, bool raw);

void class_free(struct class *class);

#endif /* LTTCTL_VIEW_CLASS_H */
