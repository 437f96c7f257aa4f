/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What lttd has to say: on stderr (its final report on stdout) in the foreground,
 * in syslog as a daemon.
 *
 * Layer: lttd.
 */
#ifndef LTTD_LOG_H
#define LTTD_LOG_H

#include <stddef.h>

void log_to_syslog(void);

__attribute__((format(printf, 1, 2)))
void report(const char *fmt, ...);

__attribute__((format(printf, 1, 2)))
void notice(const char *fmt, ...);

/* What a terminal would take for more than text becomes question marks; cut to @size. */
void plain(char *to, size_t size, const char *from);

/* As often as it may be caused by whoever likes, it is said 200 times. */
__attribute__((format(printf, 1, 2)))
void notice_of_others(const char *fmt, ...);

/* Returns -1, for `return fail(…)`. */
__attribute__((format(printf, 1, 2)))
int fail(const char *fmt, ...);

#endif /* LTTD_LOG_H */
