// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The kernel's print formats as lttctl view reads them, for libFuzzer.
 *
 * A case is a text: a format.  Each field that it shows as text gets values.  The text of a value
 * fits its room, and in less room it is the beginning of the same text.
 */
#include "must.h"

#include "../../userspace/lttctl/view/print-format.h"

#define ROOM	4096

static void show(const struct print_format *format, const char *field, int64_t value, size_t size)
{
	char *text = malloc(ROOM), *cut = malloc(size);

	MUST(text && cut);
	if (print_format_text(format, field, value, text, ROOM)) {
		MUST(*text && strnlen(text, ROOM) < ROOM);
		if (print_format_text(format, field, value, cut, size))
			MUST(strnlen(cut, size) < size && !strncmp(cut, text, strlen(cut)));
	}
	free(text);
	free(cut);
}

static bool look_at(const char *field, const void *format)
{
	static const int64_t values[] = { 0, 1, 2, 7, 0x12345678, -1, INT64_MIN, INT64_MAX };
	enum print_kind kind = print_format_kind(format, field);
	size_t i;

	MUST(*field && kind != PRINT_NUMBER);
	for (i = 0; kind == PRINT_TEXT && i < sizeof(values) / sizeof(values[0]); i++)
		show(format, field, values[i], 1 + i);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rest rest = { data, size };
	char *text = take_text(&rest, size);
	struct print_format *format = print_format_parse(text);

	MUST(format);
	MUST(print_format_fields(format, look_at, format));
	print_format_free(format);
	free(text);
	return 0;
}
