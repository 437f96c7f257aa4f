// SPDX-License-Identifier: GPL-2.0-only
/*
 * The payload of the beginning of a system call: its arguments, and what they point to.
 *
 * Layer: instrument.  Context: a thread at the beginning of a system call, preemption off.
 *
 * Memory of the program is read without faults.  A page that is not present, be it that the
 * address is bad or that nothing has used the page yet, leaves a string empty and the members
 * of a structure zero; the field "unread" has a bit for each such argument.  Another thread
 * may change the memory before the kernel reads it: the payload is what it was here.
 */
#include "syscall.h"

#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/socket.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <ltt/marker.h>
#include <ltt/scratch.h>

/* Reads of so many aligned bytes do not cross the end of a page. */
#define CHUNK	64

/* As strnlen(), which looks at one byte at a time: this copies words of the text to where they are. */
static notrace size_t text_length(char *text, size_t size)
{
	char *end = ltt_copy_text_if(text, text, text + size - 1);

	return end ? end - 1 - text : size;
}

/* A string that is longer than @last is cut.  Return: the end; NULL if it cannot be read. */
static notrace char *fetch_string(char *to, char *last, unsigned long from)
{
	size_t chunk, len;

	while (to < last) {
		chunk = min_t(size_t, last - to, CHUNK - from % CHUNK);
		if (copy_from_user_nofault(to, (const void __user *)from, chunk))
			return NULL;
		len = text_length(to, chunk);
		to += len;
		if (len < chunk)
			return to + 1;
		from += chunk;
	}
	*to = '\0';
	return to + 1;
}

static notrace char *put_string(char *to, char *end, unsigned long from, u8 *unread, u8 bit)
{
	char *last = ltt_scratch_last(to, end), *done;

	if (!from)
		return ltt_copy_string_until(to, last, NULL);
	done = fetch_string(to, last, from);
	if (done)
		return done;
	*unread |= bit;
	*to = '\0';
	return to + 1;
}

static notrace char *put_member(char *to, const struct ltt_syscall_step *step,
				unsigned long from, u8 *unread, u8 bit)
{
	if (!from || copy_from_user_nofault(to, (const void __user *)(from + step->offset),
					    step->size)) {
		if (from)
			*unread |= bit;
		memset(to, 0, step->size);
	}
	return to + step->size;
}

/* A sequence of bytes, empty if there is no address. */
static notrace char *put_sockaddr(char *to, unsigned long from, int len, u8 *unread, u8 bit)
{
	u16 count = from ? clamp_t(int, len, 0, sizeof(struct __kernel_sockaddr_storage)) : 0;

	if (count && copy_from_user_nofault(to + sizeof(count), (const void __user *)from, count)) {
		*unread |= bit;
		count = 0;
	}
	memcpy(to, &count, sizeof(count));
	return to + sizeof(count) + count;
}

/* The arguments of a call that reads memory. */
static notrace noinline void write_fetched(struct ltt_syscall *call, const struct ltt_sink *sink,
					   const unsigned long *args)
{
	const struct ltt_syscall_step *step = call->steps, *last = step + call->nr_steps;
	struct ltt_scratch scratch;
	u8 unread = 0;
	char *to;

	ltt_scratch_begin(&scratch, 0);
	to = scratch.pos;
	for (; likely(to) && step < last; step++) {
		unsigned long arg = args[step->arg];
		u8 bit = 1 << step->arg;

		switch (step->how) {
		case LTT_STEP_VALUE:
			to = (char *)ltt_mark_put((u8 *)to, arg, step->size);
			break;
		case LTT_STEP_STRING:
			to = put_string(to, scratch.start + LTT_SCRATCH_SIZE, arg, &unread, bit);
			break;
		case LTT_STEP_MEMBER:
			to = put_member(to, step, arg, &unread, bit);
			break;
		case LTT_STEP_SOCKADDR:
			to = put_sockaddr(to, arg, args[step->arg + 1], &unread, bit);
			break;
		}
	}
	if (likely(to))
		*to++ = unread;
	if (unlikely(unread))
		atomic_long_inc(&call->unread);
	scratch.pos = to;
	ltt_scratch_end(&scratch, sink);
}

/**
 * ltt_syscall_write() - send the beginning of a call to a sink
 * @call: the call
 * @sink: wants the event
 * @args: LTT_SYSCALL_ARGS of them
 */
notrace void ltt_syscall_write(struct ltt_syscall *call, const struct ltt_sink *sink,
			       const unsigned long *args)
{
	/* ltt_mark_put() stores 8 bytes of any value. */
	u8 payload[(LTT_SYSCALL_ARGS + 1) * sizeof(u64)], *to = payload;
	unsigned int i;

	if (call->reads) {
		if (ltt_sink_has_room(sink))
			write_fetched(call, sink, args);
		else
			sink->refuse(sink);
		return;
	}
	for (i = 0; i < call->nr_steps; i++)
		to = ltt_mark_put(to, args[i], call->steps[i].size);
	sink->write(sink, payload, to - payload);
}
