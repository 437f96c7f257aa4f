// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A program with slices, flows, counters and texts: slices WHAT.  C99 and later, C++11 and later.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ltt/slice.h>
#include <ltt/text.h>

static int early(int leave)
{
	TRACE_SCOPE(app, early, "leave %d", leave);

	if (leave)
		return 1;
	trace_mark(app, stayed, "");
	return 0;
}

static void recurse(int depth)
{
	trace_begin(app, recurse, "depth %d", depth);
	if (depth)
		recurse(depth - 1);
	trace_end(app, recurse, "depth %d", depth);
}

#ifdef __cplusplus
static void throwing()
{
	TRACE_SCOPE(app, thrown, "");

	throw 1;
}

template <typename T>
static void in_template(T value)
{
	TRACE_SCOPE(app, templated, "v %d", (int)value);
}

static void scopes_of_cxx()
{
	try {
		throwing();
	} catch (int) {
		trace_mark(app, caught, "");
	}
	in_template(1);
	in_template(2L);
}
#else
static void scopes_of_cxx(void)
{
}
#endif

/* Without a format, which ISO C and C++ did not have in the beginning. */
static void short_forms(void)
{
#ifndef PEDANTIC
	TRACE_SCOPE(app, shortly);
	trace_begin(app, brief);
	trace_end(app, brief);
#endif
}

static int nested(void)
{
	int i;

	trace_begin(app, outer, "a %d b %s", 1, "two");
	trace_begin(app, inner, "");
	trace_end(app, inner, "");
	early(0);
	early(1);
	trace_end(app, outer, "");
	recurse(2);
	for (i = 0; i < 3; i++) {
		TRACE_SCOPE(app, looped, "i %d", i);
		TRACE_SCOPE(app, within, "");

		if (i == 1)
			continue;
	}
	scopes_of_cxx();
	short_forms();
	return 0;
}

static jmp_buf back;

static void jump(void)
{
	TRACE_SCOPE(app, jumped, "");

	longjmp(back, 1);
}

/* Two begins without an end, one of which is within a slice; two ends without a begin. */
static int unmatched(void)
{
	trace_end(app, never, "");
	trace_begin(app, outer, "");
	if (!setjmp(back))
		jump();
	trace_end(app, outer, "");
	trace_begin(app, open, "");
	trace_end(app, other, "");
	return 0;
}

static void *slices_of_thread(void *number)
{
	int i;

	for (i = 0; i < 200; i++) {
		trace_begin(app, work, "n %ld", (long)number);
		trace_begin(app, part, "");
		trace_end(app, part, "");
		trace_end(app, work, "n %ld", (long)number);
	}
	return NULL;
}

static int threads(void)
{
	pthread_t thread[3];
	long i;

	for (i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, slices_of_thread, (void *)i);
	slices_of_thread((void *)3);
	for (i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	return 0;
}

static void *end_request(void *id)
{
	trace_flow_step(app, path, id);
	trace_async_end(app, request, id, "status %d", 200);
	return NULL;
}

/* By ids, also pointers, across threads and processes. */
static int async(void)
{
	static char object;
	pthread_t thread;
	pid_t child;

	trace_async_begin(app, request, 1, "url %s", "/a");
	trace_async_begin(app, request, 2, "url %s", "/b");
	trace_async_begin(app, request, &object, "");
	trace_flow_begin(app, path, 1);
	pthread_create(&thread, NULL, end_request, (void *)1);
	pthread_join(thread, NULL);
	child = fork();
	if (!child) {
		trace_flow_step(app, path, 1);
		trace_async_end(app, request, 2, "");
		_exit(0);
	}
	waitpid(child, NULL, 0);
	trace_flow_end(app, path, 1);
	trace_async_end(app, request, (unsigned long)&object, "");
	trace_async_end(app, request, 1, "status %d", 404);
	return 0;
}

static int counters(void)
{
	unsigned char small = 200;
	int evaluated = 0;

	trace_counter(app, queue, 5);
	trace_counter(app, queue, -6L);
	trace_counter(app, queue, small);
	trace_counter(app, queue, evaluated++);
	trace_counter(app, load, 1.5);
	trace_counter(app, load, 0.25f);
	return evaluated > 1;
}

static int texts(void)
{
	static char text[5000];
	int evaluated = 0;

	errno = ENOENT;
	trace_printf(app, info, "no field");
	trace_printf(app, warning, "%d%% of %s at %.2f", 50, "all", 1.5);
	trace_printf(app, debug, "%*d", 3, evaluated++);
	trace_printf(other, debug, "%d", evaluated++);
	memset(text, 'x', 4095);
	trace_printf(app, err, "%s", text);
	text[4095] = 'y';
	trace_printf(app, err, "%s", text);
	return errno != ENOENT || evaluated > 1;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*fn)(void);
	} what[] = {
		{ "nested", nested }, { "unmatched", unmatched }, { "threads", threads }, { "async", async },
		{ "counters", counters }, { "texts", texts },
	};
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(what) / sizeof(what[0]); i++)
		if (!strcmp(argv[1], what[i].name))
			return what[i].fn();
	return 2;
}
