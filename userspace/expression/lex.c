// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The words of an expression: names, numbers, characters and strings.
 */
#include "lex.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Return: 16 for another character. */
static unsigned int digit_of(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

unsigned int lex_column(struct lexer *lexer)
{
	lexer->at += strspn(lexer->at, " \t\n");
	return lexer->at - lexer->text + 1;
}

bool lex_take(struct lexer *lexer, const char *token)
{
	size_t len = strlen(token);

	lex_column(lexer);
	if (strncmp(lexer->at, token, len))
		return false;
	lexer->at += len;
	return true;
}

size_t lex_name(struct lexer *lexer)
{
	size_t len = 0;

	lex_column(lexer);
	while (is_letter(lexer->at[len]) || (len && is_digit(lexer->at[len])))
		len++;
	return len;
}

bool lex_take_name(struct lexer *lexer, const char *word)
{
	return lex_name(lexer) == strlen(word) && lex_take(lexer, word);
}

/* ---- Numbers ---- */

static const struct {
	const char *suffix;
	uint64_t factor;
} units[] = {
	{ "k", 1 << 10 }, { "K", 1 << 10 }, { "M", 1 << 20 }, { "G", 1 << 30 },
	{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
};

/* Take the digits of a number.  Return: false if it does not fit. */
static bool take_digits(struct lexer *lexer, unsigned int base, uint64_t *number)
{
	bool fits = true;

	for (*number = 0; digit_of(*lexer->at) < base; lexer->at++)
		fits &= !__builtin_mul_overflow(*number, base, number) &&
			!__builtin_add_overflow(*number, digit_of(*lexer->at), number);
	return fits;
}

/* Take what follows the digits.  Return: 0, if there is no such unit. */
static uint64_t take_unit(struct lexer *lexer)
{
	size_t i, len = 0;

	while (is_letter(lexer->at[len]) || is_digit(lexer->at[len]))
		len++;
	if (!len)
		return *lexer->at != '.';
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strlen(units[i].suffix) != len || strncmp(units[i].suffix, lexer->at, len))
			continue;
		lexer->at += len;
		return units[i].factor;
	}
	return 0;
}

static int take_integer(struct lexer *lexer, uint64_t *number)
{
	const unsigned int column = lex_column(lexer);
	unsigned int base = *lexer->at == '0' ? 8 : 10;
	uint64_t factor;
	const char *digits;
	bool fits;

	if (base == 8 && (lexer->at[1] == 'x' || lexer->at[1] == 'X')) {
		base = 16;
		lexer->at += 2;
	}
	digits = lexer->at;
	fits = take_digits(lexer, base, number);
	factor = lexer->at == digits ? 0 : take_unit(lexer);
	if (!factor)
		return fail_at(lexer->error, -EINVAL, lex_column(lexer),
			       "malformed number: digits, 0x for hexadecimal and 0 for octal ones, can be followed "
			       "by k, M, G, ns, us, ms or s");
	if (!fits || __builtin_mul_overflow(*number, factor, number))
		return fail_at(lexer->error, -EINVAL, column, "the number does not fit into 64 bits");
	return 0;
}

/* ---- Characters ---- */

/* Take one character of a string, or an escape.  Return: -EINVAL for an unknown one. */
static int take_character(struct lexer *lexer, unsigned char *c)
{
	static const char escapes[] = "ntr0\\\"'", meanings[] = "\n\t\r\0\\\"'";
	const char *found;

	*c = *lexer->at;
	if (*lexer->at++ != '\\')
		return 0;
	found = *lexer->at ? strchr(escapes, *lexer->at) : NULL;
	if (found) {
		*c = meanings[found - escapes];
		lexer->at++;
		return 0;
	}
	if (*lexer->at == 'x' && digit_of(lexer->at[1]) < 16 && digit_of(lexer->at[2]) < 16) {
		*c = digit_of(lexer->at[1]) << 4 | digit_of(lexer->at[2]);
		lexer->at += 3;
		return 0;
	}
	return fail_at(lexer->error, -EINVAL, lexer->at - lexer->text,
		       "unknown escape: there are \\n \\t \\r \\0 \\\\ \\\" \\' and \\xHH");
}

int lex_number(struct lexer *lexer, uint64_t *number)
{
	const unsigned int column = lex_column(lexer);
	unsigned char c;
	int status;

	if (*lexer->at != '\'')
		return take_integer(lexer, number);
	lexer->at++;
	if (!*lexer->at || *lexer->at == '\'')
		return fail_at(lexer->error, -EINVAL, column, "one character must stand between single quotes");
	status = take_character(lexer, &c);
	if (status)
		return status;
	if (*lexer->at != '\'')
		return fail_at(lexer->error, -EINVAL, column,
			       "one character must stand between single quotes; strings have double quotes");
	lexer->at++;
	*number = c;
	return 0;
}

int lex_string(struct lexer *lexer, char **text, size_t *len)
{
	const unsigned int column = lex_column(lexer);
	unsigned char c;
	int status = 0;

	*len = 0;
	*text = malloc(strlen(lexer->at) + 1);
	if (!*text)
		return fail_at(lexer->error, -ENOMEM, column, "out of memory");
	for (lexer->at++; !status && *lexer->at != '"'; (*text)[(*len)++] = c) {
		if (!*lexer->at)
			status = fail_at(lexer->error, -EINVAL, column, "the string has no end");
		else
			status = take_character(lexer, &c);
		if (!status && !c)
			status = fail_at(lexer->error, -EINVAL, column, "a string cannot contain a NUL");
		if (status)
			break;
	}
	if (!status && *len >= EXPRESSION_STRING_MAX)
		status = fail_at(lexer->error, -E2BIG, column, "the string is longer than %u characters",
				 EXPRESSION_STRING_MAX - 1);
	if (status) {
		free(*text);
		*text = NULL;
		return status;
	}
	lexer->at++;
	(*text)[*len] = '\0';
	return 0;
}
