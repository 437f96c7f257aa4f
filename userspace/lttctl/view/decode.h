/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The fields of the kernel's events as the kernel prints them: names of states, flags and reasons,
 * devices, functions.
 *
 * Layer: lttctl view.  The state of the system in a recording has the kernel's print formats, the
 * devices, and perhaps the functions.  Without it, fields are numbers.
 */
#ifndef LTTCTL_DECODE_H
#define LTTCTL_DECODE_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

/* Learn from an event of the state of the system. */
void decode_learn(const bt_event *event);

/* Set the event whose fields are printed next. */
void decode_set_event(const bt_event *event);

/**
 * decode_print() - print a field of this event by its name
 * @name: the name of the field
 * @field: the field
 * @pid: the process in which code of programs is; -1 if it is not known
 *
 * Return: false if it has none; then nothing is printed.
 */
bool decode_print(const char *name, const bt_field *field, int64_t pid);

/* From now on, decode_print() prints none. */
void decode_show_numbers(void);

/* Free what was learned. */
void decode_forget(void);

#endif /* LTTCTL_DECODE_H */
