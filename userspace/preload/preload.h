/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Shared by the preloaded libraries: libltt-malloc.so and so on, which stand before the C
 * library and record the calls that a program makes.
 *
 * Layer: preload, on libltt.  Each library is one file.  A wrapper loads the address of the
 * @enabled of its event's site and tests it; everything else is out of line.
 *
 * Context of all functions: any thread, and its signal handlers.
 */
#ifndef LTT_PRELOAD_H
#define LTT_PRELOAD_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "include/ltt/marker.h"
#include "libltt/register.h"

#define PRELOAD_API	__attribute__((visibility("default")))
#define NOINLINE	__attribute__((noinline))
#define UNLIKELY(x)	__builtin_expect(!!(x), 0)

/* The return address of a wrapper is in the function that calls it. */
#define CALLER		__builtin_return_address(0)

/* Thread-local storage that signal handlers can use; requires that the library is loaded with
 * the program. */
#define PRELOAD_THREAD	static __thread __attribute__((tls_model("initial-exec")))

/* The sites of the library NAME, which libltt-objects.so registers with those of the others. */
#define PRELOAD_SITES(name)						\
	PRELOAD_API const struct ltt_sites preload_sites_##name = { __start_ltt_sites, __stop_ltt_sites }

/**
 * preload_find() - find the function behind a wrapper
 * @name: the name of both
 *
 * On x86-64 the C library has an old pthread_cond_wait() and so on for old programs, too.
 *
 * Return: the function of the next library that has it.
 */
static inline void *preload_find(const char *name)
{
	void *function = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");

	return function ? function : dlsym(RTLD_NEXT, name);
}

/* For a list of functions, X(name) X(name) ...: members and statements of a struct @real. */
#define PRELOAD_MEMBER(name)	__typeof__(name) *name;
#define PRELOAD_FIND(name)	real.name = (__typeof__(name) *)preload_find(#name);

/* Defines @real for a list of functions, and need_real(), which finds them.  Constructors of
 * other libraries call wrappers before ours has run; threads that come at once find the same. */
#define PRELOAD_REAL(functions)						\
	static struct {							\
		functions(PRELOAD_MEMBER)				\
		bool found;						\
	} real;								\
									\
	static NOINLINE void find_real(void)				\
	{								\
		functions(PRELOAD_FIND)					\
		__atomic_store_n(&real.found, true, __ATOMIC_RELEASE);	\
	}								\
									\
	static inline void need_real(void)				\
	{								\
		if (UNLIKELY(!__atomic_load_n(&real.found, __ATOMIC_ACQUIRE))) \
			find_real();					\
	}

/**
 * struct preload_gate - whether an event is recorded
 * @name: the name of the event
 * @on: the @enabled of its site; that of none until preload_open_gates()
 */
struct preload_gate {
	const char *name;
	const unsigned char *on;
};

static const unsigned char preload_never;

#define PRELOAD_GATE(name)	{ name, &preload_never }

/* A stale value is harmless, as in trace_mark(). */
static inline bool preload_is_on(const struct preload_gate *gate)
{
	return UNLIKELY(__atomic_load_n(__atomic_load_n(&gate->on, __ATOMIC_RELAXED), __ATOMIC_RELAXED));
}

/**
 * preload_open_gates() - find the sites of events
 * @gates: the events of this library; each has one site
 * @nr: number of @gates
 *
 * Context: a constructor.
 */
static inline void preload_open_gates(struct preload_gate *gates, unsigned int nr)
{
	const struct ltt_site *site;
	unsigned int i;

	for (i = 0; i < nr; i++)
		for (site = __start_ltt_sites; site < __stop_ltt_sites; site++)
			if (!strcmp(site->name, gates[i].name))
				__atomic_store_n(&gates[i].on, &site->enabled, __ATOMIC_RELAXED);
}

/**
 * preload_see() - make sure that lttds learn of the object of a code address
 * @address: the address; it need not be in an object
 *
 * Lets a viewer find the name of the function.  Preserves errno.
 */
void preload_see(const void *address);

/**
 * preload_is_own() - find out if an address is in libltt
 * @address: the address
 *
 * Return: true if it is.
 */
bool preload_is_own(const void *address);

/**
 * preload_wants() - find out if a call is to be recorded, and see the caller's address
 * @caller: an address in the function that makes the call
 *
 * Return: false for a call of libltt itself, and in a thread that does not trace.
 */
bool preload_wants(const void *caller);

#endif /* LTT_PRELOAD_H */
