// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The values of fields of other tracers' events as text.
 *
 * Layer: lttctl view, on libbabeltrace2.
 */
#include "foreign.h"

static void put_value(struct out *out, const bt_field *field);

static bool is_of_type(const bt_field *field, bt_field_class_type type)
{
	return bt_field_class_type_is(bt_field_get_class_type(field), type);
}

/* ---- Numbers ---- */

static void put_in_base(struct out *out, const bt_field_class *class, uint64_t bits, int64_t value)
{
	switch (bt_field_class_integer_get_preferred_display_base(class)) {
	case BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_OCTAL:
		out_octal(out, bits);
		break;
	case BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL:
		out_hex(out, bits);
		break;
	default:
		if (value < 0)
			out_signed(out, value);
		else
			out_unsigned(out, bits);
	}
}

static void put_integer(struct out *out, const bt_field *field)
{
	const bt_field_class *class = bt_field_borrow_class_const(field);
	unsigned int unused;
	int64_t value;

	if (is_of_type(field, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)) {
		put_in_base(out, class, bt_field_integer_unsigned_get_value(field), 0);
		return;
	}
	value = bt_field_integer_signed_get_value(field);
	unused = 64 - bt_field_class_integer_get_field_value_range(class);
	put_in_base(out, class, (uint64_t)value << unused >> unused, value);
}

/* The first label of the value; the number if it has none. */
static void put_enumeration(struct out *out, const bt_field *field)
{
	bt_field_class_enumeration_mapping_label_array labels;
	bt_field_enumeration_get_mapping_labels_status status;
	uint64_t count = 0;

	status = is_of_type(field, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER) ?
		 bt_field_enumeration_signed_get_mapping_labels(field, &labels, &count) :
		 bt_field_enumeration_unsigned_get_mapping_labels(field, &labels, &count);
	if (status == BT_FIELD_ENUMERATION_GET_MAPPING_LABELS_STATUS_OK && count)
		out_plain(out, labels[0], strlen(labels[0]));
	else
		put_integer(out, field);
}

/* ---- Other values ---- */

static void put_array(struct out *out, const bt_field *field)
{
	uint64_t count = bt_field_array_get_length(field), i;

	out_char(out, '[');
	for (i = 0; i < count; i++) {
		if (i)
			out_text(out, ", ");
		put_value(out, bt_field_array_borrow_element_field_by_index_const(field, i));
	}
	out_char(out, ']');
}

static void put_value(struct out *out, const bt_field *field)
{
	const bt_field_class_type type = bt_field_get_class_type(field);

	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ENUMERATION)) {
		put_enumeration(out, field);
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_INTEGER)) {
		put_integer(out, field);
	} else if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL) {
		out_real(out, bt_field_real_single_precision_get_value(field), true);
	} else if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL) {
		out_real(out, bt_field_real_double_precision_get_value(field), false);
	} else if (type == BT_FIELD_CLASS_TYPE_STRING) {
		/* babeltrace2 2.0.4 leaves an earlier text in an empty field, and only its length is right. */
		out_quoted(out, bt_field_string_get_value(field), bt_field_string_get_length(field));
	} else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE) {
		out_char(out, '{');
		foreign_put_members(out, field);
		out_char(out, '}');
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT)) {
		put_value(out, bt_field_variant_borrow_selected_option_field_const(field));
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
		put_array(out, field);
	} else {
		out_char(out, '?');
	}
}

bool foreign_put_members(struct out *out, const bt_field *structure)
{
	const bt_field_class *class = bt_field_borrow_class_const(structure);
	uint64_t count = bt_field_class_structure_get_member_count(class), i;

	for (i = 0; i < count; i++) {
		if (i)
			out_text(out, ", ");
		out_text(out, bt_field_class_structure_member_get_name(
				      bt_field_class_structure_borrow_member_by_index_const(class, i)));
		out_char(out, '=');
		put_value(out, bt_field_structure_borrow_member_field_by_index_const(structure, i));
	}
	return count;
}

/* ---- Members ---- */

const bt_field *foreign_member(const bt_field *structure, const char *name)
{
	return structure ? bt_field_structure_borrow_member_field_by_name_const(structure, name) : NULL;
}

bool foreign_integer(const bt_field *field, int64_t *value)
{
	if (!field)
		return false;
	if (is_of_type(field, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		*value = bt_field_integer_unsigned_get_value(field);
	else if (is_of_type(field, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		*value = bt_field_integer_signed_get_value(field);
	else
		return false;
	return true;
}
