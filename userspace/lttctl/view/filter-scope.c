// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The names that an expression can use for a class of events, and their types.
 *
 * Layer: lttctl view.
 */
#include "filter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/label.h"

/* ---- Labels ---- */

/* Return: true for a name that is a label of LTT; other traces have any. */
static bool is_label(const char *name)
{
	char text[LTT_LABEL_NAME_MAX + sizeof("=0}")];
	struct ltt_label label;
	const char *at = text;

	snprintf(text, sizeof(text), "%s=0}", name);
	return ltt_label_next(&at, &label) && label.len == strlen(name);
}

static void write_signed_labels(FILE *to, const bt_field_class *class)
{
	uint64_t count = bt_field_class_enumeration_get_mapping_count(class), i;

	for (i = 0; i < count; i++) {
		const bt_field_class_enumeration_signed_mapping *mapping =
			bt_field_class_enumeration_signed_borrow_mapping_by_index_const(class, i);
		const char *name = bt_field_class_enumeration_mapping_get_label(
			bt_field_class_enumeration_signed_mapping_as_mapping_const(mapping));
		const bt_integer_range_signed *range = bt_integer_range_set_signed_borrow_range_by_index_const(
			bt_field_class_enumeration_signed_mapping_borrow_ranges_const(mapping), 0);

		if (is_label(name))
			fprintf(to, "%s=%" PRId64 ",", name, bt_integer_range_signed_get_lower(range));
	}
}

static void write_unsigned_labels(FILE *to, const bt_field_class *class)
{
	uint64_t count = bt_field_class_enumeration_get_mapping_count(class), i;

	for (i = 0; i < count; i++) {
		const bt_field_class_enumeration_unsigned_mapping *mapping =
			bt_field_class_enumeration_unsigned_borrow_mapping_by_index_const(class, i);
		const char *name = bt_field_class_enumeration_mapping_get_label(
			bt_field_class_enumeration_unsigned_mapping_as_mapping_const(mapping));
		const bt_integer_range_unsigned *range = bt_integer_range_set_unsigned_borrow_range_by_index_const(
			bt_field_class_enumeration_unsigned_mapping_borrow_ranges_const(mapping), 0);

		if (is_label(name))
			fprintf(to, "%s=%" PRIu64 ",", name, bt_integer_range_unsigned_get_lower(range));
	}
}

/* Return: the labels of a class, as in &struct ltt_field; NULL without memory. */
static char *labels_of(const bt_field_class *class, bool is_signed)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	if (is_signed)
		write_signed_labels(to, class);
	else
		write_unsigned_labels(to, class);
	fputc('}', to);
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}

/* ---- Types ---- */

/* Return: false without memory. */
static bool set_integer(struct ltt_field *field, const bt_field_class *class)
{
	const bt_field_class_type type = bt_field_class_get_type(class);
	const uint64_t bits = bt_field_class_integer_get_field_value_range(class);

	field->kind = LTT_FIELD_INT;
	field->size = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
	field->is_signed = bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER);
	if (!bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ENUMERATION))
		return true;
	field->labels = labels_of(class, field->is_signed);
	return field->labels;
}

static bool set_field(struct ltt_field *field, const char *name, const bt_field_class *class)
{
	const bt_field_class_type type = bt_field_class_get_type(class);

	field->name = name;
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_INTEGER))
		return set_integer(field, class);
	if (type == BT_FIELD_CLASS_TYPE_STRING)
		field->kind = LTT_FIELD_STRING;
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_REAL))
		field->kind = LTT_FIELD_FLOAT;
	else	/* nothing else can be compared either */
		field->kind = LTT_FIELD_ARRAY;
	return true;
}

/* ---- Names ---- */

static uint64_t count_members(const bt_field_class *structure)
{
	return structure ? bt_field_class_structure_get_member_count(structure) : 0;
}

static bool add_context(struct filter_scope *scope, const char *name, const bt_field_class *class,
			enum filter_place place, uint64_t member)
{
	const size_t nr = scope->expression.nr_contexts++;

	scope->places[nr] = place;
	scope->members[nr] = member;
	return set_field(&scope->contexts[nr], name, class);
}

/* The number of the CPU is known as "cpu" where the kernel evaluates expressions. */
static const char *context_name(enum filter_place place, const char *name)
{
	return place == FILTER_PACKET && !strcmp(name, "cpu_id") ? "cpu" : name;
}

static bool add_contexts(struct filter_scope *scope, const bt_field_class *structure, enum filter_place place)
{
	uint64_t count = count_members(structure), i;
	bool added = true;

	for (i = 0; added && i < count; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(structure, i);

		added = add_context(scope, context_name(place, bt_field_class_structure_member_get_name(member)),
				    bt_field_class_structure_member_borrow_field_class_const(member), place, i);
	}
	return added;
}

static bool add_fields(struct filter_scope *scope, const bt_field_class *payload)
{
	uint64_t count = count_members(payload), i;

	for (i = 0; i < count; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(payload, i);

		scope->expression.nr_fields++;
		if (!set_field(&scope->fields[i], bt_field_class_structure_member_get_name(member),
			       bt_field_class_structure_member_borrow_field_class_const(member)))
			return false;
	}
	return true;
}

/* A recorded name of the thread comes before the one that the line shows. */
static void add_comm(struct filter_scope *scope)
{
	const size_t nr = scope->expression.nr_contexts++;

	scope->places[nr] = FILTER_COMM;
	scope->contexts[nr] = (struct ltt_field){ .name = "comm", .kind = LTT_FIELD_STRING, .size = 1 };
}

bool filter_scope_make(struct filter_scope *scope, const bt_event_class *class)
{
	const bt_stream_class *stream = bt_event_class_borrow_stream_class_const(class);
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(class);
	const bt_field_class *own = bt_event_class_borrow_specific_context_field_class_const(class);
	const bt_field_class *common = bt_stream_class_borrow_event_common_context_field_class_const(stream);
	const bt_field_class *packet = bt_stream_class_borrow_packet_context_field_class_const(stream);
	const uint64_t contexts = count_members(own) + count_members(common) + count_members(packet) + 1;

	*scope = (struct filter_scope){
		.fields = calloc(count_members(payload) + 1, sizeof(*scope->fields)),
		.contexts = calloc(contexts, sizeof(*scope->contexts)),
		.places = calloc(contexts, sizeof(*scope->places)),
		.members = calloc(contexts, sizeof(*scope->members)),
	};
	scope->expression.fields = scope->fields;
	scope->expression.contexts = scope->contexts;
	if (!scope->fields || !scope->contexts || !scope->places || !scope->members ||
	    !add_fields(scope, payload) || !add_contexts(scope, own, FILTER_OWN) ||
	    !add_contexts(scope, common, FILTER_COMMON) || !add_contexts(scope, packet, FILTER_PACKET))
		return false;
	add_comm(scope);
	return true;
}

static void free_fields(struct ltt_field *fields, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		free((char *)fields[i].labels);
	free(fields);
}

void filter_scope_free(struct filter_scope *scope)
{
	free_fields(scope->fields, scope->expression.nr_fields);
	free_fields(scope->contexts, scope->expression.nr_contexts);
	free(scope->places);
	free(scope->members);
	*scope = (struct filter_scope){ 0 };
}
