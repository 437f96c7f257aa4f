// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Tests of core/mark-format.c, and of what include/ltt/marker-types.h says of
 * arguments.
 */
#include "unit.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../../core/mark-format.h"

#define LTT_MARK_ARG(x)	\
	{ LTT_MARK_TYPE(x), LTT_MARK_SIZE(x), LTT_MARK_SIGNED(x), LTT_MARK_ELEMENT(x) },
#define ARGS(...)	{ LTT_MARK_FOR_EACH(LTT_MARK_ARG, "", __VA_ARGS__) }

static struct ltt_mark_fields fields;
static const char *where;

/* ---- Argument types ---- */

static void types_table(void)
{
	enum { PLAIN } plain = PLAIN;
	enum { NEGATIVE = -1 } negative = NEGATIVE;
	const int constant = 1;
	volatile unsigned short vol = 1;
	unsigned char bytes[3];
	char chars[3];
	static const struct {
		u8 type, size, is_signed;
	} expected[] = {
		/* 0 */ { LTT_MARK_BOOL, 1, 0 },
		/* 1 */ { LTT_MARK_CHAR, 1, CHAR_MIN < 0 },
		/* 2 */ { LTT_MARK_SCHAR, 1, 1 },
		/* 3 */ { LTT_MARK_UCHAR, 1, 0 },
		/* 4 */ { LTT_MARK_LLONG, 8, 1 },
		/* 5 */ { LTT_MARK_ULONG, sizeof(long), 0 },
		/* 6 */ { LTT_MARK_INT, 4, 1 },
		/* 7 */ { LTT_MARK_USHORT, 2, 0 },
		/* 8 */ { LTT_MARK_UINT, 4, 0 },
		/* 9 */ { LTT_MARK_INT, 4, 1 },
		/* 10 */ { LTT_MARK_POINTER, sizeof(void *), 0 },
		/* 11 */ { LTT_MARK_STRING, sizeof(void *), 0 },
	};
	const struct ltt_mark_arg args[] =
		ARGS((_Bool)1, (char)1, (signed char)1, (unsigned char)1, 1LL, 1UL,
		     constant, vol, plain, negative, bytes, chars);
	unsigned int i;

	for (i = 0; i < sizeof(args) / sizeof(args[0]); i++) {
		if (args[i].type != expected[i].type || args[i].size != expected[i].size ||
		    args[i].is_signed != expected[i].is_signed)
			printf("# row %u: type %u size %u signed %u\n", i, args[i].type,
			       args[i].size, args[i].is_signed);
		CU_ASSERT(args[i].type == expected[i].type);
		CU_ASSERT(args[i].size == expected[i].size);
		CU_ASSERT(args[i].is_signed == expected[i].is_signed);
	}
}

static int evaluations;

static int evaluate(void)
{
	return ++evaluations;
}

static void words_are_the_values_evaluated_once(void)
{
	struct ltt_mark_arg args[] = ARGS(evaluate());
	char text[] = "text";

	CU_ASSERT(args[0].size == sizeof(int));
	CU_ASSERT(evaluations == 0);
	CU_ASSERT(LTT_MARK_WORD(evaluate()) == 1);
	CU_ASSERT(evaluations == 1);
	CU_ASSERT(LTT_MARK_WORD((signed char)-1) == ~0ULL);
	CU_ASSERT(LTT_MARK_WORD((unsigned char)255) == 255);
	CU_ASSERT(LTT_MARK_WORD(-5LL) == (u64)-5LL);
	CU_ASSERT(LTT_MARK_WORD(text) == (u64)(unsigned long)text);
	CU_ASSERT(LTT_MARK_WORD((void *)text) == (u64)(unsigned long)text);
}

static void arguments_are_counted(void)
{
	CU_ASSERT(LTT_MARK_COUNT(0) == 0);
	CU_ASSERT(LTT_MARK_COUNT(0, 1) == 1);
	CU_ASSERT(LTT_MARK_COUNT(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) == 12);
}

