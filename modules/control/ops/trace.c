// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations on traces: life, limits, heartbeat, counts.
 *
 * Layer: control.  Context: task, registry lock held unless the row says otherwise.
 */
#include "../control.h"

#include <linux/delay.h>
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/threads.h>

#include <ltt/clock.h>
#include <ltt/filter.h>
#include <ltt/flush.h>
#include <ltt/heartbeat.h>
#include <ltt/limits.h>
#include <ltt/probes.h>
#include <ltt/registry.h>
#include <ltt/rules.h>
#include <ltt/tasks.h>
#include <ltt/trace.h>

/*
 * Find a trace as ltt_find(), and complete its list of tasks.  The registry lock is held, but
 * for the waits for a reader: a slow one delays no other caller.
 */
static struct ltt_trace *find_listed(struct ltt_call *call)
{
	const char *name = call->arg[0].text;
	struct ltt_list_wait wait = {};
	struct ltt_trace *trace;
	u64 ns;

	for (;;) {
		call->arg[0].text = name;	/* ltt_find() put a name of the trace there */
		trace = ltt_find(call);
		ns = trace ? ltt_trace_try_list(trace, &wait) : 0;
		if (!ns)
			return trace;
		ltt_markers_unlock();
		fsleep(DIV_ROUND_UP_ULL(ns, NSEC_PER_USEC));
		ltt_markers_lock();
	}
}

/* ---- Life ---- */

struct count {
	const struct ltt_face *face;
	unsigned int nr;
};

static int count_trace(struct ltt_trace *trace, void *arg)
{
	struct count *count = arg;

	count->nr += ltt_trace_face(trace) == count->face;
	return 0;
}

static bool has_room(const struct ltt_face *face)
{
	struct count count = { .face = face };

	ltt_trace_for_each(count_trace, &count);
	return !face->max_traces || count.nr < face->max_traces;
}

/* Registry lock held.  After an error *trace may be half made, or NULL. */
static int create_locked(struct ltt_call *call, const char *name, struct ltt_trace **trace)
{
	int err;

	if (ltt_trace_find(name, &call->face->going))
		return ltt_fail(call, -EBUSY, "trace \"%s\" is being removed: try again", name);
	if (!has_room(call->face))
		return ltt_fail(call, -EDQUOT,
				"this control connection has %u traces, the most it may have: destroy one",
				call->face->max_traces);
	*trace = ltt_trace_create(name, call->face);
	if (IS_ERR(*trace)) {
		err = PTR_ERR(*trace);
		*trace = NULL;
		if (err == -EEXIST)
			return ltt_fail(call, err,
				    "trace \"%s\" exists: remove it or choose another name", name);
		return ltt_fail(call, err, "trace \"%s\": there is not enough memory", name);
	}
	err = ltt_trace_copy_rules(*trace, call->face->defaults);
	if (!err)
		err = call->face->trace_added(call->face, *trace);
	if (err)
		return ltt_fail_with(call, err, "cannot create trace \"%s\"", name);
	return 0;
}

/* Destroy a trace that no command finds.  Waits for users of its files, who may wait for
 * the registry lock. */
static void take_down(struct ltt_face *face, struct ltt_trace *trace)
{
	face->trace_going(face, trace);
	ltt_markers_lock();
	ltt_probes_remove_all(trace);
	ltt_trace_destroy(trace);
	ltt_markers_unlock();
}

static int op_create(struct ltt_call *call)
{
	const char *name = call->arg[0].text;
	struct ltt_trace *trace = NULL;
	int err;

	if (!ltt_name_valid(name))
		return ltt_fail(call, -EINVAL,
			    "\"%.70s\" cannot name a trace: use 1 to 63 of A-Z a-z 0-9 _ . - with no leading dot",
			    name);
	/* The files "create" and "remove" are in the same folder as the traces. */
	if (!strcmp(name, "create") || !strcmp(name, "remove"))
		return ltt_fail(call, -EINVAL, "trace \"%s\" would have the name of a control file: choose another name",
			    name);
	ltt_markers_lock();
	err = create_locked(call, name, &trace);
	if (err && trace)
		ltt_trace_set_face(trace, &call->face->going);
	/* Each trace holds the module. */
	if (!err)
		__module_get(THIS_MODULE);
	ltt_markers_unlock();
	if (err && trace)
		take_down(call->face, trace);
	return err;
}

