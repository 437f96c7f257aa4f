/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The fields of a marker, from the text of the command info.
 *
 * Layer: liblttctl, private.
 */
#ifndef LTTCTL_FIELDS_H
#define LTTCTL_FIELDS_H

#include <stddef.h>

#include "core/field.h"

/**
 * struct lttctl_fields - the fields of a marker
 * @field: the fields, in the order of the payload; their texts are in @text
 * @nr: number of @field
 * @layout: stands for these fields in requests to the tracer
 * @text: memory of the texts
 */
struct lttctl_fields {
	struct ltt_field *field;
	size_t nr;
	char layout[17];
	char *text;
};

/**
 * lttctl_fields_parse() - parse the text of a marker
 * @fields: receives the fields, to be freed by lttctl_fields_free()
 * @text: from lttctl_marker_info(); belongs to @fields from now on, also after an error
 *
 * Return: 0; -ENOMEM; -EPROTO: the tracer is another version.
 */
int lttctl_fields_parse(struct lttctl_fields *fields, char *text);

void lttctl_fields_free(struct lttctl_fields *fields);

#endif /* LTTCTL_FIELDS_H */
