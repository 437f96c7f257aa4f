/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace's mark of the task, which keeps what the hit of a function calls from being recorded.
 *
 * Layer: instrument.  An interrupt between the accesses to the mark sets a bit of its own, and clears it before it
 * returns: the interrupted code loses nothing.  So this is not a race, which KCSAN cannot see.
 */
#ifndef LTT_PROBES_RECURSION_H
#define LTT_PROBES_RECURSION_H

#include <linux/compiler.h>
#include <linux/trace_recursion.h>

/* Return: what ltt_recursion_leave() takes; < 0: this call is not to be recorded, and there is nothing to leave. */
static __always_inline int ltt_recursion_enter(unsigned long ip, unsigned long caller)
{
	return data_race(ftrace_test_recursion_trylock(ip, caller));
}

static __always_inline void ltt_recursion_leave(int level)
{
	data_race(({ ftrace_test_recursion_unlock(level); 0; }));
}

#endif /* LTT_PROBES_RECURSION_H */
