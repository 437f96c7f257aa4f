// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The parser of trace_mark() formats; see mark-format.h.
 *
 * Layer: core.  Any context; no locks, no state.  The compiler has compared each
 * conversion with its argument already (include/ltt/marker-types.h).  This
 * file checks the rest: that fields have names, and that LTT
 * shows an argument as printf would.
 */
#include "mark-format.h"

static const char *const type_names[LTT_MARK_NR_TYPES] = {
	[LTT_MARK_POINTER] = "void *",
	[LTT_MARK_STRING] = "char *",
	[LTT_MARK_BOOL] = "bool",
	[LTT_MARK_CHAR] = "char",
	[LTT_MARK_SCHAR] = "signed char",
	[LTT_MARK_UCHAR] = "unsigned char",
	[LTT_MARK_SHORT] = "short",
	[LTT_MARK_USHORT] = "unsigned short",
	[LTT_MARK_INT] = "int",
	[LTT_MARK_UINT] = "unsigned int",
	[LTT_MARK_LONG] = "long",
	[LTT_MARK_ULONG] = "unsigned long",
	[LTT_MARK_LLONG] = "long long",
	[LTT_MARK_ULLONG] = "unsigned long long",
};

static bool one_of(char c, const char *set)
{
	for (; *set; set++)
		if (c == *set)
			return true;
	return false;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool starts_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool in_name(char c)
{
	return starts_name(c) || is_digit(c);
}

static const char *skip(const char *at, const char *set)
{
	while (one_of(*at, set))
		at++;
	return at;
}

static bool same(const char *a, const char *b)
{
	for (; *a && *a == *b; a++)
		b++;
	return *a == *b;
}

static const char *parse_name(const char **at, struct ltt_mark_fields *fields, unsigned int nr)
{
	char *name = fields->name[nr];
	unsigned int i, len = 0;

	if (**at == '%')
		return "a conversion has no name before it";
	if (!starts_name(**at))
		return "a field's name is a letter or _, then letters, digits and _";
	while (in_name((*at)[len])) {
		if (len == LTT_MARK_NAME_SIZE - 1)
			return "a field's name is longer than 63 characters";
		name[len] = (*at)[len];
		len++;
	}
	name[len] = '\0';
	for (i = 0; i < nr; i++)
		if (same(name, fields->name[i]))
			return "two fields have this name";
	*at += len;
	fields->field[nr].name = name;
	return NULL;
}

/* From behind the '%' to the conversion's letter. */
static const char *skip_modifiers(const char *at)
{
	at = skip(at, "#0- +");
	while (is_digit(*at))
		at++;
	return skip(at, "hlzjt");
}

static const char *describe_string(struct ltt_field *field, char conversion)
{
	if (conversion != 's')
		return "an argument that points to char is recorded as text, with %s; for its address cast it to (void *)";
	field->kind = LTT_FIELD_STRING;
	field->size = 1;
	return NULL;
}

static const char *describe_pointer(struct ltt_field *field, char conversion)
{
	if (conversion == 's')
		return "for %s the argument must point to char; cast it to (const char *)";
	if (conversion != 'p')
		return "an argument that is a pointer is recorded with %p or %s";
	field->base = 16;
	return NULL;
}

static const char *describe_integer(struct ltt_field *field, char conversion)
{
	switch (conversion) {
	case 'd':
	case 'i':
	case 'u':
		field->base = 10;
		return NULL;
	case 'x':
	case 'X':
		field->base = 16;
		return NULL;
	case 'o':
		field->base = 8;
		return NULL;
	case 'c':
		field->base = 10;
		if (field->size == 1) {
			field->kind = LTT_FIELD_TEXT;
			field->count = 1;
		}
		return NULL;
	default:
		return "an argument that is an integer is recorded with %d, %i, %u, %x, %X, %o or %c";
	}
}

static const char *describe(struct ltt_field *field, const struct ltt_mark_arg *arg,
			    char conversion)
{
	if (arg->type >= LTT_MARK_NR_TYPES || (arg->size & (arg->size - 1)) || !arg->size ||
	    arg->size > 8)
		return "its description is damaged; build its module again";
	field->type = type_names[arg->type];
	field->count = 0;
	field->kind = LTT_FIELD_INT;
	field->size = arg->size;
	field->is_signed = arg->is_signed;
	field->base = 0;
	switch (arg->type) {
	case LTT_MARK_STRING:
		return describe_string(field, conversion);
	case LTT_MARK_POINTER:
		return describe_pointer(field, conversion);
	default:
		return describe_integer(field, conversion);
	}
}

static const char *parse_conversion(const char **at, struct ltt_field *field,
				    const struct ltt_mark_arg *arg)
{
	const char *letter, *why;

	if (**at != '%')
		return "each name must be followed by its conversion";
	letter = skip_modifiers(*at + 1);
	if (*letter == '.' || *letter == '*')
		return "a precision or a * is not supported";
	why = describe(field, arg, *letter);
	if (why)
		return why;
	*at = letter + 1;
	if (!**at || one_of(**at, " \t\n,;"))
		return NULL;
	if (*letter == 'p')
		return "%p has no extensions here";
	return "a conversion must be followed by white space, a comma or a semicolon";
}

const char *ltt_mark_parse(const char *format, const struct ltt_mark_arg *args,
			   unsigned int nr_args, struct ltt_mark_fields *fields,
			   const char **where)
{
	const char *why, *at = skip(format, " \t\n,;");
	unsigned int nr;

	*where = at;
	if (nr_args > LTT_MARK_MAX_ARGS)
		return "it has more than 12 arguments";
	for (nr = 0; *at; nr++) {
		*where = at;
		if (nr == nr_args)
			return "there are more fields than arguments";
		why = parse_name(&at, fields, nr);
		if (why)
			return why;
		at = skip(at, " \t\n:=");
		why = parse_conversion(&at, &fields->field[nr], &args[nr]);
		if (why)
			return why;
		at = skip(at, " \t\n,;");
	}
	*where = at;
	return nr == nr_args ? NULL : "there are fewer fields than arguments";
}
