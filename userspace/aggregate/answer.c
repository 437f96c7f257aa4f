// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Reading the answer: the entries of all CPUs, with the slots of their keys, added up.
 *
 * The programs go on meanwhile.  No entry is ever removed, so each is read once.
 */
#include "question.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

/**
 * struct reader - reads the maps of a question
 * @question: the question
 * @answer: receives the rows
 * @nr_cpus: the CPUs that there may be, each of which has an entry
 * @stride: bytes from the entry of a CPU to that of the next
 * @entries: room for the entries of a key on all CPUs
 * @slots: the same for slots of the cache
 */
struct reader {
	struct question *question;
	struct question_answer *answer;
	unsigned int nr_cpus;
	size_t stride;
	char *entries;
	char *slots;
};

static struct question_row *add_row(struct reader *reader)
{
	unsigned int nr_buckets = question_nr_buckets(reader->question);
	struct question_answer *answer = reader->answer;
	struct question_row *rows, *row;

	/* The room is doubled when it is used up. */
	if (!(answer->nr & (answer->nr - 1))) {
		rows = realloc(answer->rows, (answer->nr ? 2 * answer->nr : 1) * sizeof(*rows));
		if (!rows)
			return NULL;
		answer->rows = rows;
	}
	row = &answer->rows[answer->nr];
	memset(row, 0, sizeof(*row));
	row->buckets = calloc(nr_buckets + 1, sizeof(*row->buckets));
	if (!row->buckets)
		return NULL;
	answer->nr++;
	return row;
}

/* Minimum and maximum stay in the order of the programs, see emit_extremes() in emit.c. */
static void add_entry(struct question_row *row, const struct entry *entry, unsigned int nr_buckets)
{
	unsigned int i;

	row->count += entry->count;
	if (!nr_buckets)
		return;
	row->sum += entry->sum;
	if (row->min < entry->min_flipped)
		row->min = entry->min_flipped;
	if (row->max < entry->max)
		row->max = entry->max;
	for (i = 0; i < nr_buckets; i++)
		row->buckets[i] += entry->buckets[i];
}

static void add_entries(struct reader *reader, struct question_row *row)
{
	unsigned int nr_buckets = question_nr_buckets(reader->question), cpu;

	for (cpu = 0; cpu < reader->nr_cpus; cpu++)
		add_entry(row, (const struct entry *)(reader->entries + cpu * reader->stride), nr_buckets);
}

/* Add the slots of a key.  The count of a slot is before its key, which the program wrote before it counted: so a
 * slot that is being claimed has the count 0 or its whole key.  (On a CPU that reorders loads, a key can
 * get an event of another one here, until the next reading.) */
static int add_slots(struct reader *reader, const void *key, struct question_row *row)
{
	const struct question *question = reader->question;
	unsigned int nr_buckets = question_nr_buckets(question), cpu;
	/* Unless the key has the number of the event, the events share entries, but not slots. */
	unsigned int event = question->event_at >= 0 ? row->event : 0;
	unsigned int end = question->event_at >= 0 ? row->event + 1 : question->nr_events;

	for (; question->slots && event < end; event++) {
		uint32_t nr = question_slot(question, event, key);

		if (bpf_map_lookup_elem(question->cache, &nr, reader->slots))
			return -errno;
		for (cpu = 0; cpu < reader->nr_cpus; cpu++) {
			const char *slot = reader->slots + cpu * question_slot_size(question);

			if (question_slot_has(question, slot, key))
				add_entry(row, (const struct entry *)slot, nr_buckets);
		}
	}
	return 0;
}

static void restore_order(const struct reader *reader, struct question_row *row)
{
	uint64_t flip = question_is_signed(reader->question) ? SIGN_BIT : 0;

	row->min = ~row->min ^ flip;
	row->max ^= flip;
}

static int read_stack(struct reader *reader, int id, struct question_key *key)
{
	uint64_t *addresses = calloc(STACK_DEPTH + 1, sizeof(*addresses));

	key->addresses = addresses;
	if (!addresses)
		return -ENOMEM;
	/* Without an id there is no stack: see MISS_STACK. */
	if (id >= 0)
		bpf_map_lookup_elem(reader->question->stacks, &id, addresses);
	return 0;
}

static uint64_t number_at(const char *at)
{
	uint64_t number;

	memcpy(&number, at, sizeof(number));
	return number;
}

