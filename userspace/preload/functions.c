// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * libltt-functions.so: entry and exit of each function of a program or library that was
 * compiled with -finstrument-functions.
 *
 *   functions:enter  function, call_site
 *   functions:exit   function, call_site
 *
 * It can be preloaded, or the program can be linked with it.  Handlers of signals that
 * interrupt a call are recorded, too: there is no guard that could hide them.  A probe
 * at these events that was compiled this way does not call itself: libltt sees to that.
 */
#include "preload.h"

#define UNINSTRUMENTED	__attribute__((no_instrument_function))

enum { ENTER, EXIT, NR_GATES };

static struct preload_gate gates[NR_GATES] = { [ENTER] = PRELOAD_GATE("enter"), [EXIT] = PRELOAD_GATE("exit") };

static NOINLINE UNINSTRUMENTED void record_enter(const void *function, const void *call_site)
{
	preload_see(function);
	if (preload_wants(call_site))
		trace_mark(functions, enter, "function %p call_site %p", function, call_site);
}

static NOINLINE UNINSTRUMENTED void record_exit(const void *function, const void *call_site)
{
	preload_see(function);
	if (preload_wants(call_site))
		trace_mark(functions, exit, "function %p call_site %p", function, call_site);
}

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

PRELOAD_API UNINSTRUMENTED void __cyg_profile_func_enter(void *function, void *call_site)
{
	if (preload_is_on(&gates[ENTER]))
		record_enter(function, call_site);
}

PRELOAD_API UNINSTRUMENTED void __cyg_profile_func_exit(void *function, void *call_site)
{
	if (preload_is_on(&gates[EXIT]))
		record_exit(function, call_site);
}

static __attribute__((constructor(199))) UNINSTRUMENTED void begin(void)
{
	preload_open_gates(gates, NR_GATES);
}

PRELOAD_SITES(functions);
