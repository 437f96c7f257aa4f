// SPDX-License-Identifier: GPL-2.0-only
/*
 * The operations, each once: a function and a row of the table below.
 *
 * Layer: control.  Context: task.  Locking: the registry lock serialises all
 * operations; an operation that waits for users of files (which wait for the
 * lock) takes and drops it itself.
 *
 * To add one: write the function, add the row.
 */
#include "control.h"

#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include <ltt/heartbeat.h>
#include <ltt/registry.h>
#include <ltt/trace.h>

/* Why an operation fails: one sentence, and the errno handed on. */
static __printf(3, 4) int fail(struct ltt_call *call, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vscnprintf(call->error, sizeof(call->error), format, args);
	va_end(args);
	return err;
}

static struct ltt_trace *find(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_trace_find(call->arg[0], call->face);

	if (!trace)
		fail(call, -ENOENT, "there is no trace \"%s\"; see the folder traces/",
		     call->arg[0]);
	return trace;
}

static int parse_number(struct ltt_call *call, const char *what, const char *text, u64 max,
			u64 *value)
{
	if (kstrtou64(text, 10, value) || *value > max)
		return fail(call, -EINVAL, "%s: \"%s\" is not a number from 0 to %llu", what, text,
			    max);
	return 0;
}

/* Sizes may be written as 64K or 2M. */
static int parse_size(struct ltt_call *call, const char *what, const char *text, u64 *value)
{
	char *end;

	*value = memparse(text, &end);
	if (end == text || *end || *text == '-' || *value > UINT_MAX)
		return fail(call, -EINVAL, "%s: \"%s\" is not a number from 0 to %u", what, text,
			    UINT_MAX);
	return 0;
}

/* ---- Life of a trace ---- */

/* Under the registry lock; on error the trace may be there, half made. */
static int create_locked(struct ltt_call *call, const char *name, struct ltt_trace **trace)
{
	int err;

	if (ltt_trace_find(name, &call->face->going))
		return fail(call, -EBUSY, "trace \"%s\" is still being removed: try again", name);
	*trace = ltt_trace_create(name, call->face);
	if (IS_ERR(*trace)) {
		err = PTR_ERR(*trace);
		*trace = NULL;
		if (err == -EEXIST)
			return fail(call, err,
				    "trace \"%s\" exists: remove it or choose another name", name);
		return fail(call, err, "no memory for trace \"%s\"", name);
	}
	err = ltt_trace_copy_rules(*trace, call->face->defaults);
	if (!err)
		err = call->face->trace_added(*trace);
	if (err)
		return fail(call, err, "trace \"%s\" could not be set up: error %d", name, -err);
	return 0;
}

/* Take a trace down that nobody can find any more.  Waits for those who use its
 * files now, and who may wait for the lock. */
static void take_down(struct ltt_face *face, struct ltt_trace *trace, const char *name)
{
	face->trace_going(name);
	ltt_markers_lock();
	ltt_trace_destroy(trace);
	ltt_markers_unlock();
}

static int op_create(struct ltt_call *call)
{
	const char *name = call->arg[0];
	struct ltt_trace *trace = NULL;
	int err;

	if (!ltt_name_valid(name))
		return fail(call, -EINVAL,
			    "\"%.70s\" cannot name a trace: use 1 to 63 of A-Z a-z 0-9 _ . - with no leading dot",
			    name);
	/* "create" and "remove" are files beside the traces. */
	if (!strcmp(name, "create") || !strcmp(name, "remove"))
		return fail(call, -EINVAL, "\"%s\" is the name of a control file: choose another",
			    name);
	ltt_markers_lock();
	err = create_locked(call, name, &trace);
	if (err && trace)
		ltt_trace_set_face(trace, &call->face->going);
	/* The module stays as long as there are traces. */
	if (!err)
		__module_get(THIS_MODULE);
	ltt_markers_unlock();
	if (err && trace)
		take_down(call->face, trace, name);
	return err;
}

static int op_destroy(struct ltt_call *call)
{
	struct ltt_trace *trace;
	char name[64];

	strscpy(name, call->arg[0], sizeof(name));
	ltt_markers_lock();
	trace = find(call);
	if (trace)
		ltt_trace_set_face(trace, &call->face->going);
	ltt_markers_unlock();
	if (!trace)
		return -ENOENT;
	take_down(call->face, trace, name);
	module_put(THIS_MODULE);
	return 0;
}

static int op_start(struct ltt_call *call)
{
	struct ltt_trace *trace = find(call);
	int err;

	if (!trace)
		return -ENOENT;
	err = ltt_trace_start(trace);
	if (err == -EALREADY)
		return fail(call, err, "trace \"%s\" is running already", call->arg[0]);
	if (err == -ENOMEM)
		return fail(call, err,
			    "the buffers of trace \"%s\" would take more memory than is free: lower subbuf_size or subbuf_count",
			    call->arg[0]);
	if (err)
		return fail(call, err, "trace \"%s\" could not be started: error %d",
			    call->arg[0], -err);
	call->face->trace_started(trace);
	return 0;
}

