/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the generated probes and the rest of ltt-tracepoints share.
 *
 * Layer: instrument.  Included by probes.h, that is by every generated file of
 * gen/, after all kernel headers; and by the files of this folder.
 */
#ifndef LTT_INSTRUMENT_TRACEPOINT_H
#define LTT_INSTRUMENT_TRACEPOINT_H

#include <linux/compiler.h>
#include <linux/types.h>

#include <ltt/registry.h>

struct module;
struct tracepoint;

/**
 * struct ltt_tp_class - what the events of one class have in common
 * @probe: void (*)(void *sink, the tracepoint's own arguments)
 * @fields: the payload's layout, @nr_fields of them
 */
struct ltt_tp_class {
	void *probe;
	const struct ltt_field *fields;
	unsigned int nr_fields;
};

/**
 * struct ltt_tp - one event of a kernel header
 * @system: the header's TRACE_SYSTEM, the marker's group
 * @name: the tracepoint's name
 * @class: returns the event's class (a function because only there can the
 *	stage macros count fields, see probes.h)
 * @tp: the tracepoint, NULL while this kernel has none of this name
 * @mod: the module that holds @tp, NULL for the kernel itself
 * @marker: registered while @tp is set
 *
 * Locking: @tp, @mod and @marker change under the registry lock.
 */
struct ltt_tp {
	const char *system;
	const char *name;
	const struct ltt_tp_class *(*class)(void);
	struct tracepoint *tp;
	struct module *mod;
	struct ltt_marker marker;
};

/* All events, ascending by name, no name twice: gen/table.c. */
extern struct ltt_tp *const ltt_tps[];
extern const unsigned int ltt_nr_tps;

/*
 * The scratch buffers (scratch.c), in which events with fields of variable
 * size are put together.
 */
#define LTT_SCRATCH_SIZE	4096

/**
 * struct ltt_scratch - an event that grows
 * @start: its first byte
 * @pos: where its next field goes
 * @end: end of the buffer
 * @overflow: there was no buffer, or a field did not fit: the event cannot be
 *	handed on, and nothing may be written to @start or to any field
 */
struct ltt_scratch {
	char *start;
	char *pos;
	char *end;
	bool overflow;
};

/**
 * struct ltt_place - where in the scratch buffer a field of variable size lies
 * @data: its first element (behind the count of a sequence)
 * @bytes: size of its elements, a string's NUL included
 */
struct ltt_place {
	void *data;
	size_t bytes;
};

int ltt_scratch_init(void);
void ltt_scratch_exit(void);

void ltt_scratch_begin(struct ltt_scratch *s, size_t fixed);
void ltt_scratch_end(struct ltt_scratch *s, const struct ltt_sink *sink);
void ltt_scratch_string(struct ltt_scratch *s, struct ltt_place *at, const char *src);
void ltt_scratch_string_len(struct ltt_scratch *s, struct ltt_place *at, const char *src,
			    size_t max);
void ltt_scratch_vstring(struct ltt_scratch *s, struct ltt_place *at, const char *fmt,
			 va_list *args);
void ltt_scratch_array(struct ltt_scratch *s, struct ltt_place *at, size_t count, size_t size);

#endif /* LTT_INSTRUMENT_TRACEPOINT_H */
