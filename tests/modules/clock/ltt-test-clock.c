// SPDX-License-Identifier: GPL-2.0-only
/*
 * ltt-test-clock: reads the trace clock on all CPUs, in tasks, timer interrupts
 * and NMIs, and checks what modules/include/ltt/clock.h promises:
 *
 *   C1	never backwards: each context notes the latest time that any context has
 *	read on its CPU, then reads the clock, which must not be earlier;
 *   C2	it goes on by freq counts per second, wraps and suspensions included:
 *	compared with the kernel's boottime, on each CPU, since one common moment.
 *
 * A round of the test runs while the module loads, and again whenever a 1 is
 * written to the parameter "again"; both fail with EIO when the test does.  In
 * between, with watch=1, a timer goes on checking the order.  The last line in
 * the kernel log has the figures.
 *
 * State is per CPU: written by the task, the timer and the NMI of that CPU,
 * read by the loading task when they have ended.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <ltt/clock.h>
#ifdef CONFIG_X86
#include <asm/nmi.h>
#endif

#include "../../../core/clock-math.h"

static unsigned int run_ms = 500;
module_param(run_ms, uint, 0444);
MODULE_PARM_DESC(run_ms, "length of the test; of each CPU's, with silence_ms=0");

static unsigned int silence_ms;
module_param(silence_ms, uint, 0444);
MODULE_PARM_DESC(silence_ms, "sleep between the reads of a task; 0 (default) reads in a tight loop, with timers, one CPU after the other");

static unsigned int slack_us = 1000;
module_param(slack_us, uint, 0444);
MODULE_PARM_DESC(slack_us, "how far the clock may be off from the kernel's during the test");

static bool watch;
module_param(watch, bool, 0444);
MODULE_PARM_DESC(watch, "keep a timer checking the order between the rounds");

static bool nmi;
module_param(nmi, bool, 0444);
MODULE_PARM_DESC(nmi, "let every timer interrupt raise an NMI that reads the clock too (x86)");

#define TIMER_NS	(200 * NSEC_PER_USEC)

enum context { IN_TASK, IN_TIMER, IN_NMI, CONTEXTS };

static const char * const context_names[] = { "task", "timer", "NMI" };

struct cpu_test {
	u64 latest;
	u64 reads[CONTEXTS];
	u64 backwards[CONTEXTS];
	u64 furthest_off;
	struct hrtimer timer;
	struct task_struct *task;
	bool nmi_raised;
};

static DEFINE_PER_CPU(struct cpu_test, cpu_tests);

/* Written before and after a round, read by timers: NMIs may be raised. */
static bool nmi_is_handled;

/* A moment that all CPUs measure from. */
static u64 start_clock, start_ns, freq;

/* A function of its own, so that its instructions can be looked at. */
noinline u64 ltt_test_clock_read(void);
noinline u64 ltt_test_clock_read(void)
{
	return ltt_clock_read();
}

static void check_order(struct cpu_test *test, enum context in)
{
	u64 latest = READ_ONCE(test->latest);
	u64 now, old;

	barrier();	/* compiler: pairs with the one that interrupts us, and raises latest */
	now = ltt_test_clock_read();
	test->reads[in]++;
	if (now < latest)
		test->backwards[in]++;
	/* Interrupts of this loop raise latest too. */
	while (latest < now) {
		old = cmpxchg64_local(&test->latest, latest, now);
		if (old == latest)
			break;
		latest = old;
	}
}

/* The clock must lie between what the kernel's clock said before and after. */
static void check_rate(struct cpu_test *test)
{
	unsigned long flags;
	u64 before, now, after, off = 0;

	local_irq_save(flags);
	before = ktime_get_boot_fast_ns();
	now = ltt_test_clock_read();
	after = ktime_get_boot_fast_ns();
	local_irq_restore(flags);

	before = start_clock + ltt_ns_to_counts(before - start_ns, freq);
	after = start_clock + ltt_ns_to_counts(after - start_ns, freq);
	if (now < before)
		off = before - now;
	else if (now > after)
		off = now - after;
	test->furthest_off = max(test->furthest_off, off);
}

#ifdef CONFIG_X86
static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	struct cpu_test *test = this_cpu_ptr(&cpu_tests);

	if (!test->nmi_raised)
		return NMI_DONE;
	test->nmi_raised = false;
	check_order(test, IN_NMI);
	return NMI_HANDLED;
}

static int begin_nmi(void)
{
	int err = nmi ? register_nmi_handler(NMI_LOCAL, on_nmi, 0, "ltt-test-clock") : 0;

	WRITE_ONCE(nmi_is_handled, nmi && !err);
	return err;
}

static void end_nmi(void)
{
	if (!nmi)
		return;
	WRITE_ONCE(nmi_is_handled, false);
	/* The watching timer may have looked at it just before. */
	synchronize_rcu();
	unregister_nmi_handler(NMI_LOCAL, "ltt-test-clock");
}

static void raise_nmi(struct cpu_test *test)
{
	test->nmi_raised = true;
	asm volatile("int $2" : : : "memory");
}
#else
static int begin_nmi(void)
{
	return nmi ? -EOPNOTSUPP : 0;
}

static void end_nmi(void)
{
}

static void raise_nmi(struct cpu_test *test)
{
}
#endif

static enum hrtimer_restart on_timer(struct hrtimer *timer)
{
	/* Not container_of(): timers move when their CPU goes. */
	struct cpu_test *test = this_cpu_ptr(&cpu_tests);

	check_order(test, IN_TIMER);
	if (READ_ONCE(nmi_is_handled))
		raise_nmi(test);
	check_order(test, IN_TIMER);
	hrtimer_forward_now(timer, ns_to_ktime(TIMER_NS));
	return HRTIMER_RESTART;
}

