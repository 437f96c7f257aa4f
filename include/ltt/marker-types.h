/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What trace_mark() knows of its arguments at compile time.
 *
 * Layer: markers; the part that is the same in the kernel and in user space, so
 * it includes nothing.  It gives the type, size and sign of each argument as
 * constants for a static descriptor, the argument's value as a 64-bit word, and
 * the compiler's own check of the format.
 *
 * The limits and the numbers of enum ltt_mark_type are ABI between a program with
 * markers and whoever discovers them.
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
 * Typing.  Each macro looks at x without evaluating it; an array counts as a
 * pointer, an enumeration as the integer that the compiler chose for it.
 */
#define LTT_MARK_TYPE(x) _Generic((x),				\
	_Bool: LTT_MARK_BOOL,					\
	char: LTT_MARK_CHAR,					\
	signed char: LTT_MARK_SCHAR,				\
	unsigned char: LTT_MARK_UCHAR,				\
	short: LTT_MARK_SHORT,					\
	unsigned short: LTT_MARK_USHORT,			\
	int: LTT_MARK_INT,					\
	unsigned int: LTT_MARK_UINT,				\
	long: LTT_MARK_LONG,					\
	unsigned long: LTT_MARK_ULONG,				\
	long long: LTT_MARK_LLONG,				\
	unsigned long long: LTT_MARK_ULLONG,			\
	char *: LTT_MARK_STRING,				\
	const char *: LTT_MARK_STRING,				\
	volatile char *: LTT_MARK_STRING,			\
	const volatile char *: LTT_MARK_STRING,			\
	default: LTT_MARK_POINTER)

#define LTT_MARK_IS_STRING(x)	(LTT_MARK_TYPE(x) == LTT_MARK_STRING)
#define LTT_MARK_IS_POINTER(x)	(LTT_MARK_TYPE(x) <= LTT_MARK_STRING)

/* The comma makes a pointer of an array, and does not promote. */
#define LTT_MARK_SIZE(x)	sizeof(__typeof__(((void)0, (x))))

#define LTT_MARK_SIGNED(x) _Generic((x),			\
	char: (char)-1 < (char)1,				\
	signed char: 1, short: 1, int: 1, long: 1, long long: 1,	\
	default: 0)

#define LTT_MARK_ARG(x)						\
	{ LTT_MARK_TYPE(x), LTT_MARK_SIZE(x), LTT_MARK_SIGNED(x) },

/* The value of x; this evaluates it, once.  A signed one is sign-extended. */
#define LTT_MARK_WORD(x)						\
	__builtin_choose_expr(LTT_MARK_IS_POINTER(x),			\
		(unsigned long long)(unsigned long)(x),			\
		(unsigned long long)(__typeof__(			\
			__builtin_choose_expr(LTT_MARK_IS_POINTER(x), 0UL, (x))))(x))

/*
 * Checks, all at compile time.  The compiler knows printf's conversions and
 * compares them with the arguments; a mismatch is an error whatever the warning
 * options of the program are.  (The blank is there because printf's checker
 * dislikes an empty format, which a marker without fields has.)  What it leaves
 * to check is that what is no integer is a pointer; structures fail at the cast
 * in LTT_MARK_WORD().
 */
static inline __attribute__((__format__(__printf__, 1, 2), __unused__))
void ltt_mark_check_format(const char *format __attribute__((__unused__)), ...)
{
}

#define LTT_MARK_CHECK_ARG(x)						\
	_Static_assert(_Generic((x), float: 0, double: 0, long double: 0, default: 1) && \
		       (!LTT_MARK_IS_POINTER(x) || LTT_MARK_SIZE(x) == sizeof(void *)), \
		       "trace_mark: each argument must be an integer or a pointer");

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
 * LTT_MARK_COUNT(...): how many arguments, 0 to 12; for more, a word that makes
 * the compiler say it.  LTT_MARK_FOR_EACH(m, ...): m(first) m(second) ...
 */
#define LTT_MARK_COUNT(...)						\
	LTT_MARK_COUNT_(, ##__VA_ARGS__,				\
		trace_mark_has_too_many_arguments,			\
		trace_mark_has_too_many_arguments,			\
		trace_mark_has_too_many_arguments,			\
		trace_mark_has_too_many_arguments,			\
		12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define LTT_MARK_COUNT_(x, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, count, ...) count

#define LTT_MARK_CAT(a, b)	LTT_MARK_CAT_(a, b)
#define LTT_MARK_CAT_(a, b)	a##b
#define LTT_MARK_FOR_EACH(m, ...)					\
	LTT_MARK_CAT(LTT_MARK_EACH_, LTT_MARK_COUNT(__VA_ARGS__))(m, ##__VA_ARGS__)
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
