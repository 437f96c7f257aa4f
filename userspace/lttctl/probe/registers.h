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

/* Return: how many registers pass integer arguments of functions. */
int probe_argument_registers(void);

/* The names of all whole registers, for messages. */
#define PROBE_REGISTERS_SIZE 256
void probe_registers_list(char list[PROBE_REGISTERS_SIZE]);

#endif /* LTTCTL_PROBE_REGISTERS_H */