static int op_destroy(struct ltt_call *call)
{
	struct ltt_trace *trace;

	ltt_markers_lock();
	trace = find_listed(call);
	if (trace) {
		/* Before it leaves the face, so that its watchers are notified. */
		ltt_trace_stop(trace);
		ltt_trace_set_face(trace, &call->face->going);
	}
	ltt_markers_unlock();
	if (!trace)
		return -ENOENT;
	take_down(call->face, trace);
	module_put(THIS_MODULE);
	return 0;
}

/* Set the sentence of an error of ltt_trace_start().  Return: @err. */
static int check_start(struct ltt_call *call, int err)
{
	if (err == -EALREADY)
		return ltt_fail(call, err, "trace \"%s\" is running already", call->arg[0].text);
	if (err == -ENOMEM)
		return ltt_fail(call, err,
			    "trace \"%s\" needs more memory than is free: lower subbuf_size or subbuf_count",
			    call->arg[0].text);
	if (err == -EDQUOT)
		return ltt_fail_buffers(call, err);
	if (err)
		return ltt_fail_with(call, err, "cannot start trace \"%s\"", call->arg[0].text);
	return 0;
}

static int op_start(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);

	return trace ? check_start(call, ltt_trace_start(trace)) : -ENOENT;
}

/* One pattern, or several with a space between two. */
static int check_patterns(struct ltt_call *call, const char *text)
{
	char pattern[LTT_PATTERN_MAX + 1];
	int err;

	/* Each event is compared with all, under the lock of the registry. */
	if (strlen(text) >= LTT_EXPRESSION_MAX)
		return ltt_fail(call, -E2BIG, "the patterns of events that may begin have %zu bytes, and at most %u are possible",
				strlen(text), LTT_EXPRESSION_MAX - 1);
	do {
		snprintf(pattern, sizeof(pattern), "%.*s", (int)strcspn(text, " "), text);
		err = ltt_check_pattern(call, pattern);
		text += strcspn(text, " ");
		text += strspn(text, " ");
	} while (!err && *text);
	return err;
}

static int op_arm(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);
	int err = trace ? check_patterns(call, call->arg[1].text) : -ENOENT;

	return err ? err : check_start(call, ltt_trace_arm(trace, call->arg[1].text));
}

static int op_triggers(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);

	if (!trace)
		return -ENOENT;
	ltt_trace_show_triggers(trace, call->out);
	return 0;
}

static int op_stop(struct ltt_call *call)
{
	struct ltt_trace *trace = find_listed(call);

	if (!trace)
		return -ENOENT;
	if (ltt_trace_stop(trace))
		return ltt_fail(call, -EALREADY, "trace \"%s\" is not running", call->arg[0].text);
	return 0;
}

static int op_state(struct ltt_call *call)
{
	static const char *const names[] = {
		[LTT_TRACE_CONFIGURING] = "configuring",
		[LTT_TRACE_RUNNING] = "running",
		[LTT_TRACE_STOPPED] = "stopped",
	};
	struct ltt_trace *trace = ltt_find(call);

	if (!trace)
		return -ENOENT;
	seq_printf(call->out, "%s\n", names[ltt_trace_get_state(trace)]);
	return 0;
}

static int op_uuid(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);

	if (!trace)
		return -ENOENT;
	seq_printf(call->out, "%pUb\n", ltt_trace_uuid(trace));
	return 0;
}

static int op_clock(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);
	const struct ltt_clock_info *clock;

	if (!trace)
		return -ENOENT;
	clock = ltt_trace_clock(trace);
	seq_printf(call->out, "%s %pUb %llu %llu %llu\n", clock->name, &clock->uuid, clock->freq,
		   clock->offset_s, clock->offset);
	return 0;
}

static int op_snapshot(struct ltt_call *call)
{
	struct ltt_trace *trace = find_listed(call);
	int err;

	if (!trace)
		return -ENOENT;
	err = ltt_trace_snapshot(trace);
	if (err == -ENOENT)
		return ltt_fail(call, err,
			    "trace \"%s\" has no overwrite channel: read its buffers without a snapshot",
			    call->arg[0].text);
	if (err)
		return ltt_fail(call, err, "trace \"%s\" has not been started: its buffers are empty",
			    call->arg[0].text);
	return 0;
}