static int op_stop(struct ltt_call *call)
{
	struct ltt_trace *trace = find(call);

	if (!trace)
		return -ENOENT;
	if (ltt_trace_stop(trace))
		return fail(call, -EALREADY, "trace \"%s\" is not running", call->arg[0]);
	return 0;
}

static int op_state(struct ltt_call *call)
{
	static const char *const names[] = {
		[LTT_TRACE_CONFIGURING] = "configuring",
		[LTT_TRACE_RUNNING] = "running",
		[LTT_TRACE_STOPPED] = "stopped",
	};
	struct ltt_trace *trace = find(call);

	if (!trace)
		return -ENOENT;
	seq_printf(call->out, "%s\n", names[ltt_trace_get_state(trace)]);
	return 0;
}

static int op_snapshot(struct ltt_call *call)
{
	struct ltt_trace *trace = find(call);
	int err;

	if (!trace)
		return -ENOENT;
	err = ltt_trace_snapshot(trace);
	if (err == -ENOENT)
		return fail(call, err,
			    "trace \"%s\" has no overwrite channel: its data can be read as it comes",
			    call->arg[0]);
	if (err)
		return fail(call, err, "trace \"%s\" has not been started: it holds nothing yet",
			    call->arg[0]);
	return 0;
}

/* ---- Events ---- */

static int check_pattern(struct ltt_call *call, const char *pattern)
{
	if (ltt_pattern_valid(pattern))
		return 0;
	return fail(call, -EINVAL,
		    "\"%.100s\" is no pattern: use group:name or name, with * ? [] globs", pattern);
}

static int change_rule(struct ltt_call *call, const char *pattern, bool enable)
{
	struct ltt_trace *trace = find(call);
	int err;

	if (!trace)
		return -ENOENT;
	err = check_pattern(call, pattern);
	if (err)
		return err;
	err = ltt_trace_add_rule(trace, NULL, pattern, enable);
	if (err == -ENOENT)
		return fail(call, err, "trace \"%s\" has nothing enabled that \"%s\" matches",
			    call->arg[0], pattern);
	if (err)
		return fail(call, err, "\"%s\" could not be enabled in trace \"%s\": error %d",
			    pattern, call->arg[0], -err);
	return 0;
}

static int op_enable(struct ltt_call *call)
{
	return change_rule(call, call->arg[1], true);
}

static int op_disable(struct ltt_call *call)
{
	return change_rule(call, call->arg[1], false);
}

struct all_traces {
	struct ltt_call *call;
	const char *pattern;
	bool enable;
};

static int change_in_trace(struct ltt_trace *trace, void *arg)
{
	struct all_traces *all = arg;
	int err;

	if (ltt_trace_find(ltt_trace_name(trace), all->call->face) != trace)
		return 0;
	err = ltt_trace_add_rule(trace, NULL, all->pattern, all->enable);
	return err == -ENOENT ? 0 : err;
}

/* In every trace of the face, present and future. */
static int change_everywhere(struct ltt_call *call, const char *pattern, bool enable)
{
	struct all_traces all = { .call = call, .pattern = pattern, .enable = enable };
	int err = check_pattern(call, pattern);

	if (err)
		return err;
	err = ltt_trace_add_rule(call->face->defaults, NULL, pattern, enable);
	/* What is not wanted can still be enabled in one trace or another. */
	if (!err || err == -ENOENT)
		err = ltt_trace_for_each(change_in_trace, &all);
	if (err)
		return fail(call, err, "\"%s\" could not be changed in every trace: error %d",
			    pattern, -err);
	return 0;
}

static int op_want(struct ltt_call *call)
{
	return change_everywhere(call, call->arg[0], true);
}

static int op_unwant(struct ltt_call *call)
{
	return change_everywhere(call, call->arg[0], false);
}

static int op_wanted(struct ltt_call *call)
{
	ltt_trace_show_rules(call->face->defaults, call->out);
	return 0;
}

static int op_is_wanted(struct ltt_call *call)
{
	seq_printf(call->out, "%d\n",
		   ltt_trace_has_event(call->face->defaults, call->arg[0], call->arg[1]));
	return 0;
}

struct group_count {
	struct ltt_call *call;
	unsigned int all;
	unsigned int wanted;
};

static int count_marker(struct ltt_marker *marker, void *arg)
{
	struct group_count *count = arg;

	if (!strcmp(marker->group, count->call->arg[0])) {
		count->all++;
		count->wanted += ltt_trace_has_event(count->call->face->defaults, marker->group,
						     marker->name);
	}
	return 0;
}

