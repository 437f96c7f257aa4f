/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * How the kernel prints the fields of an event, by the line "print fmt" of tracefs.
 *
 * Layer: lttctl view.  Of a format, each field on its own is of interest:
 *
 *   "prev_state=%s%s ==> next=%s, dev %d,%d", flags of prev_state, prev_state & 0x100 ? "+" : "",
 *   REC->next, REC->dev >> 20, REC->dev & 0xfffff
 *
 * has a text for prev_state, such as "R+", and says that dev is a number of a device.
 */
#ifndef LTTCTL_PRINT_FORMAT_H
#define LTTCTL_PRINT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct print_format;

/**
 * enum print_kind - how a field is shown
 * @PRINT_NUMBER: as a number: the format says no more, or is not understood
 * @PRINT_TEXT: as the text of print_format_text()
 * @PRINT_DEVICE: as the number of a device
 * @PRINT_ADDRESS: as an address of the kernel
 */
enum print_kind {
	PRINT_NUMBER,
	PRINT_TEXT,
	PRINT_DEVICE,
	PRINT_ADDRESS,
};

/**
 * print_format_parse() - parse a format
 * @text: the format, with quotes, and its arguments
 *
 * Return: the format, to be freed by print_format_free(); NULL if memory is out.
 */
struct print_format *print_format_parse(const char *text);

void print_format_free(struct print_format *format);

/* Return: how a field is shown. */
enum print_kind print_format_kind(const struct print_format *format, const char *field);

/**
 * print_format_text() - make the text of a field
 * @format: the format
 * @field: a field of the kind PRINT_TEXT
 * @value: its value
 * @text: receives the text, which is cut to @size
 * @size: bytes of @text
 *
 * Return: false if it is shown as a number.
 */
bool print_format_text(const struct print_format *format, const char *field, int64_t value, char *text,
		       size_t size);

/* Call @fn with each field that is not shown as a number, until it returns false.  Return: false
 * if it did. */
bool print_format_fields(const struct print_format *format, bool (*fn)(const char *field, const void *arg),
			 const void *arg);

#endif /* LTTCTL_PRINT_FORMAT_H */
