// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Writes CTF 1.8 metadata; ctf.h has the interface and the sources.
 *
 * Layer: core.  Context: whatever the writer's callback needs.
 */
#include "ctf.h"
#include "label.h"

#include "header.h"
#ifdef __KERNEL__
#include "plat-linux.h"
#else
#include "plat-native.h"
#endif

static void put_bytes(struct ltt_ctf *ctf, const char *text, size_t len)
{
	if (!ctf->err && len)
		ctf->err = ctf->write(ctf->priv, text, len);
}

static void put(struct ltt_ctf *ctf, const char *text)
{
	put_bytes(ctf, text, strlen(text));
}

static void put_u64(struct ltt_ctf *ctf, u64 n)
{
	char digits[20];
	int i = sizeof(digits);

	do {
		u32 digit;

		n = ltt_div_u64(n, 10, &digit);
		digits[--i] = '0' + digit;
	} while (n);
	put_bytes(ctf, digits + i, sizeof(digits) - i);
}

static void put_uuid(struct ltt_ctf *ctf, const u8 *uuid)
{
	static const char hex[] = "0123456789abcdef";
	char text[36];
	int i, n = 0;

	for (i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			text[n++] = '-';
		text[n++] = hex[uuid[i] >> 4];
		text[n++] = hex[uuid[i] & 15];
	}
	put_bytes(ctf, text, n);
}

/* As TSDL understands it: a leading zero means octal, and 64 bits are the limit. */
static bool is_number(const char *s)
{
	size_t i, len = strlen(s);

	if (!len || len > 18 || (*s == '0' && len > 1))
		return false;
	for (i = 0; i < len; i++)
		if (s[i] < '0' || s[i] > '9')
			return false;
	return true;
}

static void put_quoted(struct ltt_ctf *ctf, const char *s)
{
	put(ctf, "\"");
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			put(ctf, "\\");
		if ((unsigned char)*s >= ' ')
			put_bytes(ctf, s, 1);
	}
	put(ctf, "\"");
}

static void put_env(struct ltt_ctf *ctf, const struct ltt_ctf_trace *trace)
{
	unsigned int i;

	put(ctf, "env {\n");
	for (i = 0; i < trace->nr_env; i++) {
		const char *value = trace->env[i][1];

		put(ctf, "\t");
		put(ctf, trace->env[i][0]);
		put(ctf, " = ");
		if (is_number(value))
			put(ctf, value);
		else
			put_quoted(ctf, value);
		put(ctf, ";\n");
	}
	put(ctf, "};\n\n");
}

static void put_clock(struct ltt_ctf *ctf, const struct ltt_ctf_trace *trace)
{
	put(ctf, "clock {\n\tname = ");
	put(ctf, trace->clock_name);
	put(ctf, ";\n\tuuid = \"");
	put_uuid(ctf, trace->clock_uuid);
	put(ctf, "\";\n\tdescription = ");
	put_quoted(ctf, trace->clock_description);
	put(ctf, ";\n\tfreq = ");
	put_u64(ctf, trace->freq);
	put(ctf, ";\n\toffset_s = ");
	put_u64(ctf, trace->offset_s);
	put(ctf, ";\n\toffset = ");
	put_u64(ctf, trace->offset);
	/* Counted from the Unix epoch.  babeltrace2 merges traces with different clocks only so. */
	put(ctf, ";\n\tabsolute = TRUE;\n};\n\n");
}

static void put_clock_type(struct ltt_ctf *ctf, const char *size_align, const char *clock,
			   const char *name)
{
	put(ctf, "typealias integer { ");
	put(ctf, size_align);
	put(ctf, " signed = false; map = clock.");
	put(ctf, clock);
	put(ctf, ".value; } := ");
	put(ctf, name);
	put(ctf, ";\n");
}

