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

/*
 * An event has up to 12 arguments.  A string is kept up to 4095 bytes and a NUL; one that is
 * longer ends with LTT_MARK_CUT, whose last character is SUB, which text does not have.  An
 * array has up to 4096 bytes.
 */
#define LTT_MARK_MAX_ARGS	12
#define LTT_MARK_STRING_MAX	4096
#define LTT_MARK_CUT		"...\032"
#define LTT_MARK_CUT_SIZE	4
#define LTT_MARK_ARRAY_MAX	4096

/*
 * The most bytes of one payload: 12 integers and, beside them, two strings or arrays of full
 * length.  More strings share what room there is, first come first served.
 */
#define LTT_MARK_PAYLOAD_MAX	(8 * LTT_MARK_MAX_ARGS + 2 * LTT_MARK_STRING_MAX)

/**
 * enum ltt_mark_type - the C type of an argument
 * @LTT_MARK_POINTER: any pointer but those to char: its value is recorded, or what it
 *	points to
 * @LTT_MARK_STRING: a pointer to char: the text is recorded, or an array
 * @LTT_MARK_BOOL: and so on: the integers by their names
 * @LTT_MARK_FLOAT: in programs only
 * @LTT_MARK_DOUBLE: in programs only
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
	LTT_MARK_FLOAT,
	LTT_MARK_DOUBLE,
	LTT_MARK_NR_TYPES
};

/**
 * struct ltt_mark_arg - one argument of a trace_mark()
 * @type: an enum ltt_mark_type
 * @size: sizeof the argument's own type
 * @is_signed: its sign
 * @element: the type of the integers that a pointer points to; LTT_MARK_POINTER for any other
 *	argument
 */
struct ltt_mark_arg {
	unsigned char type;
	unsigned char size;
	unsigned char is_signed;
	unsigned char element;
};

/**
 * enum ltt_mark_how - how an argument gets into the payload
 * @LTT_MARK_VALUE: by its value
 * @LTT_MARK_LENGTH: not by itself: it is the length of the next argument
 * @LTT_MARK_TEXT: it points to text with a NUL
 * @LTT_MARK_TEXT_OF_LENGTH: it points to text, which ends at a NUL or at its length
 * @LTT_MARK_ARRAY: it points to a constant number of integers
 * @LTT_MARK_SEQUENCE: it points to as many integers as its length says
 */
enum ltt_mark_how {
	LTT_MARK_VALUE,
	LTT_MARK_LENGTH,
	LTT_MARK_TEXT,
	LTT_MARK_TEXT_OF_LENGTH,
	LTT_MARK_ARRAY,
	LTT_MARK_SEQUENCE,
};

/**
 * struct ltt_mark_step - what packing an argument takes, as the format says
 * @how: an enum ltt_mark_how
 * @size: bytes of the value, or of one integer of an array
 * @is_signed: LTT_MARK_LENGTH: its sign
 * @count: LTT_MARK_ARRAY: number of integers; LTT_MARK_TEXT: the most bytes of text, 0 for no
 *	limit but that of all texts
 */
struct ltt_mark_step {
	unsigned char how;
	unsigned char size;
	unsigned char is_signed;
	unsigned short count;
};

/*
 * Typing: LTT_MARK_TYPE(x), _SIGNED(x), _SIZE(x), _ELEMENT(x) look at x without evaluating it
 * and are constants; LTT_MARK_WORD(x) evaluates it, once.  An array counts as a pointer, an
 * enumeration as the integer that the compiler chose for it.
 *
 * LTT_MARK_PRINTED(x, as) is what the compiler's check of the format gets for x:
 *   a pointer	as void *, unless it points to char: printf's checker demands that
 *   a float	as double, so that no option warns of the promotion
 *   a length	as int (LTT_MARK_AS_LENGTH), whatever integer it is
 *   64 bits	as long or long long, whichever the conversion names (LTT_MARK_AS_LONG,
 *		LTT_MARK_AS_LLONG): they are the same for us
 *   any other	as it is (LTT_MARK_AS_IS)
 */
#define LTT_MARK_AS_IS		0
#define LTT_MARK_AS_LENGTH	1
#define LTT_MARK_AS_LONG	2
#define LTT_MARK_AS_LLONG	3

#ifdef __cplusplus
#include "marker-types-cxx.h"
#else
#include "marker-types-c.h"
#endif

