// SPDX-License-Identifier: GPL-2.0-only
/*
 * Notifications: what a stream is told without having asked just now.
 *
 * Layer: control.  Context: task, registry lock held.
 *
 * Locking: the registry lock guards the list of sessions, their streams and what
 * those watch.
 */
#include "connection.h"

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
	NOTE_BUFFER_FULL,
	NOTE_LOSSES,
	NOTE_TRACE_GONE,
};

#define WATCH_MARKERS	1
#define WATCH_TRACES	2
#define WATCH_CPUS	4
#define WATCH_BUFFERS	8
#define WATCH_LOSSES	16

/* Between two looks at all buffers. */
#define NEWS_PAUSE	msecs_to_jiffies(10)

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
	[NOTE_TRACE_STOPPED] = { "trace-stopped", WATCH_TRACES, "TRACE",
				 "1 if it was halted, its statistics say why; else 0" },
	[NOTE_CPU_CAME] = { "cpu-came", WATCH_CPUS, "", "CPU" },
	[NOTE_CPU_WENT] = { "cpu-went", WATCH_CPUS, "", "CPU" },
	[NOTE_BUFFER_FULL] = { "buffer-full", WATCH_BUFFERS, "TRACE CHANNEL_CPU",
			       "sub-buffers that wait to be read" },
	[NOTE_LOSSES] = { "losses", WATCH_LOSSES, "TRACE CHANNEL_CPU", "events refused so far" },
	[NOTE_TRACE_GONE] = { "trace-gone", WATCH_TRACES, "TRACE", "0" },
};

static const struct {
	const char *name;
	u64 kind;
} kinds[] = {
	{ "markers", WATCH_MARKERS },
	{ "traces", WATCH_TRACES },
	{ "cpus", WATCH_CPUS },
	{ "buffers", WATCH_BUFFERS },
	{ "losses", WATCH_LOSSES },
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
	struct ltt_control *connection;
	struct ltt_stream *stream;

	list_for_each_entry(connection, &ltt_controls, node)
		list_for_each_entry(stream, &connection->streams, node)
			tell(stream, note, text, value);
}

/* Streams whose commands are about this trace now; or were until just now, when it
 * went to where nobody finds it: see op_destroy(). */
static void tell_of(struct ltt_trace *trace, enum note note, const char *text, u64 value)
{
	const void *face = ltt_trace_face(trace);
	struct ltt_control *connection;
	struct ltt_stream *stream;

	list_for_each_entry(connection, &ltt_controls, node)
		list_for_each_entry(stream, &connection->streams, node)
			if (face == stream->face || face == &stream->face->going)
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

static int hear_trace(struct notifier_block *nb, unsigned long action, void *data)
{
	struct ltt_trace *trace = data;

	if (action == LTT_TRACE_STARTED)
		tell_of(trace, NOTE_TRACE_STARTED, ltt_trace_name(trace), 0);
	if (action == LTT_TRACE_STOPPING)
		tell_of(trace, NOTE_TRACE_STOPPED, ltt_trace_name(trace),
			ltt_trace_is_halted(trace));
	if (action == LTT_TRACE_GOING)
		tell_of(trace, NOTE_TRACE_GONE, ltt_trace_name(trace), 0);
	return NOTIFY_OK;
}

/* ---- Buffers ---- */

static void tell_news(void *unused, enum ltt_news news, struct ltt_channel *channel, int cpu,
		      u64 count)
{
	struct ltt_trace *trace = ltt_channel_trace(channel);
	char text[2 * 64 + 16];

	snprintf(text, sizeof(text), "%s %s_%d", ltt_trace_name(trace), ltt_channel_name(channel),
		 cpu);
	tell_of(trace, news == LTT_NEWS_FULL ? NOTE_BUFFER_FULL : NOTE_LOSSES, text, count);
}

/* When the buffers may be looked at again; lockless, a hint. */
static unsigned long next_look;

static void take_news(struct work_struct *work)
{
	WRITE_ONCE(next_look, jiffies + NEWS_PAUSE);
	ltt_markers_lock();
	ltt_trace_take_news(tell_news, NULL);
	ltt_markers_unlock();
}

static DECLARE_DELAYED_WORK(news_work, take_news);

/* In hard interrupt context. */
static void hear_news(void)
{
	unsigned long now = jiffies, next = READ_ONCE(next_look);

	schedule_delayed_work(&news_work, time_before(now, next) ? next - now : 0);
}

/**
 * ltt_watch_changed() - streams came or went, or watch something else
 * Context: registry lock held.
 */
void ltt_watch_changed(void)
{
	struct ltt_control *connection;
	struct ltt_stream *stream;
	u64 watched = 0;

	list_for_each_entry(connection, &ltt_controls, node)
		list_for_each_entry(stream, &connection->streams, node)
			watched |= stream->watched;
	ltt_trace_hear_news(watched & (WATCH_BUFFERS | WATCH_LOSSES) ? hear_news : NULL);
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
	/* With the last stream its cause has gone. */
	cancel_delayed_work_sync(&news_work);
}