void ltt_ctf_put_trace(struct ltt_ctf *ctf, const struct ltt_ctf_trace *trace)
{
	const u16 one = 1;

	put(ctf, "/* CTF 1.8 */\n\n"
	    "typealias integer { size = 5; align = 1; signed = false; } := uint5_t;\n"
	    "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
	    "typealias integer { size = 16; align = 1; signed = false; } := uint16_id_t;\n"
	    "typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
	    "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
	    "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n\n"
	    "trace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"");
	put_uuid(ctf, trace->uuid);
	put(ctf, "\";\n\tbyte_order = ");
	put(ctf, *(const u8 *)&one ? "le" : "be");
	put(ctf, ";\n\tpacket.header := struct {\n"
	    "\t\tuint32_t magic;\n\t\tuint8_t  uuid[16];\n\t\tuint32_t stream_id;\n"
	    "\t};\n};\n\n");
	put_env(ctf, trace);
	put_clock(ctf, trace);
	_Static_assert(LTT_ID_BITS == 5 && LTT_TIME_BITS == 27 && LTT_COMPACT_IDS == 30 &&
		       LTT_ID_MEDIUM == 30 && LTT_ID_LONG == 31,
		       "this text has the numbers of header.h");
	put_clock_type(ctf, "size = 27; align = 1;", trace->clock_name, "uint27_clock_t");
	put_clock_type(ctf, "size = 64; align = 8;", trace->clock_name, "uint64_clock_t");
	put(ctf, "\nstruct packet_context {\n"
	    "\tuint64_clock_t timestamp_begin;\n\tuint64_clock_t timestamp_end;\n"
	    "\tuint64_t content_size;\n\tuint64_t packet_size;\n"
	    "\tuint64_t packet_seq_num;\n\tuint64_t events_discarded;\n"
	    "\tuint32_t cpu_id;\n};\n\n"
	    "struct event_header {\n"
	    "\tenum : uint5_t { compact = 0 ... 29, medium = 30, extended = 31 } id;\n"
	    "\tvariant <id> {\n"
	    "\t\tstruct { uint27_clock_t timestamp; } compact;\n"
	    "\t\tstruct { uint27_clock_t timestamp; uint16_id_t id; } medium;\n"
	    "\t\tstruct { uint32_t id; uint64_clock_t timestamp; } extended;\n"
	    "\t} v;\n} align(8);\n\n");
}

static void put_integer(struct ltt_ctf *ctf, unsigned int size, bool is_signed, unsigned int base,
			bool text)
{
	put(ctf, "integer { size = ");
	put_u64(ctf, size * 8);
	put(ctf, "; align = 8; signed = ");
	put(ctf, is_signed ? "true" : "false");
	if (base != 10) {
		put(ctf, "; base = ");
		put_u64(ctf, base);
	}
	if (text)
		put(ctf, "; encoding = UTF8");
	put(ctf, "; }");
}

static void put_labels(struct ltt_ctf *ctf, const char *labels)
{
	const char *comma = " { ";
	struct ltt_label label;

	while (ltt_label_next(&labels, &label)) {
		put(ctf, comma);
		put(ctf, "\"");
		put_bytes(ctf, label.name, label.len);
		put(ctf, label.is_negative ? "\" = -" : "\" = ");
		put_u64(ctf, label.is_negative ? -label.value : label.value);
		comma = ", ";
	}
	put(ctf, " }");
}

/* The type of a field, or of its elements. */
static void put_type(struct ltt_ctf *ctf, const struct ltt_field *field)
{
	bool text = field->kind == LTT_FIELD_TEXT ||
		    (field->kind == LTT_FIELD_SEQUENCE && field->base == LTT_BASE_TEXT);

	switch (field->kind) {
	case LTT_FIELD_STRING:
		put(ctf, "string");
		return;
	case LTT_FIELD_FLOAT:
		put(ctf, field->size == 4 ? "floating_point { exp_dig = 8; mant_dig = 24; align = 8; }" :
			 "floating_point { exp_dig = 11; mant_dig = 53; align = 8; }");
		return;
	}
	if (field->labels)
		put(ctf, "enum : ");
	put_integer(ctf, field->size, field->is_signed && !text, text ? 10 : field->base, text);
	if (field->labels)
		put_labels(ctf, field->labels);
}

/* A leading underscore, which readers take off, keeps names off TSDL's words. */
static void put_field(struct ltt_ctf *ctf, const struct ltt_field *field)
{
	put(ctf, "\t\t");
	if (field->kind == LTT_FIELD_SEQUENCE) {
		put(ctf, "uint16_t __");
		put(ctf, field->name);
		put(ctf, "_length;\n\t\t");
	}
	put_type(ctf, field);
	put(ctf, " _");
	put(ctf, field->name);
	if (field->kind == LTT_FIELD_SEQUENCE) {
		put(ctf, "[__");
		put(ctf, field->name);
		put(ctf, "_length]");
	} else if (field->kind == LTT_FIELD_ARRAY || field->kind == LTT_FIELD_TEXT) {
		put(ctf, "[");
		put_u64(ctf, field->count);
		put(ctf, "]");
	}
	put(ctf, ";\n");
}

void ltt_ctf_put_stream(struct ltt_ctf *ctf, u32 id, const char *name,
			const struct ltt_field *context, unsigned int nr_context)
{
	unsigned int i;

	put(ctf, "/* channel ");
	put(ctf, name);
	put(ctf, " */\nstream {\n\tid = ");
	put_u64(ctf, id);
	put(ctf, ";\n\tevent.header := struct event_header;\n"
	    "\tpacket.context := struct packet_context;\n"
	    "\tevent.context := struct {\n");
	for (i = 0; i < nr_context; i++)
		put_field(ctf, &context[i]);
	put(ctf, "\t};\n};\n\n");
}

void ltt_ctf_put_event_with(struct ltt_ctf *ctf, u32 stream, u32 id, const char *group,
			    const char *name, const struct ltt_field *context,
			    unsigned int nr_context, const struct ltt_field *fields,
			    unsigned int nr_fields)
{
	unsigned int i;

	put(ctf, "event {\n\tname = \"");
	if (group) {
		put(ctf, group);
		put(ctf, ":");
	}
	put(ctf, name);
	put(ctf, "\";\n\tid = ");
	put_u64(ctf, id);
	put(ctf, ";\n\tstream_id = ");
	put_u64(ctf, stream);
	if (nr_context) {
		put(ctf, ";\n\tcontext := struct {\n");
		for (i = 0; i < nr_context; i++)
			put_field(ctf, &context[i]);
		put(ctf, "\t}");
	}
	put(ctf, ";\n\tfields := struct {\n");
	for (i = 0; i < nr_fields; i++)
		put_field(ctf, &fields[i]);
	put(ctf, "\t};\n};\n\n");
}

void ltt_ctf_put_event(struct ltt_ctf *ctf, u32 stream, u32 id, const char *group,
		       const char *name, const struct ltt_field *fields, unsigned int nr_fields)
{
	ltt_ctf_put_event_with(ctf, stream, id, group, name, NULL, 0, fields, nr_fields);
}
