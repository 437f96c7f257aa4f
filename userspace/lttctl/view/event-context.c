// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The contexts of the kernel's events as text.
 *
 * Layer: lttctl view.  A stack has a number.  The first record of a packet with this number
 * has the addresses, and those that follow in the packet have the number alone.  The same
 * number always means the same stack.
 */
#include "kernel-names.h"
#include "kernel-symbols.h"
#include "view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096

/* ---- Stacks by number ---- */

struct stack {
	struct stack *next;
	uint64_t number;
	uint64_t nr;
	uint64_t address[];
};

static struct stack *buckets[BUCKETS];

static struct stack *find_stack(uint64_t number)
{
	struct stack *stack = buckets[number % BUCKETS];

	while (stack && stack->number != number)
		stack = stack->next;
	return stack;
}

/* Take the addresses of a stack.  Without memory for them they stay unknown. */
static void learn_stack(uint64_t number, const bt_field *addresses)
{
	uint64_t nr = bt_field_array_get_length(addresses), i;
	struct stack *stack;

	if (!nr || find_stack(number))
		return;
	stack = malloc(sizeof(*stack) + nr * sizeof(stack->address[0]));
	if (!stack)
		return;
	stack->number = number;
	stack->nr = nr;
	for (i = 0; i < nr; i++)
		stack->address[i] = bt_field_integer_unsigned_get_value(
			bt_field_array_borrow_element_field_by_index_const(addresses, i));
	stack->next = buckets[number % BUCKETS];
	buckets[number % BUCKETS] = stack;
}

void event_context_forget(void)
{
	struct stack *stack;
	size_t i;

	for (i = 0; i < BUCKETS; i++) {
		while ((stack = buckets[i])) {
			buckets[i] = stack->next;
			free(stack);
		}
	}
	kernel_names_forget();
}

/* ---- Printing ---- */

static bool shows_numbers;

void event_context_show_numbers(void)
{
	shows_numbers = true;
}

/* How many functions of the tracer a stack of the kernel begins with: a probe, and its caller. */
static uint64_t count_own(const struct stack *stack)
{
	const char *name, *module;
	uint64_t offset, i;

	for (i = 0; i < stack->nr; i++) {
		name = kernel_symbols_find(stack->address[i], &module, &offset);
		if (!name || (strncmp(name, "ltt_", 4) && strncmp(name, "__traceiter_", 12)))
			break;
	}
	return i;
}

/* The stack of a sample of the kernel begins with perf's interrupt, before the instruction that was
 * sampled; that of a sample of a program has nothing else. */
static uint64_t count_interrupt(const bt_event *event, const struct stack *stack)
{
	const char *name = bt_event_class_get_name(bt_event_borrow_class_const(event));
	const bt_field *payload = bt_event_borrow_payload_field_const(event);
	int64_t ip, mode;
	uint64_t i;

	if (!name || strncmp(name, "sample:", 7) || !payload || !field_integer(payload, "ip", &ip) ||
	    !field_integer(payload, "mode", &mode))
		return 0;
	for (i = 0; i < stack->nr; i++)
		if (stack->address[i] == (uint64_t)ip)
			return i;
	return mode ? stack->nr : 0;
}

static void print_stack(const bt_event *event, const struct stack *stack, bool of_kernel, int64_t pid)
{
	uint64_t first = 0, i;

	if (of_kernel)
		first = count_interrupt(event, stack) ?: count_own(stack);
	putchar('[');
	for (i = first; i < stack->nr; i++) {
		if (i > first)
			fputs(", ", stdout);
		/* In a program, the first address is that of an instruction; others are returned to. */
		if (shows_numbers || (of_kernel ? !kernel_symbols_print(stack->address[i]) :
						  !mapped_print(pid, stack->address[i], i)))
			printf("0x%" PRIx64, stack->address[i]);
	}
	putchar(']');
}

