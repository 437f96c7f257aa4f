// SPDX-License-Identifier: GPL-2.0-only
/*
 * Scratch buffers: where events with fields of variable size are put together.
 *
 * Layer: instrument.  Called by the generated probes, in any context, NMI
 * included, with preemption off from ltt_scratch_begin() to ltt_scratch_end().
 *
 * Each CPU has one buffer for each level of nesting: a task's event may be
 * interrupted by one of a softirq, that by one of an interrupt, that by one of an
 * NMI.  An interrupted level is always resumed after the inner one has ended, so
 * a counter is all the bookkeeping there is, and a CPU's buffers have no other
 * user than that CPU: no lock, no atomics.
 *
 * What does not fit is dealt with by what it is.  A string is cut (it stays
 * terminated).  An array cannot be cut, since the kernel's code that fills it
 * knows its full length; then the sink is told LTT_SINK_TOO_BIG, and so it is
 * when events nest deeper than four levels.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "tracepoint.h"

#define LTT_SCRATCH_LEVELS	4

/*
 * Room that strings leave: however long they are, at least the terminators of the
 * strings behind them fit, and the counts of empty arrays.
 */
#define LTT_SCRATCH_RESERVE	128

/* The longest text that a printf format may make: the kernel's own limit. */
#define LTT_VSTRING_MAX		256

/*
 * @depth: levels in use; written by this CPU alone, an interrupt leaves it as it
 *	found it
 * @buffers: LTT_SCRATCH_LEVELS buffers of LTT_SCRATCH_SIZE; constant while a
 *	probe can run
 */
struct ltt_scratch_cpu {
	unsigned int depth;
	char *buffers;
};

static DEFINE_PER_CPU(struct ltt_scratch_cpu, ltt_scratch_cpus);

/**
 * ltt_scratch_begin() - take the buffer of the next level
 * @s: filled in
 * @fixed: bytes to leave free at its start
 *
 * Context: any; preemption off.
 */
notrace void ltt_scratch_begin(struct ltt_scratch *s, size_t fixed)
{
	struct ltt_scratch_cpu *cpu = this_cpu_ptr(&ltt_scratch_cpus);
	unsigned int level = cpu->depth;

	WRITE_ONCE(cpu->depth, level + 1);
	/* Compiler: the level is taken before its buffer is written. */
	barrier();
	s->start = cpu->buffers + (size_t)level * LTT_SCRATCH_SIZE;
	s->pos = s->start + fixed;
	s->end = s->start + LTT_SCRATCH_SIZE;
	s->overflow = level >= LTT_SCRATCH_LEVELS || fixed > LTT_SCRATCH_SIZE;
}

/**
 * ltt_scratch_end() - hand the event to its sink and give the buffer back
 * @s: from ltt_scratch_begin()
 * @sink: the probe's
 */
notrace void ltt_scratch_end(struct ltt_scratch *s, const struct ltt_sink *sink)
{
	struct ltt_scratch_cpu *cpu = this_cpu_ptr(&ltt_scratch_cpus);

	if (likely(!s->overflow))
		sink->write(sink->priv, s->start, s->pos - s->start);
	else
		sink->write(sink->priv, NULL, LTT_SINK_TOO_BIG);
	/* Compiler: the buffer has been read before the level is given back. */
	barrier();
	WRITE_ONCE(cpu->depth, cpu->depth - 1);
}

/* Bytes that a string may take, its NUL included; 0 when the event is lost. */
static notrace size_t ltt_scratch_room(struct ltt_scratch *s)
{
	size_t left = s->end - s->pos;

	if (s->overflow || !left) {
		s->overflow = true;
		return 0;
	}
	return left > LTT_SCRATCH_RESERVE ? left - LTT_SCRATCH_RESERVE : 1;
}

static notrace void ltt_scratch_placed(struct ltt_scratch *s, struct ltt_place *at, size_t bytes)
{
	at->data = s->pos;
	at->bytes = bytes;
	s->pos += bytes;
}

