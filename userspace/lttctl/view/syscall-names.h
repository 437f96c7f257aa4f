/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The names of the numbers that system calls take.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_VIEW_SYSCALL_NAMES_H
#define LTTCTL_VIEW_SYSCALL_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct number_name - the name of a number
 * @number: the number
 * @name: its name; NULL after the last
 */
struct number_name {
	int64_t number;
	const char *name;
};

/* As a list of values: the signals. */
#define NUMBER_SIGNALS	((const struct number_name *)1)

/**
 * struct number_names - the names of the numbers of a field
 * @calls: the names of system calls, with a space between; "*" for any
 * @field: the name of the field
 * @values: the names of values under @mask, NUMBER_SIGNALS, or NULL
 * @mask: -1 if only a whole number can be one of @values
 * @flags: the names of flags beside the value, or NULL
 */
struct number_names {
	const char *calls;
	const char *field;
	const struct number_name *values;
	int64_t mask;
	const struct number_name *flags;
};

/* Return: the names; NULL if the field of this call has none. */
const struct number_names *number_names_of(const char *call, const char *field);

/* Return: the names of address families of sockets. */
const struct number_name *number_families(void);

#endif /* LTTCTL_VIEW_SYSCALL_NAMES_H */
