/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The blocks of the metadata.
 *
 * Layer: libltttrace.
 */
#ifndef LIBLTTTRACE_DESCRIBE_H
#define LIBLTTTRACE_DESCRIBE_H

#include "fields.h"

/* Take the words of a text, of which NAME stands for any word.  Return: 0; -ENOTSUP: there are others; -EBADMSG: the metadata ends,
 * perhaps within a word. */
int lex_expect(struct lexer *lexer, const char *text);
/* Take a number.  Return: 0, -EBADMSG. */
int lex_count(struct lexer *lexer, uint64_t *number);

/**
 * describe_stream() - add a channel to a part, unless it has it
 * @lexer: behind the word "stream"; receives the place after the block
 * @part: the part
 *
 * Return: 0; -EBADMSG: the text ends or is malformed; -ENOTSUP: LTT does not write such; -ERANGE: a number is out of
 *	range; -ENOMEM.
 */
int describe_stream(struct lexer *lexer, struct part *part);
/* As describe_stream(), of a class of events, behind the word "event". */
int describe_event(struct lexer *lexer, struct part *part);

#endif /* LIBLTTTRACE_DESCRIBE_H */