/*
 * Checks, all at compile time.  The compiler knows printf's conversions and
 * compares them with the arguments; a mismatch is an error whatever the warning
 * options of the program are, other than -w.  (The blank is there because printf's checker
 * dislikes an empty format, which a marker without fields has.  It stands behind the format:
 * compilers report no warning at a text that begins in a system header, as in
 * /usr/local/include.)  LTT_MARK_CHECK_ARG() checks the rest: an argument that is not a
 * number must be a pointer.
 */
static inline __attribute__((__format__(__printf__, 1, 2), __unused__))
void ltt_mark_check_format(const char *format __attribute__((__unused__)), ...)
{
}

#ifdef __cplusplus
#define LTT_MARK_ASSERT(condition, why)	static_assert(condition, why)
#else
#define LTT_MARK_ASSERT(condition, why)	__extension__ _Static_assert(condition, why)
#endif

/* clang folds a character of a literal but warns, and wants void * even for char *. */
#ifdef __clang__
#define LTT_MARK_CHECK_OPTIONS						\
	_Pragma("GCC diagnostic ignored \"-Wformat-pedantic\"")		\
	_Pragma("GCC diagnostic ignored \"-Wgnu-folding-constant\"")
#else
#define LTT_MARK_CHECK_OPTIONS
#endif

#define LTT_MARK_CHECK(...)						\
	do {								\
		_Pragma("GCC diagnostic push")				\
		_Pragma("GCC diagnostic error \"-Wformat\"")		\
		_Pragma("GCC diagnostic error \"-Wformat-extra-args\"")	\
		LTT_MARK_CHECK_OPTIONS					\
		__extension__ enum {					\
			ltt_mark_at_0 = 0, ltt_mark_as_0 = 0		\
			LTT_MARK_FOR_EACH_AT(LTT_MARK_PLACE, __VA_ARGS__) \
		};							\
		if (0)							\
			ltt_mark_check_format(LTT_MARK_FORMAT(__VA_ARGS__) " " \
				LTT_MARK_FOR_EACH_AT(LTT_MARK_COMMA_PRINTED, __VA_ARGS__)); \
		LTT_MARK_FOR_EACH_AT(LTT_MARK_CHECK_PLACE, __VA_ARGS__) \
		_Pragma("GCC diagnostic pop")				\
		LTT_MARK_FOR_EACH(LTT_MARK_CHECK_ARG, __VA_ARGS__)	\
	} while (0)

/*
 * Where the conversion of each argument is in the format, as constants: ltt_mark_at_2 is the
 * offset behind the "%" of the second argument.  "%*" and "%.*" take two arguments; the offset
 * of the second is behind the "*".  ltt_mark_as_2 says what the checker gets for the argument.
 * Each offset is an enumerator that the next one uses: gcc and clang evaluate these builtins
 * in all dialects, but in C they have no function at compile time.
 */
#define LTT_MARK_PLACE(format, before, nr, x)				\
	, ltt_mark_at_##nr = LTT_MARK_NEXT(format, ltt_mark_at_##before) \
	, ltt_mark_as_##nr = LTT_MARK_AS(format, ltt_mark_at_##nr)

#define LTT_MARK_BEGINS(format, at, word, len)				\
	(!__builtin_strncmp(&(format)[at], word, len))
#define LTT_MARK_NEXT(format, at)					\
	(LTT_MARK_BEGINS(format, at, "*", 1) ? (int)(at) + 1 :		\
	 LTT_MARK_BEGINS(format, at, ".*", 2) ? (int)(at) + 2 :		\
	 (int)(__builtin_strlen(format) + 1 - LTT_MARK_LEFT(format, at) + \
	       (LTT_MARK_LEFT(format, at) > 1)))
/* From the next "%" to the end; with none left, 1. */
#define LTT_MARK_LEFT(format, at)					\
	__builtin_strlen(__builtin_strchr(&(format "%")[at], '%'))

#define LTT_MARK_AS(format, at)						\
	(LTT_MARK_BEGINS(format, at, "*", 1) || LTT_MARK_BEGINS(format, at, ".*", 2) ? \
	 LTT_MARK_AS_LENGTH : LTT_MARK_AS_OF(format, (int)((at) + LTT_MARK_FLAGS(format, at))))
#define LTT_MARK_AS_OF(format, at)					\
	(LTT_MARK_BEGINS(format, at, "ll", 2) ? LTT_MARK_AS_LLONG :	\
	 LTT_MARK_BEGINS(format, at, "l", 1) ? LTT_MARK_AS_LONG : LTT_MARK_AS_IS)

