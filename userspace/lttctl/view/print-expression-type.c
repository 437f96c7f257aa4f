// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The types of casts in the kernel's print formats.
 *
 * Layer: lttctl view.
 */
#include "print-expression-type.h"

#include <ctype.h>
#include <string.h>

size_t word_length(const char *at)
{
	size_t len = 0;

	while (isalnum((unsigned char)at[len]) || at[len] == '_')
		len++;
	return isdigit((unsigned char)*at) ? 0 : len;
}

bool is_word(const char *at, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(at, word, len);
}

static void add_word(struct type *type, const char *word, size_t len)
{
	static const struct {
		const char *name;
		struct type type;
	} types[] = {
		{ "char", { 8, false } }, { "short", { 16, false } }, { "int", { 32, false } },
		{ "bool", { 8, true } }, { "_Bool", { 8, true } },
		{ "u8", { 8, true } }, { "u16", { 16, true } }, { "u32", { 32, true } }, { "u64", { 64, true } },
		{ "__u8", { 8, true } }, { "__u16", { 16, true } }, { "__u32", { 32, true } }, { "__u64", { 64, true } },
		{ "s8", { 8, false } }, { "s16", { 16, false } }, { "s32", { 32, false } }, { "s64", { 64, false } },
	};
	size_t i;

	if (is_word(word, len, "unsigned")) {
		type->is_unsigned = true;
		type->bits = type->bits ? type->bits : 32;
	} else if (is_word(word, len, "long")) {
		type->bits = 64;
	}
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (!is_word(word, len, types[i].name))
			continue;
		/* "long int" has the bits of long. */
		if (type->bits != 64)
			type->bits = types[i].type.bits;
		type->is_unsigned |= types[i].type.is_unsigned;
	}
}

bool type_take(const char **text, struct type *type)
{
	const char *at = *text + strspn(*text, " ");
	size_t len;

	*type = (struct type){ 0 };
	if (!word_length(at) || is_word(at, word_length(at), "REC") || !strncmp(at, "__print_", strlen("__print_")))
		return false;
	while ((len = word_length(at))) {
		add_word(type, at, len);
		at += len;
		at += strspn(at, " ");
	}
	if (*at == '*') {
		*type = (struct type){ 64, true };
		at += strspn(at, "* ");
	}
	if (*at != ')')
		return false;
	at++;
	/* (name) is a type only before a value. */
	if (!strchr("(\"'~!0123456789", at[strspn(at, " ")]) && !word_length(at + strspn(at, " ")))
		return false;
	*text = at;
	return true;
}
