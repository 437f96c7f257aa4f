// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Expressions whose value is wanted, and not only whether it is 0.
 */
#include "tree.h"

#include <errno.h>
#include <stdlib.h>

int expression_bind_value(struct expression *expression, const struct expression_scope *scope,
			  struct expression_bound **bound, struct expression_error *error)
{
	struct expression *tree;
	int status;

	*bound = NULL;
	status = expression_parse(expression->text, &tree, error);
	if (status)
		return status;
	status = bind_names(tree, scope, error);
	/* A text can only stand alone; an operator makes a number of it. */
	if (!status && !(tree->root->kind == NODE_NAME && is_text(tree->root->field)))
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

enum expression_type expression_type(const struct expression_bound *bound, unsigned int *size)
{
	const struct node *root = bound->tree->root;

	*size = sizeof(uint64_t);
	if (root->kind != NODE_NAME)
		return is_condition(root) || !root->is_unsigned ? EXPRESSION_SIGNED : EXPRESSION_UNSIGNED;
	if (is_text(root->field)) {
		*size = root->field->kind == LTT_FIELD_TEXT ? root->field->count : EXPRESSION_STRING_MAX;
		return EXPRESSION_TEXT;
	}
	*size = root->field->size;
	return root->field->is_signed ? EXPRESSION_SIGNED : EXPRESSION_UNSIGNED;
}
