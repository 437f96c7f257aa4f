/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The headers that probes.h needs beside the event header.  The compiler includes this file before
 * each file of gen/, so before the headers that kbuild asks for, the first two.  The types of the kernel
 * that gen/ defines for an event header may use types of these headers.
 *
 * Layer: instrument.
 */
#ifndef LTT_INSTRUMENT_PROBES_INCLUDE_H
#define LTT_INSTRUMENT_PROBES_INCLUDE_H

#include <linux/kconfig.h>
#include <linux/compiler_types.h>

#include "../compat/compat.h"

#include <linux/bitmap.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
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
