/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A question, between the files of this folder.
 *
 * question.c binds the expressions and lays out the key, maps.c makes the maps, emit*.c the programs,
 * and answer.c reads the maps.
 */
#ifndef AGGREGATE_QUESTION_H
#define AGGREGATE_QUESTION_H

#include "aggregate.h"

#define STACK_DEPTH	40	/* addresses of a stack in a key, of which some are the tracer's own */
#define STACKS_MIN	16384	/* room for stacks; one that meets another in the kernel's table is not stored */
#define SHORT_TEXT	32	/* bytes of each text, if there are several long ones */
#define SLOTS_MAX	1024	/* of the cache, on each CPU, for all events */
#define SLOTS_MIN	16	/* for each event; with fewer there is no cache */
#define CACHE_MAX	(1U << 20)	/* bytes of the cache, on each CPU */
#define QUESTION_KEY_MAX	112	/* bytes of a key, which lies on the stack of a program */

/**
 * struct part - one part of the key
 * @type: its type
 * @at: where it begins in the key
 * @size: its bytes, a multiple of 8: 8 of a number or a stack's id
 */
struct part {
	enum question_type type;
	unsigned int at;
	unsigned int size;
};

/**
 * struct asked_event - an event of the question
 * @name: for messages
 * @is_first: of QUESTION_LATENCY: the first of two events
 * @is_dropped: it lacks a name of the filter
 * @scope: its names
 * @keys: the bound parts of the key; NULL for a stack
 * @value: the bound value, or NULL
 * @filter: the bound filter, or NULL
 * @match: of QUESTION_LATENCY: the bound expression that both events have to agree in
 */
struct asked_event {
	char *name;
	bool is_first;
	bool is_dropped;
	struct expression_scope scope;
	struct expression_bound *keys[QUESTION_KEYS_MAX];
	struct expression_bound *value;
	struct expression_bound *filter;
	struct expression_bound *match;
};

/**
 * struct area - memory that programs and lttctl share
 * @map: its descriptor; -1: there is none
 * @memory: mapped
 * @size: its bytes
 * @cpu_bytes: bytes of a CPU
 * @nr_cpus: for so many CPUs there is room, a power of two
 */
struct area {
	int map;
	void *memory;
	size_t size;
	size_t cpu_bytes;
	unsigned int nr_cpus;
};

/* The places in the map of counts of what is not in the answer. */
enum miss {
	MISS_FULL,
	MISS_UNMATCHED,
	MISS_STACK,
	MISSES,
};

/**
 * struct entry - the value of a key, on one CPU, as the programs write it
 * @count: how many events
 * @sum: of the values, modulo 2^64
 * @min: the least value; the greatest that there may be in a new entry
 * @max: the greatest value; the least that there may be in a new entry
 * @buckets: question_nr_buckets() counts
 *
 * Of QUESTION_COUNT there is @count alone.  Without a key the others lack @count, which is the sum of the buckets.
 */
struct entry {
	uint64_t count;
	uint64_t sum;
	uint64_t min;
	uint64_t max;
	uint64_t buckets[];
};

/**
 * struct question - a question
 * @options: as given
 * @keys: the parsed keys; NULL for a stack
 * @value: the parsed value, or NULL
 * @filter: the parsed filter, or NULL
 * @filter_fits: an event has all names of the filter
 * @lacking: the error about one that has not
 * @match: the parsed expressions that the two events of QUESTION_LATENCY have to agree in
 * @events: the events
 * @nr_events: number of @events
 * @parts: of the key, as the first event that has one decides
 * @has_parts: @parts are known
 * @event_at: where the number of the event is in the key; -1 if it is not in it
 * @key_size: bytes of the key; 0: entries are found by the number of the event
 * @is_signed: the value is signed
 * @nr_entries: for how many there is room
 * @entry_size: bytes of an entry
 * @slots: slots of the cache for each event, a power of two; 0: there is no cache
 * @entries: map: key to struct entry, per CPU; or -1
 * @keyless: without a key: the entry of each event
 * @cache: slots: a struct entry, and the key that it belongs to, see emit-entry.c
 * @blank: map: a new entry, to make others of; or -1
 * @misses: map: counts by enum miss, per CPU
 * @starts: map: of QUESTION_LATENCY: what both events agree in to the time of the first
 * @stacks: map: of stacks, by their ids; or -1
 */
struct question {
	const struct question_options *options;
	struct expression *keys[QUESTION_KEYS_MAX];
	struct expression *value;
	struct expression *filter;
	bool filter_fits;
	struct expression_error lacking;
	struct expression *match[2];
	struct asked_event *events;
	unsigned int nr_events;
	struct part parts[QUESTION_KEYS_MAX];
	bool has_parts;
	int event_at;
	unsigned int key_size;
	bool is_signed;
	unsigned int nr_entries;
	unsigned int entry_size;
	unsigned int slots;
	struct area keyless, cache;
	int entries, blank, misses, starts, stacks;
};

/* area.c */

/* Make an area with @bytes for each CPU.  Return: 0 or -errno; area_free() is to be called in any case. */
int area_make(struct area *area, const char *name, size_t bytes);
void area_free(struct area *area);

/* Return: a place in the part of a CPU. */
void *area_at(const struct area *area, unsigned int cpu, size_t offset);

/* question.c */
void lay_out(struct question *question);

/* maps.c */

/* Return: the least and the greatest number that a value may be. */
uint64_t question_least(const struct question *question);
uint64_t question_greatest(const struct question *question);

/* emit-entry.c */

/* Return: the bytes of a slot. */
unsigned int question_slot_size(const struct question *question);

/* Return: the slot of a key of an event, whose number is @event. */
unsigned int question_slot(const struct question *question, unsigned int event, const void *key);

/* Return: true if a slot belongs to the key. */
bool question_slot_has(const struct question *question, const void *slot, const void *key);

/* Fill in an error that is not about a place.  Return: @status. */
__attribute__((format(printf, 3, 4)))
int fail(struct expression_error *error, int status, const char *fmt, ...);

#endif /* AGGREGATE_QUESTION_H */
