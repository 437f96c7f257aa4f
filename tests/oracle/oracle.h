/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The interface of babeltrace.c, by which oracle.c reads traces with libbabeltrace2.
 */
#ifndef LTT_TESTS_ORACLE_H
#define LTT_TESTS_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oracle_event;

struct oracle_loss {
	bool is_packets;
	bool has_count;
	int64_t from;
	int64_t until;
	uint64_t count;
};

/* @common, @own, @payload: numbers of fields */
struct oracle_head {
	uint64_t clock;
	unsigned int cpu;
	const char *name;
	unsigned int common;
	unsigned int own;
	unsigned int payload;
};

struct oracle_field {
	const void *field;
	const char *name;
};

/* @size: bytes of a text, or elements of a list */
struct oracle_value {
	enum { ORACLE_UNSIGNED, ORACLE_SIGNED, ORACLE_REAL, ORACLE_TEXT, ORACLE_LIST, ORACLE_OTHER } kind;
	union {
		uint64_t u;
		int64_t s;
		double f;
	};
	const char *text;
	size_t size;
};

/* Print a sentence, and exit with status 1 or 2; with 0 if the traces have grown. */
void differ(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void unreadable(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* --- babeltrace.c ---------------------------------------------------------- */

/* Read the traces in the order of time; each is a directory with a file "metadata". */
void oracle_read(const char *const *path, size_t paths);

void oracle_event_put(struct oracle_event *event);
void oracle_head(const struct oracle_event *event, struct oracle_head *head);
/* Find a field: contexts first. */
void oracle_field(const struct oracle_event *event, unsigned int index, const struct oracle_head *head,
		  struct oracle_field *field);
void oracle_value(const struct oracle_field *field, struct oracle_value *value);
void oracle_element(const struct oracle_field *field, size_t index, struct oracle_value *value);

/* --- oracle.c, which oracle_read() calls -------------------------------------- */

/* @event: to be freed by oracle_event_put() */
void oracle_take_event(struct oracle_event *event, int64_t ns);
void oracle_take_loss(const struct oracle_loss *loss);

#endif /* LTT_TESTS_ORACLE_H */
