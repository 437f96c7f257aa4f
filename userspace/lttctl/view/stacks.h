/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The stacks of the kernel's events, by their numbers.
 *
 * Layer: lttctl view.  The first record of a packet with a number has the addresses, and those that follow in the
 * packet have the number alone.  The same number always means the same stack.
 */
#ifndef LTTCTL_VIEW_STACKS_H
#define LTTCTL_VIEW_STACKS_H

#include "ltt/ltttrace.h"

#define STACK_FIELDS	3	/* a stack has so many fields: number, length, addresses */

/**
 * struct stack - the addresses of a stack, the innermost function first
 * @next: for stacks.c
 * @number: its number
 * @nr: number of @address
 */
struct stack {
	struct stack *next;
	uint64_t number;
	size_t nr;
	uint64_t address[];
};

/* Return: true if a stack begins at the field @index of a class of events. */
bool stacks_field(const struct ltttrace_event *event, unsigned int index);

/* Take the addresses of the stack at the field @index of a record, if it has some. */
void stacks_learn(const struct ltttrace_record *record, unsigned int index);

/* Return: the stack; NULL if its addresses are not known. */
const struct stack *stacks_find(uint64_t number);

/* Return: how many functions a stack of the kernel begins with that belong to the recording of the event. */
size_t stacks_own(const struct ltttrace_record *record, const struct stack *stack);

void stacks_forget(void);

#endif /* LTTCTL_VIEW_STACKS_H */
