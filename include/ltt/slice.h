/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Events that belong together: slices of time, flows, and values over time.
 *
 *	trace_begin(app, load, "path %s", path);
 *	trace_counter(app, queue, length);
 *	trace_end(app, load);
 *
 * Layer: markers; in the kernel and in programs.
 *
 * Each macro is a trace_mark() whose name has a suffix, by which readers pair the events:
 * doc/format.md has the convention.  Patterns see the whole name: 'user:app:load.*'.  With its
 * suffix a name has up to 63 characters.  Where a macro takes a format, as of trace_mark(), it
 * can be left out (but with -Wpedantic only in ISO C++ from C++20 on).
 */
#ifndef LTT_SLICE_H
#define LTT_SLICE_H

#include "marker.h"

/* An event; the lists have the format. */
#define LTT_SLICE_EVENT(group, name, ...)				\
	do {								\
		LTT_MARK_CHECK(__VA_ARGS__);				\
		LTT_MARK_CHECK_TEXTS(group, name, LTT_MARK_FORMAT(__VA_ARGS__)); \
		LTT_MARK_FIRE(group, name, __VA_ARGS__);		\
	} while (0)

/* An event with an id; the format comes after it. */
#define LTT_SLICE_EVENT_OF(group, name, id, ...)			\
	do {								\
		LTT_MARK_ASSERT(!LTT_MARK_IS_FLOATING(id),		\
				"trace_mark: the id of a slice or flow is an integer or a pointer"); \
		LTT_SLICE_EVENT(group, name, LTT_SLICE_WITH_ID(id, __VA_ARGS__)); \
	} while (0)

/* A format and its arguments, with the field "id" before them. */
#define LTT_SLICE_WITH_ID(id, ...)					\
	"id %llu, " LTT_MARK_FORMAT(__VA_ARGS__), (unsigned long long)(id) \
	LTT_MARK_FOR_EACH(LTT_SLICE_COMMA, __VA_ARGS__)
#define LTT_SLICE_COMMA(x)	, x

/**
 * trace_begin() - begin a slice of the thread
 * @group: see trace_mark()
 * @name: of the slice, a word without quotes
 * @...: see trace_mark(); may be left out
 *
 * Slices of a thread nest: trace_end() ends the innermost one of its name.  Slices within that
 * one which have no end, as after a longjmp(), end without being shown.
 *
 * Context: that of trace_mark().
 */
