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
 */
struct reader {
	struct question *question;
	struct question_answer *answer;
	unsigned int nr_cpus;
	size_t stride;
	char *entries;
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
	row->min = question_greatest(reader->question);
	row->max = question_least(reader->question);
	answer->nr++;
	return row;
}

static bool is_less(const struct question *question, uint64_t a, uint64_t b)
{
	return question->is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static void add_entry(const struct question *question, const struct entry *entry, struct question_row *row)
{
	unsigned int nr_buckets = question_nr_buckets(question), i;

	row->count += entry->count;
	if (!nr_buckets)
		return;
	row->sum += entry->sum;
	if (is_less(question, entry->min, row->min))
		row->min = entry->min;
	if (is_less(question, row->max, entry->max))
		row->max = entry->max;
	for (i = 0; i < nr_buckets; i++)
		row->buckets[i] += entry->buckets[i];
}

static void add_entries(struct reader *reader, struct question_row *row)
{
	unsigned int cpu;

	for (cpu = 0; cpu < reader->nr_cpus; cpu++)
		add_entry(reader->question, (const struct entry *)(reader->entries + cpu * reader->stride), row);
}

/* Add a slot if it belongs to the key. */
static void add_slot(const struct question *question, const struct entry *slot, const void *key,
		     struct question_row *row)
{
	/* Pairs with the program, which writes the key of a free slot before its count.  (On a CPU that reorders
	 * the program's stores, a key can get an event of another one here, until the next reading.) */
	if (__atomic_load_n(&slot->count, __ATOMIC_ACQUIRE) && question_slot_has(question, slot, key))
		add_entry(question, slot, row);
}

/* Add the slots of a key. */
static void add_slots(struct reader *reader, const void *key, struct question_row *row)
{
	const struct question *question = reader->question;
	unsigned int cpu;
	/* Unless the key has the number of the event, the events share entries, but not slots. */
	unsigned int event = question->event_at >= 0 ? row->event : 0;
	unsigned int end = question->event_at >= 0 ? row->event + 1 : question->nr_events;

	for (; question->slots && event < end; event++) {
		size_t offset = question_slot(question, event, key) * question_slot_size(question);

		for (cpu = 0; cpu < question->cache.nr_cpus; cpu++)
			add_slot(question, area_at(&question->cache, cpu, offset), key, row);
	}
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
	add_slots(reader, key, row);
	return 0;
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

/* The entry of the event @i without a key. */
static void add_keyless(const struct question *question, uint32_t i, struct question_row *row)
{
	unsigned int nr_buckets = question_nr_buckets(question), cpu, bucket;

	for (cpu = 0; cpu < question->keyless.nr_cpus; cpu++)
		add_entry(question, area_at(&question->keyless, cpu, i * question->entry_size), row);
	for (bucket = 0; bucket < nr_buckets; bucket++)
		row->count += row->buckets[bucket];
}

/* Entries that are found by the number of the event: those of events that have happened. */
static int read_by_event(struct reader *reader)
{
	struct question_row *row;
	uint32_t i;

	for (i = 0; i < reader->question->nr_entries; i++) {
		row = add_row(reader);
		if (!row)
			return -ENOMEM;
		add_keyless(reader->question, i, row);
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
		err = reader.entries ? read_all(&reader) : -ENOMEM;
	}
	free(reader.entries);
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
