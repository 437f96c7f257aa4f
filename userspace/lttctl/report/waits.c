// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Intervals of threads that are kept: see waits.h.
 *
 * Layer: lttctl report.
 */
#include "waits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct waits {
	struct wait *waits;
	size_t nr;
	size_t room;
	size_t *last;	/* by the number of the task: the number of its last interval, plus 1 */
	size_t nr_last;
};

struct waits *waits_new(void)
{
	return calloc(1, sizeof(struct waits));
}

void waits_free(struct waits *waits)
{
	if (!waits)
		return;
	free(waits->waits);
	free(waits->last);
	free(waits);
}

static int make_room(struct waits *waits, size_t task)
{
	const size_t room = waits->room ? waits->room * 2 : 1024, nr = task * 2 + 64;
	struct wait *more;
	size_t *last;

	if (waits->nr == waits->room) {
		more = reallocarray(waits->waits, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		waits->waits = more;
		waits->room = room;
	}
	if (task < waits->nr_last)
		return 0;
	last = reallocarray(waits->last, nr, sizeof(*last));
	if (!last)
		return -ENOMEM;
	memset(last + waits->nr_last, 0, (nr - waits->nr_last) * sizeof(*last));
	waits->last = last;
	waits->nr_last = nr;
	return 0;
}

int waits_add(struct waits *waits, const struct sched_interval *interval, const struct calls *calls)
{
	const size_t task = interval->task->number;
	int err = make_room(waits, task);
	int64_t since_ns;
	const char *call;

	if (err)
		return err;
	call = calls ? calls_current(calls, interval->task, &since_ns) : NULL;
	if (call && since_ns > interval->from_ns)
		call = NULL;
	waits->waits[waits->nr] = (struct wait){ *interval, call, waits->last[task] };
	waits->last[task] = ++waits->nr;
	return 0;
}

void waits_name(struct waits *waits, const struct call *call)
{
	size_t n = call->task->number < waits->nr_last ? waits->last[call->task->number] : 0;
	struct wait *wait;

	for (; n && call->has_duration; n = wait->before) {
		wait = &waits->waits[n - 1];
		if (wait->interval.from_ns < call->from_ns)
			break;
		wait->call = call->name;
	}
}

size_t waits_nr(const struct waits *waits)
{
	return waits->nr;
}

const struct wait *waits_at(const struct waits *waits, size_t n)
{
	return &waits->waits[n];
}

const struct wait *waits_last_blocked(const struct waits *waits, const struct task *task, int64_t from_ns, int64_t to_ns)
{
	size_t n = task->number < waits->nr_last ? waits->last[task->number] : 0;
	const struct wait *wait;

	for (; n; n = wait->before) {
		wait = &waits->waits[n - 1];
		if (wait->interval.to_ns < from_ns)
			break;
		if (wait->interval.to_ns <= to_ns && sched_is_blocked(wait->interval.state))
			return wait;
	}
	return NULL;
}
