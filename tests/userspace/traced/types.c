// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Markers with all types, in code that is C (99 and later) as well as C++ (11 and later);
 * beside probes of SystemTap.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <sys/sdt.h>

#include <ltt/marker.h>

enum colour { RED = 1, GREEN = -2 };

struct bits {
	unsigned int three : 3;
	signed int five : 5;
};

#ifdef __cplusplus
typedef bool truth;
enum class shade : unsigned char { DARK = 200 };

template <typename T>
static inline void in_template(T value)
{
	trace_mark(types, in_template, "v %d", (int)value);
}

struct thing {
	int member;

	explicit thing(int m) : member(m) { trace_mark(types, constructor, "m %d", member); }
	void method() const { trace_mark(types, method, "m %d", member); }
};

static void only_cxx(void)
{
	const int &reference = 5;
	auto lambda = [](int x) { trace_mark(types, lambda, "x %d", x); };

	trace_mark(types, reference, "r %d", reference);
	trace_mark(types, enum_class, "e %d l %hhu{light=1,dark=200}", shade::DARK, shade::DARK);
	in_template<int>(6);
	in_template<long>(7);
	lambda(8);
	thing(9).method();
}
#else
typedef _Bool truth;

static void only_cxx(void)
{
}
#endif

static void null_pointer(void)
{
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
	trace_mark(types, null, "p %p after %d", nullptr, 1);
#else
	trace_mark(types, null, "p %p after %d", (void *)0, 1);
#endif
}

/* Integers by any name that a conversion of their size may have. */
static void integers(void)
{
	uint64_t u = UINT64_MAX;
	int64_t i = INT64_MIN;
	size_t n = 3;
	unsigned long long ull = 4;

	trace_mark(types, sixty_four, "a %llu b %lu c %#llx d %016lx e %lld f %ld g %zu h %lu", u, u, u, u, i, i, n, ull);
}

static void reals(void)
{
	float f = 0.1f;
	double d = 0.1;
	const double infinite = 1e300 * 1e300;

	trace_mark(types, reals, "f %f d %.17g e %e n %g i %g", f, d, -1.5e-300, 0.0, infinite);
}

static void arrays(void)
{
	uint8_t bytes[4] = { 0, 0x7f, 0x80, 0xff };
	const int16_t halves[3] = { -1, 2, INT16_MIN };
	volatile uint32_t words[2] = { 1, UINT32_MAX };
	int64_t longs[1] = { INT64_MIN };
	enum colour colours[2] = { RED, GREEN };
	char text[4] = { 'a', 'b', 'c', 'd' };
	truth flags[2] = { 1, 0 };
	void *opaque = bytes;
	int *nothing = 0;
	size_t nr = 2;

	trace_mark(types, fixed, "b %4pA h %3pA w %2pA l %1pA e %2pA f %2pA", bytes, halves, words, longs,
		   colours, flags);
	trace_mark(types, counted, "h %*pA w %*pA z %*pA m %*pA", 3, halves, nr, words, 0, halves, -1, halves);
	trace_mark(types, blobs, "b %4ph o %*ph t %*ph z %*ph", bytes, 3, opaque, (short)2, text, 0U, opaque);
	trace_mark(types, absent, "a %2pA s %*pA b %*ph", nothing, 5, nothing, nr, (void *)0);
	trace_mark(types, addresses, "b %p w %p", (uint8_t *)0x10, (volatile uint32_t *)0x20);
}

static void texts(void)
{
	static char longest[5000], fits[4096], wide[4201];
	const char *no_end = "abcdef";
	int i;

	memset(longest, 'L', sizeof(longest) - 1);
	memset(fits, 'F', sizeof(fits) - 1);
	for (i = 0; i < 4200; i += 3)
		memcpy(wide + i, "\xe2\x82\xac", 3);
	trace_mark(types, limited, "a %.*s b %.2s c %.*s d %.*s", 3, no_end, no_end, -1, "all", (size_t)0, no_end);
	trace_mark(types, longest, "n %d s %s m %d", 1, longest, 2);
	trace_mark(types, fits, "s %s m %d", fits, 2);
	trace_mark(types, wide, "s %s", wide);
	trace_mark(types, share, "a %s b %s c %s d %s e %d", longest, longest, longest, "last", 5);
}

static void labels(void)
{
	enum colour colour = GREEN;
	unsigned char state = 2;

	trace_mark(types, labels, "c %d{red=1,green=-2} s %hhu{ off=0, on = 0x2 } u %d{a=1} l %ld{min=-9223372036854775808}",
		   colour, state, 7, INT64_MIN);
}

static void too_large(void)
{
	static unsigned char many[4097];

	trace_mark(types, array_fits, "n %*ph", 4096, many);
	trace_mark(types, array_too_large, "n %*ph", 4097, many);
	trace_mark(types, arrays_too_large, "a %*ph b %*ph c %*ph", 4096, many, 4096, many, 4096, many);
}

static inline void in_inline(int x)
{
	trace_mark(types, in_inline, "x %d", x);
}

int main(int argc, char **argv)
{
	struct bits bits = { 5, -3 };
	char text[8] = "array";
	const char *nothing = 0;

	(void)argv;
	trace_mark(types, none, "");
	trace_mark(types, chars, "c %c sc %hhd uc %hhu", 'c', (signed char)-1, (unsigned char)255);
	trace_mark(types, shorts, "s %hd us %hu", (short)-2, (unsigned short)65535);
	trace_mark(types, ints, "i %d u %u x %x", -3, 4000000000U, 255U);
	trace_mark(types, longs, "l %ld ul %lu", -4L, 18446744073709551615UL);
	trace_mark(types, llongs, "l %lld ul %llu", -5LL, 6ULL);
	trace_mark(types, enums, "a %d b %d", RED, GREEN);
	trace_mark(types, bitfields, "a %d b %d", bits.three + 0, bits.five + 0);
	trace_mark(types, pointers, "p %p n %p", (void *)0x1234, (void *)0);
	trace_mark(types, strings, "s %s a %s n %s e %s", "literal", text, nothing, "");
	trace_mark(types, twelve, "a %d b %d c %d d %d e %d f %d g %d h %d i %d j %d k %s l %d",
		   1, 2, 3, 4, 5, 6, 7, 8, 9, 10, "eleven", 12);
	trace_mark(types, five, "a %d b %d c %d d %d e %d", 1, 2, 3, 4, 5);
	trace_mark(types, six, "a %hhd b %s c %ld d %s e %d f %hd", (signed char)1, "two", 3L, "four", 5,
		   (short)6);
	in_inline(argc);
	integers();
	reals();
	arrays();
	texts();
	labels();
	if (argc > 1)
		too_large();
	if (argc > 2) {
		puts("begun");
		fflush(stdout);
		getchar();
	}
	only_cxx();
	null_pointer();
#ifdef __clang__
#pragma clang diagnostic ignored "-Wgnu-zero-variadic-macro-arguments"
#endif
	DTRACE_PROBE1(types, systemtap, argc);
	return 0;
}
