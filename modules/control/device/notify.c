// SPDX-License-Identifier: GPL-2.0-only
/*
 * Notifications: messages to command streams that a "watch" command asked for.
 *
 * Layer: control.  Context: task, registry lock held.
 *
 * Locking: the registry lock guards the list of control connections, their command
 * streams, and what these watch.
 */
#include "connection.h"

#include <linux/cpuhotplug.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/notifier.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <ltt/channel.h>
#include <ltt/news.h>
#include <ltt/registry.h>
#include <ltt/trace.h>

/* A notification has NOTE_BASE plus its kind where a reply has the command's number. */
#define NOTE_BASE	LTT_NOTIFICATION_BASE

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
	NOTE_TRACE_CHANNEL,
	NOTE_TRIGGER,
};

#define WATCH_MARKERS	1
#define WATCH_TRACES	2
#define WATCH_CPUS	4
#define WATCH_BUFFERS	8
#define WATCH_LOSSES	16
#define WATCH_TRIGGERS	32

/* Least time between two looks at all buffers. */
#define NEWS_PAUSE	msecs_to_jiffies(10)

static const struct {
	const char *name;
	u64 kind;
	const char *text;
	const char *value;
} notes[] = {
	[NOTE_DROPPED] = { "dropped", 0, "", "notifications without room" },
	[NOTE_MARKER_CAME] = { "marker-came", WATCH_MARKERS, "GROUP:NAME", "0" },
	[NOTE_MARKER_WENT] = { "marker-went", WATCH_MARKERS, "GROUP:NAME", "0" },
	[NOTE_TRACE_STARTED] = { "trace-started", WATCH_TRACES, "TRACE", "0" },
	[NOTE_TRACE_STOPPED] = { "trace-stopped", WATCH_TRACES, "TRACE",
				 "1 if the tracer halted it (its statistics have the reason), else 0" },
	[NOTE_CPU_CAME] = { "cpu-came", WATCH_CPUS, "", "CPU" },
	[NOTE_CPU_WENT] = { "cpu-went", WATCH_CPUS, "", "CPU" },
	[NOTE_BUFFER_FULL] = { "buffer-full", WATCH_BUFFERS, "TRACE CHANNEL_CPU",
			       "full sub-buffers" },
	[NOTE_LOSSES] = { "losses", WATCH_LOSSES, "TRACE CHANNEL_CPU", "events refused until now" },
	[NOTE_TRACE_GONE] = { "trace-gone", WATCH_TRACES, "TRACE", "0" },
	[NOTE_TRACE_CHANNEL] = { "trace-channel", WATCH_TRACES, "TRACE",
				 "0: a channel that was added later got its buffers" },
	[NOTE_TRIGGER] = { "trigger", WATCH_TRIGGERS, "TRACE SLOT", "how often it has fired until now" },
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
	{ "triggers", WATCH_TRIGGERS },
};

/**
 * ltt_op_notifications() - the operation "notifications": list all kinds
 * @call: the call
 *
 * Return: 0.
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
 * ltt_watch_kinds() - parse the argument of "watch"
 * @names: names of kinds, separated by blanks; may be none
 * @watched: set to their bits
 *
 * Context: any.
 * Return: 0; -EINVAL a name is unknown.
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

/* ---- Queueing ---- */

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

/* Queue a notification, and before it the number of those that were dropped. */
static void notify(struct ltt_stream *stream, enum note note, const char *text, u64 value)
{
	if (!(stream->watched & notes[note].kind))
		return;
	if (stream->dropped && queue(stream, NOTE_DROPPED, "", stream->dropped))
		stream->dropped = 0;
	if (stream->dropped || !queue(stream, note, text, value))
		stream->dropped++;
}

static void notify_all(enum note note, const char *text, u64 value)
{
	struct ltt_control *connection;
	struct ltt_stream *stream;

	list_for_each_entry(connection, &ltt_controls, node)
		list_for_each_entry(stream, &connection->streams, node)
			notify(stream, note, text, value);
}

/* Notify the streams whose commands are about the trace, also while op_destroy() has
 * moved it to the name space of traces that go. */
static void notify_of(struct ltt_trace *trace, enum note note, const char *text, u64 value)
{
	const void *face = ltt_trace_face(trace);
	struct ltt_control *connection;
	struct ltt_stream *stream;

	list_for_each_entry(connection, &ltt_controls, node)
		list_for_each_entry(stream, &connection->streams, node)
			if (face == stream->face || face == &stream->face->going)
				notify(stream, note, text, value);
}

/* ---- Sources ---- */

static int marker_changed(struct notifier_block *nb, unsigned long action, void *data)
{
	const struct ltt_marker *marker = data;
	char name[2 * LTT_NAME_MAX];

	snprintf(name, sizeof(name), "%s:%s", marker->group, marker->name);
	notify_all(action == LTT_MARKER_COMING ? NOTE_MARKER_CAME : NOTE_MARKER_WENT, name, 0);
	return NOTIFY_OK;
}