static int read_key(struct reader *reader, const char *bytes, struct question_row *row)
{
	const struct question *question = reader->question;
	unsigned int i;
	int err;

	if (question->event_at >= 0)
		row->event = number_at(bytes + question->event_at);
	for (i = 0; i < question->options->nr_keys; i++) {
		const struct part *part = &question->parts[i];

		switch (part->type) {
		case QUESTION_STRING:
			memcpy(row->keys[i].text, bytes + part->at, part->size);
			break;
		case QUESTION_STACK:
			err = read_stack(reader, number_at(bytes + part->at), &row->keys[i]);
			if (err)
				return err;
			break;
		default:
			row->keys[i].number = number_at(bytes + part->at);
		}
	}
	return 0;
}

static int read_entry(struct reader *reader, const void *key)
{
	struct question_row *row;
	int err;

	if (bpf_map_lookup_elem(reader->question->entries, key, reader->entries))
		return errno == ENOENT ? 0 : -errno;
	row = add_row(reader);
	if (!row)
		return -ENOMEM;
	err = read_key(reader, key, row);
	if (err)
		return err;
	add_entries(reader, row);
	err = add_slots(reader, key, row);
	restore_order(reader, row);
	return err;
}

/* Entries that are found by a key. */
static int read_by_key(struct reader *reader)
{
	char key[QUESTION_KEYS_MAX * QUESTION_TEXT + sizeof(uint64_t)], last[sizeof(key)];
	bool any = false;
	int err;

	while (!bpf_map_get_next_key(reader->question->entries, any ? last : NULL, key)) {
		err = read_entry(reader, key);
		if (err)
			return err;
		memcpy(last, key, reader->question->key_size);
		any = true;
	}
	return errno == ENOENT ? 0 : -errno;
}

/* Entries that are found by the number of the event: those of events that have happened. */
static int read_by_event(struct reader *reader)
{
	struct question_row *row;
	uint32_t i;

	for (i = 0; i < reader->question->nr_entries; i++) {
		if (bpf_map_lookup_elem(reader->question->entries, &i, reader->entries))
			return -errno;
		row = add_row(reader);
		if (!row)
			return -ENOMEM;
		add_entries(reader, row);
		restore_order(reader, row);
		row->event = i;
		if (!row->count)
			free(reader->answer->rows[--reader->answer->nr].buckets);
	}
	return 0;
}

static int read_miss(struct reader *reader, uint32_t miss, uint64_t *sum)
{
	uint64_t *counts = calloc(reader->nr_cpus, sizeof(*counts));
	unsigned int cpu;
	int err = 0;

	if (!counts)
		return -ENOMEM;
	if (bpf_map_lookup_elem(reader->question->misses, &miss, counts))
		err = -errno;
	for (cpu = 0; !err && cpu < reader->nr_cpus; cpu++)
		*sum += counts[cpu];
	free(counts);
	return err;
}

static int read_all(struct reader *reader)
{
	int err = reader->question->key_size ? read_by_key(reader) : read_by_event(reader);

	if (!err)
		err = read_miss(reader, MISS_FULL, &reader->answer->missed);
	if (!err)
		err = read_miss(reader, MISS_UNMATCHED, &reader->answer->unmatched);
	if (!err)
		err = read_miss(reader, MISS_STACK, &reader->answer->stacks_missed);
	return err;
}

int question_read(struct question *question, struct question_answer *answer, struct expression_error *error)
{
	struct reader reader = { .question = question, .answer = answer };
	int err = libbpf_num_possible_cpus();

	memset(answer, 0, sizeof(*answer));
	reader.nr_cpus = err;
	reader.stride = (question->entry_size + 7) & -8;
	if (err > 0) {
		reader.entries = calloc(reader.nr_cpus, reader.stride);
		reader.slots = calloc(reader.nr_cpus, question_slot_size(question));
		err = reader.entries && reader.slots ? read_all(&reader) : -ENOMEM;
	}
	free(reader.entries);
	free(reader.slots);
	if (err) {
		question_answer_free(answer);
		return fail(error, err, "the answer cannot be read: %s", strerror(-err));
	}
	return 0;
}

void question_answer_free(struct question_answer *answer)
{
	unsigned int key;
	size_t i;

	for (i = 0; i < answer->nr; i++) {
		for (key = 0; key < QUESTION_KEYS_MAX; key++)
			free((void *)answer->rows[i].keys[key].addresses);
		free(answer->rows[i].buckets);
	}
	free(answer->rows);
	memset(answer, 0, sizeof(*answer));
}
