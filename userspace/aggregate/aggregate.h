/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Tables that the kernel fills in: counts and distributions, by key.
 *
 * Layer: user space, below lttctl; uses expression and core.  doc/aggregation.md has the use.
 *
 * A question is what to compute.  Each event that it is asked about gets an eBPF program of
 * its own, which lttctl attaches as the filter of the event: it computes the key, updates a map,
 * and drops the event.  All programs of a question share its maps, whose memory is taken when they
 * are made.
 *
 *   question_new() -> question_add_event()... -> question_make_maps() -> question_load()... -> question_read()...
 *
 * The values are per CPU.  A program with a key runs with interrupts off, the tracer runs it not inside itself, and
 * no two events share an entry (but for the second events of QUESTION_LATENCY): so an entry needs no atomic
 * operation, and no update is lost.  A program without a key can run inside itself, and uses atomic operations.
 *
 * Conventions: as in expression.h.
 */
#ifndef LTT_AGGREGATE_H
#define LTT_AGGREGATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/field.h"
#include "expression/expression.h"

#define QUESTION_KEYS_MAX	3
#define QUESTION_TEXT		64	/* bytes of a text in a key; a longer one is cut */
#define QUESTION_EVENTS_MAX	4096
#define QUESTION_LINEAR_MAX	254	/* linear buckets, without those below and above */
#define QUESTION_LOG2_BUCKETS	65	/* of 0, and of each power of two from 2^0 on */

/**
 * enum question_kind - what is computed for each key
 * @QUESTION_COUNT: the number of events
 * @QUESTION_VALUES: the distribution of a value
 * @QUESTION_LATENCY: the distribution of the time between two events, in nanoseconds
 */
enum question_kind {
	QUESTION_COUNT,
	QUESTION_VALUES,
	QUESTION_LATENCY,
};

/**
 * struct question_linear - linear buckets [min, min + step), and so on; one for less, one for more
 * @min: where the first begins
 * @step: 0 for logarithmic buckets, whose limits are the powers of two
 * @nr: how many
 */
struct question_linear {
	int64_t min;
	uint64_t step;
	unsigned int nr;
};

/**
 * struct question_options - a question
 * @kind: what is computed
 * @keys: expressions; "stack" stands for the stack of the kernel
 * @nr_keys: number of @keys
 * @value: QUESTION_VALUES: an expression
 * @linear: its buckets, also for QUESTION_LATENCY
 * @upper: logarithmic buckets have their upper limits and not the lower ones, as those of Prometheus do: 0 and 1 are in
 *	bucket 0, (2^(i-1), 2^i] in bucket i.  For QUESTION_LATENCY, the unit of the limits is 2^-30 s, and times from
 *	2^42 ns on are in bucket 43.  question_limits() does not know them
 * @match: QUESTION_LATENCY: the expressions of the first and of the second event that are equal if
 *	the events belong together
 * @filter: NULL, or an expression: only of these events; of QUESTION_LATENCY, the second ones
 * @max_keys: for how many keys there is room
 */
struct question_options {
	enum question_kind kind;
	const char *keys[QUESTION_KEYS_MAX];
	unsigned int nr_keys;
	const char *value;
	struct question_linear linear;
	bool upper;
	const char *match[2];
	const char *filter;
	unsigned int max_keys;
};

struct question;

/** question_new() - make a question; @options must outlive it.  Return: NULL without memory. */
struct question *question_new(const struct question_options *options);

void question_free(struct question *question);

/**
 * question_add_event() - ask about an event
 * @question: maps are not made yet
 * @name: its name, for messages
 * @fields: its fields, which must outlive the question
 * @nr_fields: number of @fields
 * @is_first: QUESTION_LATENCY: it is the first of two events
 * @error: receives what is wrong
 *
 * Return: the number of the event, from 0 on; -EINVAL, -ENOENT: an expression does not fit the event, or its
 *	type is not that which it has for the first event; -E2BIG: there are QUESTION_EVENTS_MAX; -ENOMEM.
 */
int question_add_event(struct question *question, const char *name, const struct ltt_field *fields,
		       size_t nr_fields, bool is_first, struct expression_error *error);

/**
 * question_make_maps() - take the memory for the answer
 *
 * Return: 0; -EINVAL: there is no event; -EPERM, -EOPNOTSUPP, -ENOMEM: as the kernel says.
 */
int question_make_maps(struct question *question, struct expression_error *error);

/**
 * question_load() - load the program of an event into the kernel
 * @question: maps are made
 * @event: its number
 * @counters: receives the counters that it asks the tracer for, as &struct expression_program has them
 * @error: receives what is wrong
 *
 * Return: a descriptor of the program; the errors of expression_emit() and expression_load().
 */
int question_load(struct question *question, unsigned int event, char counters[EXPRESSION_COUNTERS_TEXT],
		  struct expression_error *error);

/**
 * struct question_key - one part of a key
 * @number: of a number
 * @text: of a text, ended by a NUL
 * @addresses: of a stack: the innermost first; 0 at the end
 */
struct question_key {
	uint64_t number;
	char text[QUESTION_TEXT + 1];
	const uint64_t *addresses;
};

/**
 * struct question_row - the answer for one key
 * @event: the number of the event; for QUESTION_LATENCY 0
 * @keys: the parts of the key
 * @count: how many events
 * @sum: of the values, modulo 2^64
 * @min: the least value
 * @max: the greatest
 * @buckets: question_nr_buckets() counts
 */
struct question_row {
	unsigned int event;
	struct question_key keys[QUESTION_KEYS_MAX];
	uint64_t count;
	uint64_t sum;
	uint64_t min, max;
	uint64_t *buckets;
};

/**
 * struct question_answer - all rows
 * @rows: in no order
 * @nr: number of @rows
 * @missed: events that a full map had no room for
 * @unmatched: QUESTION_LATENCY: second events without a first
 * @stacks_missed: events whose stack was not stored; they are in the row of the stack without addresses
 */
struct question_answer {
	struct question_row *rows;
	size_t nr;
	uint64_t missed;
	uint64_t unmatched;
	uint64_t stacks_missed;
};

/* Read the answer so far, to be freed by question_answer_free().  Return: 0, or -errno. */
int question_read(struct question *question, struct question_answer *answer, struct expression_error *error);

void question_answer_free(struct question_answer *answer);

/* Return: the number of buckets of a row; 0 for QUESTION_COUNT. */
unsigned int question_nr_buckets(const struct question *question);

/**
 * struct bucket_limits - the values of a bucket
 * @from: the least of them
 * @to: the least value that is greater than all of them
 * @has_from: there is a least one
 * @has_to: there is a greater one
 */
struct bucket_limits {
	uint64_t from, to;
	bool has_from, has_to;
};

/* Return: the limits of a bucket, 0 to question_nr_buckets() - 1. */
struct bucket_limits question_limits(const struct question *question, unsigned int bucket);

/* Return: true if the values are signed. */
bool question_is_signed(const struct question *question);

/**
 * enum question_type - of a part of a key
 */
enum question_type {
	QUESTION_UNSIGNED,
	QUESTION_SIGNED,
	QUESTION_STRING,
	QUESTION_STACK,
};

/* Return: the type of a part. */
enum question_type question_key_type(const struct question *question, unsigned int key);

#endif /* LTT_AGGREGATE_H */
