// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Invariants of core/mark-format.c, core/ctf.c and libltt's pack.c for any format of a
 * marker, for libFuzzer.
 *
 * A case is the number of arguments, three bytes for each, the format with its NUL, and the
 * values of an event's arguments.  An accepted format describes each argument under a name of its
 * own, its metadata is one block whose quotes and braces close, and the payload of the event
 * matches the fields byte by byte.
 */
#include "must.h"

#include "../../core/ctf.h"
#include "../../core/mark-format.h"
#include "../../userspace/libltt/pack.h"

struct text {
	char bytes[16384];
	size_t len;
};

static int append(void *priv, const char *bytes, size_t len)
{
	struct text *text = priv;

	MUST(text->len + len < sizeof(text->bytes));
	memcpy(text->bytes + text->len, bytes, len);
	text->len += len;
	return 0;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void check_name(const struct ltt_mark_fields *fields, unsigned int nr)
{
	const char *name = fields->field[nr].name;
	size_t i, len = strlen(name);

	MUST(name == fields->name[nr]);
	MUST(len > 0 && len < LTT_MARK_NAME_SIZE && is_letter(*name));
	for (i = 0; i < len; i++)
		MUST(is_letter(name[i]) || (name[i] >= '0' && name[i] <= '9'));
	for (i = 0; i < nr; i++)
		MUST(strcmp(name, fields->field[i].name));
}

static void check_labels(const struct ltt_field *field)
{
	const char *at = field->labels;
	struct ltt_label label;
	unsigned int nr = 0;
	u64 extended;

	for (; ltt_label_next(&at, &label); nr++) {
		MUST(label.len > 0 && label.len <= LTT_LABEL_NAME_MAX);
		extended = label.value << (64 - 8 * field->size);
		extended = field->is_signed ? (u64)((s64)extended >> (64 - 8 * field->size)) :
			   extended >> (64 - 8 * field->size);
		MUST(extended == label.value);
	}
	MUST(nr > 0 && nr <= LTT_MARK_MAX_LABELS && at[strspn(at, " \t\n")] == '}');
}

/* @arg: the one with the value. */
static void check_field(const struct ltt_field *field, const struct ltt_mark_step *step,
			const struct ltt_mark_arg *arg)
{
	bool is_real = arg->type == LTT_MARK_FLOAT || arg->type == LTT_MARK_DOUBLE;

	MUST(field->type);
	MUST(field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8);
	MUST(!field->labels || field->kind == LTT_FIELD_INT);
	if (field->labels)
		check_labels(field);
	switch (field->kind) {
	case LTT_FIELD_STRING:
		MUST(arg->type == LTT_MARK_STRING && field->size == 1);
		MUST(step->how == LTT_MARK_TEXT || step->how == LTT_MARK_TEXT_OF_LENGTH);
		break;
	case LTT_FIELD_TEXT:
		MUST(field->size == 1 && field->count == 1 && arg->size == 1 && step->how == LTT_MARK_VALUE);
		break;
	case LTT_FIELD_FLOAT:
		MUST(is_real && field->size == arg->size && field->size >= 4 && step->how == LTT_MARK_VALUE);
		break;
	case LTT_FIELD_ARRAY:
		MUST(field->count && field->count * field->size <= LTT_MARK_ARRAY_MAX);
		MUST(step->count == field->count);
		/* fall through */
	case LTT_FIELD_SEQUENCE:
		MUST(arg->type == LTT_MARK_POINTER || arg->type == LTT_MARK_STRING);
		MUST(step->how == (field->kind == LTT_FIELD_ARRAY ? LTT_MARK_ARRAY : LTT_MARK_SEQUENCE));
		MUST(step->size == field->size && (field->base == 10 || field->base == 16));
		break;
	default:
		MUST(field->kind == LTT_FIELD_INT && field->size == arg->size && step->how == LTT_MARK_VALUE);
		MUST(field->base == 8 || field->base == 10 || field->base == 16);
		MUST(arg->type != LTT_MARK_STRING && !is_real);
	}
}

/* Fields and arguments in step: a length is an argument that no field has. */
static void check_fields(const struct ltt_mark_fields *fields, const struct ltt_mark_arg *args, unsigned int nr)
{
	unsigned int field, arg = 0;
	bool by_value = true;

	for (field = 0; field < fields->nr; field++, arg++) {
		MUST(arg < nr);
		if (fields->step[arg].how == LTT_MARK_LENGTH) {
			MUST(args[arg].type > LTT_MARK_STRING && args[arg].type < LTT_MARK_FLOAT);
			MUST(++arg < nr);
			MUST(fields->step[arg].how == LTT_MARK_SEQUENCE ||
			     fields->step[arg].how == LTT_MARK_TEXT_OF_LENGTH);
		}
		by_value &= fields->step[arg].how == LTT_MARK_VALUE;
		check_name(fields, field);
		check_field(&fields->field[field], &fields->step[arg], &args[arg]);
	}
	MUST(arg == nr && by_value == fields->by_value);
}

/* ---- Events ---- */

/* A block that ends with what the argument may be read of, so that more is noticed. */
static char *block_of(struct rest *rest, size_t size)
{
	char *block = calloc(1, size + 1), *bytes = take_text(rest, size);

	MUST(block);
	memcpy(block, bytes, strlen(bytes));
	free(bytes);
	return realloc(block, size ? size : 1);
}

static uint64_t take_length(struct rest *rest, const struct ltt_mark_step *step)
{
	int16_t length = take_byte(rest);

	length |= take_byte(rest) << 8;
	return step->is_signed ? (uint64_t)(int64_t)length : (uint16_t)length;
}

/* The argument of a step; @length: that of the argument before. */
static uint64_t take_argument(struct rest *rest, const struct ltt_mark_step *step, uint64_t length)
{
	bool is_null = take_byte(rest) == 1;
	char *text;

	switch (step->how) {
	case LTT_MARK_VALUE:
		return take_byte(rest) * 0x0101010101010101ULL;
	case LTT_MARK_LENGTH:
		return take_length(rest, step);
	case LTT_MARK_TEXT:
		text = calloc(1, 6000);
		memset(text, 'x', take_byte(rest) * 23);
		return is_null ? free(text), 0 : (uintptr_t)text;
	case LTT_MARK_TEXT_OF_LENGTH:
		/* Without a NUL, unless the length is negative. */
		return is_null ? 0 : (uintptr_t)((int64_t)length < 0 ? take_text(rest, 3) : block_of(rest, length));
	case LTT_MARK_ARRAY:
		return is_null ? 0 : (uintptr_t)block_of(rest, (size_t)step->count * step->size);
	}
	return is_null ? 0 : (uintptr_t)block_of(rest, (int64_t)length < 0 ? 0 : length * step->size);
}

/* Return: the end of the field's value. */
static const char *skip_value(const struct ltt_field *field, const char *at, const char *end)
{
	uint16_t count = 1;

	if (field->kind == LTT_FIELD_STRING) {
		MUST(memchr(at, '\0', end - at) && strlen(at) < LTT_MARK_STRING_MAX);
		return at + strlen(at) + 1;
	}
	if (field->kind == LTT_FIELD_SEQUENCE) {
		MUST(end - at >= 2);
		memcpy(&count, at, 2);
		at += 2;
	} else if (field->kind == LTT_FIELD_ARRAY) {
		count = field->count;
	}
	return at + (size_t)count * field->size;
}

static void check_event(const struct ltt_mark_fields *fields, unsigned int nr, struct rest *rest)
{
	uint64_t words[LTT_MARK_MAX_ARGS];
	struct ltt_packing packing;
	const char *at, *end;
	size_t size, packed;
	unsigned int i;
	char *payload;

	for (i = 0; i < nr; i++)
		words[i] = take_argument(rest, &fields->step[i], i ? words[i - 1] : 0);
	size = ltt_pack_measure(&packing, fields->step, words, nr);
	if (size != LTT_PACK_TOO_LARGE) {
		MUST(size <= LTT_MARK_PAYLOAD_MAX);
		payload = malloc(size ? size : 1);
		packed = ltt_pack(payload, &packing, fields->step, words, nr);
		MUST(packed == size);
		for (i = 0, at = payload, end = payload + size; i < fields->nr; i++) {
			at = skip_value(&fields->field[i], at, end);
			MUST(at <= end);
		}
		MUST(at == end);
		free(payload);
	}
	for (i = 0; i < nr; i++)
		if (fields->step[i].how != LTT_MARK_VALUE && fields->step[i].how != LTT_MARK_LENGTH)
			free((void *)(uintptr_t)words[i]);
}

/* Quotes and braces, counted as a reader of TSDL does. */
static void check_metadata(const struct ltt_mark_fields *fields)
{
	static struct text text;
	struct ltt_ctf ctf = { .write = append, .priv = &text };
	unsigned int names = 0, depth = 0, blocks = 0, wanted = fields->nr;
	bool quoted = false;
	size_t i;

	text.len = 0;
	ltt_ctf_put_event(&ctf, 1, 2, "group", "name", fields->field, fields->nr);
	MUST(!ctf.err);
	for (i = 0; i < fields->nr; i++)
		wanted += fields->field[i].kind == LTT_FIELD_SEQUENCE;
	for (i = 0; i < text.len; i++) {
		char c = text.bytes[i];

		MUST(c == '\n' || c == '\t' || (c >= ' ' && c <= '~'));
		quoted ^= c == '"';
		if (quoted)
			continue;
		if (c == '{')
			depth++;
		if (c == '}') {
			MUST(depth > 0);
			blocks += !--depth;
		}
		names += c == '_' && text.bytes[i - 1] == ' ';
	}
	MUST(!quoted && !depth && blocks == 1 && names == wanted);
}

/* As an env value: what is in quotes is the value, less control characters. */
static void check_quoted(const char *value)
{
	static const u8 uuid[16];
	static struct text text;
	const char *const env[][2] = { { "key", value } };
	const struct ltt_ctf_trace trace = {
		.uuid = uuid, .clock_uuid = uuid, .clock_name = "c", .clock_description = value,
		.freq = 1, .env = env, .nr_env = 1,
	};
	struct ltt_ctf ctf = { .write = append, .priv = &text };
	const char *at;

	text.len = 0;
	ltt_ctf_put_trace(&ctf, &trace);
	text.bytes[text.len] = '\0';
	at = strstr(text.bytes, "\tkey = ");
	MUST(at);
	at += strlen("\tkey = ");
	if (*at != '"') {
		MUST(strlen(value) == strspn(value, "0123456789") && *value);
		MUST(!strncmp(at, value, strlen(value)) && at[strlen(value)] == ';');
		return;
	}
	for (at++; *value; value++) {
		if ((unsigned char)*value < ' ')
			continue;
		if (*at == '\\')
			at++;
		else
			MUST(*value != '"' && *value != '\\');
		MUST(*at++ == *value);
	}
	MUST(at[0] == '"' && at[1] == ';');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rest rest = { data, size };
	unsigned int i, nr = take_byte(&rest) % (LTT_MARK_MAX_ARGS + 3);
	struct ltt_mark_arg *args = calloc(nr, sizeof(*args));
	struct ltt_mark_fields fields;
	const char *where = NULL, *why;
	char *format;

	for (i = 0; i < nr; i++) {
		uint8_t type = take_byte(&rest), more = take_byte(&rest);

		args[i].type = type;
		args[i].size = more >> 1;
		args[i].is_signed = more & 1;
		args[i].element = take_byte(&rest);
	}
	format = take_text(&rest, strnlen((const char *)rest.at, rest.left));
	take_byte(&rest);
	memset(&fields, 0xa5, sizeof(fields));
	why = ltt_mark_parse(format, args, nr, &fields, &where);
	MUST(where >= format && where <= format + strlen(format));
	if (why) {
		MUST(*why);
	} else {
		check_fields(&fields, args, nr);
		check_metadata(&fields);
		check_event(&fields, nr, &rest);
	}
	check_quoted(format);
	free(format);
	free(args);
	return 0;
}
