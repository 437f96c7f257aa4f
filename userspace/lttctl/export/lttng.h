/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Metadata with the names that lttng-modules 2.13 and lttng-ust 2.13 give to events and fields.
 *
 * Layer: lttctl export.
 */
#ifndef LTTCTL_EXPORT_LTTNG_H
#define LTTCTL_EXPORT_LTTNG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <ltt/ltttrace.h>

/* The kinds of traces, by "domain" in the block env. */
enum lttng_domain {
	LTTNG_KERNEL,
	LTTNG_PROGRAMS,
	LTTNG_OTHER,
};

/**
 * lttng_event_name() - find the name of LTTng for an event of the kernel
 * @name: the name that LTT gives it
 * @buf: room for a name
 * @size: bytes of @buf
 *
 * Return: @name if LTTng has the same or none; else @buf, or a constant.
 */
const char *lttng_event_name(const char *name, char *buf, size_t size);

/* Return: the name of LTTng for a field of an event, whose name is LTT's; NULL if it is the same. */
const char *lttng_field_name(const char *event, const char *field);

/**
 * lttng_rewrite() - write metadata of LTT with the names of LTTng
 * @text: the metadata, with a NUL; it is changed
 * @to: receives the new metadata, without a block that ends early
 * @next_stream: receives a number that no stream has
 *
 * Return: what the trace is; LTTNG_OTHER: nothing was written.
 */
enum lttng_domain lttng_rewrite(char *text, FILE *to, uint32_t *next_stream);

/**
 * lttng_state() - write the threads that a recording began with, as events lttng_statedump_process_state
 * @trace: the recording, with its states
 * @part: the trace of the kernel
 * @stream: the number of the stream
 * @metadata: receives the description of the stream
 * @data: receives its packets
 *
 * They come from the state of the system, or else from the list of threads of the trace itself.
 *
 * Return: their number; -1 with errno set.
 */
long lttng_state(const struct ltttrace *trace, const struct ltttrace_part *part, uint32_t stream, FILE *metadata,
		 FILE *data);

#endif /* LTTCTL_EXPORT_LTTNG_H */
