// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Markers with all types, in code that is C (99 and later) as well as C++ (11 and later);
 * beside probes of SystemTap.
 */
#include <sys/sdt.h>

#include <ltt/marker.h>

enum colour { RED = 1, GREEN = -2 };

struct bits {
	unsigned int three : 3;
	signed int five : 5;
};

#ifdef __cplusplus
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
	trace_mark(types, enum_class, "e %d", static_cast<unsigned char>(shade::DARK));
	in_template<int>(6);
	in_template<long>(7);
	lambda(8);
	thing(9).method();
}
#else
static void only_cxx(void)
{
}
#endif

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
	only_cxx();
	DTRACE_PROBE1(types, systemtap, argc);
	return 0;
}