/* Waits without the registry lock, so that frequent flushes delay no other caller. */
static int op_flush(struct ltt_call *call)
{
	const char *name = call->arg[0].text;
	u64 asked = ktime_get_ns(), wait = 0;
	struct ltt_trace *trace;

	do {
		if (wait)
			fsleep(DIV_ROUND_UP_ULL(wait, NSEC_PER_USEC));
		call->arg[0].text = name;	/* ltt_find() put a name of the trace there */
		ltt_markers_lock();
		trace = ltt_find(call);
		wait = trace ? ltt_trace_try_flush(trace, asked) : 0;
		ltt_markers_unlock();
	} while (wait);
	return trace ? 0 : -ENOENT;
}

static int op_nameless(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);
	int err = trace ? ltt_trace_set_nameless(trace) : -ENOENT;

	if (err == -EBUSY)
		return ltt_fail(call, err, "trace \"%s\" has been started: its names are recorded already",
				call->arg[0].text);
	return err && trace ? ltt_fail_with(call, err, "cannot do without the names in trace \"%s\"",
					    call->arg[0].text) : err;
}

static int op_tasks(struct ltt_call *call)
{
	const char *name = call->arg[0].text;
	struct ltt_trace *trace = find_listed(call);

	if (!trace)
		return -ENOENT;
	if (ltt_trace_list_tasks(trace))
		return ltt_fail(call, -EINVAL, "trace \"%s\" records no names: it does not run, or is to do without",
				call->arg[0].text);
	call->arg[0].text = name;
	return find_listed(call) ? 0 : -ENOENT;
}

/* ---- Limits and heartbeat ---- */

static int op_pid_get(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);

	if (!trace)
		return -ENOENT;
	seq_printf(call->out, "%d\n",
		   ltt_trace_tasks(trace) ? ltt_tasks_family(ltt_trace_tasks(trace)) : 0);
	return 0;
}

static int limit_to_family(struct ltt_call *call, struct ltt_trace *trace, u64 pid)
{
	struct ltt_tasks *tasks = ltt_tasks_create(call->face->budget);
	char member[32];
	int err;

	if (IS_ERR(tasks))
		return PTR_ERR(tasks);
	snprintf(member, sizeof(member), "pid:%llu+children", pid);
	err = ltt_tasks_add(tasks, member);
	if (!err)
		err = ltt_tasks_follow(tasks);
	if (!err)
		ltt_trace_limit_tasks(trace, tasks);
	ltt_tasks_put(tasks);
	return err;
}

static int op_pid_set(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);
	u64 pid = call->arg[1].number;
	int err = 0;

	if (!trace)
		return -ENOENT;
	if (pid)
		err = limit_to_family(call, trace, pid);
	else
		ltt_trace_limit_tasks(trace, NULL);
	if (err == -ESRCH)
		return ltt_fail(call, err, "there is no process %llu", pid);
	return err ? ltt_fail_tasks(call, err, call->arg[0].text) : 0;
}

static int op_heartbeat_get(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);

	if (!trace)
		return -ENOENT;
	seq_printf(call->out, "%u\n", ltt_heartbeat_get_period(trace));
	return 0;
}

static int op_heartbeat_set(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);
	int err;

	if (!trace)
		return -ENOENT;
	err = ltt_heartbeat_set_period(trace, call->arg[1].number);
	if (err)
		return ltt_fail_with(call, err, "cannot set the heartbeat of trace \"%s\"",
				     call->arg[0].text);
	return 0;
}

static int op_stats(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);

	if (!trace)
		return -ENOENT;
	ltt_trace_show_stats(trace, call->out);
	return 0;
}

/* ---- All traces of a face ---- */

struct walk {
	struct ltt_call *call;
	struct ltt_face *face;
	struct ltt_trace *found;
};

static int show_trace(struct ltt_trace *trace, void *arg)
{
	struct walk *walk = arg;

	if (ltt_trace_face(trace) == walk->face)
		seq_printf(walk->call->out, "%s\n", ltt_trace_name(trace));
	return 0;
}