/* ---- Formats ---- */

static bool field_is(unsigned int i, const char *name, u8 kind, u8 size, u8 is_signed, u8 base)
{
	const struct ltt_field *f = &fields.field[i];

	return !strcmp(f->name, name) && f->kind == kind && f->size == size &&
	       f->is_signed == is_signed && f->base == base;
}

static const char *parse(const char *format, const struct ltt_mark_arg *args, unsigned int nr)
{
	memset(&fields, 0xa5, sizeof(fields));
	return ltt_mark_parse(format, args, nr, &fields, &where);
}

static void formats_make_fields(void)
{
	const struct ltt_mark_arg args[] =
		ARGS(1, "x", (unsigned long)1, (short)1, (void *)0, 'x', (char)'x', (_Bool)1);

	CU_ASSERT(!parse("", args, 0));
	CU_ASSERT(!parse(" \t\n", args, 0));
	CU_ASSERT(!parse("fd %d path %s len %zu x %#06hx p %p c %c t %c b %d", args, 8));
	CU_ASSERT(field_is(0, "fd", LTT_FIELD_INT, 4, 1, 10));
	CU_ASSERT(!strcmp(fields.field[0].type, "int"));
	CU_ASSERT(field_is(1, "path", LTT_FIELD_STRING, 1, 0, 0));
	CU_ASSERT(!strcmp(fields.field[1].type, "char *"));
	CU_ASSERT(field_is(2, "len", LTT_FIELD_INT, sizeof(long), 0, 10));
	CU_ASSERT(field_is(3, "x", LTT_FIELD_INT, 2, 1, 16));
	CU_ASSERT(field_is(4, "p", LTT_FIELD_INT, sizeof(void *), 0, 16));
	CU_ASSERT(field_is(5, "c", LTT_FIELD_INT, 4, 1, 10));
	CU_ASSERT(field_is(6, "t", LTT_FIELD_TEXT, 1, CHAR_MIN < 0, 10));
	CU_ASSERT(fields.field[6].count == 1);
	CU_ASSERT(field_is(7, "b", LTT_FIELD_INT, 1, 0, 10));
	CU_ASSERT(fields.field[7].count == 0);
}

static void separators_and_bases(void)
{
	const struct ltt_mark_arg args[] = ARGS(1, 2, 3, 4, 5);

	CU_ASSERT(!parse("  a=%d,b: %i;_c2 := %o\td\n%X e%u ", args, 5));
	CU_ASSERT(field_is(0, "a", LTT_FIELD_INT, 4, 1, 10));
	CU_ASSERT(field_is(1, "b", LTT_FIELD_INT, 4, 1, 10));
	CU_ASSERT(field_is(2, "_c2", LTT_FIELD_INT, 4, 1, 8));
	CU_ASSERT(field_is(3, "d", LTT_FIELD_INT, 4, 1, 16));
	CU_ASSERT(field_is(4, "e", LTT_FIELD_INT, 4, 1, 10));
}

static bool step_is(unsigned int i, u8 how, u8 size, unsigned int count)
{
	const struct ltt_mark_step *step = &fields.step[i];

	return step->how == how && step->size == size && step->count == count;
}

static void real_numbers(void)
{
	const struct ltt_mark_arg args[] = ARGS(1.0f, 1.0, 0.5);

	CU_ASSERT(!parse("f %f d %.3g a %10a", args, 3));
	CU_ASSERT(fields.by_value && fields.nr == 3);
	CU_ASSERT(field_is(0, "f", LTT_FIELD_FLOAT, 4, 0, 10));
	CU_ASSERT(!strcmp(fields.field[0].type, "float"));
	CU_ASSERT(field_is(1, "d", LTT_FIELD_FLOAT, 8, 0, 10));
	CU_ASSERT(field_is(2, "a", LTT_FIELD_FLOAT, 8, 0, 10));
	CU_ASSERT(step_is(0, LTT_MARK_VALUE, 4, 0));
}

