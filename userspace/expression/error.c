// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Sentences about errors in expressions.
 */
#include "tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int fail_at(struct expression_error *error, int status, unsigned int column, const char *fmt, ...)
{
	va_list list;

	error->column = column;
	va_start(list, fmt);
	vsnprintf(error->text, sizeof(error->text), fmt, list);
	va_end(list);
	return status;
}

void add_to_error(struct expression_error *error, const char *fmt, ...)
{
	size_t len = strlen(error->text);
	va_list list;

	va_start(list, fmt);
	vsnprintf(error->text + len, sizeof(error->text) - len, fmt, list);
	va_end(list);
}
