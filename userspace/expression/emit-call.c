// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * since(EVENT, KEY), the time since another event, and between(EVENT, END, KEY), whether it was and its end was not.
 *
 * The other event notes its time under the key, in a map.  That of since() is for the event that asks alone,
 * which takes the time out: so the map only holds what has not ended yet, whatever the keys are.  All
 * since() are computed before the rest of the filter, so that each is taken out whether or not its value
 * matters.  From the map of between(), the event at its end takes the key out.
 *
 * A map is a hash, allocated in advance: the tracer runs such programs with interrupts off.
 */
#include "emit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Maps ---- */

/* The hash FNV-1a of the parts of a name, which no name of an event or of a field has newlines in. */
static uint64_t hash_name(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return (hash ^ '\n') * UINT64_C(0x100000001b3);
}

/**
 * struct memory - which map
 * @kind: 's' for since(), 'b' for between()
 * @from: the event that notes; NULL: this one
 * @key: the text of its key
 * @to: the event that takes out; NULL: this one
 */
struct memory {
	char kind;
	const char *from, *key, *to;
};

/* Return: the descriptor of the map; -1 after an error. */
static int find_map(struct emitter *e, const struct memory *memory, unsigned int column)
{
	char name[BPF_OBJ_NAME_LEN];
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	int map;

	if (!e->maps) {
		if (!e->status)
			e->status = fail_at(e->error, -EOPNOTSUPP, column, "only a filter of a trace can know of another event");
		return -1;
	}
	hash = hash_name(hash, memory->from ?: e->maps->event);
	hash = hash_name(hash, memory->key);
	hash = hash_name(hash, memory->to ?: e->maps->event);
	snprintf(name, sizeof(name), "%c%014" PRIx64, memory->kind, hash & ((UINT64_C(1) << 56) - 1));
	map = e->maps->get(name, e->maps->data, e->error);
	if (map < 0 && !e->status)
		e->status = map;
	return map;
}

static void emit_delete(struct emitter *e, int map, int place)
{
	emit_map(e, R1, map);
	emit_address(e, R2, place);
	emit_call(e, BPF_FUNC_map_delete_elem);
}

/* ---- Values ---- */

/* The time since the one at the key, or -1, to R9. */
static void emit_since(struct emitter *e, int map, int key)
{
	const label_t none = new_label(e), end = new_label(e);

	emit_call(e, BPF_FUNC_ktime_get_ns);
	emit_move(e, R9, R0);
	emit_lookup(e, map, key);
	emit_branch(e, BPF_JEQ, 8, R0, 0, none);
	emit_load(e, 8, R1, R0, 0);
	emit(e, BPF_ALU64 | BPF_SUB | BPF_X, R9, R1, 0, 0);
	emit_delete(e, map, key);
	/* Another CPU may have noted the time after this one read the clock: hardly any has passed. */
	emit_branch(e, BPF_JSGE, 8, R9, 0, end);
	emit_number(e, R9, 0);
	emit_jump(e, end);
	place_label(e, none);
	emit_number(e, R9, UINT64_MAX);
	place_label(e, end);
}

/* 1 or 0 to R9. */
static void emit_between(struct emitter *e, int map, int key)
{
	const label_t none = new_label(e);

	emit_lookup(e, map, key);
	emit_number(e, R9, 0);
	emit_branch(e, BPF_JEQ, 8, R0, 0, none);
	emit_number(e, R9, 1);
	place_label(e, none);
}

/* The event that notes is between, too. */
static bool is_beginning(const struct emitter *e, const struct node *node)
{
	return node->kind == NODE_BETWEEN && e->maps && !strcmp(e->maps->event, node->b->text);
}

static void emit_call_value(struct emitter *e, const struct node *node)
{
	const int at = STACK_CALL(node->number);
	const bool is_since = node->kind == NODE_SINCE;
	const struct memory memory = {
		is_since ? 's' : 'b', node->b->text, node->b->next->text, is_since ? NULL : node->b->next->next->text,
	};
	const int map = find_map(e, &memory, node->column);

	if (is_beginning(e, node)) {
		emit_number(e, R9, 1);
	} else {
		emit_prepare(e, node->a);
		emit_value(e, node->a);
		/* The key lies where the value will. */
		emit_store(e, 8, FRAME, at, R0);
		if (is_since)
			emit_since(e, map, at);
		else
			emit_between(e, map, at);
	}
	emit_store(e, 8, FRAME, at, R9);
	/* The rest of the filter can be reached on ways that know less. */
	e->known = (struct known){ .writes = e->known.writes + 1 };
}

/* Do two expressions of this event have the same value, as they are the same? */
static bool same_value(const struct node *a, const struct node *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (a->kind != b->kind || a->operation != b->operation || a->is_unsigned != b->is_unsigned ||
		    a->is_negative != b->is_negative || a->number != b->number || a->field != b->field ||
		    strcmp(a->text ?: "", b->text ?: "") || a->nr_numbers != b->nr_numbers ||
		    (a->nr_numbers && memcmp(a->numbers, b->numbers, a->nr_numbers * sizeof(*a->numbers))) || !same_value(a->a, b->a) || !same_value(a->b, b->b))
			return false;
	return !a && !b;
}

/* Can a since() have the value of another, which has been taken out? */
static bool same(const struct node *a, const struct node *b)
{
	return a->kind == NODE_SINCE && b->kind == NODE_SINCE && !strcmp(a->b->text, b->b->text) &&
	       !strcmp(a->b->next->text, b->b->next->text) && same_value(a->a, b->a);
}

/* Give the node its place.  Return: false if another one has the same. */
static bool place(struct emitter *e, const struct expression *tree, struct node *node, unsigned int *nr)
{
	struct node *other;

	for (other = tree->nodes; other != node; other = other->allocated)
		if (is_call(other) && other->is_placed && same(other, node)) {
			node->number = other->number;
			return false;
		}
	if (*nr == STACK_CALLS) {
		e->status = fail_at(e->error, -E2BIG, node->column, "a filter can have since() and between() at most %d times",
				    STACK_CALLS);
		return false;
	}
	node->number = (*nr)++;
	node->is_placed = true;
	return true;
}

void emit_calls(struct emitter *e, const struct expression *tree)
{
	struct node *node;
	unsigned int nr = 0;

	/* The key of a call can have another, which was allocated after it, and stands before it. */
	for (node = tree->nodes; node && !e->status; node = node->allocated)
		if (is_call(node) && place(e, tree, node, &nr))
			emit_call_value(e, node);
}

/* ---- Actions ---- */

void emit_memory(struct emitter *e, const struct node *node)
{
	const bool leaves = node->kind == NODE_LEAVE;
	const struct memory memory = {
		node->kind == NODE_NOTE ? 's' : 'b', leaves ? node->b->text : NULL, node->b->next->text,
		leaves ? NULL : node->b->text,
	};
	const int map = find_map(e, &memory, node->column);

	emit_prepare(e, node->a);
	emit_value(e, node->a);
	emit_store(e, 8, FRAME, STACK_NOTE, R0);
	if (leaves) {
		emit_delete(e, map, STACK_NOTE);
		return;
	}
	emit_call(e, BPF_FUNC_ktime_get_ns);
	emit_store(e, 8, FRAME, STACK_NUMBER, R0);
	emit_map(e, R1, map);
	emit_address(e, R2, STACK_NOTE);
	emit_address(e, R3, STACK_NUMBER);
	emit_number(e, R4, BPF_ANY);
	emit_call(e, BPF_FUNC_map_update_elem);
}
