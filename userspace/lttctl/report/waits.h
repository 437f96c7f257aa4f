/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Intervals of threads that are kept, with the system call in which each thread was.
 *
 * Layer: lttctl report.
 */
#ifndef LTTCTL_REPORT_WAITS_H
#define LTTCTL_REPORT_WAITS_H

#include "lttctl/model/calls.h"
#include "lttctl/model/sched.h"

/**
 * struct wait - an interval
 * @interval: the interval
 * @call: the name of the system call; NULL: none, or not known
 * @before: number of the interval of the same thread before it, plus 1; 0: there is none
 */
struct wait {
	struct sched_interval interval;
	const char *call;
	size_t before;
};

struct waits;

/* Return: an empty list, to be freed by waits_free(); NULL if memory is out. */
struct waits *waits_new(void);
void waits_free(struct waits *waits);

/* Add an interval; @calls may be NULL.  Return: 0; -ENOMEM. */
int waits_add(struct waits *waits, const struct sched_interval *interval, const struct calls *calls);

/* Take the name of a call that has ended, for the intervals in it: needed where calls are recorded only at their ends. */
void waits_name(struct waits *waits, const struct call *call);

size_t waits_nr(const struct waits *waits);
const struct wait *waits_at(const struct waits *waits, size_t n);

/* Return: the last interval of a thread that ends in @from_ns to @to_ns and is blocked; NULL if there is none. */
const struct wait *waits_last_blocked(const struct waits *waits, const struct task *task, int64_t from_ns, int64_t to_ns);

#endif /* LTTCTL_REPORT_WAITS_H */
