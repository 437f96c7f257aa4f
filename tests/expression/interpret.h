/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * An interpreter of the eBPF that expressions become, which checks what the kernel's verifier does:
 * aligned loads within the context, no use of what was not written, no instruction that is never
 * reached, an end.
 */
#ifndef LTT_TESTS_INTERPRET_H
#define LTT_TESTS_INTERPRET_H

#include "../../userspace/expression/expression.h"

/* The stack in the kernel, which all programs find: return addresses. */
extern uint64_t interpret_stack[3];

/* The kernel's helper writes them, and fails: a program must not look at them. */
extern bool interpret_stack_fails;

/**
 * interpret() - run a program
 * @program: the program
 * @payload: its context
 * @size: bytes of @payload
 * @contexts: the values of the contexts
 * @why: receives what it does that it may not
 *
 * Return: its result; -1 with @why.
 */
int64_t interpret(const struct expression_program *program, const void *payload, size_t size,
		  const struct expression_value contexts[EXPRESSION_CONTEXTS], const char **why);

/* Return: NULL if each instruction can be reached, and each jump ends at one; or what is wrong. */
const char *check_flow(const struct expression_program *program);

#endif /* LTT_TESTS_INTERPRET_H */
