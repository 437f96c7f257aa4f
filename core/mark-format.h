/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The format of a trace_mark(): from text and argument types to fields.
 *
 * Layer: core.  A format is parsed once, when a marker is discovered.  Its
 * grammar: each field is a name and a printf conversion, "fd %d path %s"; white
 * space and the characters , ; : = stand between them.  doc/markers.md has the
 * whole of it.
 */
#ifndef LTT_CORE_MARK_FORMAT_H
#define LTT_CORE_MARK_FORMAT_H

#include "../include/ltt/marker-types.h"
#include "field.h"

#define LTT_MARK_NAME_SIZE	64

/**
 * struct ltt_mark_fields - the fields of a marker, with their names
 * @field: the fields; each one's name points into @name
 * @name: storage
 */
struct ltt_mark_fields {
	struct ltt_field field[LTT_MARK_MAX_ARGS];
	char name[LTT_MARK_MAX_ARGS][LTT_MARK_NAME_SIZE];
};

/**
 * ltt_mark_parse() - describe the fields of a marker
 * @format: as written in the trace_mark()
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