static int op_traces(struct ltt_call *call)
{
	struct walk walk = { .call = call, .face = call->face };

	return ltt_trace_for_each(show_trace, &walk);
}

static int find_first(struct ltt_trace *trace, void *arg)
{
	struct walk *walk = arg;

	if (ltt_trace_face(trace) != walk->face)
		return 0;
	walk->found = trace;
	return 1;
}

/**
 * ltt_face_destroy_traces() - destroy all traces of a face
 * @face: the face
 *
 * Context: sleeps; registry lock not held.
 */
void ltt_face_destroy_traces(struct ltt_face *face)
{
	struct walk walk = { .face = face };
	struct ltt_call call = { .face = face };
	char name[LTT_NAME_MAX];
	int found;

	for (;;) {
		ltt_markers_lock();
		found = ltt_trace_for_each(find_first, &walk);
		if (found)
			strscpy(name, ltt_trace_name(walk.found), sizeof(name));
		ltt_markers_unlock();
		if (!found)
			return;
		call.arg[0].text = name;
		op_destroy(&call);
	}
}

const struct ltt_op ltt_trace_ops[] = {
	{ "create", op_create, "create a trace", { LTT_TEXT("trace") }, LTT_OP_UNLOCKED },
	{ "destroy", op_destroy, "destroy a trace; open buffers can be read to their end",
	  { LTT_TEXT("trace") }, LTT_OP_UNLOCKED },
	{ "start", op_start, "start recording", { LTT_TEXT("trace") } },
	{ "arm", op_arm, "begin to record with an event that one of the patterns matches, when its filter decides so",
	  { LTT_TEXT("trace"), LTT_TEXT("patterns") } },
	{ "stop", op_stop, "stop recording", { LTT_TEXT("trace") } },
	{ "state", op_state, "show configuring, running or stopped", { LTT_TEXT("trace") },
	  LTT_OP_SHOWS },
	{ "triggers", op_triggers, "show whether the trace is armed, and how often triggers reported in each slot",
	  { LTT_TEXT("trace") }, LTT_OP_SHOWS },
	{ "uuid", op_uuid, "show the UUID; =UUID in place of a name means this trace and no later one",
	  { LTT_TEXT("trace") }, LTT_OP_SHOWS },
	{ "clock", op_clock, "show the clock: its name, UUID, counts per second, and its value 0 in seconds since 1970 and counts",
	  { LTT_TEXT("trace") }, LTT_OP_SHOWS },
	{ "traces", op_traces, "list the names of all traces", {}, LTT_OP_SHOWS },
	{ "snapshot", op_snapshot, "make the contents of overwrite channels readable",
	  { LTT_TEXT("trace") } },
	{ "flush", op_flush, "make what was recorded so far readable, but for overwrite channels",
	  { LTT_TEXT("trace") }, LTT_OP_UNLOCKED },
	{ "tasks", op_tasks, "record the names of all threads again, in channel state",
	  { LTT_TEXT("trace") } },
	{ "nameless", op_nameless, "do without the names of tasks, before the first start: the events that name them are as others",
	  { LTT_TEXT("trace") } },
	{ "stats", op_stats, "show how many events were recorded and lost", { LTT_TEXT("trace") }, LTT_OP_SHOWS },
	/* These names are older than the filters of events. */
	{ "filter-get", op_pid_get, "show the process that the trace is limited to, or 0",
	  { LTT_TEXT("trace") }, LTT_OP_SHOWS },
	{ "filter-set", op_pid_set, "limit the trace to a process and its descendants; 0 for all",
	  { LTT_TEXT("trace"), LTT_NUMBER("pid", PID_MAX_LIMIT) } },
	{ "heartbeat-get", op_heartbeat_get, "show the period of the heartbeat in ms, 0 for none",
	  { LTT_TEXT("trace") }, LTT_OP_SHOWS },
	{ "heartbeat-set", op_heartbeat_set, "set the period of the heartbeat in ms, 0 for none",
	  { LTT_TEXT("trace"), LTT_NUMBER("ms", LTT_HEARTBEAT_MS_MAX) } },
	{}
};
