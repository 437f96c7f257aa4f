/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What a program says of a marker.
 *
 * Layer: common.
 */
#ifndef LTT_COMMON_SITE_H
#define LTT_COMMON_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/mark-format.h"

/** struct marker - what a program says of one */
struct marker {
	const char *group;
	const char *name;
	const char *format;
	struct ltt_mark_arg args[LTT_MARK_MAX_ARGS];
	unsigned int nr_args;
};

/**
 * struct site - a marker of a program, and where it is
 * @number: the program's
 * @marker: what it records
 * @file: where it is written
 * @line: in that
 * @recorded: an lttd listens to it
 */
struct site {
	uint32_t number;
	struct marker marker;
	const char *file;
	unsigned int line;
	bool recorded;
};

/**
 * site_parse() - look at a message that should be a &struct ltt_program_site
 * @data: of the message; @site has pointers to it
 * @size: in bytes
 * @site: told what it says
 * Return: is it one?
 */
bool site_parse(const void *data, size_t size, struct site *site);

#endif /* LTT_COMMON_SITE_H */
