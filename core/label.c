// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The parser of labels; see label.h.
 *
 * Layer: core.  Any context; no locks, no state.
 */
#include "label.h"

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_of_name(char c)
{
	return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

static const char *skip_blanks(const char *at)
{
	while (*at == ' ' || *at == '\t' || *at == '\n')
		at++;
	return at;
}

/* Return: 16 for any other character. */
static unsigned int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

/* Return: behind the number; NULL if there is none, or it does not fit into 64 bits. */
static const char *parse_number(const char *at, struct ltt_label *label)
{
	const u64 all = ~0ULL;
	unsigned int base = 10;
	const char *digits;
	u64 n = 0, most;

	label->is_negative = *at == '-';
	most = label->is_negative ? 1ULL << 63 : all;
	at += label->is_negative;
	if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
		base = 16;
		at += 2;
	}
	for (digits = at; digit_of(*at) < base; at++) {
		/* Constants, so that no 64-bit division is needed. */
		if (n > (base == 16 ? all / 16 : all / 10) || n * base > most - digit_of(*at))
			return NULL;
		n = n * base + digit_of(*at);
	}
	label->value = label->is_negative ? -n : n;
	return at == digits ? NULL : at;
}

bool ltt_label_next(const char **at, struct ltt_label *label)
{
	const char *text = skip_blanks(*at);

	label->name = text;
	label->len = 0;
	if (!is_letter(*text))
		return false;
	while (is_of_name(text[label->len]))
		label->len++;
	text = skip_blanks(text + label->len);
	if (label->len > LTT_LABEL_NAME_MAX || *text != '=')
		return false;
	text = parse_number(skip_blanks(text + 1), label);
	if (!text)
		return false;
	text = skip_blanks(text);
	if (*text != ',' && *text != '}')
		return false;
	*at = text + (*text == ',');
	return true;
}
