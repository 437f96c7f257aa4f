// SPDX-License-Identifier: GPL-2.0-only
/*
 * The deadman stops a trace that takes so much of a CPU that other work stands still.
 *
 * Once a second, on every CPU, an interrupt estimates the share of the CPU that tracing
 * took: the number of events that all traces emitted there, recorded or refused, times the
 * least time that writing one takes (cost.c).  The probe and cache misses take more time,
 * so the true share is higher: up to twice as high in a loop that does nothing else.  The
 * interrupt also queues a work item of ordinary priority on that CPU, the proof of life.
 *
 * The interrupt does the same work for each buffer, however many sub-buffers it has.
 *
 *  D1	If tracing takes @deadman_percent of a CPU for @deadman_seconds without a break,
 *	the deadman stops the trace that emitted most events there.
 *  D2	It does the same if no proof of life has run on a CPU for @deadman_seconds
 *	while tracing took at least @deadman_stall_percent of it all the time.  With a
 *	smaller share, something else is the cause.
 *  D3	The statistics of the trace, and the kernel log, give the reason.
 *
 * An interrupt storm can keep a CPU's own timer from firing.  So each CPU also looks at
 * the next one if that has missed its turn.  The deadman cannot help a lone CPU whose
 * interrupts stay off, nor the second of two such neighbours.
 *
 * Layer: heartbeat.  Context: hard interrupt; task, registry lock held, when traces
 * start and stop.
 *
 * Locking: the registry lock guards changes of the list of watches; walks of the list
 * are under RCU.  The lock of a CPU's watch guards its counts.  A CPU that finds this lock
 * taken skips the look: another CPU is doing the work.
 */
#include "heartbeat.h"

#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include <ltt/registry.h>
#include <ltt/trace.h>

#define PERIOD_NS	((u64)NSEC_PER_SEC)

static unsigned int deadman_percent = 50;
module_param(deadman_percent, uint, 0644);
MODULE_PARM_DESC(deadman_percent,
		 "share of a CPU that tracing may take for deadman_seconds (50); above 100, or 0: any");

static unsigned int deadman_seconds = 10;
static int set_seconds(const char *text, const struct kernel_param *param);
static const struct kernel_param_ops seconds_ops = { .set = set_seconds, .get = param_get_uint };
module_param_cb(deadman_seconds, &seconds_ops, &deadman_seconds, 0644);
__MODULE_PARM_TYPE(deadman_seconds, "uint");
MODULE_PARM_DESC(deadman_seconds,
		 "how long a CPU may be taken by tracing before the trace is stopped (10); 0: for ever");

static unsigned int deadman_stall_percent = 10;
module_param(deadman_stall_percent, uint, 0644);
MODULE_PARM_DESC(deadman_stall_percent,
		 "share from which tracing is to blame when no ordinary task runs on a CPU for deadman_seconds (10); 0: any, above 100: never");

/* The least that was measured, in picoseconds, or 0; written under the registry lock,
 * read by interrupts. */
static atomic64_t event_cost;

/**
 * struct watch - what the deadman keeps of one running trace
 * @trace: the trace; it outlives the RCU readers of the list
 * @node: in the list of watches
 * @rcu: frees the watch
 * @emitted: for each possible CPU, the number of events at the last look; guarded by the
 *	lock of that CPU's watch
 */
struct watch {
	struct ltt_trace *trace;
	struct list_head node;
	struct rcu_head rcu;
	u64 emitted[];
};

static LIST_HEAD(watches);

/**
 * struct cpu_watch - what the deadman keeps of one CPU
 * @lock: guards @watched, @looked, @over and @stalled
 * @timer: fires on this CPU
 * @proof: the proof of life
 * @alive: when @proof last ran, or the timer started, in ns
 * @watched: the timer runs; otherwise the members below mean nothing
 * @looked: when a look at this CPU was last taken, in ns
 * @over: how long the share has been too high without a break, in ns
 * @stalled: how long D2 has held without a break, in ns
 */
struct cpu_watch {
	raw_spinlock_t lock;
	struct hrtimer timer;
	struct work_struct proof;
	atomic64_t alive;
	bool watched;
	u64 looked;
	u64 over;
	u64 stalled;
};

static DEFINE_PER_CPU(struct cpu_watch, cpu_watches);
static enum cpuhp_state hotplug_state;

/* The load of tracing on a CPU from the last look to this one. */
struct load {
	struct watch *most;	/* the trace that emitted most events */
	u64 events;
	u32 percent;
};

