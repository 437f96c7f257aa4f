// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Reading the answer: the entries of all CPUs, added up.
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
	answer->nr++;
	return row;
}

/* Minimum and maximum stay in the order of the programs, see order() in emit.c. */
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
	uint64_t flip = question_is_signed(reader->question) ? SIGN_BIT : 0;

	for (cpu = 0; cpu < reader->nr_cpus; cpu++)
		add_entry(row, (const struct entry *)(reader->entries + cpu * reader->stride), nr_buckets);
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

static uint64_t number_at(const char *at, const struct part *part)
{
	uint32_t four;
	uint64_t eight;

	if (part->size == sizeof(eight)) {
		memcpy(&eight, at, sizeof(eight));
		return eight;
	}
	memcpy(&four, at, sizeof(four));
	return part->type == QUESTION_SIGNED ? (uint64_t)(int32_t)four : four;
}

static int read_key(struct reader *reader, const char *bytes, struct question_row *row)
{
	const struct question *question = reader->question;
	unsigned int i;
	int err;

	if (question->event_at >= 0)
		memcpy(&row->event, bytes + question->event_at, sizeof(row->event));
	for (i = 0; i < question->options->nr_keys; i++) {
		const struct part *part = &question->parts[i];

		switch (part->type) {
		case QUESTION_STRING:
			memcpy(row->keys[i].text, bytes + part->at, part->size);
			break;
		case QUESTION_STACK:
			err = read_stack(reader, (int)number_at(bytes + part->at, part), &row->keys[i]);
			if (err)
				return err;
			break;
		default:
			row->keys[i].number = number_at(bytes + part->at, part);
		}
	}
	return 0;
}

static int read_entry(struct reader *reader, const void *key)
{
	struct question_row *row;

	if (bpf_map_lookup_elem(reader->question->entries, key, reader->entries))
		return errno == ENOENT ? 0 : -errno;
	row = add_row(reader);
	if (!row)
		return -ENOMEM;
	add_entries(reader, row);
	return read_key(reader, key, row);
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
