// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The order of the rows of an answer, and the difference of two answers.
 *
 * Layer: lttctl.
 */
#include "ask.h"

#include <stdlib.h>
#include <string.h>

#include "lttctl/view/kernel-symbols.h"

/* ---- Stacks ---- */

/* The program itself, and LTT's functions on the way to it. */
static bool is_own(uint64_t address)
{
	const char *module, *name;
	uint64_t offset;

	name = kernel_symbols_find(address, &module, &offset);
	return name && (!strncmp(module, "ltt_", strlen("ltt_")) || !strncmp(name, "bpf_prog_", strlen("bpf_prog_")));
}

const uint64_t *stack_begin(const uint64_t *addresses)
{
	const uint64_t *at = addresses;

	while (*at && is_own(*at))
		at++;
	return *at ? at : addresses;
}

/* ---- Order ---- */

/* The answer whose rows qsort() sorts, which passes no data. */
static const struct answer *sorted;

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_stacks(const uint64_t *a, const uint64_t *b)
{
	for (; *a == *b; a++, b++)
		if (!*a)
			return 0;
	return compare_numbers(*a, *b);
}

static int compare_part(const struct answer *answer, unsigned int key, const struct question_key *a,
			const struct question_key *b)
{
	switch (question_key_type(answer->question, key)) {
	case QUESTION_STRING:
		return strcmp(a->text, b->text);
	case QUESTION_STACK:
		return compare_stacks(a->addresses, b->addresses);
	case QUESTION_SIGNED:
		return compare_numbers(a->number ^ INT64_MIN, b->number ^ INT64_MIN);
	default:
		return compare_numbers(a->number, b->number);
	}
}

/* Return: 0 for the same row of two answers. */
static int compare_keys(const void *a, const void *b)
{
	const struct question_row *x = a, *y = b;
	int order = compare_numbers(x->event, y->event);
	unsigned int key;

	for (key = 0; !order && key < sorted->options->nr_keys; key++)
		order = compare_part(sorted, key, &x->keys[key], &y->keys[key]);
	return order;
}

static int compare_counts(const void *a, const void *b)
{
	const struct question_row *x = a, *y = b;

	return compare_numbers(y->count, x->count) ?: compare_keys(a, b);
}

static void sort(struct answer *answer, int (*compare)(const void *a, const void *b))
{
	sorted = answer;
	qsort(answer->rows.rows, answer->rows.nr, sizeof(*answer->rows.rows), compare);
}

void answer_sort(struct answer *answer)
{
	sort(answer, compare_counts);
}

static void add_row(struct question_row *to, const struct question_row *row, uint64_t times, unsigned int nr_buckets)
{
	unsigned int i;

	to->count += times * row->count;
	to->sum += times * row->sum;
	for (i = 0; i < nr_buckets; i++)
		to->buckets[i] += times * row->buckets[i];
}

void answer_add(struct answer *to, struct answer *other, int times)
{
	unsigned int nr_buckets = question_nr_buckets(to->question);
	const uint64_t factor = times;
	struct question_row *row = to->rows.rows, *end = row + to->rows.nr;
	size_t i;

	sort(to, compare_keys);
	sort(other, compare_keys);
	for (i = 0; i < other->rows.nr; i++) {
		while (row < end && compare_keys(row, &other->rows.rows[i]) < 0)
			row++;
		/* A row never goes away, so each of an older answer is found. */
		if (row < end && !compare_keys(row, &other->rows.rows[i]))
			add_row(row, &other->rows.rows[i], factor, nr_buckets);
	}
	to->rows.missed += factor * other->rows.missed;
	to->rows.unmatched += factor * other->rows.unmatched;
	to->rows.stacks_missed += factor * other->rows.stacks_missed;
	to->unjudged += factor * other->unjudged;
	to->big += factor * other->big;
	to->emitted += factor * other->emitted;
}