/* RCU read side, and the lock of the CPU's watch. */
static void weigh(int cpu, u64 elapsed, struct load *load)
{
	struct watch *watch;
	u64 most = 0;

	*load = (struct load){};
	list_for_each_entry_rcu(watch, &watches, node) {
		u64 emitted = ltt_trace_emitted(watch->trace, cpu);
		u64 events = emitted - watch->emitted[cpu];

		/* In the middle of a switch to another sub-buffer, some are missing. */
		if ((s64)events <= 0)
			continue;
		watch->emitted[cpu] = emitted;
		load->events += events;
		if (events > most) {
			most = events;
			load->most = watch;
		}
	}
	/* ps against ns, times 100 */
	load->percent = min_t(u64, 100, div64_u64(load->events * atomic64_read(&event_cost), elapsed * 10));
}

static bool is_too_much(u32 percent)
{
	u32 limit = READ_ONCE(deadman_percent);

	return limit && percent >= limit;
}

static void stop(const struct load *load, const char *format, int cpu, u64 ns)
{
	char why[LTT_WHY_SIZE];

	scnprintf(why, sizeof(why), format, load->percent, cpu, div_u64(ns, NSEC_PER_SEC));
	ltt_trace_halt(load->most->trace, why);
}

/* RCU read side, and the lock of the CPU's watch. */
static void look(struct cpu_watch *w, int cpu, u64 now)
{
	u64 elapsed = now - w->looked;
	/* After a longer pause, the CPU need not have been busy all the time. */
	u64 counted = min_t(u64, elapsed, 3 * PERIOD_NS);
	u64 patience = (u64)READ_ONCE(deadman_seconds) * NSEC_PER_SEC;
	bool lives = (s64)(atomic64_read(&w->alive) - w->looked) >= 0;
	struct load load;

	w->looked = now;
	weigh(cpu, elapsed, &load);
	w->over = is_too_much(load.percent) ? w->over + counted : 0;
	w->stalled = !lives && load.percent >= READ_ONCE(deadman_stall_percent) ?
		     w->stalled + counted : 0;
	if (!patience || !load.most)
		return;
	if (w->over >= patience)
		stop(&load, "deadman: tracing took %u%% of CPU %d for %llu s", cpu, w->over);
	else if (w->stalled >= patience)
		stop(&load, "deadman: tracing took %u%% of CPU %d, no ordinary task ran there for %llu s",
		     cpu, w->stalled);
	else
		return;
	w->over = 0;
	w->stalled = 0;
}

static void look_at(int cpu, u64 late)
{
	struct cpu_watch *w = per_cpu_ptr(&cpu_watches, cpu);
	u64 now;

	if (!raw_spin_trylock(&w->lock))
		return;
	now = ktime_get_ns();
	/* Over a very short time the share would be noise. */
	if (w->watched && now - w->looked >= late)
		look(w, cpu, now);
	raw_spin_unlock(&w->lock);
}

/* Begin to watch the CPU, or end it. */
static void set_watched(struct cpu_watch *w, bool watched)
{
	u64 now = ktime_get_ns();
	unsigned long flags;

	raw_spin_lock_irqsave(&w->lock, flags);
	atomic64_set(&w->alive, now);
	w->watched = watched;
	w->looked = now;
	w->over = 0;
	w->stalled = 0;
	raw_spin_unlock_irqrestore(&w->lock, flags);
}

static enum hrtimer_restart tick(struct hrtimer *timer)
{
	struct cpu_watch *w = container_of(timer, struct cpu_watch, timer);
	int cpu = smp_processor_id();
	int next = cpumask_next(cpu, cpu_online_mask);

	/* Without a limit there is nothing to look for: a CPU that a real-time thread has for itself is not interrupted. */
	if (list_empty(&watches) || !READ_ONCE(deadman_seconds)) {
		set_watched(w, false);
		return HRTIMER_NORESTART;
	}
	if (next >= nr_cpu_ids)
		next = cpumask_first(cpu_online_mask);
	schedule_work_on(cpu, &w->proof);
	rcu_read_lock();
	look_at(cpu, PERIOD_NS / 2);
	if (next != cpu)
		look_at(next, 2 * PERIOD_NS);
	rcu_read_unlock();
	hrtimer_forward_now(timer, PERIOD_NS);
	return HRTIMER_RESTART;
}

static void prove(struct work_struct *work)
{
	/* Read by look(), on any CPU. */
	atomic64_set(&container_of(work, struct cpu_watch, proof)->alive, ktime_get_ns());
}

/* Runs on the CPU, which is online; does nothing if the timer runs already, or without a limit. */
static void begin_here(void *unused)
{
	struct cpu_watch *w = this_cpu_ptr(&cpu_watches);
	struct watch *watch;

	if (!READ_ONCE(deadman_seconds) || hrtimer_active(&w->timer))
		return;
	/* Events that were emitted before the watch began do not count. */
	rcu_read_lock();
	list_for_each_entry_rcu(watch, &watches, node)
		watch->emitted[smp_processor_id()] = ltt_trace_emitted(watch->trace,
								       smp_processor_id());
	rcu_read_unlock();
	set_watched(w, true);
	hrtimer_start(&w->timer, PERIOD_NS, HRTIMER_MODE_REL_PINNED_HARD);
}

