// SPDX-License-Identifier: GPL-2.0-only
/*
 * Patterns that are written to debugfs: several in one write, all checked before the
 * first is applied.
 *
 * Layer: control.  Context: task.
 */
#include "debugfs.h"

#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <ltt/registry.h>

/* A group has only valid patterns. */
static int check_group(struct ltt_call *call, const char *text)
{
	const char *patterns;

	call->face = &ltt_debugfs_face;
	ltt_markers_lock();
	patterns = ltt_group_patterns(call, text);
	ltt_markers_unlock();
	return PTR_ERR_OR_ZERO(patterns);
}

static int check_patterns(struct ltt_call *call, char *text)
{
	char *copy = kstrdup(text, GFP_KERNEL), *rest = copy, *word;
	int err = 0;

	if (!copy)
		return -ENOMEM;
	while (!err && (word = strsep(&rest, " \t\n"))) {
		const char *pattern = word + (*word == '!');

		if (*pattern == '@')
			err = check_group(call, pattern);
		else if (*word && !ltt_pattern_valid(pattern))
			err = ltt_fail(call, -EINVAL,
				       "\"%.100s\" is not a pattern: write GROUP:NAME or NAME, where *, ? and [...] match; nothing was changed",
				       word);
	}
	kfree(copy);
	return err;
}

/**
 * ltt_change_patterns() - apply patterns that were written to a file
 * @call: the call; @call->error is set on an error
 * @text: patterns, separated by white space; "!" before one removes; is changed
 * @add: the operation for a pattern
 * @remove: the operation for a pattern with "!"
 * @trace: the first argument of both; NULL if they take none
 *
 * No pattern is applied if one is malformed.  An error of an operation leaves the
 * patterns before it applied.
 *
 * Return: 0; -EINVAL a pattern is malformed; -ENOENT there is no such group; -ENOMEM;
 * an error of @add or @remove.
 * Context: sleeps; registry lock not held.
 */
int ltt_change_patterns(struct ltt_call *call, char *text, const char *add, const char *remove,
			const char *trace)
{
	int err = check_patterns(call, text);
	char *word;

	while (!err && (word = strsep(&text, " \t\n"))) {
		bool off = *word == '!';

		if (!*word)
			continue;
		if (trace)
			err = ltt_call_op(off ? remove : add, call, trace, word + off, NULL, NULL);
		else
			err = ltt_call_op(off ? remove : add, call, word + off, NULL, NULL, NULL);
	}
	return err;
}
