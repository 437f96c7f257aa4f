// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Markers: what can be recorded, and what is recorded by default.
 *
 * Layer: liblttctl.
 */
#include "internal.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct walk {
	struct lttctl *ctl;
	const char *pattern;
	const char *group;
	int (*fn)(const struct lttctl_marker *marker, void *arg);
	void *arg;
};

/* `group:glob`, or a glob for the name in any group. */
static bool matches(const char *pattern, const char *group, const char *name)
{
	char full[2 * LTTCTL_NAME_SIZE];

	if (!pattern)
		return true;
	if (!strchr(pattern, ':'))
		return !fnmatch(pattern, name, 0);
	snprintf(full, sizeof(full), "%s:%s", group, name);
	return !fnmatch(pattern, full, 0);
}

static int visit_name(const char *name, bool is_dir, void *arg)
{
	struct walk *walk = arg;
	struct lttctl_marker marker = { .group = walk->group, .name = name };
	uint64_t enabled;
	char path[256];
	int err;

	if (!is_dir || !matches(walk->pattern, walk->group, name))
		return 0;
	snprintf(path, sizeof(path), "markers/%s/%s/enable", walk->group, name);
	err = lttctl_read_u64(walk->ctl, walk->ctl->root, path, &enabled);
	if (err == -ENOENT)	/* its module has just gone */
		return 0;
	if (err)
		return err;
	marker.enabled = enabled;
	return walk->fn(&marker, walk->arg);
}

static int visit_group(const char *group, bool is_dir, void *arg)
{
	struct walk *walk = arg;
	char path[128];
	int ret;

	if (!is_dir)
		return 0;
	walk->group = group;
	snprintf(path, sizeof(path), "markers/%s", group);
	ret = lttctl_for_each_entry(walk->ctl, walk->ctl->root, path,
				    visit_name, walk);
	return ret == -ENOENT ? 0 : ret;
}

int lttctl_for_each_marker(struct lttctl *ctl, const char *pattern,
			   int (*fn)(const struct lttctl_marker *marker,
				     void *arg), void *arg)
{
	struct walk walk = {
		.ctl = ctl,
		.pattern = pattern,
		.fn = fn,
		.arg = arg,
	};

	return lttctl_for_each_entry(ctl, ctl->root, "markers", visit_group,
				     &walk);
}

int lttctl_marker_info(struct lttctl *ctl, const char *group, const char *name,
		       char **text)
{
	char path[256];

	if (!lttctl_name_valid(group) || !lttctl_name_valid(name))
		return lttctl_fail(ctl, -EINVAL, "there is no marker %s:%s",
				   group, name);
	snprintf(path, sizeof(path), "markers/%s/%s/info", group, name);
	return lttctl_read(ctl, ctl->root, path, text);
}

int lttctl_for_each_wanted(struct lttctl *ctl,
			   int (*fn)(const char *pattern, void *arg), void *arg)
{
	char *text, *line, *rest;
	int ret;

	ret = lttctl_read(ctl, ctl->root, "markers/wanted", &text);
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
	return lttctl_write(ctl, ctl->root, "markers/wanted", pattern,
			    "enable %s", pattern);
}

int lttctl_marker_disable(struct lttctl *ctl, const char *pattern)
{
	char text[512];

	if (snprintf(text, sizeof(text), "!%s", pattern) >= (int)sizeof(text))
		return lttctl_fail(ctl, -ENAMETOOLONG,
				   "the pattern `%.40s...` is too long",
				   pattern);
	return lttctl_write(ctl, ctl->root, "markers/wanted", text,
			    "disable %s", pattern);
}
