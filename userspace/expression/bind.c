// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The names of an expression: fields, contexts, and labels of fields.
 */
#include "tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/label.h"

#define INTEGER(n, bytes, sign, ...) \
	{ .name = n, .kind = LTT_FIELD_INT, .size = bytes, .is_signed = sign, .base = 10, __VA_ARGS__ }

/* Those of the tracer, as a recording has them. */
#define IRQ_LABELS "on=0,off=1,softirq=2,softirq_off=3,hardirq=4,hardirq_off=5,nmi=6,nmi_off=7}"

const struct ltt_field expression_contexts[EXPRESSION_CONTEXTS] = {
	[EXPRESSION_PID] = INTEGER("pid", 4, true),
	[EXPRESSION_TID] = INTEGER("tid", 4, true),
	[EXPRESSION_COMM] = { .name = "comm", .kind = LTT_FIELD_TEXT, .size = 1, .count = 16 },
	[EXPRESSION_CPU] = INTEGER("cpu", 4, false),
	[EXPRESSION_CGROUP] = INTEGER("cgroup", 8, false),
	[EXPRESSION_PRIO] = INTEGER("prio", 4, true),
	[EXPRESSION_UID] = INTEGER("uid", 4, false),
	[EXPRESSION_PPID] = INTEGER("ppid", 4, true),
	[EXPRESSION_PID_NS] = INTEGER("pid_ns", 4, false),
	[EXPRESSION_NET_NS] = INTEGER("net_ns", 4, false),
	[EXPRESSION_MNT_NS] = INTEGER("mnt_ns", 4, false),
	[EXPRESSION_PREEMPT] = INTEGER("preempt", 4, true),
	[EXPRESSION_IRQ] = INTEGER("irq", 1, false, .labels = IRQ_LABELS),
	[EXPRESSION_NEED_RESCHED] = INTEGER("need_resched", 1, false),
	[EXPRESSION_MIGRATE_DISABLE] = INTEGER("migrate_disable", 4, true),
	[EXPRESSION_COUNTERS] = INTEGER("perf_cycles", 8, false),
	INTEGER("perf_instructions", 8, false),
	INTEGER("perf_cache_references", 8, false),
	INTEGER("perf_cache_misses", 8, false),
	INTEGER("perf_branches", 8, false),
	INTEGER("perf_branch_misses", 8, false),
	INTEGER("perf_bus_cycles", 8, false),
	INTEGER("perf_ref_cycles", 8, false),
	INTEGER("perf_cpu_clock", 8, false),
	INTEGER("perf_task_clock", 8, false),
	INTEGER("perf_page_faults", 8, false),
	INTEGER("perf_minor_faults", 8, false),
	INTEGER("perf_major_faults", 8, false),
	INTEGER("perf_context_switches", 8, false),
	INTEGER("perf_cpu_migrations", 8, false),
};

const struct ltt_field expression_program_contexts[EXPRESSION_PROGRAM_CONTEXTS] = {
	[EXPRESSION_PROGRAM_PID] = INTEGER("pid", 4, true),
	[EXPRESSION_PROGRAM_TID] = INTEGER("tid", 4, true),
	[EXPRESSION_PROGRAM_COMM] = { .name = "comm", .kind = LTT_FIELD_TEXT, .size = 1, .count = 16 },
	[EXPRESSION_PROGRAM_CPU] = INTEGER("cpu", 4, false),
	[EXPRESSION_PROGRAM_UID] = INTEGER("uid", 4, false),
};

/* ---- Labels ---- */

/* Find the value of a label of a field. */
static bool find_label(const struct ltt_field *field, const struct node *node, struct ltt_label *label)
{
	const char *at = field->labels;

	while (at && ltt_label_next(&at, label))
		if (label->len == node->len && !memcmp(label->name, node->text, node->len))
			return true;
	return false;
}

static void become_number(struct node *node, const struct ltt_label *label)
{
	node->kind = NODE_NUMBER;
	node->number = label->value;
	node->is_unsigned = !label->is_negative && label->value > INT64_MAX;
	node->is_known = true;
}

/* A name may mean something for another event; a string cannot. */
static int fail_for_label(const struct ltt_field *field, const struct node *node, struct expression_error *error)
{
	const char *at = field->labels, *between = "";
	struct ltt_label label;

	fail_at(error, 0, node->column, "unknown value %s of field %s, which has: ", node->text, field->name);
	for (; ltt_label_next(&at, &label); between = ", ")
		add_to_error(error, "%s%.*s", between, (int)label.len, label.name);
	return node->kind == NODE_STRING ? -EINVAL : -ENOENT;
}

/* ---- Fields and contexts ---- */

