// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations on events and markers: patterns, and the markers that they match.
 *
 * Layer: control.  Context: task, registry lock held unless the row says otherwise.
 */
#include "../control.h"

#include <linux/err.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include <ltt/channel.h>
#include <ltt/filter.h>
#include <ltt/registry.h>
#include <ltt/rules.h>

#include "../../../core/label.h"

static int too_many(struct ltt_call *call)
{
	return ltt_fail(call, -EDQUOT, "a trace has at most %u patterns: use wider ones",
			LTT_RULES_MAX);
}

/* Return: the pattern, or those of the group that @NAME means; ERR_PTR. */
static const char *patterns_of(struct ltt_call *call, const char *text)
{
	int err;

	if (*text == '@')
		return ltt_group_patterns(call, text);
	err = ltt_check_pattern(call, text);
	return err ? ERR_PTR(err) : text;
}

/* @channel: its name; NULL for the default channel. */
static int change_rule(struct ltt_call *call, const char *channel, const char *text, bool enable)
{
	struct ltt_trace *trace = ltt_find(call);
	const char *patterns;
	int err;

	if (!trace)
		return -ENOENT;
	patterns = patterns_of(call, text);
	if (IS_ERR(patterns))
		return PTR_ERR(patterns);
	err = ltt_trace_add_rule(trace, channel, patterns, enable);
	if (err == -ENOENT && channel)
		return ltt_fail(call, err, "trace \"%s\" has no channel \"%.70s\"",
				call->arg[0].text, channel);
	if (err == -ENOENT)
		return ltt_fail(call, err, "trace \"%s\" has nothing enabled that \"%s\" matches",
			    call->arg[0].text, text);
	if (err == -E2BIG)
		return too_many(call);
	if (err == -EDQUOT)
		return ltt_fail_buffers(call, err);
	if (err)
		return ltt_fail_with(call, err, "cannot %s \"%.100s\" in trace \"%s\"",
				     enable ? "enable" : "disable", text, call->arg[0].text);
	return 0;
}

static int op_enable(struct ltt_call *call)
{
	return change_rule(call, NULL, call->arg[1].text, true);
}

static int op_enable_in(struct ltt_call *call)
{
	const char *channel = call->arg[1].text;

	if (!strcmp(channel, LTT_CHANNEL_STATE))
		return ltt_fail(call, -EINVAL,
				"channel \"%s\" is for the state of the system: choose another one", channel);
	return change_rule(call, channel, call->arg[2].text, true);
}

static int op_disable(struct ltt_call *call)
{
	return change_rule(call, NULL, call->arg[1].text, false);
}

/* Change every trace of the face, present and future.  A trace can still enable what is
 * not wanted in every trace. */
static int change_everywhere(struct ltt_call *call, const char *text, bool enable)
{
	const char *patterns = patterns_of(call, text);
	int err;

	if (IS_ERR(patterns))
		return PTR_ERR(patterns);
	err = ltt_trace_add_rule_everywhere(call->face->defaults, call->face, patterns, enable);
	if (err == -E2BIG)
		return too_many(call);
	if (err)
		return ltt_fail_with(call, err, "cannot change \"%.100s\" in every trace", text);
	return 0;
}

static int op_want(struct ltt_call *call)
{
	return change_everywhere(call, call->arg[0].text, true);
}

static int op_unwant(struct ltt_call *call)
{
	return change_everywhere(call, call->arg[0].text, false);
}

static int op_wanted(struct ltt_call *call)
{
	ltt_trace_show_rules(call->face->defaults, call->out);
	return 0;
}

