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

#include <ltt/sink.h>

#include "../../core/field.h"

/**
 * struct ltt_tp_class - the properties that the events of one class share
 * @probe: void (*)(void *data, the tracepoint's own arguments); @data is the address of the
 *	marker's &ltt_marker.out, or in a driver a struct ltt_driver_probe
 * @fields: layout of the payload
 * @nr_fields: number of elements in @fields
 */
struct ltt_tp_class {
	void *probe;
	const struct ltt_field *fields;
	unsigned int nr_fields;
};

/**
 * struct ltt_tp - an event that a probe was generated for
 * @system: the header's TRACE_SYSTEM, which becomes the marker's group; "" if it is only known
 *	when the module is loaded
 * @name: the tracepoint's name
 * @module: NULL for a tracepoint of the kernel or any module; "" of the kernel only; else of
 *	this module of the kernel's tree only
 * @class: returns the event's class (a function because only there can the
 *	stage macros count fields, see probes.h)
 */
struct ltt_tp {
	const char *system;
	const char *name;
	const char *module;
	const struct ltt_tp_class *(*class)(void);
};

/* All events, ascending by name: gen/table.c.  Those of a name are of different modules. */
extern const struct ltt_tp *const ltt_tps[];
extern const unsigned int ltt_nr_tps;

#endif /* LTT_INSTRUMENT_TRACEPOINT_H */
