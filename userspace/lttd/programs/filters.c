// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The filters of a recording of programs.
 *
 * Layer: lttd.  An expression is parsed once, and compiled for each event when a program has a site of it.
 */
#include "filters.h"
#include "event.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "common/selection.h"
#include "expression/expression.h"

void filters_init(struct filters *filters)
{
	TAILQ_INIT(&filters->list);
	filters->nr = 0;
}

/* ---- One filter ---- */

static void explain(char *why, const struct expression_error *error)
{
	if (error->column)
		snprintf(why, FILTERS_WHY, "column %u: %s", error->column, error->text);
	else
		snprintf(why, FILTERS_WHY, "%s", error->text);
}

static bool parse(struct filter *filter, const char *text, char *why)
{
	struct expression_error error = { .column = 0 };

	if (!selection_valid(filter->pattern)) {
		snprintf(why, FILTERS_WHY, "the pattern must be " SELECTION_FORM);
		return false;
	}
	if (strchr(text, '\n')) {
		snprintf(why, FILTERS_WHY, "an expression is one line");
		return false;
	}
	filter->text = strdup(text);
	if (!filter->text) {
		snprintf(why, FILTERS_WHY, "out of memory");
		return false;
	}
	if (!expression_parse(text, &filter->expression, &error))
		return true;
	explain(why, &error);
	return false;
}

struct filter *filter_new(const char *text, char *why)
{
	static uint64_t made;
	size_t len = strcspn(text, " ");
	struct filter *filter = calloc(1, sizeof(*filter) + len + 1);

	if (!filter) {
		snprintf(why, FILTERS_WHY, "out of memory");
		return NULL;
	}
	filter->number = ++made;
	memcpy(filter->pattern, text, len);
	if (parse(filter, text + len + (text[len] == ' '), why))
		return filter;
	filter_free(filter);
	return NULL;
}

void filter_free(struct filter *filter)
{
	expression_free(filter->expression);
	free(filter->text);
	free(filter);
}

/* ---- Code ---- */

/* Return: 0; or -errno with @why. */
static int compile(struct filter *filter, const struct event *event, struct ltt_filter_code *code, char *why)
{
	const struct expression_scope scope = {
		event->fields.field, event->nr_fields, expression_program_contexts, EXPRESSION_PROGRAM_CONTEXTS,
		false,
	};
	struct expression_error error = { .column = 0 };
	struct expression_bound *bound;
	int err;

	err = expression_bind(filter->expression, &scope, &bound, &error);
	if (err == -ENOENT) {
		if (!*filter->lacking)
			explain(filter->lacking, &error);
		*code = (struct ltt_filter_code){ .nr = 1, .insn = { { .op = LTT_FILTER_NUMBER } } };
		return 0;
	}
	filter->is_known = true;
	if (!err)
		err = expression_emit_code(bound, code, &error);
	expression_bound_free(bound);
	if (err)
		explain(why, &error);
	return err;
}

const struct event_filter *filter_event(struct filter *filter, struct event *event, char *why)
{
	*why = '\0';
	if (!event->filter)
		event->filter = calloc(1, sizeof(*event->filter));
	if (!event->filter || event->filter->number == filter->number)
		return event->filter;
	event->filter->err = compile(filter, event, &event->filter->code, why);
	if (event->filter->err == -ENOMEM)
		return NULL;
	event->filter->number = filter->number;
	return event->filter;
}

/* Which programs have an event is not known: of the pattern, only the part for events counts. */
static bool is_for(const struct filter *filter, const struct event *event)
{
	const char *events = *filter->pattern == '@' ? strchr(filter->pattern, ':') + 1 : filter->pattern;
	char name[2 * LTT_MARK_NAME_SIZE];

	snprintf(name, sizeof(name), "%s:%s", event->group, event->name);
	return selection_matches(events, "", name);
}

bool filter_check(struct filter *filter, const struct events *events, char *why)
{
	struct ltt_filter_code code;
	uint32_t i;

	for (i = 0; i < events->nr; i++)
		if (is_for(filter, events->event[i]) && compile(filter, events->event[i], &code, why))
			return false;
	return true;
}

bool filter_is_unknown(const struct filter *filter)
{
	return !filter->is_known && *filter->lacking;
}

/* ---- All filters ---- */

static void remove_filter(struct filters *filters, struct filter *filter)
{
	TAILQ_REMOVE(&filters->list, filter, entry);
	filters->nr--;
	filter_free(filter);
}

bool filters_unset(struct filters *filters, const char *pattern)
{
	struct filter *filter;

	TAILQ_FOREACH(filter, &filters->list, entry)
		if (!strcmp(filter->pattern, pattern))
			break;
	if (filter)
		remove_filter(filters, filter);
	return filter;
}

bool filters_set(struct filters *filters, struct filter *filter, char *why)
{
	filters_unset(filters, filter->pattern);
	if (filters->nr == OPTIONS_FILTERS_MAX) {
		snprintf(why, FILTERS_WHY, "a recording has at most %d filters", OPTIONS_FILTERS_MAX);
		filter_free(filter);
		return false;
	}
	TAILQ_INSERT_HEAD(&filters->list, filter, entry);
	filters->nr++;
	return true;
}

struct filter *filters_find(const struct filters *filters, const char *program, const char *group, const char *name)
{
	char event[2 * LTT_MARK_NAME_SIZE];
	struct filter *filter;

	snprintf(event, sizeof(event), "%s:%s", group, name);
	TAILQ_FOREACH(filter, &filters->list, entry)
		if (selection_matches(filter->pattern, program, event))
			break;
	return filter;
}

void filters_free(struct filters *filters)
{
	struct filter *filter;

	while ((filter = TAILQ_FIRST(&filters->list)))
		remove_filter(filters, filter);
}