static void words_of_real_numbers_are_their_bits(void)
{
	CU_ASSERT(LTT_MARK_WORD(1.5f) == 0x3fc00000);
	CU_ASSERT(LTT_MARK_WORD(-0.1) == 0xbfb999999999999aULL);
}

/* Lengths are arguments, but no fields. */
static void arrays_and_lengths(void)
{
	signed char *bytes = NULL;
	const volatile u64 *words = NULL;
	char text[2];
	const struct ltt_mark_arg args[] =
		ARGS(1, bytes, (void *)0, 3UL, words, text, (short)1, text, 5, text, text);

	CU_ASSERT(!parse("a %*pA b %16ph c %*pA d %2pA e %*ph f %.*s g %.9s", args, 11));
	CU_ASSERT(fields.nr == 7 && !fields.by_value);
	CU_ASSERT(field_is(0, "a", LTT_FIELD_SEQUENCE, 1, 1, 10));
	CU_ASSERT(field_is(1, "b", LTT_FIELD_ARRAY, 1, 0, 16) && fields.field[1].count == 16);
	CU_ASSERT(field_is(2, "c", LTT_FIELD_SEQUENCE, 8, 0, 10));
	CU_ASSERT(field_is(3, "d", LTT_FIELD_ARRAY, 1, CHAR_MIN < 0, 10) && fields.field[3].count == 2);
	CU_ASSERT(field_is(4, "e", LTT_FIELD_SEQUENCE, 1, 0, 16));
	CU_ASSERT(field_is(5, "f", LTT_FIELD_STRING, 1, 0, 0));
	CU_ASSERT(field_is(6, "g", LTT_FIELD_STRING, 1, 0, 0));
	CU_ASSERT(step_is(0, LTT_MARK_LENGTH, 4, 0) && fields.step[0].is_signed);
	CU_ASSERT(step_is(1, LTT_MARK_SEQUENCE, 1, 0));
	CU_ASSERT(step_is(2, LTT_MARK_ARRAY, 1, 16));
	CU_ASSERT(step_is(3, LTT_MARK_LENGTH, sizeof(long), 0) && !fields.step[3].is_signed);
	CU_ASSERT(step_is(4, LTT_MARK_SEQUENCE, 8, 0));
	CU_ASSERT(step_is(5, LTT_MARK_ARRAY, 1, 2));
	CU_ASSERT(step_is(6, LTT_MARK_LENGTH, 2, 0));
	CU_ASSERT(step_is(8, LTT_MARK_LENGTH, 4, 0));
	CU_ASSERT(fields.step[9].how == LTT_MARK_TEXT_OF_LENGTH);
	CU_ASSERT(fields.step[10].how == LTT_MARK_TEXT && fields.step[10].count == 9);
	/* As many bytes as an array can have. */
	CU_ASSERT(!parse("a %4096ph", args + 2, 1));
	CU_ASSERT(!parse("a %512pA", args + 4, 1));
}

static void labels_name_values(void)
{
	const struct ltt_mark_arg args[] = ARGS((signed char)1, 2U);
	struct ltt_label label;
	const char *at;

	CU_ASSERT(!parse("s %d{low=-128, _high.x-1 = 0x7F ,\n} n %x{max=4294967295};", args, 2));
	CU_ASSERT(field_is(0, "s", LTT_FIELD_INT, 1, 1, 10) && field_is(1, "n", LTT_FIELD_INT, 4, 0, 16));
	at = fields.field[0].labels;
	CU_ASSERT(ltt_label_next(&at, &label));
	CU_ASSERT(label.len == 3 && !strncmp(label.name, "low", 3) && label.is_negative);
	CU_ASSERT(label.value == (u64)-128);
	CU_ASSERT(ltt_label_next(&at, &label));
	CU_ASSERT(label.len == 9 && !strncmp(label.name, "_high.x-1", 9) && label.value == 127);
	CU_ASSERT(!ltt_label_next(&at, &label));
	at = fields.field[1].labels;
	CU_ASSERT(ltt_label_next(&at, &label) && label.value == UINT_MAX && !label.is_negative);
	CU_ASSERT(fields.by_value);
}

