// SPDX-License-Identifier: GPL-2.0-only
/*
 * Notifications: what a stream is told without having asked just now.
 *
 * Layer: control.  Context: task, registry lock held.
 *
 * Locking: the registry lock guards the list of sessions, their streams and what
 * those watch.
 */
#include "session.h"

#include <linux/cpuhotplug.h>
#include <linux/kernel.h>
#include <linux/notifier.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <ltt/registry.h>
#include <ltt/trace.h>

/* In place of a command's number; beyond any vocabulary. */
#define NOTE_BASE	0x10000

enum note {
	NOTE_DROPPED,
	NOTE_MARKER_CAME,
	NOTE_MARKER_WENT,
	NOTE_TRACE_STARTED,
	NOTE_TRACE_STOPPED,
	NOTE_CPU_CAME,
	NOTE_CPU_WENT,
};

#define WATCH_MARKERS	1
#define WATCH_TRACES	2
#define WATCH_CPUS	4

static const struct {
	const char *name;
	u64 kind;
	const char *text;
	const char *value;
} notes[] = {
	[NOTE_DROPPED] = { "dropped", 0, "", "notifications that there was no room for" },
	[NOTE_MARKER_CAME] = { "marker-came", WATCH_MARKERS, "GROUP:NAME", "0" },
	[NOTE_MARKER_WENT] = { "marker-went", WATCH_MARKERS, "GROUP:NAME", "0" },
	[NOTE_TRACE_STARTED] = { "trace-started", WATCH_TRACES, "TRACE", "0" },
	[NOTE_TRACE_STOPPED] = { "trace-stopped", WATCH_TRACES, "TRACE", "0" },
	[NOTE_CPU_CAME] = { "cpu-came", WATCH_CPUS, "", "CPU" },
	[NOTE_CPU_WENT] = { "cpu-went", WATCH_CPUS, "", "CPU" },
};

static const struct {
	const char *name;
	u64 kind;
} kinds[] = {
	{ "markers", WATCH_MARKERS },
	{ "traces", WATCH_TRACES },
	{ "cpus", WATCH_CPUS },
};

/**
 * ltt_op_notifications() - list them, as the vocabulary lists commands
 */
int ltt_op_notifications(struct ltt_call *call)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(notes); i++)
		seq_printf(call->out, "%u %s text:%s value:%s\n", NOTE_BASE + i, notes[i].name,
			   notes[i].text, notes[i].value);
	return 0;
}

/**
 * ltt_watch_kinds() - parse what is to be watched
 * @names: separated by blanks; none is right, too
 * @watched: told their bits
 * Return: 0 or -EINVAL.
 */
int ltt_watch_kinds(const char *names, u64 *watched)
{
	unsigned int i;
	size_t len;

	*watched = 0;
	for (; *names; names += len) {
		len = strspn(names, " ");
		names += len;
		len = strcspn(names, " ");
		if (!len)
			break;
		for (i = 0; i < ARRAY_SIZE(kinds); i++)
			if (strlen(kinds[i].name) == len && !strncmp(names, kinds[i].name, len))
				break;
		if (i == ARRAY_SIZE(kinds))
			return -EINVAL;
		*watched |= kinds[i].kind;
	}
	return 0;
}

/* ---- Telling ---- */

static bool queue(struct ltt_stream *stream, enum note note, const char *text, u64 value)
{
	struct ltt_out *out;

	if (!ltt_out_has_room(stream))
		return false;
	out = ltt_out_alloc(stream, NOTE_BASE + note, stream->cookie, 0, text, strlen(text),
			    value);
	if (out)
		ltt_out_queue(stream, out);
	return out;
}

/* What was dropped before is said first, so that it is known where. */
static void tell(struct ltt_stream *stream, enum note note, const char *text, u64 value)
{
	if (!(stream->watched & notes[note].kind))
		return;
	if (stream->dropped && queue(stream, NOTE_DROPPED, "", stream->dropped))
		stream->dropped = 0;
	if (stream->dropped || !queue(stream, note, text, value))
		stream->dropped++;
}

