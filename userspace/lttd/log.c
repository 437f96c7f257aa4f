// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Messages of lttd.  In the foreground they go to stderr, and the final report to stdout;
 * as a daemon, lttd writes them to syslog.
 *
 * Layer: lttd.
 */
#include "log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <syslog.h>

static bool use_syslog;

void log_to_syslog(void)
{
	openlog("lttd", LOG_PID, LOG_DAEMON);
	use_syslog = true;
}

static void log_message(FILE *to, int priority, const char *fmt, va_list args)
{
	if (use_syslog) {
		vsyslog(priority, fmt, args);
		return;
	}
	fputs("lttd: ", to);
	vfprintf(to, fmt, args);
	fputc('\n', to);
}

void copy_printable(char *to, size_t size, const char *from)
{
	size_t i;

	for (i = 0; i < size - 1 && from[i]; i++)
		to[i] = from[i] >= ' ' && from[i] < 127 ? from[i] : '?';
	to[i] = '\0';
}

void report(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log_message(stdout, LOG_INFO, fmt, args);
	va_end(args);
}

void notice(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log_message(stderr, LOG_NOTICE, fmt, args);
	va_end(args);
}

void count_notice(unsigned int *nr)
{
	if (++*nr == LOG_OTHERS_MAX)
		notice("there are too many messages like the last one: further ones are suppressed");
}

int fail(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log_message(stderr, LOG_ERR, fmt, args);
	va_end(args);
	return -1;
}
