// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The types of fields in the metadata, as core/ctf.c writes them:
 *
 *	integer { size = 32; align = 8; signed = true; base = 16; encoding = UTF8; } _NAME;
 *	enum : integer { ... } { "LABEL" = 1, "OTHER" = 2 ... 3 } _NAME;
 *	floating_point { exp_dig = 11; mant_dig = 53; align = 8; } _NAME;
 *	string _NAME;
 *	uint16_t __NAME_length; TYPE _NAME[__NAME_length];	TYPE _NAME[8];
 *
 * Layer: libltttrace.
 */
#include "fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int lex_accept(struct lexer *lexer, const char *text)
{
	if (!lex_is(lexer, text))
		return -EBADMSG;
	lex_next(lexer);
	return 0;
}

/* The attributes of an integer or a floating-point number. */
struct attributes {
	uint64_t size, align, base, exp_dig, mant_dig;
	bool is_signed, is_text;
};

/* Return: true if the word is the name of an attribute. */
static bool is_name(const struct token *word, const char *name)
{
	return word->len == strlen(name) && !memcmp(word->at, name, word->len);
}

static int take_attribute(struct lexer *lexer, struct attributes *attributes)
{
	const struct { const char *name; uint64_t *number; } numbers[] = {
		{ "size", &attributes->size }, { "align", &attributes->align }, { "base", &attributes->base },
		{ "exp_dig", &attributes->exp_dig }, { "mant_dig", &attributes->mant_dig },
	};
	const struct token name = lexer->token;
	bool is_known = false;
	size_t i;

	lex_next(lexer);
	if (lex_accept(lexer, "="))
		return -EBADMSG;
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (is_name(&name, numbers[i].name) && lexer->token.kind == TOKEN_NUMBER) {
			*numbers[i].number = lexer->token.number;
			is_known = true;
		}
	if (is_name(&name, "signed") && (lex_is(lexer, "true") || lex_is(lexer, "false"))) {
		attributes->is_signed = lex_is(lexer, "true");
		is_known = true;
	}
	if (is_name(&name, "encoding") && (lex_is(lexer, "UTF8") || lex_is(lexer, "none"))) {
		attributes->is_text = lex_is(lexer, "UTF8");
		is_known = true;
	}
	if (!is_known)
		return lexer->token.kind == TOKEN_END ? -EBADMSG : -ENOTSUP;
	lex_next(lexer);
	return lex_accept(lexer, ";");
}

static int take_attributes(struct lexer *lexer, struct attributes *attributes)
{
	int err = lex_accept(lexer, "{");

	while (!err && !lex_is(lexer, "}"))
		err = take_attribute(lexer, attributes);
	return err ?: lex_accept(lexer, "}");
}

static int take_integer(struct lexer *lexer, struct ltttrace_field *field)
{
	struct attributes attributes = { .align = 8, .base = 10 };
	int err = take_attributes(lexer, &attributes);

	if (err)
		return err;
	if (attributes.align != 8 || (attributes.size != 8 && attributes.size != 16 && attributes.size != 24 &&
				      attributes.size != 32 && attributes.size != 64) ||
	    (attributes.base != 2 && attributes.base != 8 && attributes.base != 10 && attributes.base != 16))
		return -ENOTSUP;
	field->kind = attributes.is_signed ? LTTTRACE_SIGNED : LTTTRACE_UNSIGNED;
	field->bits = attributes.size;
	field->base = attributes.base;
	field->is_text = attributes.is_text && attributes.size == 8;
	return 0;
}

static int take_float(struct lexer *lexer, struct ltttrace_field *field)
{
	struct attributes attributes = { .align = 8 };
	int err = take_attributes(lexer, &attributes);

	if (err)
		return err;
	field->kind = LTTTRACE_FLOAT;
	field->base = 10;
	field->bits = attributes.exp_dig + attributes.mant_dig;
	if (attributes.align != 8 || (attributes.exp_dig != 8 && attributes.exp_dig != 11) ||
	    field->bits != (attributes.exp_dig == 8 ? 32 : 64))
		return -ENOTSUP;
	return 0;
}

static int take_number(struct lexer *lexer, uint64_t *number)
{
	bool is_negative = lex_is(lexer, "-");

	if (is_negative)
		lex_next(lexer);
	if (lexer->token.kind != TOKEN_NUMBER)
		return -EBADMSG;
	*number = is_negative ? -lexer->token.number : lexer->token.number;
	lex_next(lexer);
	return 0;
}

/* "NAME" = FIRST, or "NAME" = FIRST ... LAST */
static int take_label(struct lexer *lexer, struct ltttrace_label *label)
{
	int err;

	if (lexer->token.kind != TOKEN_STRING)
		return -EBADMSG;
	label->name = lex_text(lexer);
	if (!label->name)
		return -ENOMEM;
	lex_next(lexer);
	err = lex_accept(lexer, "=") ?: take_number(lexer, &label->first);
	label->last = label->first;
	if (!err && lex_is(lexer, "...")) {
		lex_next(lexer);
		err = take_number(lexer, &label->last);
	}
	return err;
}

