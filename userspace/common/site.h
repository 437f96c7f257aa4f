/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Parse a program's message about a site.
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
 * site_parse() - parse a &struct ltt_program_site of an untrusted program
 * @data: the message; @site points into it
 * @size: bytes of @data
 * @site: receives the site
 *
 * Return: true; false if the message is malformed.
 */
bool site_parse(const void *data, size_t size, struct site *site);

#endif /* LTT_COMMON_SITE_H */
