// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the steps of a dynamic probe that is hit, and sends the event to its sink.
 *
 * Layer: instrument.  Context: that of kprobes and uprobes, NMI included.  The kernel ends
 * reads of memory that is not there with an error, so nothing here can fault.
 */
#include "probe.h"

#include <linux/compiler.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <ltt/origin.h>
#include <ltt/scratch.h>

/* Of a string, so many bytes are read at a time. */
#define PIECE	64UL

static __always_inline bool read_memory(void *to, u64 from, size_t size, bool user)
{
	void *at = (void *)(unsigned long)from;

	return user ? !copy_from_user_nofault(to, at, size) : !copy_from_kernel_nofault(to, at, size);
}

/* The value of 1, 2, 4 or 8 bytes at @from. */
static bool load(u64 from, u8 size, bool user, u64 *word)
{
	union {
		u8 u8;
		u16 u16;
		u32 u32;
		u64 u64;
	} value;

	if (!read_memory(&value, from, size, user))
		return false;
	*word = size == 1 ? value.u8 : size == 2 ? value.u16 : size == 4 ? value.u32 : value.u64;
	return true;
}
NOKPROBE_SYMBOL(load);

static u64 keep_bits(u64 word, const struct ltt_step *step)
{
	unsigned int above = 64 - step->size;

	word = word >> step->from << above;
	return step->is_signed ? (s64)word >> above : word >> above;
}
NOKPROBE_SYMBOL(keep_bits);

/* Return: false if memory could not be read. */
static bool run_steps(const struct ltt_fetch *fetch, struct pt_regs *regs, u64 *word)
{
	const struct ltt_step *step = fetch->steps, *end = step + fetch->nr_steps;

	for (*word = 0; step < end; step++) {
		switch (step->op) {
		case LTT_STEP_REGISTER:
			*word = regs_get_register(regs, step->offset);
			break;
		case LTT_STEP_RETURNED:
			*word = regs_return_value(regs);
			break;
		case LTT_STEP_VALUE:
			*word = step->value;
			break;
		case LTT_STEP_ADD:
			*word += step->value;
			break;
		case LTT_STEP_ADD_REGISTER:
			*word += regs_get_register(regs, step->offset);
			break;
		case LTT_STEP_MULTIPLY:
			*word *= step->value;
			break;
		case LTT_STEP_BITS:
			*word = keep_bits(*word, step);
			break;
		default:
			if (!load(*word, step->size, step->op == LTT_STEP_LOAD_USER, word)) {
				*word = 0;
				return false;
			}
		}
	}
	return true;
}
NOKPROBE_SYMBOL(run_steps);

/*
 * Copy a string of at most @size bytes, its NUL included; a longer one is cut.
 * Return: its bytes; an empty string's if it cannot be read.
 */
static size_t put_string(char *to, u64 from, size_t size, bool user, bool *failed)
{
	size_t done, piece;
	char *nul;

	for (done = 0; done < size - 1; done += piece) {
		/* The next page may be missing, and is not needed if the string ends before. */
		piece = min3(PIECE, size - 1 - done, PAGE_SIZE - offset_in_page(from + done));
		if (!read_memory(to + done, from + done, piece, user)) {
			*failed = true;
			done = 0;
			break;
		}
		nul = memchr(to + done, '\0', piece);
		if (nul)
			return nul + 1 - to;
	}
	to[done] = '\0';
	return done + 1;
}
NOKPROBE_SYMBOL(put_string);

/* Append a field.  Return: the new end. */
static char *put_field(char *to, const struct ltt_fetch *fetch, u64 word, bool *failed)
{
	const bool user = fetch->how == LTT_FETCH_USER;

	if (fetch->is_string)
		return to + put_string(to, word, fetch->size, user, failed);
	if (fetch->how != LTT_FETCH_WORD) {
		if (!read_memory(to, word, fetch->size, user)) {
			*failed = true;
			memset(to, 0, fetch->size);
		}
		return to + fetch->size;
	}
	switch (fetch->size) {
	case 1:
		*(u8 *)to = word;
		break;
	case 2:
		*(u16 *)to = word;
		break;
	case 4:
		*(u32 *)to = word;
		break;
	default:
		*(u64 *)to = word;
	}
	return to + fetch->size;
}
NOKPROBE_SYMBOL(put_field);

static char *pack(struct ltt_probe *probe, struct pt_regs *regs, const u64 *slots, char *to)
{
	const struct ltt_fetch *fetch = probe->fetches, *end = fetch + probe->marker.nr_fields;

	for (; fetch < end; fetch++) {
		bool failed = false;
		u64 word;

		if (slots && !fetch->at_return)
			word = slots[fetch->slot];
		else
			failed = !run_steps(fetch, regs, &word);
		to = put_field(to, fetch, word, &failed);
		if (unlikely(failed))
			atomic64_inc(&probe->failed);
	}
	return to;
}
NOKPROBE_SYMBOL(pack);

/**
 * ltt_probe_enter() - a function that is to return is entered: compute what must be kept
 * @probe: its probe
 * @regs: the registers at its entry
 * @slots: receives the words
 *
 * Context: any; preemption off.
 */
void ltt_probe_enter(struct ltt_probe *probe, struct pt_regs *regs, u64 *slots)
{
	const struct ltt_fetch *fetch = probe->fetches, *end = fetch + probe->marker.nr_fields;

	for (; fetch < end; fetch++)
		if (!fetch->at_return && !run_steps(fetch, regs, &slots[fetch->slot]))
			atomic64_inc(&probe->failed);
}
NOKPROBE_SYMBOL(ltt_probe_enter);

/**
 * ltt_probe_hit() - send an event
 * @probe: the probe that was hit
 * @regs: the registers there
 * @slots: the words of ltt_probe_enter(), or NULL
 *
 * Context: any.
 */
void ltt_probe_hit(struct ltt_probe *probe, struct pt_regs *regs, const u64 *slots)
{
	const struct ltt_sink *sink;
	struct ltt_scratch scratch;
	struct ltt_origin_scope origin;

	preempt_disable_notrace();
	/* As in function.c: 6.1 calls kprobes where RCU does not watch, too. */
	if (unlikely(!rcu_is_watching() || ltt_cpu_is_dead())) {
		atomic64_inc(&probe->lost);
		goto out;
	}
	sink = ltt_marker_sink(&probe->marker);
	if (!ltt_sink_wants(sink))
		goto out;
	if (!ltt_sink_has_room(sink)) {
		sink->refuse(sink);
		goto out;
	}
	ltt_scratch_begin(&scratch, 0);
	if (likely(scratch.pos))
		scratch.pos = pack(probe, regs, slots, scratch.pos);
	/* A kprobe has its instruction pointer behind the breakpoint; a kretprobe, where the
	 * function returns to. */
	ltt_origin_begin(&origin, instruction_pointer(regs));
	ltt_scratch_end(&scratch, sink);
	ltt_origin_end(&origin);
out:
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(ltt_probe_hit);
