/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The format of a trace_mark(): from text and argument types to fields.
 *
 * Layer: core.  A format is parsed once, when a marker is discovered.  Its
 * grammar: each field is a name and a printf conversion, "fd %d path %s"; white
 * space and the characters , ; : = stand between them.  doc/markers.md has the
 * whole of it.  Of the conversions, "%.*s", "%*ph" and "%*pA" have two arguments.
 */
#ifndef LTT_CORE_MARK_FORMAT_H
#define LTT_CORE_MARK_FORMAT_H

#include "../include/ltt/marker-types.h"
#include "field.h"
#include "label.h"

#define LTT_MARK_NAME_SIZE	64
#define LTT_MARK_MAX_LABELS	256	/* of one field */

/**
 * struct ltt_mark_fields - the fields of a marker, with their names
 * @nr: number of elements in @field; there are as many steps as arguments
 * @by_value: each step is LTT_MARK_VALUE
 * @field: the fields; each one's name points into @name, its labels into the format
 * @step: how to pack each argument
 * @name: storage
 */
struct ltt_mark_fields {
	unsigned int nr;
	bool by_value;
	struct ltt_field field[LTT_MARK_MAX_ARGS];
	struct ltt_mark_step step[LTT_MARK_MAX_ARGS];
	char name[LTT_MARK_MAX_ARGS][LTT_MARK_NAME_SIZE];
};

/**
 * ltt_mark_parse() - describe the fields of a marker
 * @format: as written in the trace_mark().  If a field has labels, it must stay as long as
 *	@fields is used
 * @args: the types of its arguments
 * @nr_args: how many
 * @fields: filled in
 * @where: on failure, the place in @format
 *
 * Context: any.
 * Return: NULL, or why the marker is refused: what is wrong and what to do.
 */
const char *ltt_mark_parse(const char *format, const struct ltt_mark_arg *args,
			   unsigned int nr_args, struct ltt_mark_fields *fields,
			   const char **where);

#endif /* LTT_CORE_MARK_FORMAT_H */
