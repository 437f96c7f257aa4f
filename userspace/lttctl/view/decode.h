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

#include "ltt/ltttrace.h"
#include "out.h"
#include "print-format.h"

/* Learn from a record of the state of the system. */
void decode_learn(const struct ltttrace_record *record);

/* Return: the format of a class of events; NULL if it has none. */
const struct print_format *decode_format(const struct ltttrace_event *event);

/* Return: the kernel's name for the group of an event; NULL if it is not known. */
const char *decode_system(const struct ltttrace_event *event);

/* Return: true if the field is an address of code, in the kernel or in a program. */
bool decode_is_code(const char *event, const char *field);

/* Write the number of a device, and its name if that is known. */
void decode_put_device(struct out *out, uint32_t dev);

#define DECODE_TEXTS	8

/**
 * struct decode_texts - the texts of some values of a field
 * @text: of a value whose remainder is the index; with @len 0 there is none
 */
struct decode_texts {
	struct decode_text {
		int64_t value;
		size_t len;
		char text[56];
	} text[DECODE_TEXTS];
};

/**
 * decode_put_text() - write the text of a field
 * @out: the text
 * @format: the format of its class of events
 * @field: its name; print_format_kind() is PRINT_TEXT
 * @value: its value
 * @texts: of the field; zero at first
 *
 * Return: false if it is shown as a number; then nothing is written.
 */
bool decode_put_text(struct out *out, const struct print_format *format, const char *field, int64_t value,
		     struct decode_texts *texts);

/* Free what was learned. */
void decode_forget(void);

#endif /* LTTCTL_DECODE_H */
