/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contexts: values that are recorded with an event, about where it happened.
 *
 * Layer: tracer.  There is one table of them, context-table.c.  Users name contexts; another
 * module can look one up by its name and read it, without any trace.  Each record has the
 * thread id ("tid") anyway, so the table has no row for it.
 */
#ifndef LTT_CONTEXT_H
#define LTT_CONTEXT_H

#include <linux/types.h>

#include "../../../core/field.h"

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

#endif /* LTT_CONTEXT_H */
