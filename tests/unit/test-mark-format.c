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

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(types_table),
		UNIT_TEST(words_are_the_values_evaluated_once),
		UNIT_TEST(arguments_are_counted),
		UNIT_TEST(formats_make_fields),
		UNIT_TEST(separators_and_bases),
		UNIT_TEST(names_have_63_characters_at_most),
		UNIT_TEST(refusals_table),
		{ NULL, NULL },
	};

	return unit_main(argv[0], tests);
}
