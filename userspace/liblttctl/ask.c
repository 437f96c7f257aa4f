// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Requests to the tracer through the face of a handle, and checks of their arguments.
 *
 * Layer: liblttctl.
 */
#include "internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int lttctl_ask(struct lttctl *ctl, struct lttctl_trace *trace, const char *verb,
	       const char *const *args, char **text, const char *what, ...)
{
	char action[512], reason[sizeof(ctl->error)];
	va_list list;
	int ret;

	ret = ctl->face->ask(ctl, trace, verb, args, text);
	if (ret >= 0)
		return ret;
	va_start(list, what);
	vsnprintf(action, sizeof(action), what, list);
	va_end(list);
	snprintf(reason, sizeof(reason), "%s", ctl->error);
	return lttctl_fail(ctl, ret, "cannot %s: %s", action, reason);
}

int lttctl_check_name(struct lttctl *ctl, const char *what, const char *name)
{
	if (ltt_name_valid(name))
		return 0;
	return lttctl_fail(ctl, -EINVAL,
			   "`%.100s` cannot name a %s: use 1 to 63 of A-Z a-z 0-9 _ . - and no leading dot",
			   name, what);
}

int lttctl_check_pattern(struct lttctl *ctl, const char *pattern)
{
	if (ltt_selection_valid(pattern))
		return 0;
	return lttctl_fail(ctl, -EINVAL,
			   "`%.100s` is not a pattern: use group:name or name, with * ? [] wildcards",
			   pattern);
}

static int compare(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* Cut @text into lines, and each line after its first word.  Return: the number of words. */
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

int lttctl_for_each_name(struct lttctl *ctl, struct lttctl_trace *trace, const char *verb,
			 int (*fn)(const char *name, void *arg), void *arg)
{
	char *text, **names;
	size_t count, i;
	int ret;

	ret = lttctl_ask(ctl, trace, verb, NULL, &text, "list the %s", verb);
	if (ret)
		return ret;
	/* A name takes at least a letter and a newline. */
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