static void begin_timer(struct hrtimer *timer)
{
	hrtimer_setup(timer, on_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(timer, ns_to_ktime(TIMER_NS), HRTIMER_MODE_REL_PINNED_HARD);
}

static void read_in_tight_loop(struct cpu_test *test, ktime_t end)
{
	int i;

	begin_timer(&test->timer);
	while (ktime_before(ktime_get(), end)) {
		for (i = 0; i < 1000; i++)
			check_order(test, IN_TASK);
		check_rate(test);
		cond_resched();
	}
	hrtimer_cancel(&test->timer);
}

static void read_after_silence(struct cpu_test *test, ktime_t end)
{
	do {
		msleep(silence_ms);
		check_order(test, IN_TASK);
		check_rate(test);
	} while (ktime_before(ktime_get(), end));
}

/* kthread_stop() alone would not wait for a task that has not begun. */
static DECLARE_COMPLETION(task_ended);

static int cpu_task(void *data)
{
	struct cpu_test *test = data;
	ktime_t end = ktime_add_ms(ktime_get(), run_ms);

	if (silence_ms)
		read_after_silence(test, end);
	else
		read_in_tight_loop(test, end);

	complete(&task_ended);
	/* kthread_stop() needs the task to be there still. */
	while (!kthread_should_stop())
		msleep(1);
	return 0;
}

/*
 * The moment all CPUs measure from.  Of several tries the tightest: a virtual
 * machine may lose its CPU between two readings, on a busy host many times in a row.
 */
#define START_NS	100000
#define START_TRIES	16
#define START_TRIES_MAX	1000

static void note_start(void)
{
	u64 before, now, after, best = U64_MAX;
	struct ltt_clock_info info;
	unsigned long flags;
	int i;

	ltt_clock_get_info(&info);
	freq = info.freq;
	for (i = 0; i < START_TRIES || (best > START_NS && i < START_TRIES_MAX); i++) {
		if (i >= START_TRIES)
			usleep_range(500, 1000);
		local_irq_save(flags);
		before = ktime_get_boot_fast_ns();
		now = ltt_test_clock_read();
		after = ktime_get_boot_fast_ns();
		local_irq_restore(flags);
		if (after - before >= best)
			continue;
		best = after - before;
		start_clock = now;
		start_ns = before + best / 2;
	}
}

/*
 * In a tight loop CPUs read one after the other, for what is checked is each CPU's own.
 * Where they all do at once, an emulator whose host's TSCs are not quite the same makes
 * the counter itself go fast: QEMU holds a TSC that would step back at what another
 * CPU has read last, and keeps the difference, at each read (cpu_get_ticks()).
 */
static int run_on_all_cpus(void)
{
	struct task_struct *task;
	int cpu, waiting = 0, err = 0;

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		struct cpu_test *test = per_cpu_ptr(&cpu_tests, cpu);

		task = kthread_create_on_node(cpu_task, test, cpu_to_node(cpu), "ltt-clock/%d", cpu);
		if (IS_ERR(task)) {
			err = PTR_ERR(task);
			break;
		}
		kthread_bind(task, cpu);
		test->task = task;
		wake_up_process(task);
		if (silence_ms)
			waiting++;
		else
			wait_for_completion(&task_ended);
	}
	while (waiting--)
		wait_for_completion(&task_ended);
	for_each_online_cpu(cpu) {
		struct cpu_test *test = per_cpu_ptr(&cpu_tests, cpu);

		if (test->task)
			kthread_stop(test->task);
		test->task = NULL;
	}
	cpus_read_unlock();
	return err;
}

static int judge(void)
{
	u64 reads[CONTEXTS] = {}, backwards = 0, furthest_off = 0;
	u64 slack = ltt_ns_to_counts(slack_us * (u64)NSEC_PER_USEC, freq);
	int cpu, in;

	for_each_possible_cpu(cpu) {
		struct cpu_test *test = per_cpu_ptr(&cpu_tests, cpu);

		for (in = 0; in < CONTEXTS; in++) {
			reads[in] += test->reads[in];
			backwards += test->backwards[in];
			if (test->backwards[in])
				pr_err("CPU %d: backwards %llu times, seen in %s context\n", cpu,
				       test->backwards[in], context_names[in]);
		}
		furthest_off = max(furthest_off, test->furthest_off);
	}
	pr_info("reads %llu %llu %llu (task, timer, NMI), backwards %llu, furthest off %llu of %llu counts\n",
		reads[IN_TASK], reads[IN_TIMER], reads[IN_NMI], backwards, furthest_off, slack);
	return !backwards && furthest_off <= slack && reads[IN_TASK] ? 0 : -EIO;
}

static int run_round(void)
{
	int err = begin_nmi();

	if (err)
		return err;
	err = run_on_all_cpus();
	end_nmi();
	return err ? err : judge();
}

/* Parameter writers hold a lock of the module, so rounds do not overlap. */
static int set_again(const char *value, const struct kernel_param *param)
{
	return start_clock ? run_round() : -EBUSY;
}

static const struct kernel_param_ops again_ops = {
	.set = set_again,
};
module_param_cb(again, &again_ops, NULL, 0200);
MODULE_PARM_DESC(again, "write 1 for another round, measured from the same moment");

static struct hrtimer watch_timer;

static int __init test_clock_init(void)
{
	int err;

	note_start();
	err = run_round();
	if (!err && watch)
		begin_timer(&watch_timer);
	return err;
}

static void __exit test_clock_exit(void)
{
	if (watch)
		hrtimer_cancel(&watch_timer);
}

module_init(test_clock_init);
module_exit(test_clock_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("LTT test: the trace clock");
