/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where an event happened, of providers that are called by way of other code of the kernel.
 *
 * Layer: markers.  The stack of an event begins where the sink is called.  For a dynamic probe
 * this is in the handler of a breakpoint; the stack is to begin at the breakpoint.
 *
 * Each CPU has one origin for each level of contexts that interrupt each other, so that an
 * event of an interrupt does not take that of the event it interrupts for its own.
 */
#ifndef LTT_ORIGIN_H
#define LTT_ORIGIN_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

/* Task, softirq, irq, NMI: what interrupts what has another level. */
#define LTT_LEVELS	4

struct ltt_origin {
	unsigned long at[LTT_LEVELS];
};

DECLARE_PER_CPU(struct ltt_origin, ltt_origin);

static __always_inline unsigned int ltt_level(void)
{
	if (likely(in_task()))
		return 0;
	return in_nmi() ? 3 : in_hardirq() ? 2 : 1;
}

/* An origin that is set, and the one that is valid again after it. */
struct ltt_origin_scope {
	unsigned long *at;
	unsigned long outer;
};

/**
 * ltt_origin_begin() - say where the events of this context happen from now on
 * @scope: for ltt_origin_end()
 * @address: an instruction of the kernel, or up to 16 bytes before it; 0: where the sink is called
 *
 * The place in memory is looked up once for begin and end, as that is most of what they cost.
 *
 * Context: any; preemption off until ltt_origin_end().
 */
static __always_inline void ltt_origin_begin(struct ltt_origin_scope *scope, unsigned long address)
{
	scope->at = &this_cpu_ptr(&ltt_origin)->at[ltt_level()];
	/* A function that is called before the end can be hit in the same context, and restores what it found. */
	scope->outer = READ_ONCE(*scope->at);
	WRITE_ONCE(*scope->at, address);
}

static __always_inline void ltt_origin_end(const struct ltt_origin_scope *scope)
{
	WRITE_ONCE(*scope->at, scope->outer);
}

#endif /* LTT_ORIGIN_H */