static int op_is_wanted(struct ltt_call *call)
{
	seq_printf(call->out, "%d\n",
		   ltt_trace_has_event(call->face->defaults, call->arg[0].text, call->arg[1].text));
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

	if (!strcmp(marker->group, count->call->arg[0].text)) {
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
	struct ltt_trace *trace = ltt_find(call);

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

static void show_labels(struct seq_file *out, const char *labels)
{
	const char *before = " {";
	struct ltt_label label;

	for (; ltt_label_next(&labels, &label); before = ",")
		seq_printf(out, "%s%.*s=%s%llu", before, label.len, label.name,
			   label.is_negative ? "-" : "",
			   label.is_negative ? -label.value : label.value);
	seq_putc(out, '}');
}

static void show_integers(struct seq_file *out, const struct ltt_field *field)
{
	seq_printf(out, " %c%u", field->is_signed ? 's' : 'u', field->size * 8);
	if (field->base == LTT_BASE_TEXT)
		seq_puts(out, " text");
	else
		seq_printf(out, " base %u", field->base);
}

static int op_info(struct ltt_call *call)
{
	struct ltt_marker *marker = ltt_marker_find(call->arg[0].text, call->arg[1].text);
	unsigned int i;
	u64 layout;
	int err;

	if (!marker)
		return ltt_fail(call, -ENOENT, "there is no marker %s:%s", call->arg[0].text,
			    call->arg[1].text);
	err = ltt_marker_layout(marker, &layout);
	if (err)
		return err;
	seq_printf(call->out, "marker %s:%s\n", marker->group, marker->name);
	for (i = 0; i < marker->nr_fields; i++) {
		const struct ltt_field *f = &marker->fields[i];

		seq_printf(call->out, "field %s %s", f->name, kind_name(f));
		if (f->kind == LTT_FIELD_INT || f->kind == LTT_FIELD_ARRAY ||
		    f->kind == LTT_FIELD_SEQUENCE)
			show_integers(call->out, f);
		if (f->count)
			seq_printf(call->out, " count %u", f->count);
		if (f->labels)
			show_labels(call->out, f->labels);
		seq_printf(call->out, " (%s)\n", f->type);
	}
	seq_printf(call->out, "layout %016llx\nsinks %u\n", layout, marker->nr_sinks);
	marker->ops->show(marker, call->out);
	return 0;
}

struct list_walk {
	struct ltt_call *call;
	char group[128];
	const char *name;
};

static int show_marker(struct ltt_marker *marker, void *arg)
{
	struct list_walk *walk = arg;

	if (ltt_marker_matches(marker, walk->group, walk->name))
		seq_printf(walk->call->out, "%s:%s %d\n", marker->group, marker->name,
			   ltt_trace_has_event(walk->call->face->defaults, marker->group,
					       marker->name));
	return 0;
}

static int op_markers(struct ltt_call *call)
{
	const char *pattern = call->arg[0].text, *colon = strchr(pattern, ':');
	struct list_walk walk = { .call = call, .group = "*", .name = colon ? colon + 1 : pattern };
	int err = ltt_check_pattern(call, pattern);

	if (err)
		return err;
	if (colon)
		strscpy(walk.group, pattern, colon - pattern + 1);
	return ltt_marker_for_each(show_marker, &walk);
}

const struct ltt_op ltt_event_ops[] = {
	{ "enable", op_enable, "record what a pattern or @GROUP matches, present and future markers",
	  { LTT_TEXT("trace"), LTT_TEXT("pattern") } },
	{ "enable-in", op_enable_in, "record what a pattern or @GROUP matches in this channel",
	  { LTT_TEXT("trace"), LTT_TEXT("channel"), LTT_TEXT("pattern") } },
	{ "disable", op_disable, "do not record what a pattern or @GROUP matches",
	  { LTT_TEXT("trace"), LTT_TEXT("pattern") } },
	{ "events", op_events, "show the enabled events, and patterns that match nothing yet",
	  { LTT_TEXT("trace") }, LTT_OP_SHOWS },
	{ "want", op_want, "record in every trace, present and future, what a pattern or @GROUP matches",
	  { LTT_TEXT("pattern") } },
	{ "unwant", op_unwant, "undo want", { LTT_TEXT("pattern") } },
	{ "wanted", op_wanted, "show the patterns that hold for every trace", {},
	  LTT_OP_SHOWS },
	{ "is-wanted", op_is_wanted, "show 1 if every trace records the marker, else 0",
	  { LTT_TEXT("group"), LTT_TEXT("name") }, LTT_OP_SHOWS },
	{ "group-wanted", op_group_wanted, "show how many markers of a group every trace records",
	  { LTT_TEXT("group") }, LTT_OP_SHOWS },
	{ "markers", op_markers, "list markers: GROUP:NAME, and 1 if every trace records it",
	  { LTT_TEXT("pattern") }, LTT_OP_SHOWS },
	{ "info", op_info, "show the fields and places of a marker",
	  { LTT_TEXT("group"), LTT_TEXT("name") }, LTT_OP_SHOWS },
	{}
};
