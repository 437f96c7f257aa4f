// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Memory of a running thread, for leak checkers.
 *
 * The block is the thread's dynamic thread vector.  Its first entry, of two words, is the number
 * of the others.  The thread's control block points behind that entry: with its first word, or
 * on x86 its second (ELF Handling For Thread-Local Storage, section 3).
 */
#include "reachable.h"

#include <stddef.h>

#if defined(__GLIBC__) && (defined(__x86_64__) || defined(__i386__))
#define VECTOR	1
#elif defined(__GLIBC__)
#define VECTOR	0
#endif

#ifdef VECTOR

/* Nothing reads it. */
static void *volatile vector;

/* The C library stores the pointer before the thread exists; ThreadSanitizer takes it for a store
 * of the thread. */
__attribute__((no_sanitize("thread"))) void ltt_keep_reachable(pthread_t thread)
{
	ptrdiff_t offset = (char *)__builtin_thread_pointer() - (char *)pthread_self();
	void **control = (void **)((char *)thread + offset);

	vector = (char *)control[VECTOR] - 2 * sizeof(void *);
}

#else

void ltt_keep_reachable(pthread_t thread)
{
	(void)thread;
}

#endif
