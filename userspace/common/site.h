/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Sites: a program's message about one, and the checks of its marker.
 *
 * Layer: common.
 */
#ifndef LTT_COMMON_SITE_H
#define LTT_COMMON_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/mark-format.h"

/** struct marker - a marker's name, format and arguments */
struct marker {
	const char *group;
	const char *name;
	const char *format;
	struct ltt_mark_arg args[LTT_MARK_MAX_ARGS];
	unsigned int nr_args;
};

/**
 * struct site - a marker at one place of a program's source
 * @number: identifies the site within the program
 * @marker: the marker
 * @file: source file
 * @line: line in @file
 * @recorded: an lttd records the site
 */
struct site {
	uint32_t number;
	struct marker marker;
	const char *file;
	unsigned int line;
	bool recorded;
};

/**
 * site_arg() - decode the description of an argument
 * @arg: see &ltt_site.args
 * @to: receives the description
 *
 * Return: true; false if it is malformed.
 */
bool site_arg(uint32_t arg, struct ltt_mark_arg *to);

/**
 * marker_fields() - check a marker's names and format, and describe its fields
 * @marker: the marker, as an untrusted program describes it
 * @fields: receives the fields
 *
 * Return: NULL; or why no recording can have the marker, a constant text.
 */
const char *marker_fields(const struct marker *marker, struct ltt_mark_fields *fields);

/**
 * site_parse() - parse a &struct ltt_program_site of an untrusted program
 * @data: the message; @site points into it
 * @size: bytes of @data
 * @site: receives the site
 *
 * Return: true; false if the message is malformed.
 */
bool site_parse(const void *data, size_t size, struct site *site);

#endif /* LTT_COMMON_SITE_H */
