/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Bytes of the page: numbers of variable length, base64, and JSON.
 *
 * Layer: lttctl html, above nothing.
 */
#ifndef LTTCTL_HTML_ENCODE_H
#define LTTCTL_HTML_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct bytes - bytes that grow
 * @data: the bytes
 * @size: number of bytes
 * @room: of @data
 * @failed: there was not enough memory: later calls do nothing
 */
struct bytes {
	unsigned char *data;
	size_t size;
	size_t room;
	bool failed;
};

void bytes_put(struct bytes *bytes, const void *data, size_t size);
/* Seven bits a byte, the lowest first; all bytes but the last have the highest bit. */
void bytes_number(struct bytes *bytes, uint64_t number);
/* The same; the sign is in the lowest bit. */
void bytes_signed(struct bytes *bytes, int64_t number);
void bytes_text(struct bytes *bytes, const char *text);
__attribute__((format(printf, 2, 3)))
void bytes_printf(struct bytes *bytes, const char *fmt, ...);
void bytes_free(struct bytes *bytes);

/**
 * bytes_json() - append a text as a string of JSON, in ASCII
 * @bytes: the bytes
 * @text: a text in UTF-8; other bytes, and control characters, are shown as \xHH
 * @size: bytes of @text
 */
void bytes_json(struct bytes *bytes, const char *text, size_t size);

/* Write bytes as base64.  Return: false: an error of the file. */
bool base64_write(FILE *file, const unsigned char *data, size_t size);

#endif /* LTTCTL_HTML_ENCODE_H */
