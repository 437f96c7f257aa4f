/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Messages of lttd.  In the foreground they go to stderr, and the final report to stdout;
 * as a daemon, lttd writes them to syslog.
 *
 * Layer: lttd.
 */
#ifndef LTTD_LOG_H
#define LTTD_LOG_H

#include <stddef.h>

/* Send all later messages to syslog. */
void log_to_syslog(void);

__attribute__((format(printf, 1, 2)))
void report(const char *fmt, ...);

/* Log a warning. */
__attribute__((format(printf, 1, 2)))
void notice(const char *fmt, ...);

/* Copy untrusted text for a message: other than printable ASCII becomes `?'; cut to @size. */
void copy_printable(char *to, size_t size, const char *from);

#define LOG_OTHERS_MAX	200

/* Log a warning that programs can cause.  After 200 of a kind, further ones are suppressed; those of other
 * kinds are not. */
#define notice_of_others(...)						\
	do {								\
		static unsigned int nr_noticed;				\
									\
		if (nr_noticed < LOG_OTHERS_MAX) {			\
			notice(__VA_ARGS__);				\
			count_notice(&nr_noticed);			\
		}							\
	} while (0)

/* For notice_of_others(). */
void count_notice(unsigned int *nr);

/* Log an error.  Return: -1, for `return fail(…)`. */
__attribute__((format(printf, 1, 2)))
int fail(const char *fmt, ...);

#endif /* LTTD_LOG_H */