static int trace_changed(struct notifier_block *nb, unsigned long action, void *data)
{
	struct ltt_trace *trace = data;

	if (action == LTT_TRACE_STARTED)
		notify_of(trace, NOTE_TRACE_STARTED, ltt_trace_name(trace), 0);
	if (action == LTT_TRACE_STOPPING)
		notify_of(trace, NOTE_TRACE_STOPPED, ltt_trace_name(trace),
			  ltt_trace_is_halted(trace));
	if (action == LTT_TRACE_CHANNEL)
		notify_of(trace, NOTE_TRACE_CHANNEL, ltt_trace_name(trace), 0);
	if (action == LTT_TRACE_GOING)
		notify_of(trace, NOTE_TRACE_GONE, ltt_trace_name(trace), 0);
	return NOTIFY_OK;
}

/* ---- Buffers and triggers ---- */

static void notify_news(void *unused, const struct ltt_news *news)
{
	static const enum note kind[] = {
		[LTT_NEWS_FULL] = NOTE_BUFFER_FULL,
		[LTT_NEWS_LOST] = NOTE_LOSSES,
		[LTT_NEWS_TRIGGER] = NOTE_TRIGGER,
	};
	const char *name = ltt_trace_name(news->trace);
	char text[2 * LTT_NAME_MAX + 16];

	if (news->channel)
		snprintf(text, sizeof(text), "%s %s_%d", name, ltt_channel_name(news->channel),
			 news->number);
	else
		snprintf(text, sizeof(text), "%s %d", name, news->number);
	notify_of(news->trace, kind[news->what], text, news->count);
}

/* Time of the last look at the buffers, in jiffies; a hint without a lock: take_news() writes it, news_arrived() reads it. */
static unsigned long last_look;

static void take_news(struct work_struct *work)
{
	WRITE_ONCE(last_look, jiffies);
	ltt_markers_lock();
	ltt_trace_take_news(notify_news, NULL);
	ltt_markers_unlock();
}

static DECLARE_WORK(news_work, take_news);

static struct hrtimer news_timer;

/* Ends the pause after a look.  Context: hard interrupt. */
static enum hrtimer_restart end_pause(struct hrtimer *timer)
{
	queue_work(system_dfl_wq, &news_work);
	return HRTIMER_NORESTART;
}

/*
 * There are news.  Context: hard interrupt, on a CPU that a real-time thread may keep busy: on PREEMPT_RT neither its
 * workers nor its other timers would run.
 */
static void news_arrived(void)
{
	unsigned long passed = jiffies - READ_ONCE(last_look);

	if (passed < NEWS_PAUSE)
		hrtimer_start(&news_timer, ms_to_ktime(jiffies_to_msecs(NEWS_PAUSE - passed)),
			      HRTIMER_MODE_REL_HARD);
	else
		queue_work(system_dfl_wq, &news_work);
}

/**
 * ltt_watch_changed() - watch the buffers if, and only if, a stream asks for it
 *
 * Called when a stream comes or goes, or watches other kinds.
 *
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
	ltt_trace_set_news_receiver(watched & (WATCH_BUFFERS | WATCH_LOSSES | WATCH_TRIGGERS) ?
				    news_arrived : NULL);
}

static struct notifier_block marker_nb = { .notifier_call = marker_changed };
static struct notifier_block trace_nb = { .notifier_call = trace_changed };

/*
 * CPUs: the lock of hotplug callbacks nests inside the registry lock, so a work item
 * compares the CPUs with those of the last notification.
 */
static struct cpumask notified_online;

static void notify_cpus(struct work_struct *work)
{
	int cpu;

	ltt_markers_lock();
	for_each_possible_cpu(cpu) {
		if (cpu_online(cpu) == cpumask_test_cpu(cpu, &notified_online))
			continue;
		if (cpumask_test_and_clear_cpu(cpu, &notified_online)) {
			notify_all(NOTE_CPU_WENT, "", cpu);
		} else {
			cpumask_set_cpu(cpu, &notified_online);
			notify_all(NOTE_CPU_CAME, "", cpu);
		}
	}
	ltt_markers_unlock();
}

static DECLARE_WORK(cpu_work, notify_cpus);

static int cpu_changed(unsigned int cpu)
{
	schedule_work(&cpu_work);
	return 0;
}

static enum cpuhp_state online_state, dead_state;

/**
 * ltt_notify_init() - begin to watch markers, traces and CPUs
 *
 * Context: the module's init function.
 * Return: 0; -ENOMEM, or -ENOSPC without a free state of CPU hotplug.
 */
int __init ltt_notify_init(void)
{
	int err;

	hrtimer_setup(&news_timer, end_pause, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	cpumask_copy(&notified_online, cpu_online_mask);
	err = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "ltt/notify:online", cpu_changed,
					NULL);
	if (err < 0)
		return err;
	online_state = err;
	/* This state's callback runs when the CPU is gone. */
	err = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "ltt/notify:dead", NULL,
					cpu_changed);
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
 * ltt_notify_exit() - stop watching; no control connection is left
 *
 * Context: sleeps; registry lock not held.
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
	/* The last stream has gone, so nothing starts these again. */
	hrtimer_cancel(&news_timer);
	cancel_work_sync(&news_work);
}