/* How many characters of a width and flags there are; with clang, 4 at most. */
#define LTT_MARK_FLAG_SET	"#0- +123456789"
#ifdef __clang__
#define LTT_MARK_IS_FLAG(format, at)					\
	(__builtin_memchr(LTT_MARK_FLAG_SET, (format)[at], sizeof(LTT_MARK_FLAG_SET) - 1) != 0)
#define LTT_MARK_FLAGS(format, at)					\
	(!LTT_MARK_IS_FLAG(format, at) ? 0 :				\
	 !LTT_MARK_IS_FLAG(format, (at) + 1) ? 1 :			\
	 !LTT_MARK_IS_FLAG(format, (at) + 2) ? 2 :			\
	 !LTT_MARK_IS_FLAG(format, (at) + 3) ? 3 : 4)
#else
#define LTT_MARK_FLAGS(format, at)	__builtin_strspn(&(format)[at], LTT_MARK_FLAG_SET)
#endif

#define LTT_MARK_COMMA_PRINTED(format, before, nr, x)			\
	, LTT_MARK_PRINTED(x, ltt_mark_as_##nr)

/*
 * Names and formats that ltt_mark_parse() would reject when the marker is discovered, as
 * far as the compiler can evaluate text: clang finds no text inside of another.
 */
#define LTT_MARK_CHECK_PLACE(format, before, nr, x)			\
	LTT_MARK_ASSERT((int)ltt_mark_at_##nr < (int)__builtin_strlen(format), \
			"trace_mark: more arguments than conversions");	\
	LTT_MARK_ASSERT(ltt_mark_as_##before != LTT_MARK_AS_LENGTH ||	\
			LTT_MARK_BEGINS(format, ltt_mark_at_##nr, "s", 1) || \
			LTT_MARK_BEGINS(format, ltt_mark_at_##nr, "ph", 2) || \
			LTT_MARK_BEGINS(format, ltt_mark_at_##nr, "pA", 2), \
			"trace_mark: a * is for a length, in %.*s, %*ph and %*pA");

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
	LTT_MARK_ASSERT(!LTT_MARK_HAS(format, "%%"),			\
			"trace_mark: the format is a list of fields, not a text, and cannot have %%")

/*
 * Lists of a format and its arguments, in which the format keeps "..." from being empty: ISO
 * modes of compilers object to that.  LTT_MARK_FORMAT(list): the format.
 * LTT_MARK_COUNT(list): how many arguments, 0 to 12; for more, a word that makes the compiler
 * say it.  LTT_MARK_FOR_EACH(m, list): m(first) m(second) ...
 * LTT_MARK_FOR_EACH_AT(m, list): m(format, 0, 1, first) m(format, 1, 2, second) ...
 */
#define LTT_MARK_FORMAT(...)	LTT_MARK_FORMAT_(__VA_ARGS__, 0)
#define LTT_MARK_FORMAT_(format, ...)	format

#define LTT_MARK_COUNT(...)						\
	LTT_MARK_COUNT_(__VA_ARGS__,					\
		trace_mark_has_too_many_arguments,			\
		trace_mark_has_too_many_arguments,			\
		trace_mark_has_too_many_arguments,			\
		trace_mark_has_too_many_arguments,			\
		12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0)
#define LTT_MARK_COUNT_(x, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, count, ...) count

#define LTT_MARK_CAT(a, b)	LTT_MARK_CAT_(a, b)
#define LTT_MARK_CAT_(a, b)	a##b
#define LTT_MARK_FOR_EACH(m, ...)					\
	LTT_MARK_CAT(LTT_MARK_EACH_, LTT_MARK_COUNT(__VA_ARGS__))(m, __VA_ARGS__)
#define LTT_MARK_EACH_0(m, f)
#define LTT_MARK_EACH_1(m, f, x)	m(x)
#define LTT_MARK_EACH_2(m, f, x, ...)	m(x) LTT_MARK_EACH_1(m, f, __VA_ARGS__)
#define LTT_MARK_EACH_3(m, f, x, ...)	m(x) LTT_MARK_EACH_2(m, f, __VA_ARGS__)
#define LTT_MARK_EACH_4(m, f, x, ...)	m(x) LTT_MARK_EACH_3(m, f, __VA_ARGS__)
#define LTT_MARK_EACH_5(m, f, x, ...)	m(x) LTT_MARK_EACH_4(m, f, __VA_ARGS__)
#define LTT_MARK_EACH_6(m, f, x, ...)	m(x) LTT_MARK_EACH_5(m, f, __VA_ARGS__)
#define LTT_MARK_EACH_7(m, f, x, ...)	m(x) LTT_MARK_EACH_6(m, f, __VA_ARGS__)
#define LTT_MARK_EACH_8(m, f, x, ...)	m(x) LTT_MARK_EACH_7(m, f, __VA_ARGS__)
#define LTT_MARK_EACH_9(m, f, x, ...)	m(x) LTT_MARK_EACH_8(m, f, __VA_ARGS__)
#define LTT_MARK_EACH_10(m, f, x, ...)	m(x) LTT_MARK_EACH_9(m, f, __VA_ARGS__)
#define LTT_MARK_EACH_11(m, f, x, ...)	m(x) LTT_MARK_EACH_10(m, f, __VA_ARGS__)
#define LTT_MARK_EACH_12(m, f, x, ...)	m(x) LTT_MARK_EACH_11(m, f, __VA_ARGS__)

#define LTT_MARK_FOR_EACH_AT(m, ...)				\
	LTT_MARK_CAT(LTT_MARK_EACH_AT_, LTT_MARK_COUNT(__VA_ARGS__))(m, 0, 1, __VA_ARGS__)
#define LTT_MARK_EACH_AT_0(m, i, j, f)
#define LTT_MARK_EACH_AT_1(m, i, j, f, x)	m(f, i, j, x)
#define LTT_MARK_EACH_AT_2(m, i, j, f, x, ...)			\
	m(f, i, j, x) LTT_MARK_EACH_AT_1(m, j, LTT_MARK_AFTER_##j, f, __VA_ARGS__)
#define LTT_MARK_EACH_AT_3(m, i, j, f, x, ...)			\
	m(f, i, j, x) LTT_MARK_EACH_AT_2(m, j, LTT_MARK_AFTER_##j, f, __VA_ARGS__)
#define LTT_MARK_EACH_AT_4(m, i, j, f, x, ...)			\
	m(f, i, j, x) LTT_MARK_EACH_AT_3(m, j, LTT_MARK_AFTER_##j, f, __VA_ARGS__)
#define LTT_MARK_EACH_AT_5(m, i, j, f, x, ...)			\
	m(f, i, j, x) LTT_MARK_EACH_AT_4(m, j, LTT_MARK_AFTER_##j, f, __VA_ARGS__)
#define LTT_MARK_EACH_AT_6(m, i, j, f, x, ...)			\
	m(f, i, j, x) LTT_MARK_EACH_AT_5(m, j, LTT_MARK_AFTER_##j, f, __VA_ARGS__)
#define LTT_MARK_EACH_AT_7(m, i, j, f, x, ...)			\
	m(f, i, j, x) LTT_MARK_EACH_AT_6(m, j, LTT_MARK_AFTER_##j, f, __VA_ARGS__)
#define LTT_MARK_EACH_AT_8(m, i, j, f, x, ...)			\
	m(f, i, j, x) LTT_MARK_EACH_AT_7(m, j, LTT_MARK_AFTER_##j, f, __VA_ARGS__)
#define LTT_MARK_EACH_AT_9(m, i, j, f, x, ...)			\
	m(f, i, j, x) LTT_MARK_EACH_AT_8(m, j, LTT_MARK_AFTER_##j, f, __VA_ARGS__)
#define LTT_MARK_EACH_AT_10(m, i, j, f, x, ...)			\
	m(f, i, j, x) LTT_MARK_EACH_AT_9(m, j, LTT_MARK_AFTER_##j, f, __VA_ARGS__)
#define LTT_MARK_EACH_AT_11(m, i, j, f, x, ...)			\
	m(f, i, j, x) LTT_MARK_EACH_AT_10(m, j, LTT_MARK_AFTER_##j, f, __VA_ARGS__)
#define LTT_MARK_EACH_AT_12(m, i, j, f, x, ...)			\
	m(f, i, j, x) LTT_MARK_EACH_AT_11(m, j, LTT_MARK_AFTER_##j, f, __VA_ARGS__)
#define LTT_MARK_AFTER_1	2
#define LTT_MARK_AFTER_2	3
#define LTT_MARK_AFTER_3	4
#define LTT_MARK_AFTER_4	5
#define LTT_MARK_AFTER_5	6
#define LTT_MARK_AFTER_6	7
#define LTT_MARK_AFTER_7	8
#define LTT_MARK_AFTER_8	9
#define LTT_MARK_AFTER_9	10
#define LTT_MARK_AFTER_10	11
#define LTT_MARK_AFTER_11	12
#define LTT_MARK_AFTER_12	13

#endif /* LTT_MARKER_TYPES_H */
