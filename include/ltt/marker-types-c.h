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
	float: LTT_MARK_FLOAT,					\
	double: LTT_MARK_DOUBLE,				\
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

#define LTT_MARK_POINTS(type, number)					\
	type *: number, const type *: number, volatile type *: number,	\
	const volatile type *: number

#define LTT_MARK_ELEMENT(x) __extension__ _Generic((x),			\
	LTT_MARK_POINTS(_Bool, LTT_MARK_BOOL),				\
	LTT_MARK_POINTS(char, LTT_MARK_CHAR),				\
	LTT_MARK_POINTS(signed char, LTT_MARK_SCHAR),			\
	LTT_MARK_POINTS(unsigned char, LTT_MARK_UCHAR),			\
	LTT_MARK_POINTS(short, LTT_MARK_SHORT),				\
	LTT_MARK_POINTS(unsigned short, LTT_MARK_USHORT),		\
	LTT_MARK_POINTS(int, LTT_MARK_INT),				\
	LTT_MARK_POINTS(unsigned int, LTT_MARK_UINT),			\
	LTT_MARK_POINTS(long, LTT_MARK_LONG),				\
	LTT_MARK_POINTS(unsigned long, LTT_MARK_ULONG),			\
	LTT_MARK_POINTS(long long, LTT_MARK_LLONG),			\
	LTT_MARK_POINTS(unsigned long long, LTT_MARK_ULLONG),		\
	default: LTT_MARK_POINTER)

/* A nullptr of C23, which cannot be cast to an integer, as a pointer. */
#if __STDC_VERSION__ > 201710L && \
	((defined(__clang__) && __clang_major__ >= 17) || (!defined(__clang__) && __GNUC__ >= 13))
#define LTT_MARK_CASTABLE(x)	_Generic((x), __typeof__(nullptr): (void *)0, default: (x))
#else
#define LTT_MARK_CASTABLE(x)	(x)
#endif

/* x as an integer of its own type, a pointer as one of its size. */
#define LTT_MARK_INTEGER(x)						\
	((__typeof__(__builtin_choose_expr(LTT_MARK_IS_POINTER(x), 0UL, (x))))LTT_MARK_CASTABLE(x))

/* The value of x; this evaluates it, once.  A signed one is sign-extended. */
#ifdef __KERNEL__
#define LTT_MARK_WORD(x)	((unsigned long long)LTT_MARK_INTEGER(x))
#define LTT_MARK_PRINTED(x, as)	LTT_MARK_PRINTED_OTHER(x, as)
#else
static inline __attribute__((__unused__))
unsigned long long ltt_mark_word_of_real(double value, unsigned int size)
{
	union {
		unsigned long long word;
		double d;
		float f;
	} bits = { 0 };

	if (size == sizeof(float))
		bits.f = (float)value;
	else
		bits.d = value;
	return bits.word;
}

#define LTT_MARK_IS_REAL(x)	(LTT_MARK_TYPE(x) >= LTT_MARK_FLOAT)
#define LTT_MARK_WORD(x)						\
	__builtin_choose_expr(LTT_MARK_IS_REAL(x),			\
		ltt_mark_word_of_real((double)__builtin_choose_expr(LTT_MARK_IS_REAL(x), (x), 0.0), \
				      LTT_MARK_SIZE(x)),		\
		(unsigned long long)LTT_MARK_INTEGER(x))
#define LTT_MARK_PRINTED(x, as)						\
	__builtin_choose_expr(LTT_MARK_IS_REAL(x),			\
		(double)__builtin_choose_expr(LTT_MARK_IS_REAL(x), (x), 0.0), \
		LTT_MARK_PRINTED_OTHER(x, as))
#endif

#define LTT_MARK_IS_64(x)						\
	(LTT_MARK_TYPE(x) >= LTT_MARK_LONG && LTT_MARK_TYPE(x) <= LTT_MARK_ULLONG && \
	 LTT_MARK_SIZE(x) == 8)
#define LTT_MARK_IS_INTEGER(x)						\
	(LTT_MARK_TYPE(x) > LTT_MARK_STRING && LTT_MARK_TYPE(x) < LTT_MARK_FLOAT)

#define LTT_MARK_PRINTED_OTHER(x, as)					\
	__builtin_choose_expr(LTT_MARK_TYPE(x) == LTT_MARK_POINTER,	\
		(void *)(unsigned long)LTT_MARK_INTEGER(x),		\
	__builtin_choose_expr((as) == LTT_MARK_AS_LENGTH && LTT_MARK_IS_INTEGER(x), \
		(int)LTT_MARK_INTEGER(x),				\
	__builtin_choose_expr((as) == LTT_MARK_AS_LLONG && LTT_MARK_IS_64(x), \
		(__typeof__(__builtin_choose_expr(LTT_MARK_SIGNED(x), 0LL, 0ULL)))LTT_MARK_INTEGER(x), \
	__builtin_choose_expr((as) == LTT_MARK_AS_LONG && LTT_MARK_IS_64(x) && sizeof(long) == 8, \
		(__typeof__(__builtin_choose_expr(LTT_MARK_SIGNED(x), 0L, 0UL)))LTT_MARK_INTEGER(x), \
		(x)))))

/*
 * An integer that is in no row of LTT_MARK_TYPE() is a bit-field, whose type GCC keeps, or
 * has more than 64 bits.  Structures fail at the cast in LTT_MARK_WORD().
 */
#define LTT_MARK_IS_ODD_INTEGER(x)					\
	(LTT_MARK_TYPE(x) == LTT_MARK_POINTER &&			\
	 __builtin_classify_type(x) == __builtin_classify_type(0))

#define LTT_MARK_IS_FLOATING(x)						\
	(__extension__ _Generic((x), float: 1, double: 1, long double: 1, default: 0))

#ifdef __KERNEL__
#define LTT_MARK_CHECK_REAL(x)						\
	__extension__ _Static_assert(!LTT_MARK_IS_FLOATING(x),		\
		       "trace_mark: the kernel has no floating-point numbers");
#else
#define LTT_MARK_CHECK_REAL(x)						\
	__extension__ _Static_assert(__extension__ _Generic((x), long double: 0, default: 1), \
		       "trace_mark: a long double needs a cast to double");
#endif

#define LTT_MARK_CHECK_ARG(x)						\
	__extension__ _Static_assert(!LTT_MARK_IS_ODD_INTEGER(x),			\
		       "trace_mark: a bit-field needs a cast, for example (int)s.flag; so does an integer of more than 64 bits"); \
	LTT_MARK_CHECK_REAL(x)						\
	__extension__ _Static_assert(LTT_MARK_IS_ODD_INTEGER(x) || !LTT_MARK_IS_POINTER(x) || \
		       LTT_MARK_SIZE(x) == sizeof(void *) ||		\
		       __extension__ _Generic((x), long double: 1, default: 0), \
		       "trace_mark: each argument must be a number or a pointer");

#endif /* LTT_MARKER_TYPES_C_H */
