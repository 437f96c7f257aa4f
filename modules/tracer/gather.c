// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the contexts of an event: the data path of those that have no way of their own.
 *
 * Layer: tracer.  Context: any, NMI included; preemption off.
 */
#include "context.h"
#include "tracer.h"

#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "counter.h"

static u8 *put_values(u8 *to, const struct ltt_contexts *contexts)
{
	unsigned int i;

	for (i = 0; i < contexts->nr_values; i++) {
		const struct ltt_context *context = &contexts->context[i];
		u64 count;

		if (context->type->kind == LTT_CONTEXT_VALUE) {
			context->type->read(to);
		} else {
			count = ltt_counter_read(context->counter);
			memcpy(to, &count, sizeof(count));
		}
		to += context->type->field.size * (context->type->field.count ?: 1);
	}
	return to;
}

/* The number of a stack, and @nr addresses. */
static u8 *put_stack(u8 *to, u64 number, const unsigned long *address, unsigned int nr)
{
	u16 length = nr;
	unsigned int i;

	memcpy(to, &number, sizeof(number));
	memcpy(to + sizeof(number), &length, sizeof(length));
	to += LTT_STACK_HEAD;
	for (i = 0; i < nr; i++, to += sizeof(u64)) {
		u64 wide = address[i];

		memcpy(to, &wide, sizeof(wide));
	}
	return to;
}

/* Without memory to capture it in, a stack is an empty one, whose number is 0. */
static u8 *put_stacks(struct ltt_gathered *gathered, u8 *to, const struct ltt_event *event,
		      u64 packet, bool complete, unsigned long site)
{
	struct ltt_stack_tags *tags = this_cpu_ptr(event->channel->stack_tags);
	const struct ltt_contexts *contexts = event->contexts;
	unsigned int i, nr = 0;

	for (i = contexts->nr_values; i < contexts->nr; i++) {
		const struct ltt_context *context = &contexts->context[i];
		unsigned long *address = gathered->scratch ? gathered->scratch->address : NULL;
		bool found = true;
		ltt_u64 *tag;
		u64 number = 0;

		if (address)
			nr = context->type->capture(address, context->depth, site);
		if (nr) {
			number = ltt_stack_number(address, nr);
			tag = ltt_stack_find(tags, number, packet, &found);
		}
		if (complete && nr)
			found = false;
		to = put_stack(to, number, address, found ? 0 : nr);
		if (!found) {
			gathered->tag[gathered->nr_new] = tag;
			gathered->number[gathered->nr_new++] = number;
		}
	}
	return to;
}

/**
 * ltt_gather() - read the contexts of an event
 * @gathered: receives them; ltt_gather_end() is due
 * @event: the event; it has contexts
 * @room: memory for contexts without stacks
 * @packet: number of the packet that the record comes to lie in
 * @complete: write the addresses of stacks in any case, since the packet is not certain
 * @site: where the tracer was called
 */
void notrace ltt_gather(struct ltt_gathered *gathered, const struct ltt_event *event,
			u8 room[LTT_CONTEXT_FIXED_MAX + LTT_STACKS_MAX * LTT_STACK_HEAD],
			u64 packet, bool complete, unsigned long site)
{
	bool stacks = ltt_contexts_have_stack(event->contexts);
	u8 *to;

	gathered->scratch = stacks ? ltt_stack_begin() : NULL;
	gathered->bytes = gathered->scratch ? gathered->scratch->bytes : room;
	gathered->nr_new = 0;
	ltt_put_u32(gathered->bytes, current->pid);
	to = put_values(gathered->bytes + LTT_CONTEXT_SIZE, event->contexts);
	if (stacks)
		to = put_stacks(gathered, to, event, packet, complete, site);
	gathered->size = to - gathered->bytes;
}

/**
 * ltt_gather_end() - the record is written, or refused
 * @gathered: from ltt_gather()
 * @packet: number of the packet that has the record
 * @is_written: it is written
 */
void notrace ltt_gather_end(const struct ltt_gathered *gathered, u64 packet, bool is_written)
{
	unsigned int i;

	for (i = 0; is_written && i < gathered->nr_new; i++)
		ltt_stack_found(gathered->tag[i], gathered->number[i], packet);
	if (gathered->scratch)
		ltt_stack_end(gathered->scratch);
}
