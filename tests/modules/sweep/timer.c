// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interruption by a timer, in a VM that runs with -icount shift=0: there an instruction takes one
 * nanosecond, so a timer that is set one nanosecond later comes one instruction later.  The local
 * APIC's timer counts in steps of sixteen; up to fifteen no-ops before the operation reach the
 * instructions between.
 */
#include "sweep.h"

#include <linux/hrtimer.h>
#include <linux/sched.h>

#include <asm/irq_regs.h>
#include <asm/tsc.h>

#define GRANULE	16
/* How early the walk begins, in instructions. */
#define EARLY	(8 * GRANULE)

static enum where { BEFORE, WITHIN, AFTER } where, met;
static bool fired;
static struct hrtimer timer;

static enum hrtimer_restart interrupt(struct hrtimer *unused)
{
	const struct pt_regs *regs = get_irq_regs();

	met = where;
	if (met == WITHIN && place_flags(regs->ip) & REACHED)
		place_mark(regs->ip, HIT_BY_TIMER);
	running->act();
	WRITE_ONCE(fired, true);
	return HRTIMER_NORESTART;
}

/* The code after the no-ops. */
void sweep_run_op(void);
void sweep_run_op(void)
{
	WRITE_ONCE(where, WITHIN);
	running->op();
	WRITE_ONCE(where, AFTER);
}

extern char sweep_noops[];
asm(".pushsection .text\n"
    ".type sweep_noops, @function\n"
    "sweep_noops:\n\t"
    ".rept " __stringify(GRANULE) "\n\t"
    "nop\n\t"
    ".endr\n\t"
    "jmp sweep_run_op\n"
    ".size sweep_noops, . - sweep_noops\n"
    ".popsection");

/* With the timer @delay ns from now, and so many no-ops.  @lead, if not NULL: from
 * now to the operation, in counts. */
static bool shot(const struct scenario *s, u64 delay, unsigned int noops, u64 *lead)
{
	void (*run)(void) = (void *)(sweep_noops + GRANULE - noops);
	unsigned int i;
	u64 start;

	shot_begin(s);
	where = BEFORE;
	fired = false;
	start = rdtsc();
	hrtimer_start(&timer, ktime_add_ns(ktime_get(), delay), HRTIMER_MODE_ABS_HARD);
	/* Longer than the least time that the kernel sets a timer to. */
	for (i = 0; i < 1000; i++)
		barrier();	/* compiler: do count */
	if (lead)
		*lead = rdtsc() - start;
	run();
	while (!READ_ONCE(fired))
		cpu_relax();
	return shot_end(s);
}

/* From before the first instruction of the operation to behind the last one. */
bool timer_sweep(const struct scenario *s, struct tally *t)
{
	unsigned int noops, behind;
	u64 delay;

	hrtimer_setup(&timer, interrupt, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
	if (!shot(s, 10 * NSEC_PER_USEC, 0, &delay))
		return false;
	do {
		delay -= EARLY;
		if (!shot(s, delay, GRANULE - 1, NULL))
			return false;
	} while (met != BEFORE);
	do {
		for (noops = behind = 0; noops < GRANULE; noops++) {
			t->shots++;
			if (!shot(s, delay, noops, NULL))
				return false;
			t->in_op += met == WITHIN;
			behind += met == AFTER;
		}
		delay += GRANULE;
		cond_resched();
	} while (behind < GRANULE);
	return true;
}