static void tell_all(enum note note, const char *text, u64 value)
{
	struct ltt_session *session;
	struct ltt_stream *stream;

	list_for_each_entry(session, &ltt_sessions, node)
		list_for_each_entry(stream, &session->streams, node)
			tell(stream, note, text, value);
}

/* ---- Hearing ---- */

static int hear_marker(struct notifier_block *nb, unsigned long action, void *data)
{
	const struct ltt_marker *marker = data;
	char name[2 * 64];

	snprintf(name, sizeof(name), "%s:%s", marker->group, marker->name);
	tell_all(action == LTT_MARKER_COMING ? NOTE_MARKER_CAME : NOTE_MARKER_WENT, name, 0);
	return NOTIFY_OK;
}

/* Only those whose commands are about this trace now. */
static int hear_trace(struct notifier_block *nb, unsigned long action, void *data)
{
	struct ltt_trace *trace = data;
	struct ltt_session *session;
	struct ltt_stream *stream;

	if (action != LTT_TRACE_STARTED && action != LTT_TRACE_STOPPING)
		return NOTIFY_OK;
	list_for_each_entry(session, &ltt_sessions, node)
		list_for_each_entry(stream, &session->streams, node)
			if (ltt_trace_face(trace) == stream->face)
				tell(stream, action == LTT_TRACE_STARTED ? NOTE_TRACE_STARTED :
				     NOTE_TRACE_STOPPED, ltt_trace_name(trace), 0);
	return NOTIFY_OK;
}

static struct notifier_block marker_nb = { .notifier_call = hear_marker };
static struct notifier_block trace_nb = { .notifier_call = hear_trace };

/*
 * CPUs: the hotplug callbacks run under a lock that nests inside the registry lock,
 * so they leave word for a work item, which tells what has become different.
 */
static struct cpumask told_online;

static void tell_cpus(struct work_struct *work)
{
	int cpu;

	ltt_markers_lock();
	for_each_possible_cpu(cpu) {
		if (cpu_online(cpu) == cpumask_test_cpu(cpu, &told_online))
			continue;
		if (cpumask_test_and_clear_cpu(cpu, &told_online)) {
			tell_all(NOTE_CPU_WENT, "", cpu);
		} else {
			cpumask_set_cpu(cpu, &told_online);
			tell_all(NOTE_CPU_CAME, "", cpu);
		}
	}
	ltt_markers_unlock();
}

static DECLARE_WORK(cpu_work, tell_cpus);

static int cpu_changes(unsigned int cpu)
{
	schedule_work(&cpu_work);
	return 0;
}

static enum cpuhp_state online_state, dead_state;

/**
 * ltt_notify_init() - begin to hear
 * Return: 0 or -errno.
 */
int __init ltt_notify_init(void)
{
	int err;

	cpumask_copy(&told_online, cpu_online_mask);
	err = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "ltt/notify:online", cpu_changes,
					NULL);
	if (err < 0)
		return err;
	online_state = err;
	/* Called when the CPU is gone. */
	err = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "ltt/notify:dead", NULL,
					cpu_changes);
	if (err < 0)
		goto err_dead;
	dead_state = err;
	err = ltt_marker_notifier_register(&marker_nb);
	if (err)
		goto err_marker;
	ltt_markers_lock();
	err = ltt_trace_notifier_register(&trace_nb);
	ltt_markers_unlock();
	if (err)
		goto err_trace;
	return 0;

err_trace:
	ltt_marker_notifier_unregister(&marker_nb);
err_marker:
	cpuhp_remove_state_nocalls(dead_state);
err_dead:
	cpuhp_remove_state_nocalls(online_state);
	flush_work(&cpu_work);
	return err;
}

/**
 * ltt_notify_exit() - hear no more; there is no session any more
 */
void ltt_notify_exit(void)
{
	ltt_markers_lock();
	ltt_trace_notifier_unregister(&trace_nb);
	ltt_markers_unlock();
	ltt_marker_notifier_unregister(&marker_nb);
	cpuhp_remove_state_nocalls(dead_state);
	cpuhp_remove_state_nocalls(online_state);
	flush_work(&cpu_work);
}
