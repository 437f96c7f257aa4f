// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples: an event of perf on each CPU that is online, so many times a second.
 *
 * Layer: instrument.  The place is the frequency.  A CPU is sampled by its cycles; where it cannot
 * count them, by its clock.  Neither samples a CPU that is idle.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "probe.h"

#include <linux/compiler.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/seq_file.h>

#include <ltt/origin.h>

#define FREQUENCY_MAX	10000

static int hotplug_state;

/* ---- Hits: in an interrupt or an NMI ---- */

static notrace void hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	struct ltt_probe *probe = event->overflow_handler_context;
	struct {
		u64 ip;
		u8 mode;
	} __packed payload = { instruction_pointer(regs), user_mode(regs) };
	const struct ltt_sink *sink;
	struct ltt_origin_scope origin;

	preempt_disable_notrace();
	sink = ltt_marker_sink(&probe->marker);
	if (ltt_sink_wants(sink)) {
		ltt_origin_begin(&origin, payload.ip);
		sink->write(sink, &payload, sizeof(payload));
		ltt_origin_end(&origin);
	}
	preempt_enable_notrace();
}

/* ---- CPUs that come and go ---- */

static struct perf_event *create_event(struct ltt_probe *probe, unsigned int cpu, u32 type, u64 config)
{
	struct perf_event_attr attr = {
		.type = type,
		.config = config,
		.size = sizeof(attr),
		.freq = 1,
		.sample_freq = probe->sample.frequency,
		/* Cycles do not count in idle, and some CPUs refuse the word. */
		.exclude_idle = type == PERF_TYPE_SOFTWARE,
		/* Counts all the time, or not at all. */
		.pinned = 1,
	};
	struct perf_event *event = perf_event_create_kernel_counter(&attr, cpu, NULL, hit, probe);

	if (IS_ERR(event) || READ_ONCE(event->state) != PERF_EVENT_STATE_ERROR)
		return event;
	perf_event_release_kernel(event);
	return ERR_PTR(-EBUSY);
}

/* arm() calls this for each CPU that is online, the hotplug state for one that comes, in a thread on it: the lock of CPU hotplug
 * is held. */
static int cpu_comes(unsigned int cpu, struct hlist_node *node)
{
	struct ltt_sampling *sampling = container_of(node, struct ltt_sampling, node);
	struct ltt_probe *probe = container_of(sampling, struct ltt_probe, sample);
	struct perf_event *event;

	/* For events of these two, perf does not take the lock again, as it does for others (modules/tracer/counter.c).  The
	 * kernel's own watch for hard lockups makes an event of cycles in a callback of CPU hotplug, too. */
	event = create_event(probe, cpu, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	if (IS_ERR(event))
		event = create_event(probe, cpu, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	if (!IS_ERR(event)) {
		*per_cpu_ptr(sampling->event, cpu) = event;
		return 0;
	}
	/* An error would keep the CPU offline. */
	sampling->err = PTR_ERR(event);
	pr_warn("sample:%s: CPU %u is not sampled (errno %d)\n", probe->name, cpu, -sampling->err);
	return 0;
}

/* disarm() calls this for each CPU, the hotplug state for one that goes, in a thread on it. */
static int cpu_goes(unsigned int cpu, struct hlist_node *node)
{
	struct ltt_sampling *sampling = container_of(node, struct ltt_sampling, node);
	struct perf_event **event = per_cpu_ptr(sampling->event, cpu);

	if (*event)
		perf_event_release_kernel(*event);
	*event = NULL;
	return 0;
}

/* ---- Places ---- */

static int place(struct ltt_probe *probe, char *text, const struct path *file, char *why, size_t size)
{
	struct ltt_sampling *sampling = &probe->sample;

	if (kstrtouint(text, 10, &sampling->frequency) || !sampling->frequency ||
	    sampling->frequency > FREQUENCY_MAX)
		return ltt_probe_fail(why, size, -EINVAL,
				      "\"%.20s\" is not a frequency: use 1 to %u samples a second", text,
				      FREQUENCY_MAX);
	sampling->event = alloc_percpu_gfp(struct perf_event *, GFP_KERNEL_ACCOUNT);
	if (!sampling->event)
		return ltt_probe_fail(why, size, -ENOMEM, "there is not enough memory");
	return 0;
}

static void release(struct ltt_probe **probes, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		free_percpu(probes[i]->sample.event);
}

static void disarm(struct ltt_probe *probe)
{
	unsigned int cpu;

	cpuhp_state_remove_instance_nocalls(hotplug_state, &probe->sample.node);
	for_each_possible_cpu(cpu)
		cpu_goes(cpu, &probe->sample.node);
}

static int arm(struct ltt_probe *probe)
{
	struct ltt_sampling *sampling = &probe->sample;
	unsigned int cpu;
	int err;

	sampling->err = 0;
	/* No calls: they would wait for a thread of ordinary priority on each CPU, of which a real-time thread may have one for
	 * itself. */
	err = cpuhp_state_add_instance_nocalls(hotplug_state, &sampling->node);
	if (err)
		return err;
	cpus_read_lock();
	for_each_online_cpu(cpu)
		/* Not one that has come just now. */
		if (!*per_cpu_ptr(sampling->event, cpu))
			cpu_comes(cpu, &sampling->node);
	err = sampling->err;
	cpus_read_unlock();
	if (err)
		disarm(probe);
	return err;
}

/* perf counts none that it has throttled. */
static u64 missed(const struct ltt_probe *probe)
{
	return 0;
}

static void show_place(const struct ltt_probe *probe, struct seq_file *s)
{
	seq_printf(s, "%u Hz", probe->sample.frequency);
}

static const struct ltt_field fields[] = {
	{ .name = "ip", .type = "x64", .kind = LTT_FIELD_INT, .size = 8, .base = 16 },
	{ .name = "mode", .type = "u8", .kind = LTT_FIELD_INT, .size = 1, .base = 10,
	  .labels = "kernel=0,user=1}" },
};

const struct ltt_probe_kind ltt_sample_kind = {
	.group = "sample",
	.fields = fields,
	.nr_fields = ARRAY_SIZE(fields),
	.place = place,
	.release = release,
	.arm = arm,
	.disarm = disarm,
	.missed = missed,
	.show_place = show_place,
};

int __init ltt_sample_init(void)
{
	int state = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "ltt/probes:sample", cpu_comes,
					    cpu_goes);

	if (state < 0)
		return state;
	hotplug_state = state;
	return 0;
}

void ltt_sample_exit(void)
{
	cpuhp_remove_multi_state(hotplug_state);
}
