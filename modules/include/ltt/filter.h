/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Filters of events, and the programs that clients attach for them.
 *
 * Layer: tracer.  Locking: see ltt/trace.h.  doc/architecture.md has the parts of clients and
 * of the tracer.
 */
#ifndef LTT_FILTER_H
#define LTT_FILTER_H

#include <linux/types.h>

#include "../../../include/uapi/ltt/verdict.h"

struct bpf_prog;
struct ltt_marker;
struct ltt_trace;
struct seq_file;

#define LTT_EXPRESSION_MAX	4096	/* bytes of a filter, with its NUL */

/**
 * ltt_trace_set_filter() - set the filter of the events that a pattern matches
 * @trace: in any state
 * @pattern: "group:name" or "name" (of any group), with * ? [] globs.  It enables no event
 * @expression: the filter, which the tracer only compares: see ltt_trace_attach()
 *
 * The last pattern that matches an event decides.  It holds for events that come later, too.  The
 * events of the state channel have no filter.  From the return of this function on, an event
 * whose filter has changed is not recorded until a program for it is attached.
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -EINVAL bad pattern; -EBADMSG @expression is empty or not one line; -E2BIG it is
 * longer than LTT_EXPRESSION_MAX; -EDQUOT (LTT_SETTINGS_MAX); -ENOMEM, -ENOSPC: nothing has
 * changed.
 */
int ltt_trace_set_filter(struct ltt_trace *trace, const char *pattern, const char *expression);

/**
 * ltt_trace_unset_filter() - undo ltt_trace_set_filter()
 * @trace: in any state
 * @pattern: the same pattern
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -EINVAL bad pattern; -ENOENT it was not set; -ENOMEM, -ENOSPC: nothing has changed.
 */
int ltt_trace_unset_filter(struct ltt_trace *trace, const char *pattern);

/**
 * ltt_trace_show_filters() - print which patterns and events have which filters
 * @trace: in any state
 * @s: receives a line for each pattern, in their order, "pattern PATTERN EXPRESSION", then for
 *	each enabled event with a filter "event GROUP:NAME waiting EXPRESSION" or
 *	"event GROUP:NAME program ID runs N filtered N unjudged N"
 *
 * Context: registry lock held.
 */
void ltt_trace_show_filters(struct ltt_trace *trace, struct seq_file *s);

/* ---- Programs ---- */

/**
 * ltt_marker_layout() - get a number that stands for the fields of a marker
 * @marker: a registered marker
 * @hash: receives the number
 *
 * Context: may sleep; registry lock held.
 * Return: 0; -ENOMEM.
 */
int ltt_marker_layout(const struct ltt_marker *marker, u64 *hash);

/**
 * ltt_program_get() - find a program that can filter events
 * @text: the number of a descriptor of this process, or the path of a pinned program
 * @why: receives a sentence after an error
 * @size: bytes of @why
 *
 * Possession of the program is the right to attach it: the kernel has checked the rights of the
 * process that loaded it.
 *
 * Context: sleeps; registry lock not held, because it looks files up.
 * Return: the program, with a reference for the caller, or ERR_PTR: -EOPNOTSUPP the kernel has no
 * eBPF; -EBADF no such descriptor; -EINVAL not a program of the type raw_tracepoint, or one that
 * may sleep or uses maps of other kinds than arrays and hashes allocated in advance; an error of
 * the file system.
 */
struct bpf_prog *ltt_program_get(const char *text, char *why, size_t size);

/**
 * ltt_program_put() - drop a reference to a program
 * @program: from ltt_program_get()
 *
 * Context: may sleep.
 */
void ltt_program_put(struct bpf_prog *program);

/**
 * struct ltt_attachment - a program for an event
 * @group: group of the event
 * @name: name of the event
 * @layout: from ltt_marker_layout(): the fields for which @program was made
 * @counters: the counters of perf that @program asks for, contexts separated by commas; NULL for none
 * @expression: the filter from which @program was made
 * @program: called for each event with the payload as its context.  It returns a
 *	verdict, see ltt/verdict.h
 */
struct ltt_attachment {
	const char *group;
	const char *name;
	u64 layout;
	const char *counters;
	const char *expression;
	struct bpf_prog *program;
};

/**
 * ltt_trace_attach() - give an event with a filter its program
 * @trace: in any state
 * @what: the event and the program; the trace takes a reference of its own to the latter
 * @why: receives a sentence after an error, but for -ENOMEM and errors of the marker
 * @size: bytes of @why
 *
 * Replaces a program that the event has.  In a running trace the event is recorded from now on.
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -ENOENT the trace does not record the event; -ESTALE it has other fields or another
 * filter by now; -EINVAL the program reads more bytes than each payload of the event has, or a counter
 * does not exist; -EOPNOTSUPP this machine does not count that; -EBUSY others have all counters of a
 * kind; -ENOMEM, or an error of the marker: nothing has changed.
 */
int ltt_trace_attach(struct ltt_trace *trace, const struct ltt_attachment *what, char *why,
		     size_t size);

#endif /* LTT_FILTER_H */
