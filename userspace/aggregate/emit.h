/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The program of an event, between its files: emit-key.c computes the key, emit-entry.c finds its entry, and
 * emit.c has the rest.
 *
 * Registers, beside those of expression/emit.h: R9 has the value while the key is computed; R8 has the slot of
 * the cache while the entry is found, and R4 the entry afterwards.  All that is on the stack at STACK_KEPT
 * belongs to the filter before the key is computed, and to the key afterwards.
 */
#ifndef AGGREGATE_EMIT_H
#define AGGREGATE_EMIT_H

#include "question.h"

#include "expression/emit.h"

#define VALUE		R9
#define ENTRY		R4
#define SLOT		R8
#define KEY		STACK_NOTE
#define CELL		STACK_NUMBER

_Static_assert(KEY + QUESTION_KEY_MAX <= STACK_SPILL(STACK_SPILLS - 1), "the key lies below the spills");
_Static_assert(KEY % 8 == 0, "the key is loaded by words");

/* --- Instructions (emit.c) ------------------------------------------ */

void emit_store_number(struct emitter *e, unsigned int size, int place, int32_t number);

/* Count what is not in the answer. */
void emit_miss(struct emitter *e, const struct question *question, enum miss miss);

/* --- The key (emit-key.c) -------------------------------------------- */

/* Begin an expression, which knows nothing of the values that a former one left on the stack. */
void begin(struct emitter *e, struct node *root);

/* A number, or the value of @root, to the stack as 8 bytes. */
void emit_number_part(struct emitter *e, struct node *root, int place);

/* The key of an event to KEY; changes R0 to R5, R7 and R8. */
void emit_key(struct emitter *e, const struct question *question, const struct asked_event *event);

/* --- The entry (emit-entry.c) ---------------------------------------- */

/* The entry of the key to R0, a new one if it has none; jump to @full if there is no room; changes R1 to R5 and SLOT. */
void emit_entry(struct emitter *e, const struct question *question, const struct asked_event *event, label_t full);

#endif /* AGGREGATE_EMIT_H */