static int take_labels(struct lexer *lexer, struct ltttrace_field *field)
{
	struct ltttrace_label *labels;
	size_t room = 0;
	int err;

	err = lex_accept(lexer, "{");
	while (!err && !lex_is(lexer, "}")) {
		if (field->nr_labels == room) {
			room = room ? 2 * room : 8;
			labels = realloc((void *)field->labels, room * sizeof(*labels));
			if (!labels)
				return -ENOMEM;
			field->labels = labels;
		}
		labels = (struct ltttrace_label *)field->labels + field->nr_labels;
		*labels = (struct ltttrace_label){ 0 };
		field->nr_labels++;
		err = take_label(lexer, labels);
		if (!err && !lex_is(lexer, "}"))
			err = lex_accept(lexer, ",");
	}
	return err ?: lex_accept(lexer, "}");
}

static int take_type(struct lexer *lexer, struct ltttrace_field *field)
{
	bool is_enumeration = lex_is(lexer, "enum");
	int err = 0;

	if (is_enumeration) {
		lex_next(lexer);
		err = lex_accept(lexer, ":");
	}
	if (err)
		return err;
	if (!is_enumeration && lex_is(lexer, "string")) {
		lex_next(lexer);
		field->kind = LTTTRACE_STRING;
	} else if (!is_enumeration && lex_is(lexer, "uint16_t")) {
		lex_next(lexer);
		field->kind = LTTTRACE_UNSIGNED;
		field->bits = 16;
		field->base = 10;
	} else if (lex_is(lexer, "integer")) {
		lex_next(lexer);
		err = take_integer(lexer, field);
	} else if (!is_enumeration && lex_is(lexer, "floating_point")) {
		lex_next(lexer);
		err = take_float(lexer, field);
	} else {
		err = lexer->token.kind == TOKEN_END ? -EBADMSG : -ENOTSUP;
	}
	field->element = field->kind;
	if (!err && is_enumeration)
		err = take_labels(lexer, field);
	return err;
}

/* "[8]", or "[NAME]" with the name of the field before.  @before: NULL: there is none. */
static int take_length(struct lexer *lexer, struct ltttrace_field *field, struct ltttrace_field *before)
{
	lex_next(lexer);
	if (field->kind == LTTTRACE_STRING)
		return -ENOTSUP;
	if (lexer->token.kind == TOKEN_NUMBER) {
		if (lexer->token.number > ARRAY_MAX)
			return -ENOTSUP;
		field->kind = LTTTRACE_ARRAY;
		field->length = lexer->token.number;
	} else {
		/* The name of the length is in the text as it is: with the underscore that names begin with. */
		if (!before || before->kind != LTTTRACE_UNSIGNED || lexer->token.kind != TOKEN_WORD ||
		    lexer->token.len != strlen(before->name) + 1 ||
		    memcmp(lexer->token.at + 1, before->name, lexer->token.len - 1))
			return -ENOTSUP;
		field->kind = LTTTRACE_SEQUENCE;
		before->is_length = true;
	}
	lex_next(lexer);
	return lex_accept(lexer, "]");
}

static int take_field(struct lexer *lexer, struct fields *fields)
{
	struct ltttrace_field *field = &fields->field[fields->nr];
	char *name;
	int err;

	*field = (struct ltttrace_field){ 0 };
	fields->nr++;
	err = take_type(lexer, field);
	if (err)
		return err;
	if (lexer->token.kind != TOKEN_WORD)
		return -EBADMSG;
	name = lex_text(lexer);
	if (!name)
		return -ENOMEM;
	if (*name == '_')
		memmove(name, name + 1, strlen(name));
	field->name = name;
	lex_next(lexer);
	if (lex_is(lexer, "["))
		err = take_length(lexer, field, fields->nr > 1 ? field - 1 : NULL);
	/* A character alone is a number. */
	if (field->kind != LTTTRACE_ARRAY && field->kind != LTTTRACE_SEQUENCE)
		field->is_text = false;
	return err ?: lex_accept(lexer, ";");
}

static int make_room(struct fields *fields)
{
	unsigned int room = fields->room ? 2 * fields->room : 8;
	struct ltttrace_field *field;

	if (fields->nr < fields->room)
		return 0;
	if (fields->nr >= FIELDS_MAX)
		return -ENOTSUP;
	field = realloc(fields->field, room * sizeof(*field));
	if (!field)
		return -ENOMEM;
	fields->field = field;
	fields->room = room;
	return 0;
}

int fields_parse(struct lexer *lexer, struct fields *fields)
{
	int err = lex_accept(lexer, "struct") ?: lex_accept(lexer, "{");

	while (!err && !lex_is(lexer, "}"))
		err = make_room(fields) ?: take_field(lexer, fields);
	return err ?: lex_accept(lexer, "}");
}

void field_free(struct ltttrace_field *field)
{
	size_t i;

	for (i = 0; i < field->nr_labels; i++)
		free((void *)field->labels[i].name);
	free((void *)field->labels);
	free((void *)field->name);
}

void fields_free(struct fields *fields)
{
	unsigned int i;

	for (i = 0; i < fields->nr; i++)
		field_free(&fields->field[i]);
	free(fields->field);
	*fields = (struct fields){ 0 };
}
