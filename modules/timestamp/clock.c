// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trace clock: a counter, widened, shifted after suspensions and held
 * monotonic.
 *
 * Layer: timestamp.  ltt_clock_read_slow() runs in any context, NMI included,
 * and takes no lock; everything else runs while the module loads, while a CPU
 * comes up, or while the system suspends and resumes.
 *
 * Theory.  Each CPU keeps the last time that it has read.  A reader loads that time
 * first, then reads the counter, and computes the new time from both: with a counter of
 * 64 bits, the later of the two; with one of 32 bits, the last time plus the difference
 * of the counter since then, so that the upper half is stored nowhere else.  The reader
 * stores the new time by compare-and-exchange.  If that fails, an interrupt came in
 * between, read the clock and stored a time.  The reader's own time lies before that
 * one, is right, and need not be stored.
 *
 * So no reader loops or waits, and a read that starts on a CPU after another
 * has ended there never returns an earlier time.
 *
 * Shared data: last_time is written by its own CPU only (by readers in any
 * context and by ltt_clock_advance()), or for a CPU that is not running, by the
 * one that brings it up.  The shift is written by suspend.c only.
 */
#include "clock.h"

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/jump_label.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/static_call.h>
#include <linux/timekeeping.h>
#include <ltt/clock.h>

#include "../../core/clock-math.h"

/* On: ltt_clock_read() is the bare TSC. */
DEFINE_STATIC_KEY_FALSE(ltt_clock_is_raw);
EXPORT_SYMBOL_GPL(ltt_clock_is_raw);

DEFINE_STATIC_CALL(ltt_counter_read, ktime_get_mono_fast_ns);

static const struct ltt_counter *counter;
static bool is_narrow;
static int cpu_state;

static DEFINE_PER_CPU(u64, last_time);

/*
 * The number to add to the counter, modulo 2^64 (of a 32-bit counter the lower half
 * matters).  Two slots, because 32-bit machines read 64 bits in two pieces, and
 * an NMI can come between: the writer fills the one not in use, then names it.
 * A reader would see a slot written under it only if two suspensions passed
 * while it ran with preemption off.
 */
static u64 shift_slots[2];
static unsigned int shift_slot;

static u64 shift(void)
{
	/* O(shift:A): the slot's number before the slot; pairs with O(shift:B). */
	return READ_ONCE(shift_slots[smp_load_acquire(&shift_slot)]);
}

/* A plain load of 64 bits is not one load on 32-bit machines. */
static u64 load_last(u64 *last)
{
	return IS_ENABLED(CONFIG_64BIT) ? READ_ONCE(*last) : cmpxchg64_local(last, 0, 0);
}

/**
 * ltt_clock_count() - the counter with its shift, neither widened nor monotonic
 *
 * Context: any, preemption off.
 * Return: the counter, plus the shift.
 */
u64 ltt_clock_count(void)
{
	return static_call(ltt_counter_read)() + shift();
}

/**
 * ltt_clock_read_slow() - the time of any clock but the raw TSC
 *
 * Use ltt_clock_read().
 *
 * Context: any, NMI included.
 * Return: the time.
 */
u64 ltt_clock_read_slow(void)
{
	u64 *last, before, now;

	preempt_disable_notrace();
	last = this_cpu_ptr(&last_time);
	before = load_last(last);
	/* The order matters to ltt_clock32_extend(); an interrupt keeps it. */
	barrier();	/* compiler: pairs with the exchange of one that interrupts us */
	now = ltt_clock_count();
	now = is_narrow ? ltt_clock32_extend(before, now) : max(before, now);
	cmpxchg64_local(last, before, now);
	preempt_enable_notrace();
	return now;
}
EXPORT_SYMBOL_GPL(ltt_clock_read_slow);

/**
 * ltt_clock_advance() - move the time of this CPU up
 * @time: points to a u64: the earliest time that it may show from now on
 *
 * Context: irqs off (called by on_each_cpu() and by the last steps of a
 * suspension).
 */
void ltt_clock_advance(void *time)
{
	u64 *last = this_cpu_ptr(&last_time);
	u64 least = *(u64 *)time;
	u64 before;

	/* Again only if an NMI has read the clock in between. */
	do {
		before = load_last(last);
		if (before >= least)
			return;
	} while (cmpxchg64_local(last, before, least) != before);
}

static void note_latest(void *time)
{
	u64 *latest = time;

	*latest = max(*latest, ltt_clock_read());
}

void ltt_clock_sync(void)
{
	u64 latest = 0;
	int cpu;

	if (!is_narrow)
		return;
	cpus_read_lock();
	for_each_online_cpu(cpu)
		smp_call_function_single(cpu, note_latest, &latest, true);
	on_each_cpu(ltt_clock_advance, &latest, true);
	cpus_read_unlock();
}
EXPORT_SYMBOL_GPL(ltt_clock_sync);

/* A CPU that was not running has missed wraps: give it the time of one that was. */
static int prepare_cpu(unsigned int cpu)
{
	u64 *last = per_cpu_ptr(&last_time, cpu);

	*last = max(*last, ltt_clock_read());
	return 0;
}

static int begin_narrow(void)
{
	u64 first = (u32)counter->read();
	int cpu;

	for_each_possible_cpu(cpu)
		*per_cpu_ptr(&last_time, cpu) = first;
	cpu_state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "ltt/timestamp:prepare",
					      prepare_cpu, NULL);
	return cpu_state < 0 ? cpu_state : 0;
}

/**
 * ltt_clock_begin() - make a counter the trace clock
 * @with: the counter, prepared
 *
 * Context: while the module loads, before the first read of the clock.
 * Return: 0 or -errno.
 */
int ltt_clock_begin(const struct ltt_counter *with)
{
	int err = 0;

	counter = with;
	is_narrow = counter->bits == 32;
	static_call_update(ltt_counter_read, counter->read);
	if (is_narrow)
		err = begin_narrow();
	else
		ltt_clock_raw_on();
	return err;
}

/**
 * ltt_clock_end() - undo ltt_clock_begin()
 */
void ltt_clock_end(void)
{
	if (is_narrow)
		cpuhp_remove_state_nocalls(cpu_state);
}

/**
 * ltt_clock_counter() - the counter behind the clock
 * Return: the one given to ltt_clock_begin().
 */
const struct ltt_counter *ltt_clock_counter(void)
{
	return counter;
}

/**
 * ltt_clock_raw_on() - let ltt_clock_read() read the TSC inline, if it may
 *
 * It may when the clock is the TSC and was never shifted.
 *
 * Context: may sleep.
 */
void ltt_clock_raw_on(void)
{
	if (ltt_counter_is_raw(counter) && !shift())
		static_branch_enable(&ltt_clock_is_raw);
}

/**
 * ltt_clock_raw_off() - make every read go through ltt_clock_read_slow()
 *
 * Context: may sleep.
 */
void ltt_clock_raw_off(void)
{
	static_branch_disable(&ltt_clock_is_raw);
}

/**
 * ltt_clock_shift() - move the clock
 * @counts: by so much, modulo 2^64
 *
 * The raw clock must be off.
 *
 * Context: any; by one caller at a time.
 */
void ltt_clock_shift(u64 counts)
{
	unsigned int next = !shift_slot;

	WRITE_ONCE(shift_slots[next], shift() + counts);
	/* O(shift:B): the slot before its number; pairs with O(shift:A) in shift(). */
	smp_store_release(&shift_slot, next);
}