static int op_group_wanted(struct ltt_call *call)
{
	struct group_count count = { .call = call };

	ltt_marker_for_each(count_marker, &count);
	seq_printf(call->out, "%u of %u\n", count.wanted, count.all);
	return 0;
}

static int op_events(struct ltt_call *call)
{
	struct ltt_trace *trace = find(call);

	if (!trace)
		return -ENOENT;
	ltt_trace_show_events(trace, call->out);
	return 0;
}

static const char *kind_name(const struct ltt_field *field)
{
	static const char *const names[] = {
		[LTT_FIELD_INT] = "integer",
		[LTT_FIELD_STRING] = "string",
		[LTT_FIELD_TEXT] = "text",
		[LTT_FIELD_ARRAY] = "array",
		[LTT_FIELD_SEQUENCE] = "sequence",
	};

	return names[field->kind];
}

static int op_info(struct ltt_call *call)
{
	struct ltt_marker *marker = ltt_marker_find(call->arg[0], call->arg[1]);
	unsigned int i;

	if (!marker)
		return fail(call, -ENOENT, "there is no marker %s:%s now", call->arg[0],
			    call->arg[1]);
	seq_printf(call->out, "marker %s:%s\n", marker->group, marker->name);
	for (i = 0; i < marker->nr_fields; i++) {
		const struct ltt_field *f = &marker->fields[i];

		seq_printf(call->out, "field %s %s", f->name, kind_name(f));
		if (f->kind == LTT_FIELD_INT || f->kind == LTT_FIELD_ARRAY ||
		    f->kind == LTT_FIELD_SEQUENCE)
			seq_printf(call->out, " %c%u base %u", f->is_signed ? 's' : 'u',
				   f->size * 8, f->base);
		if (f->count)
			seq_printf(call->out, " count %u", f->count);
		seq_printf(call->out, " (%s)\n", f->type);
	}
	seq_printf(call->out, "sinks %u\n", marker->nr_sinks);
	marker->ops->show(marker, call->out);
	return 0;
}

/* ---- Options ---- */

static struct ltt_channel *find_channel(struct ltt_call *call, struct ltt_trace *trace)
{
	struct ltt_channel *channel;
	unsigned int i;

	for (i = 0; (channel = ltt_trace_channel(trace, i)); i++)
		if (!strcmp(ltt_channel_name(channel), call->arg[1]))
			return channel;
	fail(call, -ENOENT, "trace \"%s\" has no channel \"%s\"", call->arg[0], call->arg[1]);
	return NULL;
}

static int op_channel_get(struct ltt_call *call)
{
	struct ltt_trace *trace = find(call);
	struct ltt_channel *channel = trace ? find_channel(call, trace) : NULL;
	struct ltt_channel_options options;

	if (!channel)
		return -ENOENT;
	ltt_channel_get_options(channel, &options);
	if (!strcmp(call->arg[2], "subbuf_size"))
		seq_printf(call->out, "%zu\n", options.subbuf_size);
	else if (!strcmp(call->arg[2], "subbuf_count"))
		seq_printf(call->out, "%u\n", options.subbuf_count);
	else if (!strcmp(call->arg[2], "overwrite"))
		seq_printf(call->out, "%d\n", options.overwrite);
	else
		return fail(call, -EINVAL, "there is no channel option \"%s\"", call->arg[2]);
	return 0;
}

static int op_channel_set(struct ltt_call *call)
{
	struct ltt_trace *trace = find(call);
	struct ltt_channel *channel = trace ? find_channel(call, trace) : NULL;
	const char *option = call->arg[2], *text = call->arg[3];
	struct ltt_channel_options options;
	u64 value;
	int err;

	if (!channel)
		return -ENOENT;
	err = parse_size(call, option, text, &value);
	if (err)
		return err;
	ltt_channel_get_options(channel, &options);
	if (!strcmp(option, "subbuf_size"))
		options.subbuf_size = value;
	else if (!strcmp(option, "subbuf_count"))
		options.subbuf_count = value;
	else if (!strcmp(option, "overwrite") && value <= 1)
		options.overwrite = value;
	else
		return fail(call, -EINVAL, "option \"%s\" cannot be \"%s\"", option, text);
	err = ltt_channel_set_options(channel, &options);
	if (err == -EBUSY)
		return fail(call, err,
			    "trace \"%s\" has been started: its channels cannot be changed any more",
			    call->arg[0]);
	if (err && !strcmp(option, "subbuf_size"))
		return fail(call, err,
			    "subbuf_size: \"%s\" is not a power of two from %lu to 268435456", text,
			    PAGE_SIZE);
	if (err && !strcmp(option, "subbuf_count"))
		return fail(call, err, "subbuf_count: \"%s\" is not a power of two from 2 to 1048576",
			    text);
	if (err)
		return fail(call, err, "channel \"%s\" is never overwritten: it keeps the names of things",
			    call->arg[1]);
	return 0;
}

