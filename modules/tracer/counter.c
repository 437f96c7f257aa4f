// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of perf as contexts: an event of perf on each CPU that is online.
 *
 * Layer: tracer.  Context: task, registry lock held, but for ltt_counter_read().
 *
 * There is one counter of a kind for all traces: perf has few registers, and each event of
 * software makes all others slower. It counts what happens on its CPU, in kernel and programs,
 * from the moment on when the first trace asked for it, as long as one does. A CPU that comes up later counts soon after.
 *
 * Perf may take the lock of CPU hotplug when it makes or releases an event, so callbacks of
 * hotplug, whose caller holds it, leave that to a work.
 */
#include "tracer.h"

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <ltt/context.h>

#include "counter.h"

#ifdef CONFIG_PERF_EVENTS

/**
 * struct on_cpu - the counter on a CPU
 * @event: its event; NULL if there is none.  Written under &ltt_counter.lock; read on the CPU
 *	with preemption off
 * @is_here: the CPU is on line, and does not go.  Written by create(), cpu_comes() and cpu_goes(),
 *	which the lock of CPU hotplug keeps apart
 * @is_gone: the CPU went, and the event counts no more.  Set by cpu_goes(), cleared by the work
 */
struct on_cpu {
	struct perf_event *event;
	bool is_here;
	bool is_gone;
};

/**
 * struct ltt_counter - a counter on all CPUs
 * @list: in the list of all counters
 * @users: the number of lists of contexts that have it
 * @node: in the list of the hotplug state
 * @type: the row of the context
 * @lock: guards the events
 * @work: look_at_cpus(), queued when a CPU came or went
 * @cpus: the counter on each CPU
 */
struct ltt_counter {
	struct list_head list;
	unsigned int users;
	struct hlist_node node;
	const struct ltt_context_type *type;
	struct mutex lock;
	struct work_struct work;
	struct on_cpu __percpu *cpus;
};

static int hotplug_state;
static LIST_HEAD(counters);

/* ltt_counter_read() runs on this CPU. */
static DEFINE_PER_CPU(bool, is_reading);

static int create_event(struct ltt_counter *counter, unsigned int cpu)
{
	struct perf_event_attr attr = {
		.type = counter->type->counter.type,
		.config = counter->type->counter.config,
		.size = sizeof(attr),
		/* Counts all the time, or not at all. */
		.pinned = 1,
	};
	struct perf_event *event;

	event = perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
	if (IS_ERR(event))
		return PTR_ERR(event);
	if (READ_ONCE(event->state) == PERF_EVENT_STATE_ERROR) {
		perf_event_release_kernel(event);
		return -EBUSY;
	}
	WRITE_ONCE(per_cpu_ptr(counter->cpus, cpu)->event, event);
	return 0;
}

/* The CPU is gone, but its event may have readers that have begun before. */
static void take_event_away(struct on_cpu *on_cpu)
{
	struct perf_event *event = on_cpu->event;

	if (!event)
		return;
	WRITE_ONCE(on_cpu->event, NULL);
	/* Readers have preemption off. */
	synchronize_rcu();
	perf_event_release_kernel(event);
}

/* Give each CPU that is online an event that counts.  A CPU that comes or goes meanwhile queues
 * the work again. */
static int look_at_cpus(struct ltt_counter *counter)
{
	int first_err = 0, err;
	unsigned int cpu;

	mutex_lock(&counter->lock);
	for_each_possible_cpu(cpu) {
		struct on_cpu *on_cpu = per_cpu_ptr(counter->cpus, cpu);

		/* Cleared before the look whether it is here: if the CPU goes then, it is set again, and
		 * the work queued; pairs with the release in cpu_goes(). */
		if (xchg(&on_cpu->is_gone, false))
			take_event_away(on_cpu);
		if (on_cpu->event || !READ_ONCE(on_cpu->is_here))
			continue;
		err = create_event(counter, cpu);
		/* It may have gone since. */
		if (err && !first_err && READ_ONCE(on_cpu->is_here))
			first_err = err;
	}
	mutex_unlock(&counter->lock);
	return first_err;
}

