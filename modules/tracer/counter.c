// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of perf as contexts: an event of perf on each CPU that is online.
 *
 * Layer: tracer.  Context: task, registry lock held, but for ltt_counter_read().
 *
 * An event counts what happens on its CPU, in kernel and programs, from the moment on when
 * the context was made; a CPU that comes up later counts from then on.
 */
#include "tracer.h"

#include <linux/cpuhotplug.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/slab.h>

#include <ltt/context.h>

#include "counter.h"

#ifdef CONFIG_PERF_EVENTS

/**
 * struct ltt_counter - a counter on all CPUs
 * @node: in the list of the hotplug state
 * @type: the row of the context
 * @event: the event of each CPU; NULL while the CPU is offline.  Written on the CPU itself,
 *	where readers run with preemption off
 */
struct ltt_counter {
	struct hlist_node node;
	const struct ltt_context_type *type;
	struct perf_event *__percpu *event;
};

static int hotplug_state;

/* The hotplug state calls both on the CPU itself, in a thread, for each CPU that is online or
 * comes, and for each that is online or goes. */
static int cpu_comes(unsigned int cpu, struct hlist_node *node)
{
	struct ltt_counter *counter = container_of(node, struct ltt_counter, node);
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
	WRITE_ONCE(*per_cpu_ptr(counter->event, cpu), event);
	return 0;
}

static int cpu_goes(unsigned int cpu, struct hlist_node *node)
{
	struct ltt_counter *counter = container_of(node, struct ltt_counter, node);
	struct perf_event **event = per_cpu_ptr(counter->event, cpu), *old = *event;

	WRITE_ONCE(*event, NULL);
	if (old)
		perf_event_release_kernel(old);
	return 0;
}

/**
 * ltt_counter_create() - begin to count
 * @type: a row of the kind LTT_CONTEXT_COUNTER
 *
 * Return: the counter; ERR_PTR: -ENOENT or -EOPNOTSUPP this machine does not count that,
 * -EBUSY others have all its registers, -ENOMEM.
 */
struct ltt_counter *ltt_counter_create(const struct ltt_context_type *type)
{
	struct ltt_counter *counter = kzalloc(sizeof(*counter), GFP_KERNEL_ACCOUNT);
	int err = -ENOMEM;

	if (!counter)
		return ERR_PTR(err);
	counter->type = type;
	counter->event = alloc_percpu_gfp(struct perf_event *, GFP_KERNEL_ACCOUNT);
	if (!counter->event)
		goto err_event;
	err = cpuhp_state_add_instance(hotplug_state, &counter->node);
	if (err)
		goto err_hotplug;
	return counter;

err_hotplug:
	free_percpu(counter->event);
err_event:
	kfree(counter);
	return ERR_PTR(err);
}

/**
 * ltt_counter_destroy() - end it
 * @counter: no event reads it any more; may be NULL
 */
void ltt_counter_destroy(struct ltt_counter *counter)
{
	if (!counter)
		return;
	cpuhp_state_remove_instance(hotplug_state, &counter->node);
	free_percpu(counter->event);
	kfree(counter);
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
	struct perf_event *event = READ_ONCE(*this_cpu_ptr(counter->event));
	unsigned long flags;

	if (unlikely(!event))
		return 0;
	if (likely(!in_nmi())) {
		/* As perf_event_read_local() does, which is not exported: on the event's own CPU,
		 * with interrupts off, perf changes neither of the two. */
		raw_local_irq_save(flags);
		if (event->state == PERF_EVENT_STATE_ACTIVE && event->oncpu == smp_processor_id())
			event->pmu->read(event);
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

struct ltt_counter *ltt_counter_create(const struct ltt_context_type *type)
{
	return ERR_PTR(-EOPNOTSUPP);
}

void ltt_counter_destroy(struct ltt_counter *counter)
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
