// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Operations, whichever face does them, and their errors as sentences.
 *
 * Layer: liblttctl.
 */
#include "internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int lttctl_ask(struct lttctl *ctl, const struct lttctl_trace *trace,
	       const char *verb, const char *const *args, char **text,
	       const char *what, ...)
{
	char action[512], reason[sizeof(ctl->error)];
	va_list list;
	int ret;

	if (ctl->stream)
		ret = lttctl_device_ask(ctl, trace, verb, args, text);
	else
		ret = lttctl_debugfs_ask(ctl, trace, verb, args, text);
	if (ret >= 0)
		return ret;
	va_start(list, what);
	vsnprintf(action, sizeof(action), what, list);
	va_end(list);
	snprintf(reason, sizeof(reason), "%s", ctl->error);
	return lttctl_fail(ctl, ret, "cannot %s: %s", action, reason);
}

int lttctl_check_pattern(struct lttctl *ctl, const char *pattern)
{
	if (*pattern && *pattern != '!' && !pattern[strcspn(pattern, " \t\n")])
		return 0;
	return lttctl_fail(ctl, -EINVAL,
			   "`%.100s` is no pattern: use group:name or name, with * ? [] globs",
			   pattern);
}

static int compare(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* Cut @text into lines, and those after their first word.  Return: how many. */
static size_t first_words(char *text, char **names)
{
	size_t count = 0;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		line[strcspn(line, " ")] = '\0';
		if (*line)
			names[count++] = line;
	}
	return count;
}

int lttctl_for_each_name(struct lttctl *ctl, const struct lttctl_trace *trace,
			 const char *verb,
			 int (*fn)(const char *name, void *arg), void *arg)
{
	char *text, **names;
	size_t count, i;
	int ret;

	ret = lttctl_ask(ctl, trace, verb, NULL, &text, "list the %s", verb);
	if (ret)
		return ret;
	/* A name has a letter and its end. */
	names = calloc(strlen(text) / 2 + 1, sizeof(*names));
	if (!names) {
		free(text);
		return lttctl_fail(ctl, -ENOMEM, "out of memory");
	}
	count = first_words(text, names);
	qsort(names, count, sizeof(*names), compare);
	for (i = 0; !ret && i < count; i++)
		ret = fn(names[i], arg);
	free(names);
	free(text);
	return ret;
}
