/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The types of trace_mark()'s arguments, in C.  See marker-types.h.
 *
 * __extension__: _Generic is of C11, and compilers have it in C99, too.
 */
#ifndef LTT_MARKER_TYPES_C_H
#define LTT_MARKER_TYPES_C_H

#define LTT_MARK_TYPE(x) __extension__ _Generic((x),				\
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

#define LTT_MARK_IS_POINTER(x)	(LTT_MARK_TYPE(x) <= LTT_MARK_STRING)

/* The comma makes a pointer of an array, and does not promote. */
#define LTT_MARK_SIZE(x)	sizeof(__typeof__(((void)0, (x))))

#define LTT_MARK_SIGNED(x) __extension__ _Generic((x),			\
	char: (char)-1 < (char)1,				\
	signed char: 1, short: 1, int: 1, long: 1, long long: 1,	\
	default: 0)

/* The value of x; this evaluates it, once.  A signed one is sign-extended. */
#define LTT_MARK_WORD(x)						\
	__builtin_choose_expr(LTT_MARK_IS_POINTER(x),			\
		(unsigned long long)(unsigned long)(x),			\
		(unsigned long long)(__typeof__(			\
			__builtin_choose_expr(LTT_MARK_IS_POINTER(x), 0UL, (x))))(x))

/*
 * An integer that is in no row of LTT_MARK_TYPE() is a bit-field, whose type GCC keeps, or
 * has more than 64 bits.  Structures fail at the cast in LTT_MARK_WORD().
 */
#define LTT_MARK_IS_ODD_INTEGER(x)					\
	(LTT_MARK_TYPE(x) == LTT_MARK_POINTER &&			\
	 __builtin_classify_type(x) == __builtin_classify_type(0))

#define LTT_MARK_CHECK_ARG(x)						\
	_Static_assert(!LTT_MARK_IS_ODD_INTEGER(x),			\
		       "trace_mark: a bit-field needs a cast, for example (int)s.flag; so does an integer of more than 64 bits"); \
	_Static_assert(__extension__ _Generic((x), float: 0, double: 0, long double: 0, default: 1) && \
		       (LTT_MARK_IS_ODD_INTEGER(x) || !LTT_MARK_IS_POINTER(x) || \
			LTT_MARK_SIZE(x) == sizeof(void *)),		\
		       "trace_mark: each argument must be an integer or a pointer");

#endif /* LTT_MARKER_TYPES_C_H */
