/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The names of threads, as the events of a recording give them: the list of tasks at its begin, and
 * the events of forks, renames and switches.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_VIEW_COMM_H
#define LTTCTL_VIEW_COMM_H

#include "ltt/ltttrace.h"

#define COMM_WIDTH	15	/* of the column */
#define COMM_RULES	3	/* an event has at most so many names */

/**
 * struct comm - the name of a thread
 * @name: the name as it was recorded
 * @len: its characters
 * @column: the name without control characters, with blanks behind it up to COMM_WIDTH
 * @column_len: bytes of @column
 * @is_known: the recording has a name; else @name is "-"
 */
struct comm {
	const char *name;
	unsigned int len;
	const char *column;
	unsigned int column_len;
	bool is_known;
};

/**
 * struct comm_rule - where an event has the name of a thread
 * @tid: index of the field with the thread
 * @comm: index of the field with the name
 * @after: the thread has the name from this event on
 */
struct comm_rule {
	int tid;
	int comm;
	bool after;
};

/* Find the rules of a class of events.  Return: how many there are. */
unsigned int comm_rules(const struct ltttrace_event *event, struct comm_rule rules[COMM_RULES]);

/**
 * enum learn - which name of a thread to take from an event
 * @LEARN_FIRST: the first name, while the state channels are read before all others
 * @LEARN_BEFORE: the name at the time of the event, before it is printed
 * @LEARN_AFTER: the name that the event sets, after it is printed
 */
enum learn {
	LEARN_FIRST,
	LEARN_BEFORE,
	LEARN_AFTER,
};

void comm_learn(const struct ltttrace_record *record, const struct comm_rule *rules, unsigned int nr, enum learn when);

/* Return: the name of the thread @tid of a machine, or "-"; thread 0 has another one on each CPU.  It is valid until
 * the next call of a function here. */
const struct comm *comm_of(const struct ltttrace_part *part, int64_t tid, unsigned int cpu);

void comm_forget(void);

#endif /* LTTCTL_VIEW_COMM_H */
