/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contexts: values that are recorded with an event, about where it happened.
 *
 * Layer: tracer.  There is one table of them, context-table.c.  Users name contexts; another
 * module can look one up by its name and read it, without any trace.  Each record has the
 * thread id ("tid") anyway, so the table has no row for it.  Events have lists of contexts.
 *
 * Locking of these lists: see ltt/trace.h.
 */
#ifndef LTT_CONTEXT_H
#define LTT_CONTEXT_H

#include <linux/types.h>

#include "../../../core/field.h"

struct ltt_channel;
struct ltt_contexts;
struct ltt_trace;
struct seq_file;

/* The bytes of the longest value. */
#define LTT_CONTEXT_VALUE_MAX	16

/**
 * struct ltt_context_type - a row of the table
 * @name: as users write it
 * @help: what it is, in some words
 * @kind: which of the members of the union the row has
 * @field: its layout in a record; of a stack that of the addresses
 * @read: VALUE: write the value at @to, which is not aligned.  Called with preemption off, in
 *	any context, NMI included
 * @counter: COUNTER: the event of perf, as in struct perf_event_attr
 * @capture: STACK: write up to @max addresses at @to, the innermost function first, and
 *	return their number.  @site is where the instrumented code or its probe called the
 *	tracer.  Called as @read is; does not fault
 */
struct ltt_context_type {
	const char *name;
	const char *help;
	enum ltt_context_kind {
		LTT_CONTEXT_VALUE,
		LTT_CONTEXT_COUNTER,
		LTT_CONTEXT_STACK,
	} kind;
	struct ltt_field field;
	union {
		void (*read)(void *to);
		struct {
			u32 type;
			u64 config;
		} counter;
		unsigned int (*capture)(unsigned long *to, unsigned int max, unsigned long site);
	};
};

/**
 * ltt_context_row() - get a row of the table
 * @nr: its number, from 0 on
 *
 * Context: any.
 * Return: the row; NULL beyond the last one.
 */
const struct ltt_context_type *ltt_context_row(unsigned int nr);

/**
 * ltt_context_find() - look a context up
 * @name: its name
 *
 * Context: any.
 * Return: the row; NULL if this kernel has no such context.
 */
const struct ltt_context_type *ltt_context_find(const char *name);

/* ---- Lists of contexts ---- */

#define LTT_CONTEXT_WORD_MAX	64	/* bytes of a name, with a depth and the NUL */
#define LTT_CONTEXT_TEXT_MAX	640	/* bytes of a list, with its NUL */

/**
 * ltt_contexts_create() - make a list of contexts
 * @text: names, separated by commas; that of a stack may end with ":DEPTH", the most
 *	addresses.  "tid" is in every record, and may be named.  "none" for no list
 * @bad: receives the word that is at fault
 *
 * Context: sleeps; registry lock held.
 * Return: the list, with a reference for the caller; NULL if it has nothing but the thread
 * id; ERR_PTR: -EINVAL a word names no context of this kernel, -EEXIST it is there twice,
 * -E2BIG too many, -EOPNOTSUPP this machine does not count that, -EBUSY others have all
 * registers for that, -ENOMEM.
 */
struct ltt_contexts *ltt_contexts_create(const char *text, char bad[LTT_CONTEXT_WORD_MAX]);

/**
 * ltt_contexts_put() - drop a reference
 * @contexts: may be NULL; the last reference ends the list
 *
 * Context: sleeps; registry lock held.
 */
void ltt_contexts_put(struct ltt_contexts *contexts);

/**
 * ltt_contexts_text() - get a list as text
 * @contexts: the list, or NULL
 *
 * Context: any.
 * Return: the text, which is valid as long as the list; "none" for NULL.
 */
const char *ltt_contexts_text(const struct ltt_contexts *contexts);

/* ---- Contexts of events ---- */

/**
 * ltt_channel_set_contexts() - set the contexts of the events of a channel
 * @channel: the channel; its trace is in any state
 * @contexts: the list; the channel takes a reference of its own.  NULL for none
 *
 * An event for which the trace has contexts by a pattern keeps those.  In a running trace,
 * what happens while an event gets other contexts may not be recorded.
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -ENOMEM, -ENOSPC (out of event ids): nothing has changed.
 */
int ltt_channel_set_contexts(struct ltt_channel *channel, struct ltt_contexts *contexts);

/**
 * ltt_channel_contexts() - get the contexts of the events of a channel
 * @channel: the channel
 *
 * Context: registry lock held.
 * Return: the list, without a reference; NULL for none.
 */
struct ltt_contexts *ltt_channel_contexts(const struct ltt_channel *channel);

/**
 * ltt_trace_set_contexts() - set the contexts of the events that a pattern matches
 * @trace: in any state
 * @pattern: "group:name" or "name" (of any group), with * ? [] globs.  It enables no event
 * @contexts: as for ltt_channel_set_contexts()
 *
 * The last pattern that matches an event decides, whatever its channel has.
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -EINVAL bad pattern; -EDQUOT (LTT_SETTINGS_MAX), -ENOMEM, -ENOSPC: nothing
 * has changed.
 */
int ltt_trace_set_contexts(struct ltt_trace *trace, const char *pattern,
			   struct ltt_contexts *contexts);

/**
 * ltt_trace_unset_contexts() - undo ltt_trace_set_contexts()
 * @trace: in any state
 * @pattern: the same pattern
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -EINVAL bad pattern; -ENOENT it was not set; -ENOMEM, -ENOSPC: nothing has
 * changed.
 */
int ltt_trace_unset_contexts(struct ltt_trace *trace, const char *pattern);

/**
 * ltt_trace_show_contexts() - print which events have which contexts
 * @trace: in any state
 * @s: receives a line for each channel, "channel NAME LIST", then for each pattern, in their
 *	order, "pattern PATTERN LIST"
 *
 * Context: registry lock held.
 */
void ltt_trace_show_contexts(struct ltt_trace *trace, struct seq_file *s);

#endif /* LTT_CONTEXT_H */
