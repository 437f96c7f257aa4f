/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The steps by which ltt-probes fetches a field, as text; doc/probes.md describes them.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_PROBE_STEPS_H
#define LTTCTL_PROBE_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "definition.h"

/**
 * struct steps - the steps of a field, so far
 * @text: the steps
 * @len: length of @text
 * @offset: is to be added to the word before the next step
 */
struct steps {
	char text[1024];
	int len;
	int64_t offset;
};

/* Append a step. */
__attribute__((format(printf, 2, 3)))
void steps_add(struct steps *steps, const char *fmt, ...);

/* Add the offset to the word. */
void steps_flush(struct steps *steps);

/* Replace the word by the @size bytes of memory to which it points. */
void steps_load(struct steps *steps, bool user, int size);

/**
 * struct field - a field, to be completed by probe_argument_type()
 * @steps: what computes its word
 * @type: its type as ltt-probes has it
 * @memory: 0: the field is the word; k or u: the memory to which it points
 */
struct field {
	struct steps steps;
	char type[32];
	char memory;
};

/**
 * field_set_type() - let the type that the user gave win
 * @field: its type and memory are replaced if @argument has a type
 * @argument: the argument
 * @memory: k or u: the memory that an address is in, unless the user says otherwise
 */
void field_set_type(struct field *field, const struct probe_argument *argument, char memory);

#endif /* LTTCTL_PROBE_STEPS_H */
