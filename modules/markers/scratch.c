// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory of each CPU for the events that providers send: buffers to pack fields of variable
 * size in, see ltt/scratch.h, and the origin of events, see ltt/origin.h.
 *
 * Layer: markers.
 *
 * Each function that appends takes the end of the event so far (NULL if the event is lost
 * already) and the end of the buffer.  It returns the new end, or NULL if the event is
 * lost.  Context: any, preemption off.
 */
#include <ltt/scratch.h>

#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>

#include <ltt/marker-string.h>
#include <ltt/origin.h>
#include <ltt/registry.h>

#include "markers.h"

#define LTT_SCRATCH_LEVELS	4

/* The longest text that a printf format may make: the kernel's own limit. */
#define LTT_VSTRING_MAX		256

DEFINE_PER_CPU(struct ltt_scratch_cpu, ltt_scratch_cpu);
EXPORT_PER_CPU_SYMBOL_GPL(ltt_scratch_cpu);

DEFINE_PER_CPU(struct ltt_origin, ltt_origin);
EXPORT_PER_CPU_SYMBOL_GPL(ltt_origin);

/**
 * ltt_copy_string_until() - append a copy of a string
 * @to: end so far
 * @last: from ltt_scratch_last()
 * @from: NUL-terminated, read once; NULL becomes "(null)", as in the kernel
 *
 * Return: the new end.
 */
notrace char *ltt_copy_string_until(char *to, char *last, const char *from)
{
	return ltt_copy_text(to, likely(from) ? from : "(null)", last);
}
EXPORT_SYMBOL_GPL(ltt_copy_string_until);

/**
 * ltt_copy_string_len() - append a copy of a string of limited length
 * @to: end so far
 * @end: of the buffer
 * @from: @max bytes, or less when there is a NUL among them; each is read once
 * @max: see @from
 */
notrace char *ltt_copy_string_len(char *to, char *end, const char *from, size_t max)
{
	char *last, c;

	if (!to || to == end)
		return NULL;
	last = ltt_scratch_last(to, end);
	if (!from) {
		from = "(null)";
		max = strlen(from);
	}
	while (to < last && max-- && (c = READ_ONCE(*from++)))
		*to++ = c;
	*to++ = '\0';
	return to;
}
EXPORT_SYMBOL_GPL(ltt_copy_string_len);

/**
 * ltt_copy_vstring() - append a string that a format makes
 * @to: end so far
 * @end: of the buffer
 * @fmt: as for vsnprintf()
 * @args: left as they are
 */
notrace char *ltt_copy_vstring(char *to, char *end, const char *fmt, va_list *args)
{
	va_list copy;
	size_t room;
	char *last;

	if (!to || to == end)
		return NULL;
	last = ltt_scratch_last(to, end);
	room = min_t(size_t, last + 1 - to, LTT_VSTRING_MAX);
	va_copy(copy, *args);
	vsnprintf(to, room, fmt, copy);
	va_end(copy);
	/* Not what vsnprintf() returns: "%c" can print a NUL. */
	return (char *)memchr(to, '\0', room) + 1;
}
EXPORT_SYMBOL_GPL(ltt_copy_vstring);

/**
 * ltt_copy_array() - append a sequence of zeros, to be filled in by the caller
 * @to: end so far
 * @end: of the buffer
 * @count: elements; it goes before them, as a u16
 * @size: bytes of one
 */
notrace char *ltt_copy_array(char *to, char *end, size_t count, size_t size)
{
	u16 stored = count;
	size_t bytes;

	/* One division keeps the product from wrapping round. */
	if (!to || (size_t)(end - to) < sizeof(stored) ||
	    count > (end - to - sizeof(stored)) / size)
		return NULL;
	bytes = count * size;
	memcpy(to, &stored, sizeof(stored));
	memset(to + sizeof(stored), 0, bytes);
	return to + sizeof(stored) + bytes;
}
EXPORT_SYMBOL_GPL(ltt_copy_array);

int ltt_scratch_prepare(void)
{
	const size_t size = LTT_SCRATCH_LEVELS * LTT_SCRATCH_SIZE;
	struct ltt_scratch_cpu *scratch;
	int cpu;

	ltt_markers_assert_held();
	for_each_possible_cpu(cpu) {
		scratch = per_cpu_ptr(&ltt_scratch_cpu, cpu);
		if (scratch->buffers)
			continue;
		scratch->buffers = kmalloc_node(size, GFP_KERNEL, cpu_to_node(cpu));
		if (!scratch->buffers)
			return -ENOMEM;
		scratch->next = scratch->buffers;
		scratch->limit = scratch->buffers + size;
	}
	return 0;
}
EXPORT_SYMBOL_GPL(ltt_scratch_prepare);

/**
 * ltt_scratch_exit() - free the buffers; no event runs any more
 */
void ltt_scratch_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		kfree(per_cpu(ltt_scratch_cpu, cpu).buffers);
}
