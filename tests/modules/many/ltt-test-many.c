// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thousand markers, many:e000 to many:e999, for what depends on the number of
 * events: the cost of one while many are enabled, and what it takes to enable them.
 *
 * A read of /sys/kernel/debug/ltt-test-many/cost fires the first ones in turn, as
 * many as ltt-test-many/count says, and prints the mean cost of an event in counts of
 * the TSC: instructions, in a VM that runs with -icount shift=0. As in ltt-test-cost,
 * interrupts are off for ten events at a time, and the loop is not part of the cost.
 */
#include <linux/debugfs.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <asm/tsc.h>

#include <ltt/marker.h>

#define BATCH	10
#define BATCHES	500

/* THOUSAND(DO) is DO(000) DO(001) ... DO(999). */
#define TEN(DO, n)							\
	DO(n##0) DO(n##1) DO(n##2) DO(n##3) DO(n##4)			\
	DO(n##5) DO(n##6) DO(n##7) DO(n##8) DO(n##9)
#define HUNDRED(DO, n)							\
	TEN(DO, n##0) TEN(DO, n##1) TEN(DO, n##2) TEN(DO, n##3) TEN(DO, n##4) \
	TEN(DO, n##5) TEN(DO, n##6) TEN(DO, n##7) TEN(DO, n##8) TEN(DO, n##9)
#define THOUSAND(DO)							\
	HUNDRED(DO, 0) HUNDRED(DO, 1) HUNDRED(DO, 2) HUNDRED(DO, 3) HUNDRED(DO, 4) \
	HUNDRED(DO, 5) HUNDRED(DO, 6) HUNDRED(DO, 7) HUNDRED(DO, 8) HUNDRED(DO, 9)

#define FIRE(n)								\
	static noinline void fire_##n(unsigned int i)			\
	{								\
		u64 b = i;						\
									\
		trace_mark(many, e##n, "a %u b %llu", i, b);		\
	}
THOUSAND(FIRE)

#define ADDRESS(n)	fire_##n,
static void (*const fire[])(unsigned int i) = { THOUSAND(ADDRESS) };

static noinline void fire_nothing(unsigned int i)
{
	barrier();	/* compiler: do not drop the call */
}

/* Counts of the TSC that it takes to call ten functions. */
static u64 measure(void (*const batch[BATCH])(unsigned int i))
{
	unsigned long flags;
	unsigned int i;
	u64 start, took;

	/* With a reschedule pending, each event would end with a call for it, in vain. */
	cond_resched();
	local_irq_save(flags);
	start = rdtsc();
	for (i = 0; i < BATCH; i++)
		batch[i](i);
	took = rdtsc() - start;
	local_irq_restore(flags);
	return took;
}

static u32 count = 1;

static int cost_show(struct seq_file *s, void *unused)
{
	unsigned int nr = clamp_t(u32, READ_ONCE(count), 1, ARRAY_SIZE(fire));
	void (*batch[BATCH])(unsigned int i);
	unsigned int fired = 0, i;
	u64 sum = 0;
	u32 tenths;

	while (fired < BATCHES * BATCH) {
		for (i = 0; i < BATCH; i++)
			batch[i] = fire[fired++ % nr];
		sum += measure(batch);
		for (i = 0; i < BATCH; i++)
			batch[i] = fire_nothing;
		sum -= measure(batch);
	}
	tenths = div_u64(sum, BATCHES);
	seq_printf(s, "%u.%u\n", tenths / 10, tenths % 10);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(cost);

static struct dentry *folder;

static int __init many_init(void)
{
	folder = debugfs_create_dir("ltt-test-many", NULL);
	debugfs_create_u32("count", 0600, folder, &count);
	debugfs_create_file("cost", 0400, folder, NULL, &cost_fops);
	return 0;
}

static void __exit many_exit(void)
{
	debugfs_remove(folder);
}

module_init(many_init);
module_exit(many_exit);

MODULE_DESCRIPTION("LTT test: a thousand markers");
MODULE_LICENSE("GPL");
