/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scratch buffers, in which probes pack events with fields of variable size.
 *
 * Layer: markers.  Any provider may use them after ltt_scratch_prepare(): in any context,
 * NMI included, with preemption off from ltt_scratch_begin() to ltt_scratch_end().  An event
 * that is being packed while another provider's event begins is a level like any other.
 *
 * Each CPU has one buffer for each level of nesting: an event of a softirq may interrupt
 * one of a task, an event of an interrupt that one, and an event of an NMI that one.  An
 * interrupted level resumes after the inner one has ended, so the only state is the
 * address of the next free buffer.  Only its own CPU uses a buffer: no lock, no atomics.
 *
 * A string that does not fit is cut and keeps its NUL.  An array cannot be cut, because
 * the kernel's code that fills it uses the full length; the sink then receives
 * LTT_SINK_TOO_BIG.  It receives that also when events nest deeper than four levels.
 */
#ifndef LTT_SCRATCH_H
#define LTT_SCRATCH_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/stdarg.h>
#include <linux/types.h>

#include <ltt/sink.h>

#define LTT_SCRATCH_SIZE	4096

/*
 * Room that strings leave: however long they are, at least the terminators of the
 * strings behind them fit, and the counts of empty arrays.
 */
#define LTT_SCRATCH_RESERVE	128

/**
 * struct ltt_scratch_cpu - the buffers of one CPU, one behind the other
 * @next: the first free buffer; only this CPU changes it, and an interrupt restores it
 * @limit: the end of the last buffer; constant while a probe can run
 * @buffers: the first buffer
 */
struct ltt_scratch_cpu {
	char *next;
	char *limit;
	char *buffers;
};

DECLARE_PER_CPU(struct ltt_scratch_cpu, ltt_scratch_cpu);

/**
 * struct ltt_scratch - an event that is being packed
 * @start: its first byte
 * @pos: the place of its next field.  NULL if there was no buffer or a field did not fit;
 *	then the event is lost, and nothing may be written to @start or to any field
 */
struct ltt_scratch {
	char *start;
	char *pos;
};

/**
 * struct ltt_place - where in the scratch buffer a field of variable size lies
 * @data: its first element (behind the count of a sequence)
 * @bytes: size of its elements, a string's NUL included
 */
struct ltt_place {
	void *data;
	size_t bytes;
};

/**
 * ltt_scratch_prepare() - set the buffers up for a provider
 *
 * Allocates the buffers of all CPUs that can ever be, for the first provider that needs them.
 * They stay until ltt-markers is unloaded, so there is nothing to undo.
 *
 * Context: may sleep; registry lock held.
 * Return: 0 or -ENOMEM.
 */
int ltt_scratch_prepare(void);

char *ltt_copy_string_until(char *to, char *last, const char *from);
char *ltt_copy_string_len(char *to, char *end, const char *from, size_t max);
char *ltt_copy_vstring(char *to, char *end, const char *fmt, va_list *args);
char *ltt_copy_array(char *to, char *end, size_t count, size_t size);

/**
 * ltt_scratch_last() - the last place where a string may have its NUL
 * @to: where the string begins
 * @end: end of the buffer, behind @to
 *
 * Return: the place.
 */
static __always_inline char *ltt_scratch_last(char *to, char *end)
{
	return end - to > LTT_SCRATCH_RESERVE ? end - LTT_SCRATCH_RESERVE - 1 : to;
}

/**
 * ltt_copy_string() - append a copy of a string
 * @to: end so far
 * @end: end of the buffer
 * @from: NUL-terminated, read once; NULL becomes "(null)", as in the kernel
 *
 * The place of an event's first string is constant: the compiler needs no test for it.
 *
 * Return: the new end, or NULL if the event is lost.
 */
static __always_inline char *ltt_copy_string(char *to, char *end, const char *from)
{
	if (unlikely(!to || to == end))
		return NULL;
	return ltt_copy_string_until(to, ltt_scratch_last(to, end), from);
}

/**
 * ltt_scratch_begin() - take the buffer of the next level
 * @s: filled in
 * @fixed: bytes to leave free at its start
 *
 * Context: any; preemption off.
 */
static __always_inline void ltt_scratch_begin(struct ltt_scratch *s, size_t fixed)
{
	s->start = this_cpu_read(ltt_scratch_cpu.next);
	s->pos = NULL;
	if (unlikely(s->start == this_cpu_read(ltt_scratch_cpu.limit)))
		return;
	this_cpu_write(ltt_scratch_cpu.next, s->start + LTT_SCRATCH_SIZE);
	barrier();	/* compiler: taken before it is written; pairs with ltt_scratch_end() */
	if (fixed < LTT_SCRATCH_SIZE)
		s->pos = s->start + fixed;
}

/**
 * ltt_scratch_end() - send the event to its sink and release the buffer
 * @s: from ltt_scratch_begin()
 * @sink: from ltt_marker_sink()
 *
 * Context: that of ltt_scratch_begin().
 */
static __always_inline void ltt_scratch_end(struct ltt_scratch *s, const struct ltt_sink *sink)
{
	if (likely(s->pos))
		sink->write(sink, s->start, s->pos - s->start);
	else
		sink->write(sink, NULL, LTT_SINK_TOO_BIG);
	barrier();	/* compiler: read before it is given back; pairs with ltt_scratch_begin() */
	this_cpu_write(ltt_scratch_cpu.next, s->start);
}

/*
 * ltt_scratch_add() - append a field with one of the ltt_copy_ functions, and note
 *	where it lies
 */
#define ltt_scratch_add(s, at, copy, ...)					\
	do {									\
		(at)->data = (s)->pos;						\
		(s)->pos = copy((s)->pos, (s)->start + LTT_SCRATCH_SIZE, __VA_ARGS__); \
		(at)->bytes = (s)->pos - (char *)(at)->data;			\
	} while (0)

/* The same for an array: its elements lie behind their number. */
#define ltt_scratch_add_array(s, at, count, size)				\
	do {									\
		ltt_scratch_add(s, at, ltt_copy_array, count, size);		\
		(at)->data += sizeof(u16);					\
		(at)->bytes -= sizeof(u16);					\
	} while (0)

#endif /* LTT_SCRATCH_H */
