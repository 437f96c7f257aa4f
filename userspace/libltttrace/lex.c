// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The words of the metadata.
 *
 * Layer: libltttrace.
 */
#include "lex.h"

#include <stdlib.h>
#include <string.h>

/* Without the locale that <ctype.h> depends on. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

/* Skip a comment.  Return: false if the text ends in it. */
static bool skip_comment(struct lexer *lexer)
{
	const char *begin = lexer->at + 2, *at;

	for (at = begin; at + 1 < lexer->end && !(at[0] == '*' && at[1] == '/'); at++)
		if (*at == '\n')
			lexer->line++;
	if (at + 1 >= lexer->end) {
		lexer->at = lexer->end;
		return false;
	}
	lexer->comment = begin;
	lexer->comment_len = at - begin;
	lexer->at = at + 2;
	return true;
}

static void skip_blanks(struct lexer *lexer)
{
	for (; lexer->at < lexer->end; lexer->at++) {
		while (lexer->at + 1 < lexer->end && lexer->at[0] == '/' && lexer->at[1] == '*')
			if (!skip_comment(lexer))
				return;
		if (lexer->at == lexer->end || !strchr(" \t\r\n", *lexer->at) || !*lexer->at)
			return;
		if (*lexer->at == '\n')
			lexer->line++;
	}
}

/* A string ends at a quote that no backslash precedes.  Return: false if the text ends in it. */
static bool take_string(struct lexer *lexer)
{
	struct token *token = &lexer->token;
	const char *at = lexer->at + 1;

	token->at = at;
	for (; at < lexer->end && *at != '"'; at++) {
		if (*at == '\\')
			at++;
		if (at < lexer->end && *at == '\n')
			lexer->line++;
	}
	if (at >= lexer->end)
		return false;
	token->kind = TOKEN_STRING;
	token->len = at - token->at;
	lexer->at = at + 1;
	return true;
}

/* Decimal, or hexadecimal after 0x.  One that does not fit in 64 bits is not a number. */
static void take_number(struct lexer *lexer)
{
	struct token *token = &lexer->token;
	char text[32], *end;

	while (lexer->at < lexer->end && is_word(*lexer->at))
		lexer->at++;
	token->len = lexer->at - token->at;
	token->kind = TOKEN_MARK;
	if (token->len >= sizeof(text))
		return;
	memcpy(text, token->at, token->len);
	text[token->len] = '\0';
	token->number = strtoull(text, &end, 0);
	if (!*end && (token->number != UINT64_MAX || !strcmp(text, "18446744073709551615")))
		token->kind = TOKEN_NUMBER;
}

/* At the end of the text, the beginning of a mark is one, too. */
static void take_mark(struct lexer *lexer)
{
	struct token *token = &lexer->token;
	const size_t room = lexer->end - lexer->at;

	token->kind = TOKEN_MARK;
	token->len = 1;
	if (room >= 2 && !memcmp(lexer->at, ":=", 2))
		token->len = 2;
	else if (!memcmp(lexer->at, "...", room < 3 ? room : 3))
		token->len = room < 3 ? room : 3;
	lexer->at += token->len;
}

void lex_next(struct lexer *lexer)
{
	struct token *token = &lexer->token;

	skip_blanks(lexer);
	*token = (struct token){ .kind = TOKEN_END, .at = lexer->at };
	if (lexer->at >= lexer->end)
		return;
	if (*lexer->at == '"') {
		if (!take_string(lexer)) {
			token->kind = TOKEN_END;
			lexer->at = lexer->end;
		}
	} else if (is_digit(*lexer->at)) {
		take_number(lexer);
	} else if (is_word(*lexer->at)) {
		while (lexer->at < lexer->end && is_word(*lexer->at))
			lexer->at++;
		token->kind = TOKEN_WORD;
		token->len = lexer->at - token->at;
	} else {
		take_mark(lexer);
	}
}

void lex_init(struct lexer *lexer, const char *text, size_t len)
{
	*lexer = (struct lexer){ .at = text, .end = text + len, .line = 1 };
	lex_next(lexer);
}

bool lex_is(const struct lexer *lexer, const char *text)
{
	const struct token *token = &lexer->token;

	return token->kind != TOKEN_END && token->kind != TOKEN_STRING && strlen(text) == token->len &&
	       !memcmp(text, token->at, token->len);
}

char *lex_text(const struct lexer *lexer)
{
	const struct token *token = &lexer->token;
	char *text = malloc(token->len + 1);
	size_t i, len = 0;

	for (i = 0; text && i < token->len; i++) {
		if (token->kind == TOKEN_STRING && token->at[i] == '\\' && i + 1 < token->len)
			i++;
		text[len++] = token->at[i];
	}
	if (text)
		text[len] = '\0';
	return text;
}
