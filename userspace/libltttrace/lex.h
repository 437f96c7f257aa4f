/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The words of the metadata.
 *
 * Layer: libltttrace.  Source: CTF specification 1.8.3, section C.1 (lexical elements).
 */
#ifndef LIBLTTTRACE_LEX_H
#define LIBLTTTRACE_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * enum token_kind - the kind of a word
 * @TOKEN_END: the end of the text, perhaps within a word
 * @TOKEN_WORD: an identifier
 * @TOKEN_NUMBER: a number without a sign
 * @TOKEN_STRING: a text in quotes
 * @TOKEN_MARK: ":=", "...", or one character
 */
enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_MARK };

/**
 * struct token - a word
 * @at: its first byte, of a string that after the quote
 * @len: its bytes, of a string those between the quotes
 */
struct token {
	enum token_kind kind;
	const char *at;
	size_t len;
	uint64_t number;
};

/**
 * struct lexer - a place in a text
 * @at: the place
 * @end: the end of the text
 * @line: number of the line, from 1 on
 * @comment: the last comment, without its delimiters; NULL: there was none
 * @token: the current word
 */
struct lexer {
	const char *at;
	const char *end;
	unsigned int line;
	const char *comment;
	size_t comment_len;
	struct token token;
};

/* Begin with the first word. */
void lex_init(struct lexer *lexer, const char *text, size_t len);
/* Go to the next word. */
void lex_next(struct lexer *lexer);
/* Return: true if the current word is @text, which is not a string. */
bool lex_is(const struct lexer *lexer, const char *text);
/* Return: the text of a string without its backslashes, or of another word, to be freed; NULL without memory. */
char *lex_text(const struct lexer *lexer);

#endif /* LIBLTTTRACE_LEX_H */
