// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The machine that runs filters.  common/filter.h describes it; filter-check.c has checked what it runs.
 */
#include "filter.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/mark-pack.h"
#include "glob.h"
#include "sequence.h"
#include "thread-name.h"

/* ---- Values ---- */

/**
 * struct event - an event that is judged
 * @step: how its arguments are packed
 * @words: its arguments
 * @context: the usual context of the thread
 */
struct event {
	const struct ltt_mark_step *step;
	const uint64_t *words;
	uint64_t context;
};

static uint64_t load(const struct event *event, const struct ltt_filter_insn *insn)
{
	uint64_t word = event->words[insn->which] << insn->to;

	return insn->unused ? (uint64_t)((int64_t)word >> insn->to) : word >> insn->to;
}

static __attribute__((noinline)) uint64_t ask_cpu(void)
{
	const int saved = errno;
	unsigned int cpu = 0;

	syscall(SYS_getcpu, &cpu, NULL, NULL);
	errno = saved;
	return cpu;
}

/* The real user, as in the kernel; a program can change it at any time. */
static __attribute__((noinline)) uint64_t ask_user(void)
{
	const int saved = errno;
	uint32_t user = syscall(SYS_getuid);

	errno = saved;
	return user;
}

/* Without restartable sequences it takes a system call. */
static uint64_t current_cpu(void)
{
	uint32_t cpu = ltt_sequence_cpu();

	return cpu == LTT_CPU_UNKNOWN ? ask_cpu() : cpu;
}

static uint64_t load_context(const struct event *event, unsigned int which)
{
	switch (which) {
	case LTT_FILTER_PID:
		return event->context >> LTT_TASK_ID_BITS;
	case LTT_FILTER_TID:
		return event->context & ((1U << LTT_TASK_ID_BITS) - 1);
	case LTT_FILTER_CPU:
		return current_cpu();
	default:
		return ask_user();
	}
}

/* ---- Texts ---- */

static bool is(const char *text, size_t max, const char *wanted, size_t len)
{
	size_t i;

	if (len > max)
		return false;
	/* Wanted texts have no NUL, so this ends at that of @text. */
	for (i = 0; i < len; i++)
		if (text[i] != wanted[i])
			return false;
	return len == max || !text[len];
}

static bool matches(const struct ltt_filter_insn *insn, const char *pattern, const char *text, size_t max)
{
	if (insn->op == LTT_FILTER_IS)
		return is(text, max, pattern, insn->to);
	return ltt_glob_matches(pattern, insn->to, text, max);
}

/* A pointer that is NULL is recorded as a text, too. */
static bool match_text(const struct event *event, const struct ltt_filter_insn *insn, const char *pattern)
{
	uint64_t word = insn->unused == LTT_TEXT_COMM ? 0 : event->words[insn->which], limit;
	char short_text[LTT_THREAD_NAME_SIZE];

	if (insn->unused == LTT_TEXT_COMM) {
		ltt_thread_name_now(short_text);
		return matches(insn, pattern, short_text, sizeof(short_text));
	}
	if (insn->unused == LTT_TEXT_CHARACTER) {
		*short_text = word;
		return matches(insn, pattern, short_text, 1);
	}
	if (!word)
		return matches(insn, pattern, "(null)", LTT_FILTER_LOOKED_AT);
	limit = ltt_mark_limit(event->step, event->words, insn->which);
	return matches(insn, pattern, (const char *)(uintptr_t)word,
		       limit < LTT_FILTER_LOOKED_AT ? limit : LTT_FILTER_LOOKED_AT);
}

/* ---- The machine ---- */

/* Of the magnitudes, so that no division overflows. */
static uint64_t divide(uint64_t a, uint64_t b)
{
	uint64_t quotient;

	if (!b)
		return 0;
	quotient = ((int64_t)a < 0 ? -a : a) / ((int64_t)b < 0 ? -b : b);
	return (int64_t)(a ^ b) < 0 ? -quotient : quotient;
}

/* Inline, as most filters are one such operation. */
static inline __attribute__((always_inline)) uint64_t compute(unsigned int op, uint64_t a, uint64_t b)
{
	switch (op) {
	case LTT_FILTER_OR:
		return a | b;
	case LTT_FILTER_XOR:
		return a ^ b;
	case LTT_FILTER_AND:
		return a & b;
	case LTT_FILTER_EQUAL:
		return a == b;
	case LTT_FILTER_DIFFERENT:
		return a != b;
	case LTT_FILTER_LESS:
		return (int64_t)a < (int64_t)b;
	case LTT_FILTER_LESS_UNSIGNED:
		return a < b;
	case LTT_FILTER_AT_MOST:
		return (int64_t)a <= (int64_t)b;
	case LTT_FILTER_AT_MOST_UNSIGNED:
		return a <= b;
	case LTT_FILTER_MORE:
		return (int64_t)a > (int64_t)b;
	case LTT_FILTER_MORE_UNSIGNED:
		return a > b;
	case LTT_FILTER_AT_LEAST:
		return (int64_t)a >= (int64_t)b;
	case LTT_FILTER_AT_LEAST_UNSIGNED:
		return a >= b;
	case LTT_FILTER_LEFT:
		return a << (b & 63);
	case LTT_FILTER_RIGHT:
		return (int64_t)a >> (b & 63);
	case LTT_FILTER_RIGHT_UNSIGNED:
		return a >> (b & 63);
	case LTT_FILTER_ADD:
		return a + b;
	case LTT_FILTER_SUBTRACT:
		return a - b;
	case LTT_FILTER_MULTIPLY:
		return a * b;
	case LTT_FILTER_DIVIDE:
		return divide(a, b);
	case LTT_FILTER_DIVIDE_UNSIGNED:
		return b ? a / b : 0;
	case LTT_FILTER_MODULO:
		return a - divide(a, b) * b;
	default:	/* LTT_FILTER_MODULO_UNSIGNED */
		return b ? a % b : a;
	}
}

bool ltt_filter_passes(const struct ltt_filter *filter, const struct ltt_mark_step *step, const uint64_t *words,
		       uint64_t context)
{
	const struct event event = { step, words, context };
	const struct ltt_filter_insn *insn = filter->insn, *end = insn + filter->nr;
	uint64_t stack[LTT_FILTER_STACK_MAX], *top = stack, value = 0;

	while (insn < end) {
		const struct ltt_filter_insn *next = insn + 1;

		switch (insn->op) {
		case LTT_FILTER_FIELD:
			value = load(&event, insn);
			break;
		case LTT_FILTER_CONTEXT:
			value = load_context(&event, insn->which);
			break;
		case LTT_FILTER_NUMBER:
			value = insn->number;
			break;
		case LTT_FILTER_IS:
		case LTT_FILTER_LIKE:
			value = match_text(&event, insn, ltt_filter_texts(filter) + insn->number);
			break;
		case LTT_FILTER_PUSH:
			*top++ = value;
			break;
		case LTT_FILTER_NEGATE:
			value = -value;
			break;
		case LTT_FILTER_COMPLEMENT:
			value = ~value;
			break;
		case LTT_FILTER_JUMP_IF:
			next = value ? filter->insn + insn->to : next;
			break;
		case LTT_FILTER_JUMP_UNLESS:
			next = value ? next : filter->insn + insn->to;
			break;
		case LTT_FILTER_JUMP_IF_EQUAL:
			if (value == insn->number) {
				value = 1;
				next = filter->insn + insn->to;
			}
			break;
		default:
			value = insn->which ? compute(insn->op, value, insn->number) : compute(insn->op, *--top, value);
		}
		insn = next;
	}
	return value;
}
