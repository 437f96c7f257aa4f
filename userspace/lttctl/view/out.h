/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Text that is collected before it is written, and numbers as text.
 *
 * Layer: lttctl view.  It replaces stdio, whose formats take longer than all the rest of a line.
 */
#ifndef LTTCTL_VIEW_OUT_H
#define LTTCTL_VIEW_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The longest number, and more than any other text that is written without a check of its own. */
#define OUT_SHORT	64

/**
 * struct out - text
 * @data: the text so far
 * @len: its bytes
 * @room: bytes of memory at @data
 * @fd: the text is written to this file when there is no room left; -1: the memory grows
 * @error: errno of the first write that failed; later text is dropped
 */
struct out {
	char *data;
	size_t len;
	size_t room;
	int fd;
	int error;
};

/* Begin a text.  Return: false without memory. */
bool out_init(struct out *out, int fd);

void out_free(struct out *out);

/* Write to the file what has been collected.  Return: false after an error. */
bool out_flush(struct out *out);

/* Make room for at least @len bytes.  Return: false if there is none, as the memory cannot grow. */
bool out_grow(struct out *out, size_t len);

static inline bool out_room(struct out *out, size_t len)
{
	return out->room - out->len >= len || out_grow(out, len);
}

void out_long_bytes(struct out *out, const char *text, size_t len);

static inline void out_bytes(struct out *out, const char *text, size_t len)
{
	if (out->room - out->len < len) {
		out_long_bytes(out, text, len);
		return;
	}
	memcpy(out->data + out->len, text, len);
	out->len += len;
}

static inline void out_text(struct out *out, const char *text)
{
	out_bytes(out, text, strlen(text));
}

static inline void out_char(struct out *out, char c)
{
	if (out_room(out, 1))
		out->data[out->len++] = c;
}

void out_unsigned(struct out *out, uint64_t value);
void out_signed(struct out *out, int64_t value);

/* With at least @digits digits, zeros before. */
void out_digits(struct out *out, uint64_t value, unsigned int digits);

/* With blanks before it up to @width characters. */
void out_right(struct out *out, int64_t value, unsigned int width);

/* "0x" and hexadecimal digits; "0" and octal digits. */
void out_hex(struct out *out, uint64_t value);
void out_octal(struct out *out, uint64_t value);

/* With as many digits as it takes to distinguish the number from all others of its size. */
void out_real(struct out *out, double value, bool is_single);

/* A text of at most @len bytes that may end at a NUL, without control characters. */
void out_plain(struct out *out, const char *text, size_t len);

/* The same between quotation marks. */
void out_quoted(struct out *out, const char *text, size_t len);

__attribute__((format(printf, 2, 3)))
void out_printf(struct out *out, const char *format, ...);

#endif /* LTTCTL_VIEW_OUT_H */
