/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The trace of a user's programs in a recording, which lttd writes and lttctl reports.
 *
 * Layer: common.
 */
#ifndef LTT_COMMON_USER_TRACE_H
#define LTT_COMMON_USER_TRACE_H

#include <stdbool.h>
#include <string.h>

/* The name of its directory, before the user's id. */
#define USER_TRACE	"user-"

/* lttd counts so many rejected markers of a user; there may be more. */
#define USER_TRACE_REJECTED_MAX	1000

/**
 * user_trace_is() - check for the name of a user's trace
 * @name: the name of a directory
 *
 * Return: true if @name is USER_TRACE and a number.
 */
static inline bool user_trace_is(const char *name)
{
	const char *id = name + strlen(USER_TRACE);

	return !strncmp(name, USER_TRACE, strlen(USER_TRACE)) && *id && !id[strspn(id, "0123456789")];
}

#endif /* LTT_COMMON_USER_TRACE_H */
