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
#include "mark-pack.h"

/**
 * struct conversion - what follows a "%"
 * @width: digits; -1 for "*", 0 for none
 * @precision: the same; -2 for none
 * @letter: of printf
 * @what: 'h' or 'A' behind %p, else NUL
 */
struct conversion {
	int width;
	int precision;
	char letter;
	char what;
};

#define STAR	-1
#define NONE	-2

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
	[LTT_MARK_FLOAT] = "float",
	[LTT_MARK_DOUBLE] = "double",
};

/* Of integers that a pointer points to. */
static const struct {
	u8 size;
	u8 is_signed;
} integers[LTT_MARK_NR_TYPES] = {
	[LTT_MARK_BOOL] = { 1, 0 },
	[LTT_MARK_CHAR] = { 1, (char)-1 < (char)1 },
	[LTT_MARK_SCHAR] = { 1, 1 },
	[LTT_MARK_UCHAR] = { 1, 0 },
	[LTT_MARK_SHORT] = { sizeof(short), 1 },
	[LTT_MARK_USHORT] = { sizeof(short), 0 },
	[LTT_MARK_INT] = { sizeof(int), 1 },
	[LTT_MARK_UINT] = { sizeof(int), 0 },
	[LTT_MARK_LONG] = { sizeof(long), 1 },
	[LTT_MARK_ULONG] = { sizeof(long), 0 },
	[LTT_MARK_LLONG] = { sizeof(long long), 1 },
	[LTT_MARK_ULLONG] = { sizeof(long long), 0 },
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

/* ---- Labels of values ---- */

static bool same_label(const struct ltt_label *a, const struct ltt_label *b)
{
	unsigned int i;

	for (i = 0; i < a->len && a->len == b->len; i++)
		if (a->name[i] != b->name[i])
			return false;
	return a->len == b->len;
}

static bool is_label_new(const char *labels, unsigned int nr, const struct ltt_label *label)
{
	struct ltt_label other;

	while (nr-- && ltt_label_next(&labels, &other))
		if (same_label(label, &other))
			return false;
	return true;
}

static bool fits(const struct ltt_field *field, const struct ltt_label *label)
{
	unsigned int bits = 8 * field->size - field->is_signed;

	if (label->is_negative)
		return field->is_signed && ~label->value >> bits == 0;
	return bits == 64 || label->value >> bits == 0;
}

/* The labels of @field, from behind the brace to behind the brace that ends them. */
static const char *parse_labels(const char **at, struct ltt_field *field)
{
	struct ltt_label label;
	unsigned int nr = 0;

	field->labels = *at;
	while (ltt_label_next(at, &label)) {
		if (nr == LTT_MARK_MAX_LABELS)
			return "a field has more than 256 labels";
		if (!fits(field, &label))
			return "the value of a label does not fit into the argument's type";
		if (!is_label_new(field->labels, nr++, &label))
			return "two labels of a field have this name";
	}
	*at = skip(*at, " \t\n");
	if (!nr || *(*at)++ != '}')
		return "labels are {name=number,...}; a name has 1 to 63 letters, digits, _ - and . and starts with a letter or _";
	return NULL;
}

/* ---- Conversions ---- */

/* Digits or a star. */
static const char *parse_width(const char *at, int *width)
{
	if (*at == '*') {
		*width = STAR;
		return at + 1;
	}
	for (*width = 0; is_digit(*at); at++)
		if (*width <= LTT_MARK_ARRAY_MAX)
			*width = 10 * *width + *at - '0';
	return at;
}

/* From behind the '%' to behind the conversion. */
static const char *parse_letters(const char *at, struct conversion *conversion)
{
	at = parse_width(skip(at, "#0- +"), &conversion->width);
	conversion->precision = NONE;
	if (*at == '.')
		at = parse_width(at + 1, &conversion->precision);
	at = skip(at, "hlzjt");
	conversion->letter = *at;
	conversion->what = '\0';
	if (!*at)
		return at;
	at++;
	if (conversion->letter == 'p' && (*at == 'h' || *at == 'A'))
		conversion->what = *at++;
	return at;
}

static const char *describe_text(struct ltt_field *field, struct ltt_mark_step *step,
				 const struct conversion *conversion)
{
	if (conversion->letter != 's')
		return "an argument that points to char is recorded as text, with %s; for its address cast it to (void *)";
	field->kind = LTT_FIELD_STRING;
	field->size = 1;
	step->how = LTT_MARK_TEXT;
	if (conversion->precision == STAR)
		step->how = LTT_MARK_TEXT_OF_LENGTH;
	if (conversion->precision == 0)
		return "%.0s is an empty text";
	if (conversion->precision > 0)
		step->count = conversion->precision < LTT_MARK_STRING_MAX ? conversion->precision : 0;
	return NULL;
}

static const char *describe_array(struct ltt_field *field, struct ltt_mark_step *step,
				  const struct ltt_mark_arg *arg, const struct conversion *conversion)
{
	unsigned int element = conversion->what == 'h' ? LTT_MARK_UCHAR : arg->element;

	if (arg->type == LTT_MARK_STRING && conversion->what == 'A')
		element = LTT_MARK_CHAR;
	if (arg->type != LTT_MARK_POINTER && arg->type != LTT_MARK_STRING)
		return "for %ph and %pA the argument must be a pointer";
	if (element >= LTT_MARK_NR_TYPES || !integers[element].size)
		return "for %pA the argument must point to integers";
	if (!conversion->width)
		return "%ph and %pA need a number of elements: %16ph, or %*ph with an argument";
	if (conversion->width > LTT_MARK_ARRAY_MAX / integers[element].size)
		return "an array has more than 4096 bytes";
	field->type = type_names[element];
	field->size = integers[element].size;
	field->is_signed = conversion->what == 'A' && integers[element].is_signed;
	field->base = conversion->what == 'h' ? 16 : 10;
	field->kind = conversion->width == STAR ? LTT_FIELD_SEQUENCE : LTT_FIELD_ARRAY;
	step->how = conversion->width == STAR ? LTT_MARK_SEQUENCE : LTT_MARK_ARRAY;
	step->size = field->size;
	if (conversion->width != STAR)
		step->count = field->count = conversion->width;
	return NULL;
}

static const char *describe_pointer(struct ltt_field *field, char letter)
{
	if (letter == 's')
		return "for %s the argument must point to char; cast it to (const char *)";
	if (letter != 'p')
		return "an argument that is a pointer is recorded with %p or %s";
	field->base = 16;
	return NULL;
}

static const char *describe_real(struct ltt_field *field, char letter)
{
	if (!one_of(letter, "fFeEgGaA"))
		return "an argument that is a float or double is recorded with %f, %e, %g or %a";
	field->kind = LTT_FIELD_FLOAT;
	field->base = 10;
	return NULL;
}

static const char *describe_integer(struct ltt_field *field, char letter)
{
	switch (letter) {
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

static bool is_real(const struct ltt_mark_arg *arg)
{
	return arg->type == LTT_MARK_FLOAT || arg->type == LTT_MARK_DOUBLE;
}

static bool is_integer(const struct ltt_mark_arg *arg)
{
	return arg->type > LTT_MARK_STRING && !is_real(arg);
}

static bool is_sound(const struct ltt_mark_arg *arg)
{
	if (arg->type >= LTT_MARK_NR_TYPES || (arg->size & (arg->size - 1)) || !arg->size ||
	    arg->size > 8)
		return false;
	return !is_real(arg) || arg->size == (arg->type == LTT_MARK_FLOAT ? 4 : 8);
}

static const char *describe(struct ltt_field *field, struct ltt_mark_step *step,
			    const struct ltt_mark_arg *arg, const struct conversion *conversion)
{
	if (!is_sound(arg))
		return "its description is damaged; build its module again";
	*step = (struct ltt_mark_step){ .how = LTT_MARK_VALUE, .size = arg->size };
	field->type = type_names[arg->type];
	field->count = 0;
	field->kind = LTT_FIELD_INT;
	field->size = arg->size;
	field->is_signed = arg->is_signed;
	field->base = 0;
	field->labels = NULL;
	if (conversion->what)
		return describe_array(field, step, arg, conversion);
	if (conversion->width == STAR)
		return "a * is for a length: %.*s, %*ph or %*pA";
	if (conversion->precision != NONE && conversion->letter != 's' && !is_real(arg))
		return "a precision is for text and floating-point numbers";
	if (arg->type == LTT_MARK_STRING)
		return describe_text(field, step, conversion);
	if (arg->type == LTT_MARK_POINTER)
		return describe_pointer(field, conversion->letter);
	return is_real(arg) ? describe_real(field, conversion->letter) :
	       describe_integer(field, conversion->letter);
}

/* The argument of a star. */
static const char *describe_length(struct ltt_mark_step *step, const struct ltt_mark_arg *arg)
{
	if (!is_sound(arg) || !is_integer(arg))
		return "the length of a field must be an integer";
	*step = (struct ltt_mark_step){
		.how = LTT_MARK_LENGTH, .size = arg->size, .is_signed = arg->is_signed,
	};
	return NULL;
}

/* @used: arguments so far; counts up. */
static const char *parse_conversion(const char **at, struct ltt_mark_fields *fields,
				    const struct ltt_mark_arg *args, unsigned int nr_args,
				    unsigned int *used)
{
	struct ltt_field *field = &fields->field[fields->nr];
	struct conversion conversion;
	const char *end, *why;

	if (**at != '%')
		return "each name must be followed by its conversion";
	end = parse_letters(*at + 1, &conversion);
	if (conversion.width == STAR || conversion.precision == STAR) {
		if (nr_args - *used < 2)
			return "there are more fields than arguments";
		why = describe_length(&fields->step[*used], &args[*used]);
		if (why)
			return why;
		++*used;
	}
	why = describe(field, &fields->step[*used], &args[*used], &conversion);
	if (why)
		return why;
	fields->by_value &= fields->step[(*used)++].how == LTT_MARK_VALUE;
	*at = end;
	if (**at == '{' && field->kind == LTT_FIELD_INT && conversion.letter != 'p' &&
	    conversion.letter != 'c') {
		++*at;
		why = parse_labels(at, field);
		if (why)
			return why;
	}
	if (!**at || one_of(**at, " \t\n,;"))
		return NULL;
	if (conversion.letter == 'p')
		return "%p has no other extensions here than %ph and %pA";
	return "a conversion must be followed by white space, a comma or a semicolon";
}

/* Metadata have a field for the length of a sequence, "_NAME_length". */
static bool is_length_of(const char *name, const char *sequence)
{
	if (*name++ != '_')
		return false;
	for (; *sequence; sequence++)
		if (*sequence != *name++)
			return false;
	return same(name, "_length");
}

static bool names_clash(const struct ltt_mark_fields *fields)
{
	unsigned int i, j;

	for (i = 0; i < fields->nr; i++)
		for (j = 0; fields->field[i].kind == LTT_FIELD_SEQUENCE && j < fields->nr; j++)
			if (is_length_of(fields->field[j].name, fields->field[i].name))
				return true;
	return false;
}

/* Would each event be lost? */
static bool is_too_large(const struct ltt_mark_step *step, unsigned int nr)
{
	static const u64 nothing[LTT_MARK_MAX_ARGS];

	return ltt_mark_room(step, nothing, nr) < 0;
}

const char *ltt_mark_parse(const char *format, const struct ltt_mark_arg *args,
			   unsigned int nr_args, struct ltt_mark_fields *fields,
			   const char **where)
{
	const char *why, *at = skip(format, " \t\n,;");
	unsigned int used = 0;

	*where = at;
	fields->by_value = true;
	if (nr_args > LTT_MARK_MAX_ARGS)
		return "it has more than 12 arguments";
	for (fields->nr = 0; *at; fields->nr++) {
		*where = at;
		if (used == nr_args)
			return "there are more fields than arguments";
		why = parse_name(&at, fields, fields->nr);
		if (why)
			return why;
		at = skip(at, " \t\n:=");
		why = parse_conversion(&at, fields, args, nr_args, &used);
		if (why)
			return why;
		at = skip(at, " \t\n,;");
	}
	*where = at;
	if (used != nr_args)
		return "there are fewer fields than arguments";
	if (names_clash(fields))
		return "a field has the name of another's length, _NAME_length";
	return is_too_large(fields->step, nr_args) ?
	       "its arrays have more bytes than the payload of an event, 8288" : NULL;
}
