// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The stacks of the kernel's events, by their numbers.
 *
 * Layer: lttctl view.
 */
#include "stacks.h"

#include "kernel-symbols.h"
#include "payload.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096

static struct stack *buckets[BUCKETS];

/* The names of the fields of stacks, which the payload begins with. */
static const char *const names[][STACK_FIELDS] = {
	{ "kernel_stack_id", "_kernel_stack_length", "kernel_stack" },
	{ "user_stack_id", "_user_stack_length", "user_stack" },
};

static bool has_names(const struct ltttrace_event *event, unsigned int index, const char *const name[STACK_FIELDS])
{
	unsigned int i;

	for (i = 0; i < STACK_FIELDS; i++)
		if (strcmp(event->fields[index + i].name, name[i]))
			return false;
	return event->fields[index].kind == LTTTRACE_UNSIGNED && event->fields[index + 2].kind == LTTTRACE_SEQUENCE;
}

bool stacks_field(const struct ltttrace_event *event, unsigned int index)
{
	if (index < event->payload || index + STACK_FIELDS > event->nr_fields)
		return false;
	if (index == event->payload && has_names(event, index, names[0]))
		return true;
	return (index == event->payload || stacks_field(event, index - STACK_FIELDS)) && has_names(event, index, names[1]);
}

const struct stack *stacks_find(uint64_t number)
{
	const struct stack *stack = buckets[number % BUCKETS];

	while (stack && stack->number != number)
		stack = stack->next;
	return stack;
}

/* Without memory for the addresses they stay unknown. */
void stacks_learn(const struct ltttrace_record *record, unsigned int index)
{
	const struct ltttrace_field *field = &record->event->fields[index + 2];
	const struct ltttrace_value addresses = ltttrace_value(record, index + 2);
	const uint64_t number = ltttrace_integer(record, index);
	struct stack *stack;
	size_t i;

	if (!addresses.length || stacks_find(number))
		return;
	stack = malloc(sizeof(*stack) + addresses.length * sizeof(stack->address[0]));
	if (!stack)
		return;
	stack->number = number;
	stack->nr = addresses.length;
	for (i = 0; i < stack->nr; i++)
		stack->address[i] = ltttrace_element(field, &addresses, i).u;
	stack->next = buckets[number % BUCKETS];
	buckets[number % BUCKETS] = stack;
}

/* A probe, and its caller. */
static size_t count_tracer(const struct stack *stack)
{
	const char *name, *module;
	uint64_t offset;
	size_t i;

	for (i = 0; i < stack->nr; i++) {
		name = kernel_symbols_find(stack->address[i], &module, &offset);
		if (!name || (strncmp(name, "ltt_", 4) && strncmp(name, "__traceiter_", 12)))
			break;
	}
	return i;
}

/* The stack of a sample of the kernel begins with perf's interrupt, before the instruction that was
 * sampled; that of a sample of a program has nothing else. */
static size_t count_interrupt(const struct ltttrace_record *record, const struct stack *stack)
{
	int64_t ip, mode;
	size_t i;

	if (strncmp(record->event->name, "sample:", 7) || !payload_integer(record, "ip", &ip) ||
	    !payload_integer(record, "mode", &mode))
		return 0;
	for (i = 0; i < stack->nr; i++)
		if (stack->address[i] == (uint64_t)ip)
			return i;
	return mode ? stack->nr : 0;
}

size_t stacks_own(const struct ltttrace_record *record, const struct stack *stack)
{
	return count_interrupt(record, stack) ?: count_tracer(stack);
}

void stacks_forget(void)
{
	struct stack *stack;
	size_t i;

	for (i = 0; i < BUCKETS; i++) {
		while ((stack = buckets[i])) {
			buckets[i] = stack->next;
			free(stack);
		}
	}
}
