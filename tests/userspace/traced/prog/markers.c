// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Markers that are many, that are rejected, and whose texts are unusual.
 */
#include "prog.h"

#include <stddef.h>

/* Characters that a viewer must not pass to a terminal as they are. */
int prog_texts(char **argv)
{
	(void)argv;
	trace_mark(test, text, "s %s", "a \"quote\", a \\, \033[2J and \t");
	trace_mark(test, bases, "x %x o %o d %d", 0xbeefU, 0755U, -1);
	return 0;
}

#define MANY_1(i)	trace_mark(many, m##i, "");
#define MANY_10(i)	MANY_1(i##0) MANY_1(i##1) MANY_1(i##2) MANY_1(i##3) MANY_1(i##4) \
			MANY_1(i##5) MANY_1(i##6) MANY_1(i##7) MANY_1(i##8) MANY_1(i##9)
#define MANY_100(i)	MANY_10(i##0) MANY_10(i##1) MANY_10(i##2) MANY_10(i##3) MANY_10(i##4) \
			MANY_10(i##5) MANY_10(i##6) MANY_10(i##7) MANY_10(i##8) MANY_10(i##9)

int prog_many(char **argv)
{
	(void)argv;
	MANY_100(0)
	MANY_100(1)
	return wait_for_line();
}

#define REFUSED_1(i)	trace_mark(wrong, refused##i, "twice %d twice %d", 1, 2);
#define REFUSED_10(i)	REFUSED_1(i##0) REFUSED_1(i##1) REFUSED_1(i##2) REFUSED_1(i##3) REFUSED_1(i##4) \
			REFUSED_1(i##5) REFUSED_1(i##6) REFUSED_1(i##7) REFUSED_1(i##8) REFUSED_1(i##9)

/* As a library does that was built with a later header. */
int prog_later_header(char **argv)
{
	static struct ltt_site site = { .version = LTT_SITE_VERSION + 1 };

	(void)argv;
	ltt_sites_add(&site, &site + 1);
	return prog_count((char *[]){ "10", NULL });
}

/* 22 markers with a format that cannot be recorded, and one that can. */
int prog_refused(char **argv)
{
	(void)argv;
	REFUSED_10(0)
	REFUSED_10(1)
	REFUSED_1(20)
	REFUSED_1(21)
	trace_mark(wrong, right, "i %d", 0);
	return wait_for_line();
}
