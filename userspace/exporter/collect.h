/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Where the metrics come from: the state of LTT, and questions.
 *
 * Layer: ltt-exporter, above lttctl's functions for status and questions.
 */
#ifndef EXPORTER_COLLECT_H
#define EXPORTER_COLLECT_H

#include <sys/types.h>

#include "liblttctl/lttctl.h"
#include "metrics.h"

/* Add the traces of the tracer, and whether it can be reached. */
void collect_traces(struct metrics *metrics);

/* Add the private recordings and those of programs of this user. */
void collect_recordings(struct metrics *metrics);

/* Add what the lttd with the process id @lttd costs; @labels has the recording. */
void collect_lttd(struct metrics *metrics, const struct labels *labels, pid_t lttd);

/* Add what this process costs. */
void collect_self(struct metrics *metrics);

/* Add the counts of a channel, whose buffers have @size bytes; @labels has the trace, the channel, and maybe a CPU. */
void collect_counts(struct metrics *metrics, const struct labels *labels, const struct lttctl_counts *counts,
		    uint64_t size);

/**
 * questions_add() - take a question
 * @text: NAME, then count, hist or latency with options, as a shell would have them
 *
 * Return: 0, or a status after a message.
 */
int questions_add(const char *text);

/* Begin to ask.  Questions that cannot be asked are tried again by questions_collect(). */
void questions_begin(void);

/* Add the answers. */
void questions_collect(struct metrics *metrics);

/* Take the programs from the events, and free all. */
void questions_end(void);

#endif /* EXPORTER_COLLECT_H */
