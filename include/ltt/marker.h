/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Markers: events that a driver, or a program, defines where it fires them.
 *
 *	#include <ltt/marker.h>
 *
 *	trace_mark(mydrv, open, "fd %d path %s", fd, path);
 *
 * Layer: markers.  This is all that instrumented code includes; doc/markers.md
 * says how to use it, and doc/programs.md what is different in programs.
 */
#ifndef LTT_MARKER_H
#define LTT_MARKER_H

#include "marker-types.h"

#ifdef __KERNEL__
#include "marker-kernel.h"
#else
#include "marker-user.h"
#endif

/**
 * trace_mark() - an event of this program
 * @group: a word, not quoted: what the marker belongs to
 * @name: a word, not quoted: what happened
 * @format: a string literal: the fields, each a name and a printf conversion,
 *	"fd %d path %s"; the field has the size and sign of its argument's type
 * @...: the fields' values, up to 12
 *
 * Costs one no-op (in a program: a load and a branch) as long as nobody listens; then
 * the arguments are not evaluated.  When the event fires they are evaluated once, each.  A conversion
 * that does not fit its argument is a compile-time error.
 *
 * The same group and name may be used in several places, with the same format
 * and the same types.
 *
 * Context: any, NMI included, where RCU is watching (that is, not deep in the
 * idle loop).  In a program: any, handlers of signals included.
 */
#define trace_mark(group, name, format, ...)				\
	do {								\
		LTT_MARK_CHECK(format, ##__VA_ARGS__);			\
		LTT_MARK_FIRE(#group, #name, format, ##__VA_ARGS__);	\
	} while (0)

#ifdef __KERNEL__
/**
 * trace_mark_may_sleep() - trace_mark() at a place that may sleep
 *
 * Where the event goes to a lossless channel that is filling up, the caller waits
 * here until there is room, for a bounded time: see doc/device.md.  This is how
 * kernel threads take part in that; a program's thread waits before it returns to
 * user space in any case.
 *
 * Context: task, preemption on, no lock held that a reader of the trace may need to
 * get on (so none at all, if it can be).
 */
#define trace_mark_may_sleep(group, name, format, ...)			\
	do {								\
		LTT_MARK_CHECK(format, ##__VA_ARGS__);			\
		LTT_MARK_FIRE_MAY_SLEEP(#group, #name, format, ##__VA_ARGS__); \
	} while (0)
#endif

#endif /* LTT_MARKER_H */
