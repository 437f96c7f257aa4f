/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Pairs of events: doc/format.md, "Pairs of events".
 *
 * Layer: lttctl html.
 */
#ifndef LTTCTL_HTML_PAIRS_H
#define LTTCTL_HTML_PAIRS_H

#include "collect.h"

/**
 * enum pair - the end of an event's name
 * @PAIR_NONE: an event that is not of a pair
 */
enum pair {
	PAIR_NONE,
	PAIR_BEGIN,
	PAIR_END,
	PAIR_ASYNC_BEGIN,
	PAIR_ASYNC_END,
	PAIR_FLOW_BEGIN,
	PAIR_FLOW_STEP,
	PAIR_FLOW_END,
};

struct slices *pairs_new(void);
void pairs_free(struct slices *slices);

/* Return: the kind of an event by its name, "group:name.begin" and so on. */
enum pair pair_of(const char *event);

/* An event of a pair or flow, of a thread; NULL if that is not known. */
void pairs_event(struct collector *collector, enum pair pair, const struct ltttrace_record *record, struct task *task);

/* Events of a part were lost. */
void pairs_lost(struct slices *slices);

/* Slices that have not ended last until the end of the page. */
void pairs_finish(struct collector *collector);

#endif /* LTTCTL_HTML_PAIRS_H */
