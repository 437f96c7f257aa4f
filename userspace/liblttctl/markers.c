// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Markers, and the patterns of those that every trace records by default.
 *
 * Layer: liblttctl.
 */
#include "fields.h"
#include "internal.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool lttctl_pattern_matches(const char *pattern, const char *group, const char *name)
{
	char full[2 * LTTCTL_NAME_SIZE];

	if (!pattern)
		return true;
	if (!strchr(pattern, ':'))
		return !fnmatch(pattern, name, 0);
	snprintf(full, sizeof(full), "%s:%s", group, name);
	return !fnmatch(pattern, full, 0);
}

static int compare(const void *a, const void *b)
{
	const struct lttctl_marker *left = a, *right = b;

	return strverscmp(left->group, right->group) ?:
	       strverscmp(left->name, right->name);
}

/* Parse lines of "GROUP:NAME ENABLED".  Return: the number of markers that match. */
static size_t parse(char *text, const char *pattern,
		    struct lttctl_marker *markers)
{
	size_t count = 0;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		struct lttctl_marker *marker = &markers[count];

		marker->group = strsep(&line, ":");
		marker->name = strsep(&line, " ");
		marker->enabled = line && *line == '1';
		if (line && lttctl_pattern_matches(pattern, marker->group, marker->name))
			count++;
	}
	return count;
}

static size_t count_lines(const char *text)
{
	size_t count = 1;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}

int lttctl_for_each_marker(struct lttctl *ctl, const char *pattern,
			   int (*fn)(const struct lttctl_marker *marker,
				     void *arg), void *arg)
{
	struct lttctl_marker *markers;
	size_t count, i;
	char *text;
	int ret;

	ret = lttctl_ask(ctl, NULL, "markers", LTTCTL_ARGS("*"), &text,
			 "list the markers");
	if (ret)
		return ret;
	markers = calloc(count_lines(text), sizeof(*markers));
	if (!markers) {
		free(text);
		return lttctl_fail(ctl, -ENOMEM, "out of memory");
	}
	count = parse(text, pattern, markers);
	qsort(markers, count, sizeof(*markers), compare);
	for (i = 0; !ret && i < count; i++)
		ret = fn(&markers[i], arg);
	free(markers);
	free(text);
	return ret;
}

int lttctl_marker_info(struct lttctl *ctl, const char *group, const char *name,
		       char **text)
{
	if (!ltt_name_valid(group) || !ltt_name_valid(name))
		return lttctl_fail(ctl, -EINVAL, "there is no marker %s:%s",
				   group, name);
	return lttctl_ask(ctl, NULL, "info", LTTCTL_ARGS(group, name), text,
			  "show marker %s:%s", group, name);
}

int lttctl_marker_fields(struct lttctl *ctl, const char *event, struct lttctl_fields *fields)
{
	char group[LTTCTL_NAME_SIZE];
	const char *colon = strchr(event, ':');
	char *text;
	int err;

	if (!colon || colon - event >= (ptrdiff_t)sizeof(group))
		return lttctl_fail(ctl, -EINVAL, "%s is not an event", event);
	snprintf(group, sizeof(group), "%.*s", (int)(colon - event), event);
	err = lttctl_marker_info(ctl, group, colon + 1, &text);
	if (err)
		return err;
	err = lttctl_fields_parse(fields, text);
	if (!err)
		return 0;
	lttctl_fields_free(fields);
	return lttctl_fail(ctl, err, "event %s: %s", event, err == -ENOMEM ? "out of memory" :
			   "the tracer that is loaded describes its fields in another way");
}

int lttctl_for_each_wanted(struct lttctl *ctl,
			   int (*fn)(const char *pattern, void *arg), void *arg)
{
	char *text, *line, *rest;
	int ret;

	ret = lttctl_ask(ctl, NULL, "wanted", NULL, &text,
			 "list the patterns enabled by default");
	if (ret)
		return ret;
	rest = text;
	while (!ret && (line = strsep(&rest, "\n"))) {
		if (*line)
			ret = fn(line, arg);
	}
	free(text);
	return ret;
}

int lttctl_marker_enable(struct lttctl *ctl, const char *pattern)
{
	int err = lttctl_check_pattern(ctl, pattern);

	if (err)
		return err;
	return lttctl_ask(ctl, NULL, "want", LTTCTL_ARGS(pattern), NULL,
			  "enable %s", pattern);
}

int lttctl_mark(struct lttctl *ctl, const char *text)
{
	return lttctl_ask(ctl, NULL, "mark", LTTCTL_ARGS(text), NULL, "mark");
}

int lttctl_marker_disable(struct lttctl *ctl, const char *pattern)
{
	int err = lttctl_check_pattern(ctl, pattern);

	if (err)
		return err;
	return lttctl_ask(ctl, NULL, "unwant", LTTCTL_ARGS(pattern), NULL,
			  "disable %s", pattern);
}
