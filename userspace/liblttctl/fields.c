// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The fields of a marker, from the text of the command info.
 *
 * Layer: liblttctl.
 */
#include "fields.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {
	[LTT_FIELD_INT] = "integer",
	[LTT_FIELD_STRING] = "string",
	[LTT_FIELD_TEXT] = "text",
	[LTT_FIELD_ARRAY] = "array",
	[LTT_FIELD_SEQUENCE] = "sequence",
};

static int parse_kind(struct ltt_field *field, const char *word)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(word, kinds[i])) {
			field->kind = i;
			return 0;
		}
	return -EPROTO;
}

/* "s32" */
static int parse_integer(struct ltt_field *field, const char *word)
{
	unsigned int bits = strtoul(word + 1, NULL, 10);

	if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
		return -EPROTO;
	field->is_signed = *word == 's';
	field->size = bits / 8;
	return 0;
}

/* The words behind the kind: "s32 base 10 count 4", "u8 text"; labels and the type are cut off. */
static int parse_words(struct ltt_field *field, char *rest)
{
	char *word, *number;
	int err = 0;

	while (!err && (word = strsep(&rest, " "))) {
		if (!strcmp(word, "base") && (number = strsep(&rest, " ")))
			field->base = strtoul(number, NULL, 10);
		else if (!strcmp(word, "count") && (number = strsep(&rest, " ")))
			field->count = strtoul(number, NULL, 10);
		else if (*word && strcmp(word, "text"))
			err = parse_integer(field, word);
	}
	return err;
}

/* "NAME KIND [s32 base 10] [count N] [{labels}] (TYPE)" */
static int parse_field(struct ltt_field *field, char *line)
{
	char *labels = strchr(line, '{'), *type = strchr(labels ? strchrnul(labels, '}') : line, '(');
	char *word;
	int err;

	*field = (struct ltt_field){ .type = "" };
	if (type) {
		field->type = type + 1;
		type[strcspn(type, ")")] = '\0';
		type[-1] = '\0';
	}
	if (labels) {
		field->labels = labels + 1;
		labels[-1] = '\0';
	}
	field->name = strsep(&line, " ");
	word = strsep(&line, " ");
	err = word ? parse_kind(field, word) : -EPROTO;
	if (!err && line)
		err = parse_words(field, line);
	if (field->kind == LTT_FIELD_STRING || field->kind == LTT_FIELD_TEXT)
		field->size = 1;
	return err || field->size ? err : -EPROTO;
}

int lttctl_fields_parse(struct lttctl_fields *fields, char *text)
{
	static const char field[] = "field ", layout[] = "layout ";
	struct ltt_field *grown;
	char *line, *rest = text;
	int err = 0;

	*fields = (struct lttctl_fields){ .text = text };
	while (!err && (line = strsep(&rest, "\n"))) {
		if (!strncmp(line, layout, strlen(layout)))
			snprintf(fields->layout, sizeof(fields->layout), "%s", line + strlen(layout));
		if (strncmp(line, field, strlen(field)))
			continue;
		grown = reallocarray(fields->field, fields->nr + 1, sizeof(*grown));
		if (!grown) {
			err = -ENOMEM;
			break;
		}
		fields->field = grown;
		err = parse_field(&grown[fields->nr++], line + strlen(field));
	}
	return err || *fields->layout ? err : -EPROTO;
}

void lttctl_fields_free(struct lttctl_fields *fields)
{
	free(fields->field);
	free(fields->text);
	*fields = (struct lttctl_fields){ NULL };
}
