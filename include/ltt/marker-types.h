/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The properties of the arguments of trace_mark() at compile time.
 *
 * Layer: markers; the part that is the same in the kernel and in user space.  It
 * gives the type, size and sign of each argument as constants for a static
 * descriptor, the argument's value as a 64-bit word, and the compiler's own check
 * of the format.
 *
 * The limits and the numbers of enum ltt_mark_type are ABI between a program with
 * markers and the code that discovers them.
 */
#ifndef LTT_MARKER_TYPES_H
#define LTT_MARKER_TYPES_H

/* An event has up to 12 fields.  A string is kept up to 255 bytes and a NUL. */
#define LTT_MARK_MAX_ARGS	12
#define LTT_MARK_STRING_MAX	256

/*
 * The most bytes of one payload: 12 integers and, beside them, two strings of
 * full length.  More strings share what room there is, first come first served.
 */
#define LTT_MARK_PAYLOAD_MAX	(8 * LTT_MARK_MAX_ARGS + 2 * LTT_MARK_STRING_MAX)

/**
 * enum ltt_mark_type - the C type of an argument
 * @LTT_MARK_POINTER: any pointer but those to char: its value is recorded
 * @LTT_MARK_STRING: a pointer to char: the text is recorded
 * @LTT_MARK_BOOL: and so on: the integers by their names
 */
enum ltt_mark_type {
	LTT_MARK_POINTER,
	LTT_MARK_STRING,
	LTT_MARK_BOOL,
	LTT_MARK_CHAR,
	LTT_MARK_SCHAR,
	LTT_MARK_UCHAR,
	LTT_MARK_SHORT,
	LTT_MARK_USHORT,
	LTT_MARK_INT,
	LTT_MARK_UINT,
	LTT_MARK_LONG,
	LTT_MARK_ULONG,
	LTT_MARK_LLONG,
	LTT_MARK_ULLONG,
	LTT_MARK_NR_TYPES
};

/**
 * struct ltt_mark_arg - one argument of a trace_mark()
 * @type: an enum ltt_mark_type
 * @size: sizeof the argument's own type
 * @is_signed: its sign
 */
struct ltt_mark_arg {
	unsigned char type;
	unsigned char size;
	unsigned char is_signed;
};

/*
 * Typing: LTT_MARK_TYPE(x), _SIGNED(x), _SIZE(x) look at x without evaluating it and are
 * constants; LTT_MARK_WORD(x) evaluates it, once.  An array counts as a pointer, an
 * enumeration as the integer that the compiler chose for it.
 */
#ifdef __cplusplus
#include "marker-types-cxx.h"
#else
#include "marker-types-c.h"
#endif

#define LTT_MARK_IS_STRING(x)	(LTT_MARK_TYPE(x) == LTT_MARK_STRING)

/*
 * Checks, all at compile time.  The compiler knows printf's conversions and
 * compares them with the arguments; a mismatch is an error whatever the warning
 * options of the program are.  (The blank is there because printf's checker
 * dislikes an empty format, which a marker without fields has.)  LTT_MARK_CHECK_ARG()
 * checks the rest: an argument that is not an integer must be a pointer.
 */
static inline __attribute__((__format__(__printf__, 1, 2), __unused__))
void ltt_mark_check_format(const char *format __attribute__((__unused__)), ...)
{
}

