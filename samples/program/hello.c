// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A program with markers: hello [N].
 */
#include <ltt/tracepoint.h>

#include <stdio.h>
#include <stdlib.h>

/* In a program of several files this is in a header. */
LTT_TRACEPOINT(hello, answer, (int question, const char *text),
	       "question %d text %s", question, text)

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 10, i;
	char text[32];

	trace_mark(hello, begin, "n %d", n);
	for (i = 0; i < n; i++) {
		trace_mark(hello, question, "i %d", i);
		snprintf(text, sizeof(text), "the answer to %d", i);
		trace_hello_answer(i, text);
	}
	trace_mark(hello, end, "");
	return 0;
}
