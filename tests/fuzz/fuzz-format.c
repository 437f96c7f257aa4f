// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Invariants of core/mark-format.c and core/ctf.c for any format of a marker,
 * for libFuzzer.
 *
 * A case is the number of arguments, two bytes for each, and the format.  A format that
 * is taken describes each argument with a name of its own; and what the metadata says of
 * it is one block, whose quotes and braces close.
 */
#include "must.h"

#include "../../core/ctf.h"
#include "../../core/mark-format.h"

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

static void check_field(const struct ltt_field *field, const struct ltt_mark_arg *arg)
{
	MUST(field->type);
	MUST(field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8);
	switch (field->kind) {
	case LTT_FIELD_STRING:
		MUST(arg->type == LTT_MARK_STRING && field->size == 1);
		break;
	case LTT_FIELD_TEXT:
		MUST(field->size == 1 && field->count == 1 && arg->size == 1);
		break;
	default:
		MUST(field->kind == LTT_FIELD_INT && field->size == arg->size);
		MUST(field->base == 8 || field->base == 10 || field->base == 16);
		MUST(arg->type != LTT_MARK_STRING);
	}
}

/* Quotes and braces, counted as a reader of TSDL does. */
static void check_metadata(const struct ltt_mark_fields *fields, unsigned int nr)
{
	static struct text text;
	struct ltt_ctf ctf = { .write = append, .priv = &text };
	unsigned int names = 0, depth = 0, blocks = 0;
	bool quoted = false;
	size_t i;

	text.len = 0;
	ltt_ctf_put_event(&ctf, 1, 2, "group", "name", fields->field, nr);
	MUST(!ctf.err);
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
	MUST(!quoted && !depth && blocks == 1 && names == nr);
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
	}
	format = take_text(&rest, 2000);
	memset(&fields, 0xa5, sizeof(fields));
	why = ltt_mark_parse(format, args, nr, &fields, &where);
	MUST(where >= format && where <= format + strlen(format));
	if (why) {
		MUST(*why);
	} else {
		for (i = 0; i < nr; i++) {
			check_name(&fields, i);
			check_field(&fields.field[i], &args[i]);
		}
		check_metadata(&fields, nr);
	}
	check_quoted(format);
	free(format);
	free(args);
	return 0;
}
