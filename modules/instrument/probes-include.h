/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The headers that probes.h includes beside the event header.  Where types of the kernel are defined for
 * the event header, this comes before them: they may use types of these headers.
 *
 * Layer: instrument.
 */
#ifndef LTT_INSTRUMENT_PROBES_INCLUDE_H
#define LTT_INSTRUMENT_PROBES_INCLUDE_H

#include <linux/bitmap.h>
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include <ltt/scratch.h>

#include "../compat/probe-context.h"
#include "nofault.h"
#include "tracepoint.h"

#endif /* LTT_INSTRUMENT_PROBES_INCLUDE_H */
