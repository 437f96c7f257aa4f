// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Text that is collected before it is written, and numbers as text.
 *
 * Layer: lttctl view.
 */
#include "out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROOM_FILE	(1 << 17)
#define ROOM_MEMORY	256

/* ---- Memory ---- */

bool out_init(struct out *out, int fd)
{
	*out = (struct out){ .room = fd < 0 ? ROOM_MEMORY : ROOM_FILE, .fd = fd };
	out->data = malloc(out->room);
	return out->data;
}

void out_free(struct out *out)
{
	free(out->data);
	*out = (struct out){ .fd = -1 };
}

bool out_flush(struct out *out)
{
	size_t done = 0;
	ssize_t ret;

	while (out->fd >= 0 && !out->error && done < out->len) {
		ret = write(out->fd, out->data + done, out->len - done);
		if (ret >= 0)
			done += ret;
		else if (errno != EINTR)
			out->error = errno;
	}
	if (out->fd >= 0)
		out->len = 0;
	return !out->error;
}

bool out_grow(struct out *out, size_t len)
{
	size_t room = out->room * 2;
	char *data;

	if (out->fd >= 0) {
		out_flush(out);
		return out->room >= len;
	}
	while (room < out->len + len)
		room *= 2;
	data = realloc(out->data, room);
	if (!data)
		return false;
	out->data = data;
	out->room = room;
	return true;
}

void out_long_bytes(struct out *out, const char *text, size_t len)
{
	size_t part;

	while (len && out_room(out, out->fd < 0 ? len : 1)) {
		part = out->room - out->len < len ? out->room - out->len : len;
		memcpy(out->data + out->len, text, part);
		out->len += part;
		text += part;
		len -= part;
	}
}

void out_printf(struct out *out, const char *format, ...)
{
	char text[1024];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	out_bytes(out, text, len < (int)sizeof(text) ? len : (int)sizeof(text) - 1);
}

/* ---- Numbers ---- */

static const char pairs[] =
	"00010203040506070809101112131415161718192021222324252627282930313233343536373839"
	"40414243444546474849505152535455565758596061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";

/* Write digits that end before @end.  Return: the first. */
static char *digits_before(char *end, uint64_t value)
{
	while (value >= 100) {
		end -= 2;
		memcpy(end, pairs + value % 100 * 2, 2);
		value /= 100;
	}
	if (value < 10) {
		*--end = '0' + value;
		return end;
	}
	end -= 2;
	memcpy(end, pairs + value * 2, 2);
	return end;
}

void out_unsigned(struct out *out, uint64_t value)
{
	char text[24], *end = text + sizeof(text), *at;

	if (value < 10) {
		out_char(out, '0' + value);
		return;
	}
	at = digits_before(end, value);
	out_bytes(out, at, end - at);
}