static void look_again(struct work_struct *work)
{
	struct ltt_counter *counter = container_of(work, struct ltt_counter, work);
	int err = look_at_cpus(counter);

	if (err)
		pr_warn_ratelimited("ltt: a CPU that came does not count %s, which stays 0 there: %pe\n",
				    counter->type->name, ERR_PTR(err));
}

/* Both are called for a CPU that comes or goes, in a thread on it. */
static int cpu_comes(unsigned int cpu, struct hlist_node *node)
{
	struct ltt_counter *counter = container_of(node, struct ltt_counter, node);

	WRITE_ONCE(per_cpu_ptr(counter->cpus, cpu)->is_here, true);
	queue_work(system_dfl_wq, &counter->work);
	return 0;
}

static int cpu_goes(unsigned int cpu, struct hlist_node *node)
{
	struct ltt_counter *counter = container_of(node, struct ltt_counter, node);
	struct on_cpu *on_cpu = per_cpu_ptr(counter->cpus, cpu);

	WRITE_ONCE(on_cpu->is_here, false);
	/* It is not here, before it is gone: pairs with the exchange in look_at_cpus(). */
	smp_store_release(&on_cpu->is_gone, true);
	queue_work(system_dfl_wq, &counter->work);
	return 0;
}

/* The counter has no readers: its last user, a list of contexts or a program, has none either. */
static void destroy(struct ltt_counter *counter)
{
	struct perf_event *event;
	unsigned int cpu;

	cpuhp_state_remove_instance_nocalls(hotplug_state, &counter->node);
	cancel_work_sync(&counter->work);
	for_each_possible_cpu(cpu) {
		event = per_cpu_ptr(counter->cpus, cpu)->event;
		if (event)
			perf_event_release_kernel(event);
	}
	free_percpu(counter->cpus);
	kfree(counter);
}

static struct ltt_counter *create(const struct ltt_context_type *type)
{
	struct ltt_counter *counter = kzalloc(sizeof(*counter), GFP_KERNEL_ACCOUNT);
	unsigned int cpu;
	int err = -ENOMEM;

	if (!counter)
		return ERR_PTR(err);
	counter->type = type;
	mutex_init(&counter->lock);
	INIT_WORK(&counter->work, look_again);
	counter->cpus = alloc_percpu_gfp(struct on_cpu, GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!counter->cpus)
		goto err_cpus;
	/* First, so that no CPU comes unnoticed. No calls: they would wait for a thread of ordinary priority on each CPU, of which a
	 * real-time thread may have one for itself. */
	err = cpuhp_state_add_instance_nocalls(hotplug_state, &counter->node);
	if (err)
		goto err_hotplug;
	cpus_read_lock();
	for_each_online_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(counter->cpus, cpu)->is_here, true);
	cpus_read_unlock();
	err = look_at_cpus(counter);
	if (err) {
		destroy(counter);
		return ERR_PTR(err);
	}
	return counter;

err_hotplug:
	free_percpu(counter->cpus);
err_cpus:
	kfree(counter);
	return ERR_PTR(err);
}

/**
 * ltt_counter_get() - count, or use the counter of others
 * @type: a row of the kind LTT_CONTEXT_COUNTER
 *
 * Return: the counter; ERR_PTR: -ENOENT or -EOPNOTSUPP this machine does not count that,
 * -EBUSY others have all its registers, -ENOMEM.
 */
struct ltt_counter *ltt_counter_get(const struct ltt_context_type *type)
{
	struct ltt_counter *counter;

	ltt_markers_assert_held();
	list_for_each_entry(counter, &counters, list)
		if (counter->type == type)
			goto found;
	counter = create(type);
	if (IS_ERR(counter))
		return counter;
	list_add(&counter->list, &counters);
found:
	counter->users++;
	return counter;
}

/**
 * ltt_counter_put() - give it up; the last user ends it
 * @counter: no event of this user reads it any more; may be NULL
 */
void ltt_counter_put(struct ltt_counter *counter)
{
	if (!counter || --counter->users)
		return;
	list_del(&counter->list);
	destroy(counter);
}

