// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * since(EVENT, KEY): the time since another event.
 *
 * That event notes its time under the key, in a map that is for this event alone.  This event takes
 * the time out: so a map only holds what has not ended yet, whatever the keys are.  All since() are
 * computed before the rest of the filter, so that each is taken out whether or not its value matters.
 *
 * A map is a hash, allocated in advance: the tracer runs such programs with interrupts off.
 */
#include "emit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The hash FNV-1a of the parts of a name, which no name of an event or of a field has newlines in. */
static uint64_t hash_name(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return (hash ^ '\n') * UINT64_C(0x100000001b3);
}

/* Return: the descriptor of the map for times that @noted notes and @asking asks for; -1 after an error. */
static int find_map(struct emitter *e, const char *noted, const char *key, const char *asking, unsigned int column)
{
	char name[BPF_OBJ_NAME_LEN];
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	int map;

	if (!e->maps) {
		if (!e->status)
			e->status = fail_at(e->error, -EOPNOTSUPP, column, "only a filter of a trace can know the time of another event");
		return -1;
	}
	hash = hash_name(hash_name(hash_name(hash, noted), key), asking);
	snprintf(name, sizeof(name), "s%014" PRIx64, hash & ((UINT64_C(1) << 56) - 1));
	map = e->maps->get(name, e->maps->data, e->error);
	if (map < 0 && !e->status)
		e->status = map;
	return map;
}

static bool same(const struct node *a, const struct node *b)
{
	return !strcmp(a->b->text, b->b->text) && !strcmp(a->b->next->text, b->b->next->text);
}

/* Give the node its place.  Return: false if an equal one, which was allocated before, has it already. */
static bool place(struct emitter *e, const struct expression *tree, struct node *node, unsigned int *nr)
{
	struct node *other;

	for (other = tree->nodes; other; other = other->allocated)
		if (other != node && other->kind == NODE_SINCE && other->is_placed && same(other, node)) {
			node->number = other->number;
			return false;
		}
	if (*nr == STACK_SINCES && !e->status)
		e->status = fail_at(e->error, -E2BIG, node->column, "a filter can have at most %d times of other events",
				    STACK_SINCES);
	node->number = (*nr)++;
	node->is_placed = true;
	return true;
}

/* The key lies where the value will. */
static void emit_since(struct emitter *e, const struct node *node)
{
	const int at = STACK_SINCE(node->number);
	const label_t none = new_label(e), end = new_label(e);
	const int map = find_map(e, node->b->text, node->b->next->text, e->maps ? e->maps->event : "", node->column);

	emit_prepare(e, node->a);
	emit_value(e, node->a);
	emit_store(e, 8, FRAME, at, R0);
	emit_call(e, BPF_FUNC_ktime_get_ns);
	emit_move(e, R9, R0);
	emit_lookup(e, map, at);
	emit_branch(e, BPF_JEQ, 8, R0, 0, none);
	emit_load(e, 8, R1, R0, 0);
	emit(e, BPF_ALU64 | BPF_SUB | BPF_X, R9, R1, 0, 0);
	emit_map(e, R1, map);
	emit_address(e, R2, at);
	emit_call(e, BPF_FUNC_map_delete_elem);
	/* Another CPU may have noted the time after this one read the clock: hardly any has passed. */
	emit_branch(e, BPF_JSGE, 8, R9, 0, end);
	emit_number(e, R9, 0);
	emit_jump(e, end);
	place_label(e, none);
	emit_number(e, R9, UINT64_MAX);
	place_label(e, end);
	emit_store(e, 8, FRAME, at, R9);
	/* This way, and what it knows, is not that of what follows. */
	e->known = (struct known){ .writes = e->known.writes + 1 };
}

void emit_sinces(struct emitter *e, const struct expression *tree)
{
	struct node *node;
	unsigned int nr = 0;

	for (node = tree->nodes; node && !e->status; node = node->allocated)
		if (node->kind == NODE_SINCE && place(e, tree, node, &nr))
			emit_since(e, node);
}

void emit_note(struct emitter *e, const struct node *node)
{
	const int map = find_map(e, e->maps ? e->maps->event : "", node->b->next->text, node->b->text, node->column);

	emit_prepare(e, node->a);
	emit_value(e, node->a);
	emit_store(e, 8, FRAME, STACK_NOTE, R0);
	emit_call(e, BPF_FUNC_ktime_get_ns);
	emit_store(e, 8, FRAME, STACK_NUMBER, R0);
	emit_map(e, R1, map);
	emit_address(e, R2, STACK_NOTE);
	emit_address(e, R3, STACK_NUMBER);
	emit_number(e, R4, BPF_ANY);
	emit_call(e, BPF_FUNC_map_update_elem);
}
