// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Bytes of the page: numbers of variable length, base64, and JSON.
 *
 * Layer: lttctl html.
 */
#include "encode.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(struct bytes *bytes, size_t size)
{
	size_t room = bytes->room ? bytes->room : 256;
	unsigned char *data;

	if (bytes->failed)
		return false;
	if (bytes->size + size <= bytes->room)
		return true;
	while (room < bytes->size + size)
		room *= 2;
	data = realloc(bytes->data, room);
	if (!data) {
		bytes->failed = true;
		return false;
	}
	bytes->data = data;
	bytes->room = room;
	return true;
}

void bytes_put(struct bytes *bytes, const void *data, size_t size)
{
	if (!size || !make_room(bytes, size))
		return;
	memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

void bytes_number(struct bytes *bytes, uint64_t number)
{
	unsigned char digits[10];
	size_t n = 0;

	for (; number >= 0x80; number >>= 7)
		digits[n++] = number | 0x80;
	digits[n++] = number;
	bytes_put(bytes, digits, n);
}

void bytes_signed(struct bytes *bytes, int64_t number)
{
	bytes_number(bytes, (uint64_t)number << 1 ^ (uint64_t)(number >> 63));
}

void bytes_text(struct bytes *bytes, const char *text)
{
	bytes_put(bytes, text, strlen(text));
}

void bytes_printf(struct bytes *bytes, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	bytes_text(bytes, text);
}

void bytes_free(struct bytes *bytes)
{
	free(bytes->data);
	*bytes = (struct bytes){ 0 };
}

/* ---- Texts ---- */

/* Return: the length of the character at @text, and its code; 0: it is not UTF-8. */
static size_t decode(const unsigned char *text, size_t size, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t i, length = *text < 0x80 ? 1 : *text < 0xc2 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : *text < 0xf5 ? 4 : 0;

	if (!length || length > size)
		return 0;
	*code = length == 1 ? *text : *text & 0x7f >> length;
	for (i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (text[i] & 0x3f);
	}
	if (*code < least[length] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return length;
}

/* Characters that change the direction or look of the text around them are shown by their code. */
static bool is_plain(uint32_t code)
{
	return code >= 0x20 && !(code >= 0x7f && code < 0xa0) && !(code >= 0x200b && code <= 0x200f) &&
	       !(code >= 0x2028 && code <= 0x202e) && !(code >= 0x2060 && code <= 0x206f) && code != 0xfeff;
}

void bytes_json(struct bytes *bytes, const char *text, size_t size)
{
	const unsigned char *at = (const unsigned char *)text, *end = at + size;
	uint32_t code;
	size_t length;

	bytes_text(bytes, "\"");
	for (; at < end; at += length) {
		length = decode(at, end - at, &code);
		if (!length || code < 0x20 || code == 0x7f) {
			bytes_printf(bytes, "\\\\x%02x", *at);
			length = 1;
		} else if (!is_plain(code)) {
			bytes_printf(bytes, "\\\\u{%x}", code);
		} else if (code == '"' || code == '\\') {
			bytes_printf(bytes, "\\%c", code);
		} else if (code < 0x7f) {
			bytes_put(bytes, at, 1);
		} else if (code < 0x10000) {
			bytes_printf(bytes, "\\u%04x", code);
		} else {
			bytes_printf(bytes, "\\u%04x\\u%04x", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
		}
	}
	bytes_text(bytes, "\"");
}

/* ---- Base64 ---- */

bool base64_write(FILE *file, const unsigned char *data, size_t size)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char line[4096];
	size_t i, n = 0;

	for (i = 0; i < size; i += 3) {
		uint32_t three = data[i] << 16 | (i + 1 < size ? data[i + 1] << 8 : 0) | (i + 2 < size ? data[i + 2] : 0);

		line[n++] = digits[three >> 18];
		line[n++] = digits[three >> 12 & 63];
		line[n++] = i + 1 < size ? digits[three >> 6 & 63] : '=';
		line[n++] = i + 2 < size ? digits[three & 63] : '=';
		if (n == sizeof(line)) {
			if (fwrite(line, 1, n, file) != n)
				return false;
			n = 0;
		}
	}
	return fwrite(line, 1, n, file) == n;
}