static const struct ltt_field *find(const struct ltt_field *fields, size_t nr, const char *name)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!strcmp(fields[i].name, name))
			return &fields[i];
	return NULL;
}

static void list(struct expression_error *error, const char *what, const struct ltt_field *fields, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		add_to_error(error, "%s%s", i ? ", " : what, fields[i].name);
}

static int fail_for_name(const struct expression_scope *scope, const struct node *node,
			 struct expression_error *error)
{
	const bool is_of_kernel = find(expression_contexts, EXPRESSION_CONTEXTS, node->text);

	if (is_of_kernel && scope->contexts == expression_program_contexts)
		fail_at(error, -ENOENT, node->column, "only the kernel knows the context %s", node->text);
	else
		fail_at(error, -ENOENT, node->column, "unknown %s %s", node->is_context ? "context" : "field", node->text);
	if (!node->is_context)
		list(error, "; fields: ", scope->fields, scope->nr_fields);
	list(error, "; contexts: ", scope->contexts, scope->nr_contexts);
	return -ENOENT;
}

/* Return: true if a field of integers has names for values. */
static bool has_labels(const struct node *node)
{
	return node && node->field && node->field->kind == LTT_FIELD_INT && node->field->labels;
}

/**
 * struct binder - a tree whose names get their meaning
 * @scope: the names
 * @error: receives the first error
 * @status: 0, or that error
 */
struct binder {
	const struct expression_scope *scope;
	struct expression_error *error;
	int status;
};

static bool bind_field(const struct binder *binder, struct node *node)
{
	if (!node->is_context)
		node->field = find(binder->scope->fields, binder->scope->nr_fields, node->text);
	return node->field;
}

static bool bind_context(const struct binder *binder, struct node *node)
{
	node->field = find(binder->scope->contexts, binder->scope->nr_contexts, node->text);
	return node->field;
}

/* @compared: the node that it is compared with, or NULL.  Its field's labels come before contexts, so that
 * a label can have any name. */
static void bind_name(struct binder *binder, struct node *node, const struct node *compared)
{
	const bool may_be_label = has_labels(compared) && !node->is_context;
	struct ltt_label label;

	if (node->kind == NODE_NAME && bind_field(binder, node)) {
		node->is_known = true;
	} else if (may_be_label && find_label(compared->field, node, &label)) {
		become_number(node, &label);
	} else if (node->kind == NODE_NAME && bind_context(binder, node)) {
		node->is_known = true;
	} else if (!binder->status) {
		binder->status = may_be_label ? fail_for_label(compared->field, node, binder->error) :
						fail_for_name(binder->scope, node, binder->error);
	}
	if (node->kind == NODE_NAME && node->field)
		node->is_unsigned = !node->field->is_signed && node->field->size == 8;
}

static void bind_node(struct binder *binder, struct node *node, const struct node *compared);

static bool is_bare_name(const struct node *node)
{
	return node->kind == NODE_NAME;
}

static bool is_field(const struct binder *binder, const struct node *node)
{
	return is_bare_name(node) && !node->is_context &&
	       find(binder->scope->fields, binder->scope->nr_fields, node->text);
}

static bool is_context(const struct binder *binder, const struct node *node)
{
	return is_bare_name(node) && find(binder->scope->contexts, binder->scope->nr_contexts, node->text);
}

/* Is the right side to be bound before the left one?  A field is, and else a context, as what it is compared with
 * may be a label of it. */
static bool is_reversed(const struct binder *binder, const struct node *node)
{
	return !is_field(binder, node->a) && (is_field(binder, node->b) || !is_context(binder, node->a));
}

static bool has_string(const struct node *node)
{
	while (node && node->kind != NODE_STRING)
		node = node->next;
	return node;
}

/* A comparison of the context cgroup with paths. */
static void bind_cgroup(struct binder *binder, struct node *node, struct node *context, const struct node *other)
{
	if (binder->status)
		return;
	if (binder->scope->knows_kernel)
		binder->status = become_among(node, context, other, binder->error);
	else
		binder->status = fail_at(binder->error, -EINVAL, node->column, "only the kernel that recorded it knows the paths "
					 "of cgroups, until it is booted again: compare cgroup with a number");
}

static bool is_cgroup(const struct binder *binder, const struct node *node)
{
	return is_bare_name(node) && node->field && node->field == find(binder->scope->contexts, binder->scope->nr_contexts, "cgroup");
}

/* Return: true for ==, !=, ~, !~ and in. */
static bool is_of_strings(const struct node *node)
{
	return node->kind == NODE_IN || node->operation == OP_EQUAL || node->operation == OP_DIFFERENT ||
	       node->operation == OP_LIKE || node->operation == OP_UNLIKE;
}

