/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Markers: events that a driver or a program defines at the place where it emits them.
 *
 *	#include <ltt/marker.h>
 *
 *	trace_mark(mydrv, open, "fd %d path %s", fd, path);
 *
 * Layer: markers.  Instrumented code includes only this file.  doc/markers.md describes
 * markers in drivers, doc/programs.md those in programs.
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
 * trace_mark() - emit an event of this driver or program
 * @group: a word without quotes: the name of the driver or program
 * @name: a word without quotes: what happened
 * @...: the format, a string literal: the fields, each a name and a printf conversion,
 *	"fd %d path %s"; then the values of the fields, 12 at most: numbers and pointers.  A
 *	field has the size and sign of its argument's type.  A bit-field needs a cast
 *
 * While the marker is off, it costs one no-op (in a program: a load and a branch) and does
 * not evaluate the arguments.  While it is on, each argument is evaluated once.  A
 * conversion that does not fit its argument is a compile-time error, and so are quotes
 * around a group or name, a format that begins with a conversion, and, with GCC, "%%" in
 * it.
 *
 * Several sites may have the same group and name, with the same format and the same
 * argument types.  doc/markers.md says what happens to a site whose name is taken.
 *
 * Context: any, NMI included, where RCU is watching (that is, not deep in the
 * idle loop).  In a program: any, signal handlers included.
 */
#define trace_mark(group, name, ...)					\
	do {								\
		LTT_MARK_CHECK(__VA_ARGS__);				\
		LTT_MARK_CHECK_TEXTS(#group, #name, LTT_MARK_FORMAT(__VA_ARGS__)); \
		LTT_MARK_FIRE(#group, #name, __VA_ARGS__);		\
	} while (0)

#ifdef __KERNEL__
/**
 * trace_mark_may_sleep() - emit an event at a place that may sleep
 * @group: see trace_mark()
 * @name: see trace_mark()
 * @...: see trace_mark()
 *
 * If the event goes to a lossless channel that is filling up, the caller waits here for
 * room, for a bounded time: see doc/device.md.  Kernel threads need this macro for that;
 * the thread of a program waits before it returns to user space, whatever macro is used.
 *
 * Context: task, preemption on; no lock held that a reader of the trace may need, so no
 * lock at all if possible.
 */
#define trace_mark_may_sleep(group, name, ...)				\
	do {								\
		LTT_MARK_CHECK(__VA_ARGS__);				\
		LTT_MARK_CHECK_TEXTS(#group, #name, LTT_MARK_FORMAT(__VA_ARGS__)); \
		LTT_MARK_FIRE_MAY_SLEEP(#group, #name, __VA_ARGS__);	\
	} while (0)
#endif

#endif /* LTT_MARKER_H */
