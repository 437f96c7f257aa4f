/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The layout of one field of an event in the payload.
 *
 * Layer: core.  A payload is the fields in the order of their descriptors,
 * packed: no padding, no alignment, native byte order.  The same descriptors
 * drive the CTF metadata writer (ctf.h), so the metadata describes the payload
 * that a probe packs.
 */
#ifndef LTT_CORE_FIELD_H
#define LTT_CORE_FIELD_H

#include "types.h"

/**
 * enum ltt_field_kind - the shapes a field can have
 * @LTT_FIELD_INT: one integer of @size bytes (1, 2, 4 or 8)
 * @LTT_FIELD_STRING: bytes up to and including a NUL
 * @LTT_FIELD_TEXT: @count bytes of text, NUL-padded (a C char array)
 * @LTT_FIELD_ARRAY: @count integers of @size bytes
 * @LTT_FIELD_SEQUENCE: a u16 count of elements, then that many integers of
 *	@size bytes
 * @LTT_FIELD_FLOAT: one binary floating-point number of IEEE 754 of @size bytes (4 or 8)
 */
enum ltt_field_kind {
	LTT_FIELD_INT,
	LTT_FIELD_STRING,
	LTT_FIELD_TEXT,
	LTT_FIELD_ARRAY,
	LTT_FIELD_SEQUENCE,
	LTT_FIELD_FLOAT,
};

#define LTT_BASE_TEXT	0

/**
 * struct ltt_field - one field of an event's payload
 * @name: the field's name, a C identifier
 * @type: the C type as its source spells it; for people, not parsed
 * @count: number of elements (TEXT, ARRAY), else 0
 * @kind: an enum ltt_field_kind
 * @size: bytes of one element (1 for STRING and TEXT)
 * @is_signed: the element's sign
 * @base: how to show the integer: 8, 10 or 16; LTT_BASE_TEXT for a SEQUENCE of characters
 * @labels: INT: NULL, or names of values, "idle=0,running=0x1}", as in the format of a marker
 *	(see label.h); they end at the brace
 */
struct ltt_field {
	const char *name;
	const char *type;
	u32 count;
	u8 kind;
	u8 size;
	u8 is_signed;
	u8 base;
	const char *labels;
};

#endif /* LTT_CORE_FIELD_H */
