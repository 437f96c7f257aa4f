/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The words of an expression.
 */
#ifndef EXPRESSION_LEX_H
#define EXPRESSION_LEX_H

#include "tree.h"

/**
 * struct lexer - a text that is being read
 * @text: its first character
 * @at: the next one
 * @error: receives what is wrong
 */
struct lexer {
	const char *text;
	const char *at;
	struct expression_error *error;
};

/* Skip blanks.  Return: the column of the next character. */
unsigned int lex_column(struct lexer *lexer);

/* Take @token, if it is next.  Return: true if it was. */
bool lex_take(struct lexer *lexer, const char *token);

/* Return: the length of the name that is next; 0: something else is. */
size_t lex_name(struct lexer *lexer);

/* Take the name @word, if it is next.  Return: true if it was. */
bool lex_take_name(struct lexer *lexer, const char *word);

/**
 * lex_number() - take a number or a character in single quotes
 * @lexer: at its first character
 * @number: receives it
 *
 * Return: 0; -EINVAL: it is malformed, or does not fit into 64 bits.
 */
int lex_number(struct lexer *lexer, uint64_t *number);

/**
 * lex_string() - take a string in double quotes
 * @lexer: at the first quote
 * @text: receives its characters, to be freed
 * @len: receives their number
 *
 * Return: 0; -EINVAL: it is malformed; -E2BIG: it is too long; -ENOMEM.
 */
int lex_string(struct lexer *lexer, char **text, size_t *len);

#endif /* EXPRESSION_LEX_H */