/* The lock of CPU hotplug is held: without it, a CPU that comes up now could miss both what has changed and the call. */
static void begin_everywhere(void)
{
	if (!list_empty(&watches) && READ_ONCE(deadman_seconds))
		on_each_cpu(begin_here, NULL, true);
}

/* Also called when the module is loaded, before there are watches. */
static int set_seconds(const char *text, const struct kernel_param *param)
{
	int err = param_set_uint(text, param);

	if (err || !deadman_seconds)
		return err;
	/* Against ltt_deadman_exit(), after which no timer may begin */
	ltt_markers_lock();
	cpus_read_lock();
	begin_everywhere();
	cpus_read_unlock();
	ltt_markers_unlock();
	return 0;
}

static int cpu_up(unsigned int cpu)
{
	if (!list_empty(&watches))
		begin_here(NULL);
	return 0;
}

static int cpu_down_prepare(unsigned int cpu)
{
	struct cpu_watch *w = per_cpu_ptr(&cpu_watches, cpu);

	hrtimer_cancel(&w->timer);
	set_watched(w, false);
	cancel_work_sync(&w->proof);
	return 0;
}

/* Called at each start: an earlier measurement may have been on a slow or idle CPU. */
static int measure(void)
{
	u64 cost = ltt_event_cost();

	if (!cost)
		return -ENOMEM;
	if (!atomic64_read(&event_cost) || cost < atomic64_read(&event_cost))
		atomic64_set(&event_cost, cost);
	return 0;
}

static int watch(struct ltt_trace *trace)
{
	struct watch *watch;
	int cpu;

	watch = kzalloc(struct_size(watch, emitted, nr_cpu_ids), GFP_KERNEL_ACCOUNT);
	if (!watch)
		return -ENOMEM;
	if (measure()) {
		kfree(watch);
		return -ENOMEM;
	}
	watch->trace = trace;
	for_each_possible_cpu(cpu)
		watch->emitted[cpu] = ltt_trace_emitted(trace, cpu);
	cpus_read_lock();
	list_add_rcu(&watch->node, &watches);
	begin_everywhere();
	cpus_read_unlock();
	return 0;
}

/* ltt_trace_stop() waits for RCU readers before the trace can be destroyed. */
static void unwatch(struct ltt_trace *trace)
{
	struct watch *watch;

	list_for_each_entry(watch, &watches, node)
		if (watch->trace == trace) {
			list_del_rcu(&watch->node);
			kfree_rcu(watch, rcu);
			return;
		}
}

static int trace_notify(struct notifier_block *nb, unsigned long action, void *trace)
{
	/* Before the first event: after it this CPU may do nothing else. */
	if (action == LTT_TRACE_STARTING)
		return notifier_from_errno(watch(trace));
	if (action == LTT_TRACE_NOT_STARTED || action == LTT_TRACE_STOPPING)
		unwatch(trace);
	return NOTIFY_OK;
}

static struct notifier_block trace_notifier = { .notifier_call = trace_notify };

/**
 * ltt_deadman_init() - set up the CPU watches and the notifiers
 *
 * Context: may sleep; takes the registry lock.
 * Return: 0, or an error of the CPU hotplug callbacks.
 */
int __init ltt_deadman_init(void)
{
	int cpu, state, err;

	for_each_possible_cpu(cpu) {
		struct cpu_watch *w = per_cpu_ptr(&cpu_watches, cpu);

		raw_spin_lock_init(&w->lock);
		hrtimer_setup(&w->timer, tick, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
		INIT_WORK(&w->proof, prove);
	}
	/* No calls: they would wait for a thread of ordinary priority on each CPU, of which a real-time thread may have one for
	 * itself. */
	state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "ltt/deadman:online", cpu_up,
					  cpu_down_prepare);
	if (state < 0)
		return state;
	hotplug_state = state;
	ltt_markers_lock();
	err = ltt_trace_notifier_register(&trace_notifier);
	ltt_markers_unlock();
	if (err)
		cpuhp_remove_state_nocalls(hotplug_state);
	return err;
}

/* Traces that still exist are no longer watched. */
void ltt_deadman_exit(void)
{
	struct watch *watch, *next;
	int cpu;

	ltt_markers_lock();
	ltt_trace_notifier_unregister(&trace_notifier);
	list_for_each_entry_safe(watch, next, &watches, node) {
		list_del_rcu(&watch->node);
		kfree_rcu(watch, rcu);
	}
	ltt_markers_unlock();
	/* Without the calls, as at the start. Only timers walk the list. */
	cpuhp_remove_state_nocalls(hotplug_state);
	for_each_possible_cpu(cpu)
		cpu_down_prepare(cpu);
}
