// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Texts in JSON and CSV.
 *
 * Layer: lttctl view.
 */
#include "escape.h"
#include "common/utf8.h"

/* Write characters from @text on as far as they stay as they are.  Return: their bytes. */
static size_t put_unchanged(struct out *out, const char *text, size_t len, const char *special)
{
	size_t at = 0, size;

	while (at < len) {
		const unsigned char c = text[at];

		size = c < 0x80 ? c >= ' ' && c != (unsigned char)special[0] && c != (unsigned char)special[1] :
				  utf8_character(text + at, len - at);
		if (!size)
			break;
		at += size;
	}
	out_bytes(out, text, at);
	return at;
}

static void put_json_escape(struct out *out, unsigned char c)
{
	switch (c) {
	case '"':
		out_bytes(out, "\\\"", 2);
		break;
	case '\\':
		out_bytes(out, "\\\\", 2);
		break;
	case '\n':
		out_bytes(out, "\\n", 2);
		break;
	case '\t':
		out_bytes(out, "\\t", 2);
		break;
	default:
		out_bytes(out, "\\u00", 4);
		out_char(out, "0123456789abcdef"[c >> 4]);
		out_char(out, "0123456789abcdef"[c & 15]);
	}
}

void escape_json(struct out *out, const char *text, size_t len)
{
	size_t at = 0;

	out_char(out, '"');
	while ((at += put_unchanged(out, text + at, len - at, "\"\\")) < len) {
		if ((unsigned char)text[at] < 0x80)
			put_json_escape(out, text[at]);
		else
			out_text(out, UTF8_REPLACEMENT);
		at++;
	}
	out_char(out, '"');
}

static bool needs_quotes(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r')
			return true;
	return len && (text[0] == ' ' || text[len - 1] == ' ');
}

void escape_csv(struct out *out, const char *text, size_t len)
{
	const bool is_quoted = needs_quotes(text, len);
	size_t at = 0;

	if (is_quoted)
		out_char(out, '"');
	while ((at += put_unchanged(out, text + at, len - at, "\"\"")) < len) {
		if (text[at] == '"')
			out_bytes(out, "\"\"", 2);
		else if ((unsigned char)text[at] < 0x80)
			out_char(out, text[at]);
		else
			out_text(out, UTF8_REPLACEMENT);
		at++;
	}
	if (is_quoted)
		out_char(out, '"');
}
