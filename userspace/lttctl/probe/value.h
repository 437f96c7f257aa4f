/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * From the values of a definition to the steps that fetch them.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_PROBE_VALUE_H
#define LTTCTL_PROBE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "definition.h"
#include "steps.h"

struct types;

#define OPERANDS_MAX 12

/**
 * struct operand - an argument of a usdt probe
 * @steps: what computes its word
 * @sign: u or s
 * @bits: 8, 16, 32 or 64; 0: it is somewhere that cannot be read
 */
struct operand {
	struct steps steps;
	char sign;
	int bits;
};

/**
 * struct scene - the place of a probe, as its values see it
 * @kind: the kind of the probe
 * @function: the name of the function, for messages
 * @at_entry: arguments of the function are in their registers
 * @types: the kernel's types; NULL if there are none
 * @prototype: of the function in @types; 0 for none
 * @operands: usdt: the arguments
 * @nr_operands: number of @operands
 */
struct scene {
	enum probe_kind kind;
	const char *function;
	bool at_entry;
	const struct types *types;
	uint32_t prototype;
	const struct operand *operands;
	int nr_operands;
};

/**
 * value_resolve() - find the steps and the type of a value
 * @scene: the place
 * @argument: the value
 * @field: receives them
 * @why: receives, after a fault, a sentence
 *
 * Return: true if @scene has this value.
 */
bool value_resolve(const struct scene *scene, const struct probe_argument *argument, struct field *field,
		   char why[PROBE_WHY_SIZE]);

#endif /* LTTCTL_PROBE_VALUE_H */
