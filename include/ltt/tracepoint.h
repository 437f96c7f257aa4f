/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Markers with a prototype: declared once, in a header, and called like functions.
 *
 *	LTT_TRACEPOINT(app, request, (int fd, const char *path), "fd %d path %s", fd, path)
 *
 *	trace_app_request(fd, "/index.html");
 *
 * Layer: markers; in the kernel and in programs.
 */
#ifndef LTT_TRACEPOINT_H
#define LTT_TRACEPOINT_H

#include "marker.h"

/**
 * LTT_TRACEPOINT() - define trace_GROUP_NAME(), which calls trace_mark(GROUP, NAME, ...)
 * @group: see trace_mark(); must be a C identifier
 * @name: see trace_mark(); must be a C identifier
 * @prototype: the parameters of the function, in parentheses
 * @...: the format, see trace_mark(), and the values of the fields, expressions of the
 *	parameters
 *
 * Use it at file scope.  Each call of the function is a site of its own; all are one
 * marker.  While the marker is off, the function does not evaluate the expressions; the
 * caller still evaluates what it passes.
 *
 * Context: that of trace_mark().
 */
#define LTT_TRACEPOINT(group, name, prototype, ...)			\
	static inline __attribute__((__always_inline__, __unused__))	\
	void trace_##group##_##name prototype				\
	{								\
		trace_mark(group, name, __VA_ARGS__);			\
	}

#endif /* LTT_TRACEPOINT_H */
