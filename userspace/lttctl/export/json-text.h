/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Texts and values as JSON, RFC 8259.
 *
 * Layer: lttctl export.
 */
#ifndef LTTCTL_EXPORT_JSON_TEXT_H
#define LTTCTL_EXPORT_JSON_TEXT_H

#include <stdio.h>

#include <ltt/ltttrace.h>

/* Write a string with its quotation marks; bytes that are not UTF-8 become U+FFFD. */
void json_text(FILE *to, const char *text, size_t size);

/* Write the value of a field.  A number that JavaScript cannot hold becomes a string, and an array an array. */
void json_value(FILE *to, const struct ltttrace_field *field, const struct ltttrace_value *value);

#endif /* LTTCTL_EXPORT_JSON_TEXT_H */
