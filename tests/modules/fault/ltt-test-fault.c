// SPDX-License-Identifier: GPL-2.0-only
/*
 * Causes the fault that its parameter names, as it is loaded: it shows that the VM
 * harness notices the fault. Test module, of no layer; task context, threads of its own.
 *
 * The first group is noticed on every kernel, the others by the checkers that are named.
 */
#include <linux/bug.h>
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

static char *fault = "";
module_param(fault, charp, 0444);
MODULE_PARM_DESC(fault, "warn, oops, lockup, softlockup, blocked, sleep, overflow, uaf, leak, object, deadlock, race, barrier or shift");

static unsigned int ms = 1000;
module_param(ms, uint, 0444);
MODULE_PARM_DESC(ms, "how long the threads of race and barrier run (1000)");

static void warn(void)
{
	WARN(1, "a warning that was asked for\n");
}

static void oops(void)
{
	WRITE_ONCE(*(int *)0, 1);
}

/* Nothing but an NMI gets through. */
static void lockup(void)
{
	local_irq_disable();
	for (;;)
		cpu_relax();
}

/* Interrupts do, other tasks do not: for the soft lockup detector. */
static void softlockup(void)
{
	preempt_disable();
	for (;;)
		cpu_relax();
}

/* For the detector of hung tasks. */
static void blocked(void)
{
	for (;;) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		schedule();
	}
}

static DEFINE_SPINLOCK(first);
static DEFINE_SPINLOCK(second);

static void sleep_in_atomic(void)
{
	spin_lock(&first);
	msleep(1);
	spin_unlock(&first);
}

/* The heap: slub_debug or KASAN. */

static void overflow(void)
{
	char *object = kmalloc(32, GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(object);
	if (object)
		object[32] = 'x';
	kfree(object);
}

/*
 * From a cache of its own, for the next allocation to be of the same object. The cache
 * stays, as SLUB never takes back the slab where it found such a thing.
 */
static void use_after_free(void)
{
	struct kmem_cache *cache = kmem_cache_create("ltt-test-fault", 64, 0, 0, NULL);
	char *object;

	if (!cache)
		return;
	object = kmem_cache_alloc(cache, GFP_KERNEL);
	if (object) {
		kmem_cache_free(cache, object);
		OPTIMIZER_HIDE_VAR(object);
		WRITE_ONCE(object[4], 'x');
		object = kmem_cache_alloc(cache, GFP_KERNEL);
	}
	if (object)
		kmem_cache_free(cache, object);
}

/* A MiB: for kmemleak, and for checks of the size of the heap. */
static void leak(void)
{
	int i;

	for (i = 0; i < 1024; i++) {
		void *object = kmalloc(1024, GFP_KERNEL);

		OPTIMIZER_HIDE_VAR(object);
	}
}

/* Debug objects. */

static void never(struct timer_list *unused)
{
}

static void free_active_timer(void)
{
	struct timer_list *timer = kmalloc(sizeof(*timer), GFP_KERNEL);

	if (!timer)
		return;
	timer_setup(timer, never, 0);
	mod_timer(timer, jiffies + 3600 * HZ);
	kfree(timer);
}

/* Lockdep: it is enough that both orders were seen. */
static void deadlock(void)
{
	spin_lock(&first);
	spin_lock(&second);
	spin_unlock(&second);
	spin_unlock(&first);

	spin_lock(&second);
	spin_lock(&first);
	spin_unlock(&first);
	spin_unlock(&second);
}

/* KCSAN: on two CPUs. */

static unsigned long counter;
static int held;

static int race_thread(void *unused)
{
	while (!kthread_should_stop()) {
		counter++;
		cond_resched();
	}
	return 0;
}

/* A lock that lets out what it should hold in: for the weak memory of KCSAN. */
static int barrier_thread(void *unused)
{
	while (!kthread_should_stop()) {
		if (!xchg_acquire(&held, 1)) {
			counter++;
			WRITE_ONCE(held, 0);	/* has to be smp_store_release() */
		}
		cond_resched();
	}
	return 0;
}

static void run_threads(int (*thread)(void *))
{
	int cpus[] = { cpumask_first(cpu_online_mask), cpumask_last(cpu_online_mask) };
	struct task_struct *tasks[ARRAY_SIZE(cpus)];
	int i;

	for (i = 0; i < ARRAY_SIZE(cpus); i++) {
		tasks[i] = kthread_create(thread, NULL, "ltt-test-fault/%d", i);
		if (IS_ERR(tasks[i]))
			break;
		kthread_bind(tasks[i], cpus[i]);
		wake_up_process(tasks[i]);
	}
	msleep(ms);
	while (i--)
		kthread_stop(tasks[i]);
}

static void race(void)
{
	run_threads(race_thread);
}

static void missing_barrier(void)
{
	run_threads(barrier_thread);
}

/* UBSAN. */
static void shift(void)
{
	int by = 40, shifted;

	OPTIMIZER_HIDE_VAR(by);
	shifted = 1 << by;
	OPTIMIZER_HIDE_VAR(shifted);
}

static const struct {
	const char *name;
	void (*commit)(void);
} faults[] = {
	{ "warn", warn },
	{ "oops", oops },
	{ "lockup", lockup },
	{ "softlockup", softlockup },
	{ "blocked", blocked },
	{ "sleep", sleep_in_atomic },
	{ "overflow", overflow },
	{ "uaf", use_after_free },
	{ "leak", leak },
	{ "object", free_active_timer },
	{ "deadlock", deadlock },
	{ "race", race },
	{ "barrier", missing_barrier },
	{ "shift", shift },
};

static int __init fault_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		if (!strcmp(fault, faults[i].name)) {
			faults[i].commit();
			return 0;
		}
	}
	pr_err("ltt-test-fault: there is no fault \"%s\"\n", fault);
	return -EINVAL;
}

static void __exit fault_exit(void)
{
}

module_init(fault_init);
module_exit(fault_exit);
MODULE_DESCRIPTION("LTT test: faults on request");
MODULE_LICENSE("GPL");
