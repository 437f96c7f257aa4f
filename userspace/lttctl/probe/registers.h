/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The names of registers and of their parts.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_PROBE_REGISTERS_H
#define LTTCTL_PROBE_REGISTERS_H

#include <stdbool.h>

#include "definition.h"

/**
 * struct probe_register - a register, or a part of one
 * @name: the name of the whole register in ltt-probes; NULL for an unknown name
 * @from: the lowest bit of the part
 * @bits: number of bits
 */
struct probe_register {
	const char *name;
	int from;
	int bits;
};

/* Return: the register that @word names, as assemblers spell it, without the percent sign. */
struct probe_register probe_register(struct probe_word word);

/**
 * struct probe_convention - how functions of this machine get their arguments
 * @registers: how many registers pass integers and pointers; 0: not known
 * @stack: bytes from the stack pointer to the first argument that is on the stack, at the entry of the function
 * @by_reference: of a structure of more than 16 bytes, the address is passed
 * @in_order: when one argument is on the stack, all later ones are
 */
struct probe_convention {
	int registers;
	int stack;
	bool by_reference;
	bool in_order;
};

extern const struct probe_convention probe_convention;

/* The names of all whole registers, for messages. */
#define PROBE_REGISTERS_SIZE 256
void probe_registers_list(char list[PROBE_REGISTERS_SIZE]);

#endif /* LTTCTL_PROBE_REGISTERS_H */
