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
	return in_nmi() ? 3 : in_hardirq() ? 2 : in_serving_softirq() ? 1 : 0;
}

/**
 * ltt_origin_set() - say where the events of this context happen from now on
 * @address: an instruction of the kernel, or up to 16 bytes before it; 0: where the sink is called
 *
 * Context: any; preemption off.
 * Return: what it was; to be set again before preemption is on.
 */
static __always_inline unsigned long ltt_origin_set(unsigned long address)
{
	unsigned long *at = &this_cpu_ptr(&ltt_origin)->at[ltt_level()], before = *at;

	*at = address;
	return before;
}

#endif /* LTT_ORIGIN_H */