static int op_filter_get(struct ltt_call *call)
{
	struct ltt_trace *trace = find(call);

	if (!trace)
		return -ENOENT;
	seq_printf(call->out, "%d\n", ltt_trace_get_filter(trace));
	return 0;
}

static int op_filter_set(struct ltt_call *call)
{
	struct ltt_trace *trace = find(call);
	u64 pid;
	int err;

	if (!trace)
		return -ENOENT;
	err = parse_number(call, "pid", call->arg[1], PID_MAX_LIMIT, &pid);
	if (err)
		return err;
	err = ltt_trace_set_filter(trace, pid);
	if (err == -ESRCH)
		return fail(call, err, "there is no process %llu", pid);
	if (err)
		return fail(call, err, "process %llu cannot be traced alone: error %d", pid, -err);
	return 0;
}

static int op_heartbeat_get(struct ltt_call *call)
{
	struct ltt_trace *trace = find(call);

	if (!trace)
		return -ENOENT;
	seq_printf(call->out, "%u\n", ltt_heartbeat_get_period(trace));
	return 0;
}

static int op_heartbeat_set(struct ltt_call *call)
{
	struct ltt_trace *trace = find(call);
	u64 ms;
	int err;

	if (!trace)
		return -ENOENT;
	err = parse_number(call, "heartbeat_ms", call->arg[1], LTT_HEARTBEAT_MS_MAX, &ms);
	if (err)
		return err;
	err = ltt_heartbeat_set_period(trace, ms);
	if (err)
		return fail(call, err, "no heartbeat for trace \"%s\": error %d", call->arg[0],
			    -err);
	return 0;
}

static int op_stats(struct ltt_call *call)
{
	struct ltt_trace *trace = find(call);

	if (!trace)
		return -ENOENT;
	ltt_trace_show_stats(trace, call->out);
	return 0;
}

/* ---- The table ---- */

/* Behind each row: its arguments. */
static const struct ltt_op ops[] = {
	{ "create", op_create, .unlocked = true },	/* trace */
	{ "destroy", op_destroy, .unlocked = true },	/* trace */
	{ "start", op_start },	/* trace */
	{ "stop", op_stop },	/* trace */
	{ "state", op_state },	/* trace */
	{ "snapshot", op_snapshot },	/* trace */
	{ "enable", op_enable },	/* trace pattern */
	{ "disable", op_disable },	/* trace pattern */
	{ "events", op_events },	/* trace */
	{ "want", op_want },	/* pattern */
	{ "unwant", op_unwant },	/* pattern */
	{ "wanted", op_wanted },
	{ "is-wanted", op_is_wanted },	/* group name */
	{ "group-wanted", op_group_wanted },	/* group */
	{ "info", op_info },	/* group name */
	{ "channel-get", op_channel_get },	/* trace channel option */
	{ "channel-set", op_channel_set },	/* trace channel option value */
	{ "filter-get", op_filter_get },	/* trace */
	{ "filter-set", op_filter_set },	/* trace pid */
	{ "heartbeat-get", op_heartbeat_get },	/* trace */
	{ "heartbeat-set", op_heartbeat_set },	/* trace ms */
	{ "stats", op_stats },	/* trace */
};

/**
 * ltt_op_call() - call an operation by name
 * @name: of the table
 * @call: its arguments; error is set on failure
 *
 * Context: sleeps; registry lock not held.
 * Return: 0 or -errno; -ENOSYS for an unknown name.
 */
int ltt_op_call(const char *name, struct ltt_call *call)
{
	unsigned int i;
	int err;

	call->error[0] = '\0';
	for (i = 0; i < ARRAY_SIZE(ops); i++)
		if (!strcmp(ops[i].name, name))
			break;
	if (i == ARRAY_SIZE(ops))
		return fail(call, -ENOSYS, "there is no operation \"%s\"", name);
	if (ops[i].unlocked)
		return ops[i].run(call);
	ltt_markers_lock();
	err = ops[i].run(call);
	ltt_markers_unlock();
	return err;
}

/**
 * ltt_ops_init() - make a face's defaults
 * Return: 0 or -ENOMEM.
 */
int ltt_ops_init(struct ltt_face *face)
{
	/* A name space of its own: nobody finds it. */
	ltt_markers_lock();
	face->defaults = ltt_trace_create("defaults", &face->hidden);
	ltt_markers_unlock();
	return PTR_ERR_OR_ZERO(face->defaults);
}

/**
 * ltt_ops_exit() - free them
 */
void ltt_ops_exit(struct ltt_face *face)
{
	ltt_markers_lock();
	ltt_trace_destroy(face->defaults);
	ltt_markers_unlock();
}
