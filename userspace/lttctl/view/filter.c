// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Which events are shown: the expression is bound to each class of events, and evaluated for each
 * event.
 *
 * Layer: lttctl view.
 */
#include "filter.h"

#include "lttctl/command.h"

#include <errno.h>
#include <string.h>

static struct expression *expression;

/* Number of classes so far; whether the expression suits any; if it is mistyped for one, the first such error. */
static unsigned int nr_classes;
static bool suits, is_mistyped;
static struct expression_error mistyped;

/* ---- Classes ---- */

bool filter_bind(struct filter_class *class, const struct ltttrace_event *event)
{
	struct expression_error error;
	int status;

	*class = (struct filter_class){ .is_used = expression };
	if (!expression)
		return true;
	if (!filter_scope_make(&class->scope, event))
		return false;
	nr_classes++;
	status = expression_bind(expression, &class->scope.expression, &class->bound, &error);
	suits |= !status;
	if (status && status != -ENOENT && !is_mistyped) {
		mistyped = error;
		is_mistyped = true;
	}
	return true;
}

void filter_unbind(struct filter_class *class)
{
	if (!class->is_used)
		return;
	expression_bound_free(class->bound);
	filter_scope_free(&class->scope);
}

/* ---- Values ---- */

struct source {
	const struct filter_class *class;
	const struct ltttrace_record *record;
	const char *comm;
};

static struct expression_value value_of(const struct ltttrace_record *record, int index)
{
	const struct ltttrace_value value = ltttrace_value(record, index);

	if (record->event->fields[index].kind <= LTTTRACE_SIGNED)
		return (struct expression_value){ .number = value.u };
	return (struct expression_value){ .text = value.text ? value.text : "", .size = value.size };
}

static struct expression_value get(const struct ltt_field *field, void *data)
{
	const struct source *source = data;
	const struct filter_scope *scope = &source->class->scope;
	int member;

	if (field >= scope->fields && field < scope->fields + scope->expression.nr_fields)
		return value_of(source->record, scope->event->payload + (field - scope->fields));
	member = scope->members[field - scope->contexts];
	if (member == FILTER_CPU)
		return (struct expression_value){ .number = source->record->cpu };
	if (member == FILTER_COMM)
		return (struct expression_value){ .text = source->comm, .size = strlen(source->comm) };
	return value_of(source->record, member);
}

bool filter_holds(const struct filter_class *class, const struct ltttrace_record *record, const char *comm)
{
	struct source source = { class, record, comm };

	return !class->is_used || (class->bound && expression_holds(class->bound, get, &source));
}

/* ---- The expression ---- */

int filter_set(const char *text)
{
	struct expression_error error;

	return expression_parse(text, &expression, &error) ?
	       misused("--filter: column %u: %s", error.column, error.text) : 0;
}

int filter_check(void)
{
	struct expression_error error;

	if (!expression || !nr_classes)
		return 0;
	if (expression_unknown(expression, &error))
		return complain("--filter: column %u: %s", error.column, error.text);
	return !suits && is_mistyped ? complain("--filter: column %u: %s", mistyped.column, mistyped.text) : 0;
}

void filter_forget(void)
{
	expression_free(expression);
	expression = NULL;
}
