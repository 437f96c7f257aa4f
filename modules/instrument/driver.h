/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of drivers that were built with driver.mk: driver.c finds them.
 *
 * Layer: instrument.
 */
#ifndef LTT_INSTRUMENT_DRIVER_H
#define LTT_INSTRUMENT_DRIVER_H

#include "driver/link.h"

struct module;

/* The functions that probes in drivers call. */
extern const struct ltt_driver_ops ltt_driver_ops_table;

/**
 * ltt_driver_event() - find out whether a tracepoint stands for an event of a driver
 * @tp: a tracepoint of a module
 *
 * Return: the event, NULL if the tracepoint is one of the module's own.
 */
const struct ltt_tp *ltt_driver_event(const struct tracepoint *tp);

/**
 * ltt_driver_probe_of() - find the driver's own probe for one of its tracepoints
 * @mod: the driver
 * @tp: the tracepoint
 *
 * Return: the event, NULL if the driver has none for it.
 */
const struct ltt_tp *ltt_driver_probe_of(const struct module *mod, const struct tracepoint *tp);

/**
 * ltt_driver_complain() - report events that another version of LTT was to record
 * @mod: the driver
 */
void ltt_driver_complain(const struct module *mod);

#endif /* LTT_INSTRUMENT_DRIVER_H */