static void labels_have_the_limits_of_64_bits(void)
{
	const struct ltt_mark_arg args[] = ARGS(1LL, 2ULL);
	const char *at;
	struct ltt_label label;

	CU_ASSERT(!parse("s %lld{min=-9223372036854775808,max=9223372036854775807} "
			 "u %llu{max=18446744073709551615,hex=0xffffffffffffffff}", args, 2));
	at = fields.field[0].labels;
	CU_ASSERT(ltt_label_next(&at, &label) && label.value == 1ULL << 63);
	at = fields.field[1].labels;
	CU_ASSERT(ltt_label_next(&at, &label) && label.value == ~0ULL);
	CU_ASSERT_PTR_NOT_NULL(parse("s %lld{a=9223372036854775808}", args, 1));
	CU_ASSERT_PTR_NOT_NULL(parse("s %lld{a=-9223372036854775809}", args, 1));
	CU_ASSERT_PTR_NOT_NULL(parse("u %llu{a=18446744073709551616}", args + 1, 1));
	CU_ASSERT_PTR_NOT_NULL(parse("u %llu{a=0x10000000000000000}", args + 1, 1));
}

/* As many as a field may have, and one more. */
static void labels_are_256_at_most(void)
{
	const struct ltt_mark_arg args[] = ARGS(1);
	char format[8192];
	int i, len = sprintf(format, "n %%d{");

	for (i = 0; i < 256; i++)
		len += sprintf(format + len, "label%d=%d,", i, i);
	strcpy(format + len, "}");
	CU_ASSERT(!parse(format, args, 1));
	strcpy(format + len, "x=1}");
	CU_ASSERT_PTR_NOT_NULL(parse(format, args, 1));
}

static void elements_of_pointers(void)
{
	enum { PLAIN } *plain = NULL;
	const short *halves = NULL;
	char *text = NULL, **texts = NULL;
	float *reals = NULL;
	unsigned long longs[2];

	CU_ASSERT(LTT_MARK_ELEMENT(plain) == LTT_MARK_UINT);
	CU_ASSERT(LTT_MARK_ELEMENT(halves) == LTT_MARK_SHORT);
	CU_ASSERT(LTT_MARK_ELEMENT(text) == LTT_MARK_CHAR);
	CU_ASSERT(LTT_MARK_ELEMENT(longs) == LTT_MARK_ULONG);
	CU_ASSERT(LTT_MARK_ELEMENT(texts) == LTT_MARK_POINTER);
	CU_ASSERT(LTT_MARK_ELEMENT(reals) == LTT_MARK_POINTER);
	CU_ASSERT(LTT_MARK_ELEMENT((void *)0) == LTT_MARK_POINTER);
	CU_ASSERT(LTT_MARK_ELEMENT(1) == LTT_MARK_POINTER);
}

#define NAME_63	"a23456789b23456789c23456789d23456789e23456789f23456789g23456789"

static void names_have_63_characters_at_most(void)
{
	const struct ltt_mark_arg args[] = ARGS(1);

	CU_ASSERT(strlen(NAME_63) == 63);
	CU_ASSERT(!parse(NAME_63 " %d", args, 1));
	CU_ASSERT(!strcmp(fields.field[0].name, NAME_63));
	CU_ASSERT_PTR_NOT_NULL(parse(NAME_63 "x %d", args, 1));
}

