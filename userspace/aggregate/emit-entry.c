// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The entry of a key.
 *
 * The kernel's hash table has an entry for each key.  To look it up takes longer than all else that a program
 * does, so a cache comes before it: an array of slots for each CPU and event, of which the key chooses
 * one.  The first key for which a slot is chosen claims it, for good: from then on its events on this CPU are counted
 * in the slot, and not in its entry.  Other keys of the slot are counted in their entries.
 *
 * A key claims a slot when it has an entry, so the hash table alone decides for how many keys there is room, and
 * the reader finds all keys there.  To each entry it adds the slots of the key.
 *
 * Nothing interrupts the program of an event to run it again, and other events have other slots.  So no slot
 * is claimed twice.
 */
#include "emit.h"

#include <string.h>

/* 2^64 by the golden ratio: the highest bits of its multiples differ most for numbers that follow one another. */
#define MIX	0x9e3779b97f4a7c15

/* The number of the event has slots of its own, and need not be compared. */
static unsigned int key_words(const struct question *question)
{
	return (question->event_at >= 0 ? (unsigned int)question->event_at : question->key_size) / sizeof(uint64_t);
}

unsigned int question_slot_size(const struct question *question)
{
	return question->entry_size + key_words(question) * sizeof(uint64_t);
}

/* Of a mixed key, so many bits are not in the number of the slot. */
static int unused_bits(const struct question *question)
{
	return 64 - __builtin_ctz(question->slots);
}

unsigned int question_slot(const struct question *question, unsigned int event, const void *key)
{
	uint64_t mixed = 0, word;
	unsigned int i;

	for (i = 0; i < key_words(question); i++) {
		memcpy(&word, (const char *)key + i * sizeof(word), sizeof(word));
		mixed = (mixed ^ word) * MIX;
	}
	return event * question->slots + (mixed >> unused_bits(question));
}

bool question_slot_has(const struct question *question, const void *slot, const void *key)
{
	return !memcmp((const char *)slot + question->entry_size, key, key_words(question) * sizeof(uint64_t));
}

/* A place in this CPU's part of an area to R0; changes R1. */
static void emit_area(struct emitter *e, const struct area *area, uint32_t offset)
{
	emit_call(e, BPF_FUNC_get_smp_processor_id);
	emit_with_number(e, BPF_AND, R0, area->nr_cpus - 1);
	emit_with_number(e, BPF_MUL, R0, area->cpu_bytes);
	emit_map_value(e, R1, area->map, offset);
	emit(e, BPF_ALU64 | BPF_ADD | BPF_X, R0, R1, 0, 0);
}

/* The same as question_slot(): the slot of the key to SLOT and R0. */
static void emit_slot(struct emitter *e, const struct question *question, unsigned int event)
{
	const unsigned int size = question_slot_size(question);
	unsigned int i;

	emit_area(e, &question->cache, event * question->slots * size);
	for (i = 0; i < key_words(question); i++) {
		emit_load(e, 8, i ? R2 : R1, FRAME, KEY + i * sizeof(uint64_t));
		if (i)
			emit(e, BPF_ALU64 | BPF_XOR | BPF_X, R1, R2, 0, 0);
		emit_with_number(e, BPF_MUL, R1, MIX);
	}
	emit_with_number(e, BPF_RSH, R1, unused_bits(question));
	emit_with_number(e, BPF_MUL, R1, size);
	emit(e, BPF_ALU64 | BPF_ADD | BPF_X, R0, R1, 0, 0);
	emit_move(e, SLOT, R0);
}

/* Jump to @other unless the key has claimed the slot.  A free slot has the count 0. */
static void emit_is_claimed(struct emitter *e, const struct question *question, label_t other)
{
	unsigned int i;

	emit_load(e, 8, R1, SLOT, offsetof(struct entry, count));
	emit_branch(e, BPF_JEQ, 8, R1, 0, other);
	for (i = 0; i < key_words(question); i++) {
		emit_load(e, 8, R1, SLOT, question->entry_size + i * sizeof(uint64_t));
		emit_load(e, 8, R2, FRAME, KEY + i * sizeof(uint64_t));
		emit_branch_register(e, BPF_JNE, R1, R2, other);
	}
}

/* Claim the slot for a key that has an entry, if it is free: then R0 is the slot, and no longer the entry. */
static void emit_claim(struct emitter *e, const struct question *question, label_t found)
{
	unsigned int i;

	emit_load(e, 8, R1, SLOT, offsetof(struct entry, count));
	emit_branch(e, BPF_JNE, 8, R1, 0, found);
	for (i = 0; i < key_words(question); i++) {
		emit_load(e, 8, R1, FRAME, KEY + i * sizeof(uint64_t));
		emit_store(e, 8, SLOT, question->entry_size + i * sizeof(uint64_t), R1);
	}
	emit_move(e, R0, SLOT);
}

/* The entry in the hash table to R0; jump to @full if there is no room for one. */
static void emit_hashed(struct emitter *e, const struct question *question, label_t full)
{
	label_t found = new_label(e);

	emit_lookup(e, question->entries, KEY);
	emit_branch(e, BPF_JNE, 8, R0, 0, found);
	emit_store_number(e, 4, CELL, 0);
	emit_lookup(e, question->blank, CELL);
	emit_branch(e, BPF_JEQ, 8, R0, 0, full);
	emit_map(e, R1, question->entries);
	emit_address(e, R2, KEY);
	emit_move(e, R3, R0);
	emit_number(e, R4, BPF_NOEXIST);
	emit_call(e, BPF_FUNC_map_update_elem);
	/* Another CPU may have made it meanwhile: then this fails, and the entry is found. */
	emit_lookup(e, question->entries, KEY);
	emit_branch(e, BPF_JEQ, 8, R0, 0, full);
	place_label(e, found);
}

void emit_entry(struct emitter *e, const struct question *question, const struct asked_event *event, label_t full)
{
	unsigned int nr = event - question->events;
	label_t other, found;

	if (!question->key_size) {
		emit_area(e, &question->keyless, question->nr_entries > 1 ? nr * question->entry_size : 0);
		return;
	}
	if (!question->slots) {
		emit_hashed(e, question, full);
		return;
	}
	other = new_label(e);
	found = new_label(e);
	emit_slot(e, question, nr);
	emit_is_claimed(e, question, other);
	emit_jump(e, found);
	place_label(e, other);
	emit_hashed(e, question, full);
	emit_claim(e, question, found);
	place_label(e, found);
}
