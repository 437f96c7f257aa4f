// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations on contexts: what there is, and which events have which.
 *
 * Layer: control.  Context: task, registry lock held.
 */
#include "../control.h"

#include <linux/err.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include <ltt/context.h>
#include <ltt/trace.h>

static int op_contexts(struct ltt_call *call)
{
	static const char *const kinds[] = {
		[LTT_CONTEXT_VALUE] = "value",
		[LTT_CONTEXT_COUNTER] = "counter",
		[LTT_CONTEXT_STACK] = "stack",
	};
	const struct ltt_context_type *type;
	unsigned int i;

	seq_puts(call->out, "tid value thread id, in every record\n");
	for (i = 0; (type = ltt_context_row(i)); i++)
		seq_printf(call->out, "%s %s %s\n", type->name, kinds[type->kind], type->help);
	return 0;
}

/* The names but those of perf's events, which are many. */
static void list_names(char *names, size_t size)
{
	const struct ltt_context_type *type;
	size_t len = scnprintf(names, size, "tid");
	unsigned int i;

	for (i = 0; (type = ltt_context_row(i)); i++)
		if (type->kind != LTT_CONTEXT_COUNTER)
			len += scnprintf(names + len, size - len, " %s", type->name);
}

static int refuse_list(struct ltt_call *call, int err, const char *bad)
{
	char names[160];

	switch (err) {
	case -EINVAL:
		list_names(names, sizeof(names));
		return ltt_fail(call, err, "\"%.40s\" is not a context: use %s or perf:EVENT",
				bad, names);
	case -EEXIST:
		return ltt_fail(call, err, "context \"%s\" is in the list twice", bad);
	case -E2BIG:
		return ltt_fail(call, err, "context \"%s\" is one too many: use a shorter list", bad);
	case -EOPNOTSUPP:
		return ltt_fail(call, err, "context \"%s\": this machine or its kernel does not have it",
				bad);
	case -EBUSY:
		return ltt_fail(call, err,
				"context \"%s\": all counters of that kind are in use: stop what uses perf",
				bad);
	}
	return ltt_fail_with(call, err, "cannot make the list of contexts \"%.100s\"", bad);
}

static int create_list(struct ltt_call *call, const char *text, struct ltt_contexts **list)
{
	char bad[LTT_CONTEXT_WORD_MAX];
	/* They take counters of all CPUs, which others then lack. */
	int err = strstr(text, "perf:") ? ltt_check_perfmon(call, "counters of perf") : 0;

	if (err)
		return err;
	*list = ltt_contexts_create(text, bad);
	return IS_ERR(*list) ? refuse_list(call, PTR_ERR(*list), bad) : 0;
}

static int op_context_set(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);
	struct ltt_channel *channel = trace ? ltt_find_channel(call, trace) : NULL;
	struct ltt_contexts *list;
	int err;

	if (!channel)
		return -ENOENT;
	err = create_list(call, call->arg[2].text, &list);
	if (err)
		return err;
	err = ltt_channel_set_contexts(channel, list);
	ltt_contexts_put(list);
	return err ? ltt_fail_with(call, err, "cannot set the contexts of channel \"%s\"",
				   call->arg[1].text) : 0;
}

static int unset(struct ltt_call *call, struct ltt_trace *trace, const char *pattern)
{
	int err = ltt_trace_unset_contexts(trace, pattern);

	if (err == -ENOENT)
		return ltt_fail(call, err, "trace \"%s\" has no contexts for \"%.100s\"",
				call->arg[0].text, pattern);
	return err;
}

static int op_context_for(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);
	const char *pattern = call->arg[1].text;
	struct ltt_contexts *list;
	int err;

	if (!trace)
		return -ENOENT;
	err = ltt_check_pattern(call, pattern);
	if (err)
		return err;
	if (!strcmp(call->arg[2].text, "default"))
		return unset(call, trace, pattern);
	err = create_list(call, call->arg[2].text, &list);
	if (err)
		return err;
	err = ltt_trace_set_contexts(trace, pattern, list);
	ltt_contexts_put(list);
	if (err == -EDQUOT)
		return ltt_fail(call, err, "a trace has contexts for at most %u patterns: use wider ones",
				LTT_SETTINGS_MAX);
	return err ? ltt_fail_with(call, err, "cannot set the contexts of \"%.100s\"", pattern) : 0;
}

static int op_context_get(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);
	struct ltt_channel *channel = trace ? ltt_find_channel(call, trace) : NULL;

	if (!channel)
		return -ENOENT;
	seq_printf(call->out, "%s\n", ltt_contexts_text(ltt_channel_contexts(channel)));
	return 0;
}

static int op_context_rules(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);

	if (!trace)
		return -ENOENT;
	ltt_trace_show_contexts(trace, call->out);
	return 0;
}

const struct ltt_op ltt_context_ops[] = {
	{ "contexts", op_contexts, "list the contexts that events can have: name, kind, meaning",
	  {}, LTT_OP_SHOWS },
	{ "context-set", op_context_set,
	  "set the contexts of the events of a channel: names separated by commas, or none",
	  { LTT_TEXT("trace"), LTT_TEXT("channel"), LTT_TEXT("list") } },
	{ "context-get", op_context_get, "show the contexts of the events of a channel",
	  { LTT_TEXT("trace"), LTT_TEXT("channel") }, LTT_OP_SHOWS },
	{ "context-for", op_context_for,
	  "set the contexts of the events that a pattern matches; default for those of their channels",
	  { LTT_TEXT("trace"), LTT_TEXT("pattern"), LTT_TEXT("list") } },
	{ "context-rules", op_context_rules, "show which channels and patterns have which contexts",
	  { LTT_TEXT("trace") }, LTT_OP_SHOWS },
	{}
};