/* Each is rejected, at this place of the format, with a reason that has the word. */
static void refusals_table(void)
{
	static const struct {
		const char *format;
		struct ltt_mark_arg args[2];
		unsigned int nr_args;
		const char *word;
		unsigned int at;
	} table[] = {
		/* 0 */ { "%d", ARGS(1), 1, "name", 0 },
		/* 1 */ { "the n %d", ARGS(1), 1, "conversion", 0 },
		/* 2 */ { "n %d done", ARGS(1), 1, "fields", 5 },
		/* 3 */ { "n %d m %d", ARGS(1), 1, "fields", 5 },
		/* 4 */ { "n %d", ARGS(1, 2), 2, "fields", 4 },
		/* 5 */ { "", ARGS(1), 1, "fields", 0 },
		/* 6 */ { "n %d n %d", ARGS(1, 2), 2, "fields", 5 },
		/* 7 */ { "1n %d", ARGS(1), 1, "name", 0 },
		/* 8 */ { "n-m %d", ARGS(1), 1, "conversion", 0 },
		/* 9 */ { "n %", ARGS(1), 1, "integer", 0 },
		/* 10 */ { "n %%", ARGS(1), 1, "integer", 0 },
		/* 11 */ { "n %*d", ARGS(1, 2), 2, "length", 0 },
		/* 12 */ { "n %.2d", ARGS(1), 1, "precision", 0 },
		/* 13 */ { "s %.0s", ARGS("x"), 1, "empty", 0 },
		/* 14 */ { "n %dx", ARGS(1), 1, "space", 0 },
		/* 15 */ { "n %d%d", ARGS(1, 2), 2, "space", 0 },
		/* 16 */ { "p %pM", ARGS((void *)0), 1, "%p", 0 },
		/* 17 */ { "s %p", ARGS("x"), 1, "(void *)", 0 },
		/* 18 */ { "s %s", ARGS((void *)0), 1, "(const char *)", 0 },
		/* 19 */ { "p %d", ARGS((void *)0), 1, "%s", 0 },
		/* 20 */ { "n %p", ARGS(1), 1, "integer", 0 },
		/* 21 */ { "n %s", ARGS(1), 1, "integer", 0 },
		/* 22 */ { "n %n", ARGS((int *)0), 1, "%s", 0 },
		/* 23 */ { "n %d", { { LTT_MARK_NR_TYPES, 4, 1, 0 } }, 1, "damaged", 0 },
		/* 24 */ { "n %d", { { LTT_MARK_INT, 3, 1, 0 } }, 1, "damaged", 0 },
		/* 25 */ { "n %d", { { LTT_MARK_INT, 16, 1, 0 } }, 1, "damaged", 0 },
		/* 26 */ { "n %d", { { LTT_MARK_INT, 0, 1, 0 } }, 1, "damaged", 0 },
		/* 27 */ { "n %d", ARGS(1), 13, "12", 0 },
		/* 28 */ { "a %ph", ARGS((void *)0), 1, "number", 0 },
		/* 29 */ { "a %0pA", ARGS((int *)0), 1, "number", 0 },
		/* 30 */ { "a %4pA", ARGS((void *)0), 1, "integers", 0 },
		/* 31 */ { "a %4pA", ARGS((double *)0), 1, "integers", 0 },
		/* 32 */ { "a %4097ph", ARGS((void *)0), 1, "4096", 0 },
		/* 33 */ { "a %1025pA", ARGS((int *)0), 1, "4096", 0 },
		/* 34 */ { "a %99999999999999999999ph", ARGS((int *)0), 1, "4096", 0 },
		/* 35 */ { "a %*ph", ARGS((void *)0), 1, "arguments", 0 },
		/* 36 */ { "a %*ph", ARGS("x", (void *)0), 2, "length", 0 },
		/* 37 */ { "a %*ph", ARGS(1.0, (void *)0), 2, "length", 0 },
		/* 38 */ { "a %*ph", ARGS(1, 2), 2, "pointer", 0 },
		/* 39 */ { "a %*s", ARGS(1, "x"), 2, "length", 0 },
		/* 40 */ { "a %*p", ARGS(1, (void *)0), 2, "length", 0 },
		/* 41 */ { "a %*phx", ARGS(1, (void *)0), 2, "%p", 0 },
		/* 42 */ { "a %*ph _a_length %d", ARGS(1, (void *)0), 2, "more", 7 },
		/* 43 */ { "x %d", ARGS(1.0), 1, "float", 0 },
		/* 44 */ { "x %f", ARGS(1), 1, "integer", 0 },
		/* 45 */ { "x %f", { { LTT_MARK_FLOAT, 8, 0, 0 } }, 1, "damaged", 0 },
		/* 46 */ { "x %g", { { LTT_MARK_DOUBLE, 4, 0, 0 } }, 1, "damaged", 0 },
		/* 47 */ { "a %4pA", { { LTT_MARK_POINTER, 8, 0, 200 } }, 1, "integers", 0 },
		/* 48 */ { "n %d{}", ARGS(1), 1, "labels", 0 },
		/* 49 */ { "n %d{a=1", ARGS(1), 1, "labels", 0 },
		/* 50 */ { "n %d{a=}", ARGS(1), 1, "labels", 0 },
		/* 51 */ { "n %d{1=1}", ARGS(1), 1, "labels", 0 },
		/* 52 */ { "n %d{a=1 b=2}", ARGS(1), 1, "labels", 0 },
		/* 53 */ { "n %d{a=1,a=2}", ARGS(1), 1, "name", 0 },
		/* 54 */ { "n %d{" NAME_63 "x=1}", ARGS(1), 1, "labels", 0 },
		/* 55 */ { "n %d{a=128}", ARGS((signed char)1), 1, "fit", 0 },
		/* 56 */ { "n %d{a=-129}", ARGS((signed char)1), 1, "fit", 0 },
		/* 57 */ { "n %d{a=256}", ARGS((unsigned char)1), 1, "fit", 0 },
		/* 58 */ { "n %u{a=-1}", ARGS(1U), 1, "fit", 0 },
		/* 59 */ { "n %d {a=1}", ARGS(1), 1, "fields", 5 },
		/* 60 */ { "p %p{a=1}", ARGS((void *)0), 1, "%p", 0 },
		/* 61 */ { "x %f{a=1}", ARGS(1.0), 1, "space", 0 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const char *why = parse(table[i].format, table[i].args, table[i].nr_args);
		bool right = why && strstr(why, table[i].word) &&
			     where == table[i].format + table[i].at;

		if (!right)
			printf("# row %u: got '%s' at %d\n", i, why ? why : "nothing",
			       (int)(where - table[i].format));
		CU_ASSERT(right);
	}
}

/* Of metadata that readers refuse there would be no trace at all. */
static void no_field_has_the_name_of_a_length(void)
{
	const struct ltt_mark_arg args[] = ARGS(1, (void *)0, 2);

	CU_ASSERT_PTR_NOT_NULL(parse("a %*ph _a_length %d", args, 3));
	CU_ASSERT(!parse("a %*ph a_length %d", args, 3));
	CU_ASSERT(!parse("a %*ph _b_length %d", args, 3));
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(types_table),
		UNIT_TEST(words_are_the_values_evaluated_once),
		UNIT_TEST(arguments_are_counted),
		UNIT_TEST(formats_make_fields),
		UNIT_TEST(separators_and_bases),
		UNIT_TEST(real_numbers),
		UNIT_TEST(words_of_real_numbers_are_their_bits),
		UNIT_TEST(arrays_and_lengths),
		UNIT_TEST(elements_of_pointers),
		UNIT_TEST(labels_name_values),
		UNIT_TEST(labels_have_the_limits_of_64_bits),
		UNIT_TEST(labels_are_256_at_most),
		UNIT_TEST(names_have_63_characters_at_most),
		UNIT_TEST(no_field_has_the_name_of_a_length),
		UNIT_TEST(refusals_table),
		{ NULL, NULL },
	};

	return unit_main(argv[0], tests);
}
