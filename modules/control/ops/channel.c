// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations on channels of a trace, and on their buffers.
 *
 * Layer: control.  Context: task, registry lock held unless the row says otherwise.
 */
#include "../control.h"

#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/fcntl.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include <ltt/channel.h>
#include <ltt/registry.h>
#include <ltt/relay.h>
#include <ltt/trace.h>

/**
 * ltt_find_channel() - find the channel that the second argument names
 * @call: the call
 * @trace: from ltt_find()
 *
 * Context: registry lock held.
 * Return: the channel, valid while the lock is held; NULL with call->error set.
 */
struct ltt_channel *ltt_find_channel(struct ltt_call *call, struct ltt_trace *trace)
{
	struct ltt_channel *channel;
	unsigned int i;

	for (i = 0; (channel = ltt_trace_channel(trace, i)); i++)
		if (!strcmp(ltt_channel_name(channel), call->arg[1].text))
			return channel;
	ltt_fail(call, -ENOENT, "trace \"%s\" has no channel \"%s\"", call->arg[0].text, call->arg[1].text);
	return NULL;
}

static int check_new_channel(struct ltt_call *call, struct ltt_trace *trace, const char *name)
{
	/* The file "create" is in the same folder as the channels. */
	if (!strcmp(name, "create"))
		return ltt_fail(call, -EINVAL, "channel \"%s\" would have the name of a control file: choose another name",
				name);
	switch (ltt_trace_may_add_channel(trace, name)) {
	case 0:
		return 0;
	case -EINVAL:
		return ltt_fail(call, -EINVAL,
				"\"%.70s\" cannot name a channel: use 1 to 63 of A-Z a-z 0-9 _ . - with no leading dot, but not metadata or index",
				name);
	case -EEXIST:
		return ltt_fail(call, -EEXIST, "trace \"%s\" has a channel \"%s\" already",
				call->arg[0].text, name);
	}
	return ltt_fail(call, -ENOSPC, "trace \"%s\" has %d channels, the most it can have",
			call->arg[0].text, LTT_CHANNELS_MAX);
}

static int add_channel(struct ltt_call *call, struct ltt_trace *trace, const char *name)
{
	struct ltt_channel_options options;
	int err = call->face->channel_coming(call->face, trace, name);

	if (!err) {
		/* As large as channel "events". */
		ltt_channel_get_options(ltt_trace_channel(trace, 1), &options);
		err = PTR_ERR_OR_ZERO(ltt_trace_add_channel(trace, name, &options));
	}
	if (err)
		ltt_fail_with(call, err, "cannot add channel \"%s\"", name);
	return err;
}

static int op_channel_add(struct ltt_call *call)
{
	const char *name = call->arg[1].text;
	struct ltt_trace *trace;
	char trace_name[LTT_NAME_MAX];
	int err;

	ltt_markers_lock();
	trace = ltt_find(call);
	err = trace ? check_new_channel(call, trace, name) : -ENOENT;
	if (err) {
		ltt_markers_unlock();
		return err;
	}
	strscpy(trace_name, ltt_trace_name(trace), sizeof(trace_name));
	err = add_channel(call, trace, name);
	ltt_markers_unlock();
	if (err)
		call->face->channel_failed(call->face, trace_name, name);
	return err;
}

static int op_channel_get(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);
	struct ltt_channel *channel = trace ? ltt_find_channel(call, trace) : NULL;
	struct ltt_channel_options options;

	if (!channel)
		return -ENOENT;
	ltt_channel_get_options(channel, &options);
	if (!strcmp(call->arg[2].text, "subbuf_size"))
		seq_printf(call->out, "%zu\n", options.subbuf_size);
	else if (!strcmp(call->arg[2].text, "subbuf_count"))
		seq_printf(call->out, "%u\n", options.subbuf_count);
	else if (!strcmp(call->arg[2].text, "overwrite"))
		seq_printf(call->out, "%d\n", options.overwrite);
	else if (!strcmp(call->arg[2].text, "lossless_ms"))
		seq_printf(call->out, "%u\n", options.lossless_ms);
	else
		return ltt_fail(call, -EINVAL, "there is no channel option \"%s\"", call->arg[2].text);
	return 0;
}

static int refuse_option(struct ltt_call *call, int err, const struct ltt_channel_options *options,
			 const char *option, u64 value)
{
	if (err == -EBUSY)
		return ltt_fail(call, err,
				"channel \"%s\" has buffers: set its options before the first start, or before the first pattern of a channel that is added later",
				call->arg[1].text);
	if (!strcmp(option, "subbuf_size"))
		return ltt_fail(call, err,
				"subbuf_size: %llu is not a power of two from %lu to 268435456",
				value, PAGE_SIZE);
	if (options->lossless_ms && options->subbuf_count < 4)
		return ltt_fail(call, err,
				"channel \"%s\": a lossless channel needs a subbuf_count of 4 or more",
				call->arg[1].text);
	if (!strcmp(option, "subbuf_count"))
		return ltt_fail(call, err,
				"subbuf_count: %llu is not a power of two from 2 to 1048576", value);
	if (value > LTT_RELAY_WAIT_MAX_MS)
		return ltt_fail(call, err, "lossless_ms: %llu is not a number from 0 to %u", value,
				LTT_RELAY_WAIT_MAX_MS);
	return ltt_fail(call, err,
			"channel \"%s\" cannot be both overwrite and lossless: set the other option to 0 first",
			call->arg[1].text);
}