#define LTT_MARK_CHECK(format, ...)					\
	do {								\
		_Pragma("GCC diagnostic push")				\
		_Pragma("GCC diagnostic error \"-Wformat\"")		\
		_Pragma("GCC diagnostic error \"-Wformat-extra-args\"")	\
		if (0)							\
			ltt_mark_check_format(" " format, ##__VA_ARGS__); \
		_Pragma("GCC diagnostic pop")				\
		LTT_MARK_FOR_EACH(LTT_MARK_CHECK_ARG, ##__VA_ARGS__)	\
	} while (0)

/*
 * Names and formats that ltt_mark_parse() would reject when the marker is discovered, as
 * far as the compiler can evaluate text: clang finds no character inside of one.
 */
#ifdef __cplusplus
#define LTT_MARK_ASSERT(condition, why)	static_assert(condition, why)
#else
#define LTT_MARK_ASSERT(condition, why)	_Static_assert(condition, why)
#endif

#ifdef __clang__
#define LTT_MARK_HAS(text, part)	0
#else
#define LTT_MARK_HAS(text, part)	(__builtin_strstr(text, part) != 0)
#endif

#define LTT_MARK_IS_WORD(text)						\
	(__builtin_strncmp(text, "\"", 1) && __builtin_strlen(text) < 64)

#define LTT_MARK_CHECK_TEXTS(group, name, format)			\
	LTT_MARK_ASSERT(LTT_MARK_IS_WORD(group),			\
			"trace_mark: the group is a word of at most 63 characters, without quotes"); \
	LTT_MARK_ASSERT(LTT_MARK_IS_WORD(name),				\
			"trace_mark: the name is a word of at most 63 characters, without quotes"); \
	LTT_MARK_ASSERT(__builtin_strncmp(format, "%", 1),		\
			"trace_mark: each conversion needs the name of its field before it"); \
	LTT_MARK_ASSERT(!LTT_MARK_HAS(format, "*"),			\
			"trace_mark: a precision or a * is not supported"); \
	LTT_MARK_ASSERT(!LTT_MARK_HAS(format, "%%"),			\
			"trace_mark: the format is a list of fields, not a text, and cannot have %%")

/*
 * LTT_MARK_COUNT(0, ...): how many arguments after the first, 0 to 12; for more, a word
 * that makes the compiler say it.  (Without the first, ISO modes of compilers would
 * take none for an empty one.)  LTT_MARK_FOR_EACH(m, ...): m(first) m(second) ...
 */
#define LTT_MARK_COUNT(ignored, ...)					\
	LTT_MARK_COUNT_(ignored, ##__VA_ARGS__,				\
		trace_mark_has_too_many_arguments,			\
		trace_mark_has_too_many_arguments,			\
		trace_mark_has_too_many_arguments,			\
		trace_mark_has_too_many_arguments,			\
		12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define LTT_MARK_COUNT_(x, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, count, ...) count

#define LTT_MARK_CAT(a, b)	LTT_MARK_CAT_(a, b)
#define LTT_MARK_CAT_(a, b)	a##b
#define LTT_MARK_FOR_EACH(m, ...)					\
	LTT_MARK_CAT(LTT_MARK_EACH_, LTT_MARK_COUNT(0, ##__VA_ARGS__))(m, ##__VA_ARGS__)
#define LTT_MARK_EACH_0(m)
#define LTT_MARK_EACH_1(m, x)		m(x)
#define LTT_MARK_EACH_2(m, x, ...)	m(x) LTT_MARK_EACH_1(m, __VA_ARGS__)
#define LTT_MARK_EACH_3(m, x, ...)	m(x) LTT_MARK_EACH_2(m, __VA_ARGS__)
#define LTT_MARK_EACH_4(m, x, ...)	m(x) LTT_MARK_EACH_3(m, __VA_ARGS__)
#define LTT_MARK_EACH_5(m, x, ...)	m(x) LTT_MARK_EACH_4(m, __VA_ARGS__)
#define LTT_MARK_EACH_6(m, x, ...)	m(x) LTT_MARK_EACH_5(m, __VA_ARGS__)
#define LTT_MARK_EACH_7(m, x, ...)	m(x) LTT_MARK_EACH_6(m, __VA_ARGS__)
#define LTT_MARK_EACH_8(m, x, ...)	m(x) LTT_MARK_EACH_7(m, __VA_ARGS__)
#define LTT_MARK_EACH_9(m, x, ...)	m(x) LTT_MARK_EACH_8(m, __VA_ARGS__)
#define LTT_MARK_EACH_10(m, x, ...)	m(x) LTT_MARK_EACH_9(m, __VA_ARGS__)
#define LTT_MARK_EACH_11(m, x, ...)	m(x) LTT_MARK_EACH_10(m, __VA_ARGS__)
#define LTT_MARK_EACH_12(m, x, ...)	m(x) LTT_MARK_EACH_11(m, __VA_ARGS__)

#endif /* LTT_MARKER_TYPES_H */
