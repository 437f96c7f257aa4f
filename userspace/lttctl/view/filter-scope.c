// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The names that an expression can use for a class of events, and their types.
 *
 * Layer: lttctl view.
 */
#include "filter.h"
#include "kernel-names.h"

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

/* Return: the labels of a field, as in &struct ltt_field; NULL without memory. */
static char *labels_of(const struct ltttrace_field *field)
{
	char *text = NULL;
	size_t size, i;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	for (i = 0; i < field->nr_labels; i++) {
		if (!is_label(field->labels[i].name))
			continue;
		if (field->kind == LTTTRACE_SIGNED)
			fprintf(to, "%s=%" PRId64 ",", field->labels[i].name, (int64_t)field->labels[i].first);
		else
			fprintf(to, "%s=%" PRIu64 ",", field->labels[i].name, field->labels[i].first);
	}
	fputc('}', to);
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}

/* ---- Types ---- */

/* Return: false without memory. */
static bool set_field(struct ltt_field *to, const struct ltttrace_field *field)
{
	to->name = field->name;
	switch (field->kind) {
	case LTTTRACE_UNSIGNED:
	case LTTTRACE_SIGNED:
		to->kind = LTT_FIELD_INT;
		to->size = field->bits / 8;
		to->is_signed = field->kind == LTTTRACE_SIGNED;
		if (!field->nr_labels)
			return true;
		to->labels = labels_of(field);
		return to->labels;
	case LTTTRACE_FLOAT:
		to->kind = LTT_FIELD_FLOAT;
		return true;
	default:	/* nothing else can be compared either */
		to->kind = field->kind == LTTTRACE_STRING || field->is_text ? LTT_FIELD_STRING : LTT_FIELD_ARRAY;
		return true;
	}
}

/* ---- Names ---- */

static bool add_contexts(struct filter_scope *scope, const struct ltttrace_event *event, unsigned int first,
			 unsigned int end)
{
	bool added = true;
	unsigned int i;

	for (i = first; added && i < end; i++) {
		const size_t nr = scope->expression.nr_contexts++;

		scope->members[nr] = i;
		added = set_field(&scope->contexts[nr], &event->fields[i]);
	}
	return added;
}

static bool add_fields(struct filter_scope *scope, const struct ltttrace_event *event)
{
	unsigned int i;

	for (i = event->payload; i < event->nr_fields; i++)
		if (!set_field(&scope->fields[scope->expression.nr_fields++], &event->fields[i]))
			return false;
	return true;
}

static void add_special(struct filter_scope *scope, const struct ltt_field *field, int member)
{
	const size_t nr = scope->expression.nr_contexts++;

	scope->members[nr] = member;
	scope->contexts[nr] = *field;
}

bool filter_scope_make(struct filter_scope *scope, const struct ltttrace_event *event)
{
	const size_t contexts = event->payload + 2;

	*scope = (struct filter_scope){
		.event = event,
		.fields = calloc(event->nr_fields + 1, sizeof(*scope->fields)),
		.contexts = calloc(contexts, sizeof(*scope->contexts)),
		.members = calloc(contexts, sizeof(*scope->members)),
	};
	scope->expression.fields = scope->fields;
	scope->expression.contexts = scope->contexts;
	scope->expression.knows_kernel = kernel_is_same_boot(event->part);
	if (!scope->fields || !scope->contexts || !scope->members || !add_fields(scope, event) ||
	    !add_contexts(scope, event, event->own, event->payload) || !add_contexts(scope, event, 0, event->own))
		return false;
	add_special(scope, &(struct ltt_field){ .name = "cpu", .kind = LTT_FIELD_INT, .size = 4 }, FILTER_CPU);
	/* A recorded name of the thread comes before the one that the line shows. */
	add_special(scope, &(struct ltt_field){ .name = "comm", .kind = LTT_FIELD_STRING, .size = 1 }, FILTER_COMM);
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
	free(scope->members);
	*scope = (struct filter_scope){ 0 };
}