#define trace_begin(group, name, ...)					\
	LTT_SLICE_EVENT(#group, #name ".begin", "" __VA_ARGS__)

/**
 * trace_end() - end a slice of the thread
 * @group: as for trace_begin()
 * @name: as for trace_begin()
 * @...: fields of the end; see trace_mark(); may be left out
 *
 * Context: that of trace_mark().
 */
#define trace_end(group, name, ...)					\
	LTT_SLICE_EVENT(#group, #name ".end", "" __VA_ARGS__)

/**
 * trace_async_begin() - begin a slice that any thread or process may end
 * @group: see trace_mark()
 * @name: of the slice, a word without quotes
 * @id: an integer or pointer, which no other open slice of this name has
 * @...: see trace_mark(), 11 fields at most; may be left out
 *
 * Context: that of trace_mark().
 */
#define trace_async_begin(group, name, id, ...)				\
	LTT_SLICE_EVENT_OF(#group, #name ".async_begin", id, "" __VA_ARGS__)

/**
 * trace_async_end() - end a slice of trace_async_begin()
 * @group: as for trace_async_begin()
 * @name: as for trace_async_begin()
 * @id: as for trace_async_begin()
 * @...: fields of the end; see trace_mark(), 11 fields at most; may be left out
 *
 * Context: that of trace_mark().
 */
#define trace_async_end(group, name, id, ...)				\
	LTT_SLICE_EVENT_OF(#group, #name ".async_end", id, "" __VA_ARGS__)

/**
 * trace_flow_begin() - begin a flow: work that threads or processes hand on
 * @group: see trace_mark()
 * @name: of the flow, a word without quotes
 * @id: an integer or pointer, which no other open flow of this name has
 *
 * Context: that of trace_mark().
 */
#define trace_flow_begin(group, name, id)				\
	LTT_SLICE_EVENT_OF(#group, #name ".flow_begin", id, "")

/**
 * trace_flow_step() - show that a flow has come to this thread
 * @group: as for trace_flow_begin()
 * @name: as for trace_flow_begin()
 * @id: as for trace_flow_begin()
 *
 * Context: that of trace_mark().
 */
#define trace_flow_step(group, name, id)				\
	LTT_SLICE_EVENT_OF(#group, #name ".flow_step", id, "")

/**
 * trace_flow_end() - end a flow in this thread
 * @group: as for trace_flow_begin()
 * @name: as for trace_flow_begin()
 * @id: as for trace_flow_begin()
 *
 * Context: that of trace_mark().
 */
#define trace_flow_end(group, name, id)					\
	LTT_SLICE_EVENT_OF(#group, #name ".flow_end", id, "")

/**
 * trace_counter() - record the value of a quantity that changes over time
 * @group: see trace_mark()
 * @name: of the quantity, a word without quotes
 * @value: an integer, recorded as one of 64 bits with a sign; in programs also a
 *	floating-point number, recorded as a double
 *
 * Context: that of trace_mark().
 */
#ifdef __KERNEL__
#define trace_counter(group, name, value)				\
	LTT_SLICE_EVENT(#group, #name ".counter", "value %lld", (long long)(value))
#else
#define trace_counter(group, name, value)				\
	do {								\
		if (LTT_MARK_TYPE(value) > LTT_MARK_STRING &&		\
		    LTT_MARK_TYPE(value) < LTT_MARK_FLOAT)		\
			LTT_SLICE_EVENT(#group, #name ".counter", "value %lld", (long long)(value)); \
		else							\
			LTT_SLICE_EVENT(#group, #name ".counter", "value %f", (double)(value)); \
	} while (0)
#endif

#ifndef __KERNEL__

/**
 * TRACE_SCOPE() - a slice that ends with the block
 * @group: see trace_begin()
 * @name: see trace_begin()
 * @...: see trace_begin(); may be left out
 *
 * It is a declaration, once in a line.  The slice ends however the block is left: at its end,
 * by return, break or goto, and in C++ by an exception.  longjmp() and exit() leave it open;
 * so does, in C, a C++ exception through a function that was compiled without -fexceptions.
 *
 * Context: that of trace_mark(); in programs only.
 */
#ifdef LTT_DISABLED
#define TRACE_SCOPE(group, name, ...)	trace_begin(group, name, __VA_ARGS__)
#else

static inline __attribute__((__unused__)) void ltt_scope_end(struct ltt_site *const *site)
{
	if (__builtin_expect(__atomic_load_n(&(*site)->enabled, __ATOMIC_RELAXED), 0))
		ltt_mark_0(*site);
}

/* Begins the slice.  The value is the site of its end. */
#define LTT_SCOPE_BEGIN(group, name, ...)				\
	__extension__ ({						\
		struct ltt_site *ltt_site;				\
									\
		LTT_SLICE_EVENT(group, name ".begin", __VA_ARGS__);	\
		LTT_SITE(group, name ".end", "");			\
		ltt_site;						\
	})

#ifdef __cplusplus

namespace ltt {

class scope {
	struct ltt_site *const site;

public:
	explicit scope(struct ltt_site *end) : site(end) { }
	~scope() { ltt_scope_end(&site); }
	scope(const scope &) = delete;
	scope &operator=(const scope &) = delete;
};

} /* namespace ltt */

#define TRACE_SCOPE(group, name, ...)					\
	const ::ltt::scope LTT_MARK_CAT(ltt_scope_, __LINE__)		\
		(LTT_SCOPE_BEGIN(#group, #name, "" __VA_ARGS__))
#else
#define TRACE_SCOPE(group, name, ...)					\
	struct ltt_site *const LTT_MARK_CAT(ltt_scope_, __LINE__)	\
		__attribute__((__cleanup__(ltt_scope_end), __unused__)) = \
		LTT_SCOPE_BEGIN(#group, #name, "" __VA_ARGS__)
#endif

#endif /* LTT_DISABLED */
#endif /* __KERNEL__ */

#endif /* LTT_SLICE_H */