void out_signed(struct out *out, int64_t value)
{
	if (value < 0)
		out_char(out, '-');
	out_unsigned(out, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void out_digits(struct out *out, uint64_t value, unsigned int digits)
{
	char text[OUT_SHORT], *end = text + sizeof(text), *at = digits_before(end, value);

	while (end - at < (ptrdiff_t)digits)
		*--at = '0';
	out_bytes(out, at, end - at);
}

void out_right(struct out *out, int64_t value, unsigned int width)
{
	char text[OUT_SHORT], *end = text + sizeof(text);
	char *at = digits_before(end, value < 0 ? -(uint64_t)value : (uint64_t)value);

	if (value < 0)
		*--at = '-';
	while (end - at < (ptrdiff_t)width)
		*--at = ' ';
	out_bytes(out, at, end - at);
}

void out_hex(struct out *out, uint64_t value)
{
	char text[OUT_SHORT], *end = text + sizeof(text), *at = end;

	do {
		*--at = "0123456789abcdef"[value & 15];
	} while (value >>= 4);
	*--at = 'x';
	*--at = '0';
	out_bytes(out, at, end - at);
}

void out_octal(struct out *out, uint64_t value)
{
	char text[OUT_SHORT], *end = text + sizeof(text), *at = end;

	do {
		*--at = '0' + (value & 7);
	} while (value >>= 3);
	*--at = '0';
	out_bytes(out, at, end - at);
}

/* ---- Floating-point numbers ---- */

#define DIGITS_MIN	6
#define DIGITS_MAX	17
#define DIGITS_SURE	15	/* a double that has no more than these has them after a conversion, too */
#define REALS		64

/* Numbers that have been written: to find the digits of one takes long. */
static struct real {
	double value;
	bool is_single;
	unsigned char len;
	char text[26];
} reals[REALS];

/* Return: true if so many digits distinguish the number from others. */
static bool has_digits(struct real *real, int digits)
{
	real->len = snprintf(real->text, sizeof(real->text), "%.*g", digits, real->value);
	return real->is_single ? strtof(real->text, NULL) == (float)real->value :
				 strtod(real->text, NULL) == real->value;
}

/* Each number of digits is enough if a smaller one is. */
static void find_digits(struct real *real)
{
	int low = DIGITS_MIN, high = DIGITS_MAX, middle;

	if (has_digits(real, DIGITS_MIN))
		return;
	if (real->is_single) {
		high = DIGITS_MIN + 3;
	} else if (has_digits(real, DIGITS_SURE)) {
		high = DIGITS_SURE;
	} else {
		if (!has_digits(real, DIGITS_SURE + 1))
			has_digits(real, DIGITS_MAX);
		return;
	}
	while (high - low > 1) {
		middle = (low + high) / 2;
		if (has_digits(real, middle))
			high = middle;
		else
			low = middle;
	}
	has_digits(real, high);
}

void out_real(struct out *out, double value, bool is_single)
{
	struct real *real;
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	real = &reals[bits * 0x9e3779b97f4a7c15ULL >> 58];
	if (!real->len || memcmp(&real->value, &value, sizeof(value)) || real->is_single != is_single) {
		real->value = value;
		real->is_single = is_single;
		find_digits(real);
	}
	out_bytes(out, real->text, real->len);
}

/* ---- Texts ---- */

/* Return: bytes of the control character at @text; 0: it is another one.  Those of two bytes, U+0080 to U+009F, begin
 * commands to a terminal as ESC does. */
static size_t control(const char *text, size_t len)
{
	const unsigned char *byte = (const unsigned char *)text;

	if (*byte < ' ' || *byte == 0x7f)
		return 1;
	return len > 1 && byte[0] == 0xc2 && byte[1] >= 0x80 && byte[1] < 0xa0 ? 2 : 0;
}

static void put_code(struct out *out, unsigned char c)
{
	out_bytes(out, "\\x", 2);
	out_char(out, "0123456789abcdef"[c >> 4]);
	out_char(out, "0123456789abcdef"[c & 15]);
}

/* A recording may contain any bytes: send no control characters to the terminal. */
static void put_escaped(struct out *out, const char *text, size_t len, bool is_quoted)
{
	size_t i, begin = 0, codes;

	for (i = 0; i < len && text[i]; i++) {
		codes = control(text + i, len - i);
		if (!codes && !(is_quoted && (text[i] == '"' || text[i] == '\\')))
			continue;
		out_bytes(out, text + begin, i - begin);
		begin = i + (codes ? codes : 1);
		if (!codes) {
			out_char(out, '\\');
			out_char(out, text[i]);
		}
		for (; codes; codes--)
			put_code(out, text[begin - codes]);
		i = begin - 1;
	}
	out_bytes(out, text + begin, i - begin);
}

void out_plain(struct out *out, const char *text, size_t len)
{
	put_escaped(out, text, len, false);
}

void out_quoted(struct out *out, const char *text, size_t len)
{
	out_char(out, '"');
	put_escaped(out, text, len, true);
	out_char(out, '"');
}
