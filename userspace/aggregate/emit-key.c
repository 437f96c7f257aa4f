// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The key of an event: its parts one behind the other, each a number of 8 bytes or a text of a multiple of 8.
 */
#include "emit.h"

void begin(struct emitter *e, struct node *root)
{
	e->known = (struct known){ .writes = e->known.writes + 1 };
	e->nr_kept = 0;
	emit_prepare(e, root);
}

/* Its own fields are not kept, as the key lies where they would. */
void emit_number_part(struct emitter *e, struct node *root, int place)
{
	begin(e, root);
	e->nr_kept = 0;
	emit_value(e, root);
	emit_store(e, 8, FRAME, place, R0);
}

static void emit_zeros(struct emitter *e, unsigned int size, int place)
{
	unsigned int at;

	for (at = 0; at < size; at += 8)
		emit_store_number(e, 8, place + at, 0);
}

/* Copy @size bytes at a constant place of @base to a @place that is a multiple of 8.  The verifier refuses a load or a
 * store that is not aligned. */
static void emit_copy(struct emitter *e, int base, int offset, unsigned int size, int place)
{
	unsigned int at, part;

	for (at = 0; at < size; at += part) {
		for (part = 8; (offset + at) % part || at % part || at + part > size; )
			part /= 2;
		emit_load(e, part, R1, base, offset + at);
		emit_store(e, part, FRAME, place + at, R1);
	}
}

static void emit_comm_part(struct emitter *e, unsigned int size, int place)
{
	const struct task_path *path = &task_layout()->path[TASK_COMM];

	if (path->nr) {
		emit_call(e, BPF_FUNC_get_current_task_btf);
		emit_move(e, R3, R0);
		emit_copy(e, R3, path->step[0], size, place);
		return;
	}
	emit_address(e, R1, place);
	emit_number(e, R2, size);
	emit_call(e, BPF_FUNC_get_current_comm);
}

static void emit_text_part(struct emitter *e, const struct ltt_field *field, unsigned int size, int place)
{
	unsigned int used = field->kind == LTT_FIELD_TEXT && field->count < size ? field->count : size;
	size_t offset;

	if (used < size || field->kind == LTT_FIELD_STRING)
		emit_zeros(e, size, place);
	if (context_number(e, field) >= 0)
		emit_comm_part(e, used, place);
	else if (field->kind == LTT_FIELD_TEXT && place_of(e->scope, field, &offset) && offset + used <= CONTEXT_MAX)
		emit_copy(e, PAYLOAD, offset, used, place);
	else
		emit_read(e, field, used, place, field->kind == LTT_FIELD_STRING);
}

static void emit_stack_part(struct emitter *e, const struct question *question, int place)
{
	label_t stored = new_label(e);

	emit_move(e, R1, PAYLOAD);
	emit_map(e, R2, question->stacks);
	emit_number(e, R3, 0);
	emit_call(e, BPF_FUNC_get_stackid);
	emit_store(e, 8, FRAME, place, R0);
	emit_branch(e, BPF_JSGE, 8, R0, 0, stored);
	emit_miss(e, question, MISS_STACK);
	emit_store_number(e, 8, place, -1);
	place_label(e, stored);
}

void emit_key(struct emitter *e, const struct question *question, const struct asked_event *event)
{
	unsigned int i;

	for (i = 0; i < question->options->nr_keys; i++) {
		const struct part *part = &question->parts[i];
		int place = KEY + part->at;

		if (part->type == QUESTION_STACK)
			emit_stack_part(e, question, place);
		else if (part->type == QUESTION_STRING)
			emit_text_part(e, event->keys[i]->tree->root->field, part->size, place);
		else
			emit_number_part(e, event->keys[i]->tree->root, place);
	}
	if (question->event_at >= 0)
		emit_store_number(e, 8, KEY + question->event_at, event - question->events);
}