/**
 * ltt_counter_read() - read the count of this CPU
 * @counter: the counter
 *
 * In an NMI, the count is that of the last read or switch of tasks: perf may just be handing
 * the register over.
 *
 * Context: any, NMI included; preemption off.
 * Return: the count; 0 without a counter.
 */
u64 notrace ltt_counter_read(const struct ltt_counter *counter)
{
	struct perf_event *event = READ_ONCE(this_cpu_ptr(counter->cpus)->event);
	unsigned long flags;

	if (unlikely(!event))
		return 0;
	/* A read of the register may itself be an event, msr:rdpmc. */
	if (likely(!in_nmi() && !__this_cpu_read(is_reading))) {
		/* As perf_event_read_local() does, which is not exported: on the event's own CPU,
		 * with interrupts off, perf changes neither of the two. */
		raw_local_irq_save(flags);
		__this_cpu_write(is_reading, true);
		if (event->state == PERF_EVENT_STATE_ACTIVE && event->oncpu == smp_processor_id())
			event->pmu->read(event);
		__this_cpu_write(is_reading, false);
		raw_local_irq_restore(flags);
	}
	return local64_read(&event->count);
}

int __init ltt_counter_init(void)
{
	int state = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "ltt/tracer:counter", cpu_comes,
					    cpu_goes);

	if (state < 0)
		return state;
	hotplug_state = state;
	return 0;
}

void ltt_counter_exit(void)
{
	cpuhp_remove_multi_state(hotplug_state);
}

#else

struct ltt_counter *ltt_counter_get(const struct ltt_context_type *type)
{
	return ERR_PTR(-EOPNOTSUPP);
}

void ltt_counter_put(struct ltt_counter *counter)
{
}

u64 ltt_counter_read(const struct ltt_counter *counter)
{
	return 0;
}

int __init ltt_counter_init(void)
{
	return 0;
}

void ltt_counter_exit(void)
{
}

#endif

/* ---- Counters of programs ---- */

static int add_counter(struct ltt_counters *counters, const char *name, char *why, size_t size)
{
	const struct ltt_context_type *type = ltt_context_find(name);
	struct ltt_counter *counter;
	int err;

	if (!type || type->kind != LTT_CONTEXT_COUNTER || counters->nr == LTT_RUN_COUNTERS) {
		scnprintf(why, size, "\"%.64s\" is not a counter, or one of more than %d: use perf:EVENT",
			  name, LTT_RUN_COUNTERS);
		return -EINVAL;
	}
	counter = ltt_counter_get(type);
	err = PTR_ERR_OR_ZERO(counter);
	if (!err) {
		counters->counter[counters->nr++] = counter;
		return 0;
	}
	if (err == -EBUSY)
		scnprintf(why, size, "%s: all counters of that kind are in use: stop what uses perf", name);
	else if (err != -ENOMEM)
		scnprintf(why, size, "%s: this machine or its kernel does not count that", name);
	return err == -ENOENT ? -EOPNOTSUPP : err;
}

/**
 * ltt_counters_get() - count what a program asks for
 * @counters: has none; receives them
 * @list: names of contexts, separated by commas; NULL for none
 * @why: receives a sentence after an error, but for -ENOMEM
 * @size: bytes of @why
 *
 * Context: may sleep; registry lock held.
 * Return: 0; -EINVAL a name is not that of a counter, or there are more than LTT_RUN_COUNTERS;
 * -EOPNOTSUPP, -EBUSY or -ENOMEM as of ltt_counter_get(): @counters has none then.
 */
int ltt_counters_get(struct ltt_counters *counters, const char *list, char *why, size_t size)
{
	char *copy, *rest, *word;
	int err = 0;

	if (!list)
		return 0;
	copy = kstrdup(list, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	rest = copy;
	while (!err && (word = strsep(&rest, ",")))
		err = add_counter(counters, word, why, size);
	kfree(copy);
	if (err)
		ltt_counters_put(counters);
	return err;
}

/**
 * ltt_counters_put() - give up what ltt_counters_get() has got
 * @counters: no program reads them any more
 *
 * Context: may sleep; registry lock held.
 */
void ltt_counters_put(struct ltt_counters *counters)
{
	while (counters->nr)
		ltt_counter_put(counters->counter[--counters->nr]);
}