/**
 * ltt_scratch_string() - append a copy of a string
 * @s: from ltt_scratch_begin()
 * @at: told where the copy lies
 * @src: NUL-terminated, read once; NULL becomes "(null)", as in the kernel
 */
notrace void ltt_scratch_string(struct ltt_scratch *s, struct ltt_place *at, const char *src)
{
	size_t room = ltt_scratch_room(s);
	ssize_t length;

	if (!room)
		return;
	length = strscpy(s->pos, src ? src : "(null)", room);
	ltt_scratch_placed(s, at, length < 0 ? room : length + 1);
}

/**
 * ltt_scratch_string_len() - append a copy of a string of limited length
 * @s: from ltt_scratch_begin()
 * @at: told where the copy lies
 * @src: @max bytes, or less when there is a NUL among them; each is read once
 * @max: see @src
 */
notrace void ltt_scratch_string_len(struct ltt_scratch *s, struct ltt_place *at, const char *src,
				    size_t max)
{
	size_t room = ltt_scratch_room(s);
	size_t length = 0;
	char c;

	if (!room)
		return;
	if (!src) {
		src = "(null)";
		max = strlen(src);
	}
	while (length < max && length + 1 < room) {
		c = READ_ONCE(src[length]);
		if (!c)
			break;
		s->pos[length++] = c;
	}
	s->pos[length] = '\0';
	ltt_scratch_placed(s, at, length + 1);
}

/**
 * ltt_scratch_vstring() - append a string that a format makes
 * @s: from ltt_scratch_begin()
 * @at: told where it lies
 * @fmt: as for vsnprintf()
 * @args: left as they are
 */
notrace void ltt_scratch_vstring(struct ltt_scratch *s, struct ltt_place *at, const char *fmt,
				 va_list *args)
{
	size_t room = min_t(size_t, ltt_scratch_room(s), LTT_VSTRING_MAX);
	va_list copy;
	char *nul;

	if (!room)
		return;
	va_copy(copy, *args);
	vsnprintf(s->pos, room, fmt, copy);
	va_end(copy);
	/* Not what vsnprintf() returns: "%c" can print a NUL. */
	nul = memchr(s->pos, '\0', room);
	ltt_scratch_placed(s, at, nul - s->pos + 1);
}

/**
 * ltt_scratch_array() - append a sequence of zeros, to be filled in by the caller
 * @s: from ltt_scratch_begin()
 * @at: told where its first element lies
 * @count: elements
 * @size: bytes of one
 */
notrace void ltt_scratch_array(struct ltt_scratch *s, struct ltt_place *at, size_t count,
			       size_t size)
{
	u16 stored = count;

	/* One division keeps the product from wrapping round. */
	if (s->overflow || (size_t)(s->end - s->pos) < sizeof(stored) ||
	    count > (s->end - s->pos - sizeof(stored)) / size) {
		s->overflow = true;
		return;
	}
	memcpy(s->pos, &stored, sizeof(stored));
	s->pos += sizeof(stored);
	ltt_scratch_placed(s, at, count * size);
	memset(at->data, 0, at->bytes);
}

/**
 * ltt_scratch_init() - allocate the buffers of all CPUs that can ever be
 * Return: 0 or -ENOMEM.
 */
int ltt_scratch_init(void)
{
	int cpu;
	char *buffers;

	for_each_possible_cpu(cpu) {
		buffers = kmalloc_node(LTT_SCRATCH_LEVELS * LTT_SCRATCH_SIZE, GFP_KERNEL,
				       cpu_to_node(cpu));
		if (!buffers) {
			ltt_scratch_exit();
			return -ENOMEM;
		}
		per_cpu(ltt_scratch_cpus, cpu).buffers = buffers;
	}
	return 0;
}

/**
 * ltt_scratch_exit() - free them; no probe runs any more
 */
void ltt_scratch_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		kfree(per_cpu(ltt_scratch_cpus, cpu).buffers);
		per_cpu(ltt_scratch_cpus, cpu).buffers = NULL;
	}
}
