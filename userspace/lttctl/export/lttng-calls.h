/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * System calls that were recorded by number, with the names that LTTng gives to their events.
 *
 * Layer: lttctl export.
 */
#ifndef LTTCTL_EXPORT_LTTNG_CALLS_H
#define LTTCTL_EXPORT_LTTNG_CALLS_H

#include <ltt/ltttrace.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct lttng_calls;

/**
 * lttng_calls_new() - look for such calls in a part of a recording
 * @dir: its directory
 * @calls: receives what there is, to be freed by lttng_calls_free(); NULL: there are none
 *
 * Return: 0; EXIT_FAILED after a message.
 */
int lttng_calls_new(const char *dir, struct lttng_calls **calls);

/* Return: true if streams with this name have such calls, in any piece. */
bool lttng_calls_recorded(const struct ltttrace *trace, const char *name);

/* Return: the stream of a data file if there may be calls in it; NULL if not, or if @calls is NULL. */
const struct ltttrace_stream *lttng_calls_stream(const struct lttng_calls *calls, const char *name);

/**
 * lttng_calls_write() - write a stream anew, in which each call has an event of its own
 * @calls: the calls; remembers which there are
 * @stream: the stream
 * @to: receives the packets
 * @number: the sequence number of the first packet; receives that behind the last
 * @bytes: the bytes written are added to this
 *
 * Return: 0; -errno.
 */
int lttng_calls_write(struct lttng_calls *calls, const struct ltttrace_stream *stream, FILE *to, uint64_t *number,
		      uint64_t *bytes);

/**
 * lttng_calls_describe() - describe the events of all calls that were written
 * @calls: the calls; NULL: there are none
 * @text: the metadata of the recording
 * @to: receives the descriptions
 */
void lttng_calls_describe(const struct lttng_calls *calls, const char *text, FILE *to);

void lttng_calls_free(struct lttng_calls *calls);

#endif /* LTTCTL_EXPORT_LTTNG_CALLS_H */