static void bind_comparison(struct binder *binder, struct node *node)
{
	const bool reversed = node->kind == NODE_BINARY && is_reversed(binder, node);
	const bool is_glob = node->operation == OP_LIKE || node->operation == OP_UNLIKE;
	struct node *first = reversed ? node->b : node->a;
	struct node *other = reversed ? node->a : node->b;

	bind_node(binder, first, NULL);
	if (is_cgroup(binder, first) && has_string(other) && is_of_strings(node)) {
		bind_cgroup(binder, node, first, other);
		return;
	}
	for (; other; other = other->next)
		bind_node(binder, other, is_bare_name(first) && !is_glob ? first : NULL);
}

static void bind_on_stack(struct binder *binder, struct node *node)
{
	if (binder->status)
		return;
	if (binder->scope->knows_kernel && binder->scope->contexts == expression_contexts)
		binder->status = find_functions(node, binder->error);
	else
		binder->status = fail_at(binder->error, -EINVAL, node->column, "on_stack() is for filters in the kernel alone");
}

static void bind_node(struct binder *binder, struct node *node, const struct node *compared)
{
	switch (node->kind) {
	case NODE_NAME:
		bind_name(binder, node, compared);
		break;
	case NODE_STRING:
		if (has_labels(compared))
			bind_name(binder, node, compared);
		break;
	case NODE_UNARY:
	case NODE_SINCE:
	case NODE_BETWEEN:
		bind_node(binder, node->a, NULL);
		break;
	case NODE_BINARY:
		if (is_comparison(node->operation)) {
			bind_comparison(binder, node);
		} else {
			bind_node(binder, node->a, NULL);
			bind_node(binder, node->b, NULL);
		}
		break;
	case NODE_IN:
		bind_comparison(binder, node);
		break;
	case NODE_ON_STACK:
		bind_on_stack(binder, node);
		break;
	default:
		break;
	}
}

int bind_names(struct expression *tree, const struct expression_scope *scope, struct expression_error *error)
{
	struct binder binder = { .scope = scope, .error = error };
	struct node *action;

	bind_node(&binder, tree->root, NULL);
	for (action = tree->actions; action; action = action->next)
		bind_node(&binder, action->a, NULL);
	return binder.status;
}

/* ---- The whole ---- */

/* Both trees are of one text, so they were allocated in the same order. */
static void remember_known(struct expression *to, const struct expression *from)
{
	const struct node *bound = from->nodes;
	struct node *node;

	for (node = to->nodes; node && bound; node = node->allocated, bound = bound->allocated)
		node->is_known |= bound->is_known;
}

/* A text can only stand alone; an operator makes a number of it. */
static bool is_text_alone(const struct expression *tree)
{
	return tree->root->kind == NODE_NAME && is_text(tree->root->field);
}

static int bind(struct expression *expression, const struct expression_scope *scope, bool may_be_text,
		struct expression_bound **bound, struct expression_error *error)
{
	struct expression *tree;
	int status;

	*bound = NULL;
	status = parse_text(expression->text, expression->is_filter, &tree, error);
	if (status)
		return status;
	status = bind_names(tree, scope, error);
	remember_known(expression, tree);
	if (!status && !(may_be_text && is_text_alone(tree)))
		status = check_types(tree, error);
	if (!status) {
		*bound = malloc(sizeof(**bound));
		if (*bound)
			**bound = (struct expression_bound){ tree, *scope };
		else
			status = fail_at(error, -ENOMEM, 0, "out of memory");
	}
	if (status)
		expression_free(tree);
	return status;
}

int expression_bind(struct expression *expression, const struct expression_scope *scope,
		    struct expression_bound **bound, struct expression_error *error)
{
	return bind(expression, scope, false, bound, error);
}

int expression_bind_value(struct expression *expression, const struct expression_scope *scope,
			  struct expression_bound **bound, struct expression_error *error)
{
	return bind(expression, scope, true, bound, error);
}

void expression_bound_free(struct expression_bound *bound)
{
	if (!bound)
		return;
	expression_free(bound->tree);
	free(bound);
}

bool expression_unknown(const struct expression *expression, struct expression_error *error)
{
	const struct node *node, *unknown = NULL;

	/* The last of the list is the first of the text. */
	for (node = expression->nodes; node; node = node->allocated)
		if (node->kind == NODE_NAME && !node->is_known)
			unknown = node;
	if (unknown)
		fail_at(error, -ENOENT, unknown->column, "no event has a %s %s",
			unknown->is_context ? "context" : "field or context", unknown->text);
	return unknown;
}