/* @number is the field before @addresses. */
static void print_stack_field(const bt_event *event, const char *name, const bt_field *number,
			      const bt_field *addresses, int64_t pid)
{
	uint64_t value = bt_field_integer_unsigned_get_value(number);
	const struct stack *stack;

	learn_stack(value, addresses);
	stack = find_stack(value);
	if (stack)
		print_stack(event, stack, !strncmp(name, "kernel", 6), pid);
	else	/* 0 is a stack that could not be captured */
		fputs(value ? "[...]" : "[]", stdout);
}

static bool is_unsigned(const bt_field *field)
{
	return bt_field_class_type_is(bt_field_get_class_type(field),
				      BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER);
}

static bool print_cgroup(const bt_event *event, const bt_field *field)
{
	const char *path = !shows_numbers && kernel_is_same_boot(event) ?
			   kernel_cgroup(bt_field_integer_unsigned_get_value(field)) : NULL;

	if (path)
		print_plain(path);
	return path;
}

/* The names of the fields of stacks, which the payload begins with. */
static const char *const stack_fields[][3] = {
	{ "kernel_stack_id", "_kernel_stack_length", "kernel_stack" },
	{ "user_stack_id", "_user_stack_length", "user_stack" },
};

#define NR_STACKS (sizeof(stack_fields) / sizeof(stack_fields[0]))

static bool has_stack_at(const bt_field_class *class, uint64_t first, const char *const names[3])
{
	uint64_t i;

	if (first + 3 > bt_field_class_structure_get_member_count(class))
		return false;
	for (i = 0; i < 3; i++)
		if (strcmp(bt_field_class_structure_member_get_name(
				bt_field_class_structure_borrow_member_by_index_const(class, first + i)), names[i]))
			return false;
	return true;
}

uint64_t event_context_in_payload(const bt_field *payload)
{
	const bt_field_class *class = bt_field_borrow_class_const(payload);
	uint64_t nr = 0;
	size_t i;

	for (i = 0; i < NR_STACKS; i++)
		if (has_stack_at(class, nr, stack_fields[i]))
			nr += 3;
	return nr;
}

static void print_stacks(const bt_event *event, const bt_field *payload, const char *between, int64_t pid)
{
	uint64_t count = event_context_in_payload(payload), i;

	for (i = 0; i < count; i += 3) {
		const char *name = bt_field_class_structure_member_get_name(
			bt_field_class_structure_borrow_member_by_index_const(bt_field_borrow_class_const(payload), i + 2));

		printf("%s%s=", between, name);
		between = ", ";
		print_stack_field(event, name, bt_field_structure_borrow_member_field_by_index_const(payload, i),
				  bt_field_structure_borrow_member_field_by_index_const(payload, i + 2), pid);
	}
}

void event_context_learn(const bt_event *event)
{
	const bt_field *payload = bt_event_borrow_payload_field_const(event);
	uint64_t count = payload ? event_context_in_payload(payload) : 0, i;

	for (i = 0; i < count; i += 3)
		learn_stack(bt_field_integer_unsigned_get_value(
				bt_field_structure_borrow_member_field_by_index_const(payload, i)),
			    bt_field_structure_borrow_member_field_by_index_const(payload, i + 2));
}

bool event_context_print(const bt_event *event, const char *between)
{
	const bt_field *payload = bt_event_borrow_payload_field_const(event);
	const bt_field *context = bt_event_borrow_specific_context_field_const(event);
	const bt_field_class *class = context ? bt_field_borrow_class_const(context) : NULL;
	uint64_t i, count = class ? bt_field_class_structure_get_member_count(class) : 0;
	const bt_field *field;
	int64_t pid = -1;
	const char *name;

	if (context)
		field_integer(context, "pid", &pid);
	for (i = 0; i < count; i++) {
		name = bt_field_class_structure_member_get_name(
			bt_field_class_structure_borrow_member_by_index_const(class, i));
		field = bt_field_structure_borrow_member_field_by_index_const(context, i);
		printf("%s%s=", between, name);
		between = ", ";
		if (strcmp(name, "cgroup") || !is_unsigned(field) || !print_cgroup(event, field))
			field_print(field, pid);
	}
	if (payload)
		print_stacks(event, payload, between, pid);
	return count || (payload && event_context_in_payload(payload));
}
