/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The types of fields in the metadata.
 *
 * Layer: libltttrace.
 */
#ifndef LIBLTTTRACE_FIELDS_H
#define LIBLTTTRACE_FIELDS_H

#include "internal.h"
#include "lex.h"

/**
 * fields_parse() - parse "struct { TYPE NAME; ... }"
 * @lexer: at the word "struct"; receives the place after "}"
 * @fields: receives the fields; on failure those that were parsed
 *
 * Return: 0; -EBADMSG: the text ends or is malformed; -ENOTSUP: a type that LTT does not write; -ENOMEM.
 */
int fields_parse(struct lexer *lexer, struct fields *fields);
/* Free what a field points to. */
void field_free(struct ltttrace_field *field);
void fields_free(struct fields *fields);

/* Take a word if it is the current one.  Return: 0; -EBADMSG. */
int lex_accept(struct lexer *lexer, const char *text);

#endif /* LIBLTTTRACE_FIELDS_H */
