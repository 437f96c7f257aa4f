/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Values of fields as text, and kinds of events.
 *
 * Layer: lttctl export.
 */
#ifndef LTTCTL_EXPORT_VALUE_H
#define LTTCTL_EXPORT_VALUE_H

#include <ltt/ltttrace.h>

#define VALUE_TEXT 4096

/* Write a value as text: an array as "[1, 2]", cut at VALUE_TEXT bytes.  Return: its length. */
size_t value_text(const struct ltttrace_field *field, const struct ltttrace_value *value, char text[VALUE_TEXT]);

/* Return: the length of a string without what follows its first NUL. */
size_t value_length(const struct ltttrace_value *value);

/* Return: true for the trace of a kernel. */
bool part_is_kernel(const struct ltttrace_part *part);

/* Return: true for events of LTT about the recording, such as ltt:heartbeat. */
bool event_is_own(const struct ltttrace_event *event);

#endif /* LTTCTL_EXPORT_VALUE_H */