static int op_channel_set(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);
	struct ltt_channel *channel = trace ? ltt_find_channel(call, trace) : NULL;
	const char *option = call->arg[2].text;
	u64 value = call->arg[3].number;
	struct ltt_channel_options options;
	int err;

	if (!channel)
		return -ENOENT;
	ltt_channel_get_options(channel, &options);
	if (!strcmp(option, "subbuf_size"))
		options.subbuf_size = value;
	else if (!strcmp(option, "subbuf_count"))
		options.subbuf_count = value;
	else if (!strcmp(option, "overwrite") && value <= 1)
		options.overwrite = value;
	else if (!strcmp(option, "lossless_ms"))
		options.lossless_ms = value;
	else
		return ltt_fail(call, -EINVAL, "option \"%s\" cannot be %llu", option, value);
	/* It makes threads of all users wait; CAP_PERFMON only allows to observe them. */
	if (options.lossless_ms && !ltt_call_capable(call, CAP_SYS_ADMIN))
		return ltt_fail(call, -EPERM,
				"channel \"%s\": only a user with CAP_SYS_ADMIN can make it lossless, for threads of other users wait then",
				call->arg[1].text);
	err = ltt_channel_set_options(channel, &options);
	return err ? refuse_option(call, err, &options, option, value) : 0;
}

static int op_channels(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);
	struct ltt_channel_options options;
	struct ltt_channel *channel;
	unsigned int i;

	if (!trace)
		return -ENOENT;
	for (i = 0; (channel = ltt_trace_channel(trace, i)); i++) {
		ltt_channel_get_options(channel, &options);
		seq_printf(call->out,
			   "%s subbuf_size %zu subbuf_count %u overwrite %d lossless_ms %u\n",
			   ltt_channel_name(channel), options.subbuf_size, options.subbuf_count,
			   options.overwrite, options.lossless_ms);
	}
	return 0;
}

static int op_buffers(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);
	struct ltt_channel *channel;
	unsigned int i;
	int cpu;

	if (!trace)
		return -ENOENT;
	for (i = 0; (channel = ltt_trace_channel(trace, i)); i++)
		for_each_possible_cpu(cpu)
			if (ltt_channel_buf(channel, cpu))
				seq_printf(call->out, "%s_%d\n", ltt_channel_name(channel), cpu);
	return 0;
}

/* The buffer that the arguments name: trace, channel, CPU.  NULL with call->error set. */
static struct ltt_relay_buf *find_buffer(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);
	struct ltt_channel *channel = trace ? ltt_find_channel(call, trace) : NULL;
	u64 cpu = call->arg[2].number;
	struct ltt_relay_buf *buf;

	if (!channel)
		return NULL;
	buf = cpu < nr_cpu_ids && cpu_possible(cpu) ? ltt_channel_buf(channel, cpu) : NULL;
	if (!buf)
		ltt_fail(call, -ENOENT, "channel \"%s\" of trace \"%s\" has no buffer of CPU %llu: start the trace, or use a CPU that has been online",
			 call->arg[1].text, call->arg[0].text, cpu);
	return buf;
}

static int op_open_buffer(struct ltt_call *call)
{
	struct ltt_relay_buf *buf = find_buffer(call);
	int fd;

	if (!buf)
		return -ENOENT;
	fd = ltt_relay_open(buf, O_CLOEXEC | O_NONBLOCK);
	if (fd == -EBUSY)
		return ltt_fail(call, fd, "the buffer of CPU %llu of channel \"%s\" has a reader already",
				call->arg[2].number, call->arg[1].text);
	if (fd < 0)
		return ltt_fail_with(call, fd, "cannot open the buffer of CPU %llu of channel \"%s\"",
				     call->arg[2].number, call->arg[1].text);
	call->value = fd;
	return 0;
}

static int op_open_snapshot(struct ltt_call *call)
{
	struct ltt_relay_buf *buf = find_buffer(call);
	int fd;

	if (!buf)
		return -ENOENT;
	fd = ltt_relay_open_snapshot(buf, O_CLOEXEC);
	if (fd < 0)
		return ltt_fail_with(call, fd, "cannot take a snapshot of the buffer of CPU %llu of channel \"%s\"",
				     call->arg[2].number, call->arg[1].text);
	call->value = fd;
	return 0;
}

const struct ltt_op ltt_channel_ops[] = {
	{ "channels", op_channels, "list the channels of a trace and their options",
	  { LTT_TEXT("trace") }, LTT_OP_SHOWS },
	{ "channel-add", op_channel_add, "add a channel; after the first start its first pattern makes its buffers",
	  { LTT_TEXT("trace"), LTT_TEXT("channel") }, LTT_OP_UNLOCKED },
	{ "channel-get", op_channel_get, "show an option: subbuf_size, subbuf_count, overwrite or lossless_ms",
	  { LTT_TEXT("trace"), LTT_TEXT("channel"), LTT_TEXT("option") }, LTT_OP_SHOWS },
	{ "channel-set", op_channel_set, "set an option of a channel that has no buffers yet",
	  { LTT_TEXT("trace"), LTT_TEXT("channel"), LTT_TEXT("option"),
	    LTT_SIZE("value", UINT_MAX) } },
	{ "buffers", op_buffers, "list the buffers: CHANNEL_CPU",
	  { LTT_TEXT("trace") }, LTT_OP_SHOWS },
	{ "open-buffer", op_open_buffer, "open the buffer of a CPU, to read, splice, map and poll it",
	  { LTT_TEXT("trace"), LTT_TEXT("channel"), LTT_NUMBER("cpu", INT_MAX) }, LTT_OP_OPENS },
	{ "open-snapshot", op_open_snapshot, "open a snapshot of the buffer of a CPU, which takes nothing from its reader",
	  { LTT_TEXT("trace"), LTT_TEXT("channel"), LTT_NUMBER("cpu", INT_MAX) }, LTT_OP_OPENS },
	{}
};
