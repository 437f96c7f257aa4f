/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Filters: which occurrences of an event a channel records.
 */
#ifndef LTT_LIB_FILTER_H
#define LTT_LIB_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/filter.h"
#include "core/mark-format.h"

/* The way to a text, in &ltt_filter_insn.unused of a checked instruction. */
enum ltt_text_source { LTT_TEXT_POINTER, LTT_TEXT_CHARACTER, LTT_TEXT_COMM };

/**
 * struct ltt_filter - a filter that was checked
 * @nr: number of @insn
 * @size: bytes of the texts, which follow the last instruction
 * @insn: the instructions.  Of LTT_FILTER_FIELD, @which is the number of the argument, @to the number of bits
 *	that are not used, and @unused is 1 for a signed integer.  Of a text, @which is the number of the
 *	argument, and @unused an enum ltt_text_source
 */
struct ltt_filter {
	uint32_t nr;
	uint32_t size;
	struct ltt_filter_insn insn[];
};

static inline const char *ltt_filter_texts(const struct ltt_filter *filter)
{
	return (const char *)&filter->insn[filter->nr];
}

/**
 * ltt_filter_new() - check the code of a filter, and make it ready to run
 * @code: the code, from an lttd that is not trusted; its counts may be wrong, too
 * @fields: the fields of the marker
 * @err: set to 0, or to the error
 *
 * After the check the code cannot do harm: each instruction is known, loads what the marker has and in the way
 * of its type, jumps forward and not beyond the end, finds on the stack what it pops, does not push
 * more than the stack holds, and names texts that are there.
 *
 * Return: the filter, to be freed by free().  NULL: *@err is -EBADMSG for wrong code, or -ENOMEM.
 */
struct ltt_filter *ltt_filter_new(const struct ltt_filter_code *code, const struct ltt_mark_fields *fields, int *err);

/**
 * ltt_filter_get() - find or make the filter of some code
 * @code: see ltt_filter_new(), also for the others
 * @fields: "
 * @err: "
 *
 * Context: ltt_lock held.
 * Return: the filter, which is never freed: threads may run it at any time.  Equal code has one filter.
 *	NULL: *@err is as of ltt_filter_new(), or -ENOSPC: the program's filters take too much memory.
 */
const struct ltt_filter *ltt_filter_get(const struct ltt_filter_code *code, const struct ltt_mark_fields *fields,
					int *err);

/**
 * ltt_filter_passes() - run a filter
 * @filter: the filter
 * @step: the steps of the event
 * @words: its arguments, 64 bits each
 * @context: the usual context of the thread, see thread.h
 *
 * Context: any thread, and its signal handlers.  Preserves errno.
 * Return: true if the event is to be recorded.
 */
bool ltt_filter_passes(const struct ltt_filter *filter, const struct ltt_mark_step *step, const uint64_t *words,
		       uint64_t context);

#endif /* LTT_LIB_FILTER_H */
