// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters a trace clock can be made of, and the choice among them.
 *
 * Layer: timestamp.  The read functions run in any context; the rest runs while
 * the module loads.  All writes of shared data happen then, before the first read,
 * so no lock is needed.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "counter.h"

#include <linux/delay.h>
#include <linux/err.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>
#ifdef CONFIG_X86
#include <asm/cpufeature.h>
#include <asm/tsc.h>
#endif
#ifdef CONFIG_ARM64
#include <asm/arch_timer.h>
#endif

#include "sample.h"

#define TEST32_GHZ_MAX	100u

static unsigned int test32_ghz = 20;
module_param(test32_ghz, uint, 0444);
MODULE_PARM_DESC(test32_ghz,
		 "frequency of clock=test32 in GHz, 1 to 100; it wraps every 4295/N ms (default 20)");

#ifdef CONFIG_X86
/* The CPU guarantees it, and the kernel has not found it unstable. */
bool ltt_tsc_is_trusted(void)
{
	return boot_cpu_has(X86_FEATURE_CONSTANT_TSC) && boot_cpu_has(X86_FEATURE_NONSTOP_TSC) &&
	       tsc_khz && !check_tsc_unstable();
}

/*
 * No fence: a record wants the time of about now, and a fence costs more than
 * the rest of the event.
 */
static u64 tsc_read(void)
{
	return rdtsc();
}

/* Refined by the kernel in the first seconds after boot, so not kept here. */
static u64 tsc_hz(void)
{
	return tsc_khz * 1000ull;
}

static int tsc_prepare(void)
{
	if (!boot_cpu_has(X86_FEATURE_TSC) || !tsc_khz) {
		pr_err("clock=tsc cannot be used: the kernel knows of no TSC or not its frequency; use clock=mono\n");
		return -ENODEV;
	}
	if (!ltt_tsc_is_trusted())
		pr_warn("clock=tsc is used although this CPU or kernel does not promise a constant TSC; times may be wrong\n");
	return 0;
}
#else
bool ltt_tsc_is_trusted(void)
{
	return false;
}
#endif

static u64 mono_hz(void)
{
	return NSEC_PER_SEC;
}

static u64 cycles_freq;

static u64 cycles_read(void)
{
	return get_cycles();
}

static u64 cycles_hz(void)
{
	return cycles_freq;
}

#ifdef CONFIG_ARM64
static u64 cycles_rate(void)
{
	return arch_timer_get_cntfrq();
}
#else
/*
 * Measured, because few architectures provide it.  Both ends are good to about a
 * microsecond, so the result is to about 10 parts per million.  The product
 * below fits: 200 ms, or some seconds on a machine that is late, of a few GHz.
 */
static u64 cycles_rate(void)
{
	struct ltt_sample from, to;
	u64 counts;

	ltt_clock_sample(cycles_read, ktime_get_raw, &from);
	msleep(200);
	ltt_clock_sample(cycles_read, ktime_get_raw, &to);
	counts = to.clock - from.clock;
	if (sizeof(cycles_t) == sizeof(u32))
		counts = (u32)counts;
	return div64_u64(counts * NSEC_PER_SEC, to.ns - from.ns);
}
#endif

static int cycles_prepare(void)
{
	cycles_freq = cycles_rate();
	if (!cycles_freq) {
		pr_err("clock=cycles cannot be used: this machine has no cycle counter; use clock=mono\n");
		return -ENODEV;
	}
	return 0;
}

/*
 * The test clock counts test32_ghz times as fast as the kernel's monotonic
 * clock and starts so that it wraps 50 ms after it was loaded.
 */
static u32 test32_first;

static u64 test32_read(void)
{
	return (u32)(ktime_get_mono_fast_ns() * test32_ghz + test32_first);
}

static u64 test32_hz(void)
{
	return test32_ghz * (u64)NSEC_PER_SEC;
}

static int test32_prepare(void)
{
	if (!test32_ghz || test32_ghz > TEST32_GHZ_MAX) {
		pr_err("test32_ghz=%u is out of range; use 1 to %u\n", test32_ghz, TEST32_GHZ_MAX);
		return -EINVAL;
	}
	test32_first = -(u32)((ktime_get_mono_fast_ns() + 50 * NSEC_PER_MSEC) * test32_ghz);
	return 0;
}

/*
 * The slack of a hardware counter: after some kinds of suspension the kernel
 * knows the time only from the real time clock, to two seconds.
 */
static const struct ltt_counter counters[] = {
#ifdef CONFIG_X86
	{
		.param = "tsc",
		.name = "tsc",
		.description = "Time stamp counter of the CPU",
		.read = tsc_read, .hz = tsc_hz, .prepare = tsc_prepare,
		.bits = 64, .slack_ns = 2 * NSEC_PER_SEC,
	},
#endif
	{
		.param = "mono",
		.name = "monotonic",
		.description = "Monotonic clock of the kernel",
		.read = ktime_get_mono_fast_ns, .hz = mono_hz,
		.bits = 64,
	},
	{
		.param = "cycles",
		.name = "cycles",
		.description = "Cycle counter of the architecture",
		.read = cycles_read, .hz = cycles_hz, .prepare = cycles_prepare,
		.bits = 8 * sizeof(cycles_t), .slack_ns = 2 * NSEC_PER_SEC,
	},
	{
		.param = "test32",
		.name = "test32",
		.description = "Test clock of 32 bits, made from the monotonic clock",
		.read = test32_read, .hz = test32_hz, .prepare = test32_prepare,
		.bits = 32,
	},
};

static const char *best(void)
{
	if (ltt_tsc_is_trusted())
		return "tsc";
	return IS_ENABLED(CONFIG_ARM64) ? "cycles" : "mono";
}

/**
 * ltt_counter_choose() - find the counter that a value of "clock" asks for
 * @param: the value; "auto" chooses the best of this machine
 *
 * Context: may sleep; once, before any counter is read.
 * Return: the counter, ready to be read; or a pointer with an errno, after a
 * sentence in the kernel log.
 */
const struct ltt_counter *ltt_counter_choose(const char *param)
{
	const char *wanted = strcmp(param, "auto") ? param : best();
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		if (strcmp(wanted, counters[i].param))
			continue;
		err = counters[i].prepare ? counters[i].prepare() : 0;
		return err ? ERR_PTR(err) : &counters[i];
	}
	pr_err("clock=%s is not a clock of this machine; use auto, %smono, cycles or test32\n",
	       param, IS_ENABLED(CONFIG_X86) ? "tsc, " : "");
	return ERR_PTR(-EINVAL);
}

/**
 * ltt_counter_is_raw() - is this the counter that ltt_clock_read() reads inline?
 * @counter: any
 * Return: true for the TSC where modules/include/ltt/clock.h has it.
 */
bool ltt_counter_is_raw(const struct ltt_counter *counter)
{
	return IS_ENABLED(CONFIG_X86_64) && !strcmp(counter->param, "tsc");
}
