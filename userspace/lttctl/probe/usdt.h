/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The usdt probes (sys/sdt.h) of a program: notes in its file.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_PROBE_USDT_H
#define LTTCTL_PROBE_USDT_H

#include <stdbool.h>
#include <stdint.h>

#include "program.h"
#include "value.h"

/**
 * struct usdt_place - one place of a usdt probe
 * @offset: of the instruction in the file
 * @semaphore: offset of the counter of those who listen, or 0
 * @operands: where the arguments are
 * @nr_operands: number of @operands
 */
struct usdt_place {
	uint64_t offset;
	uint64_t semaphore;
	struct operand operands[OPERANDS_MAX];
	int nr_operands;
};

/**
 * usdt_parse_operands() - parse the arguments of a note, for example "-4@%edi 8@-16(%rbp)"
 * @text: the text
 * @place: receives them; those that cannot be read have no bits
 */
void usdt_parse_operands(const char *text, struct usdt_place *place);

/**
 * usdt_find() - find all places of a usdt probe
 * @program: the file
 * @path: its path, for messages
 * @definition: has the provider and the name
 * @places: receives an array, which the caller frees
 * @nr: receives the number of places
 * @why: receives, after a fault, a sentence
 *
 * Return: 0 if there is at least one; -EINVAL without one; -ENOMEM.
 */
int usdt_find(const struct program *program, const char *path, const struct probe_definition *definition,
	      struct usdt_place **places, int *nr, char why[PROBE_WHY_SIZE]);

#endif /* LTTCTL_PROBE_USDT_H */
