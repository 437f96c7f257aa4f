/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations that the generated probes and the rest of ltt-tracepoints share.
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
 * struct ltt_tp_class - the properties that the events of one class share
 * @probe: void (*)(void *marker, the tracepoint's own arguments)
 * @fields: layout of the payload
 * @nr_fields: number of elements in @fields
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

#endif /* LTT_INSTRUMENT_TRACEPOINT_H */
