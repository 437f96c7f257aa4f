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
 * LTT_TRACEPOINT() - define trace_GROUP_NAME(), which is trace_mark(GROUP, NAME, ...)
 * @group: as for trace_mark(), but a C identifier, as the next
 * @name: see @group
 * @prototype: the parameters, in parentheses
 * @format: as for trace_mark()
 * @...: the fields' values, made from the parameters
 *
 * At file scope. Each call is a site of its own, of the same marker; what the values take
 * to compute is not computed while nobody listens, but for what the caller passes.
 */
#define LTT_TRACEPOINT(group, name, prototype, format, ...)		\
	static inline __attribute__((__always_inline__, __unused__))	\
	void trace_##group##_##name prototype				\
	{								\
		trace_mark(group, name, format, ##__VA_ARGS__);		\
	}

#endif /* LTT_TRACEPOINT_H */
