// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl markers: what can be recorded, and what is by default.
 *
 * Layer: lttctl.
 */
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct markers {
	struct lttctl *ctl;
	bool info;
	struct json_object *markers;	/* these two NULL for text */
	struct json_object *wanted;
	unsigned int count;
};

static void show_json(struct markers *markers,
		      const struct lttctl_marker *marker, const char *info)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "group",
			       json_object_new_string(marker->group));
	json_object_object_add(object, "name",
			       json_object_new_string(marker->name));
	json_object_object_add(object, "enabled",
			       json_object_new_boolean(marker->enabled));
	if (info)
		json_object_object_add(object, "info",
				       json_object_new_string(info));
	json_object_array_add(markers->markers, object);
}

static int show_marker(const struct lttctl_marker *marker, void *arg)
{
	struct markers *markers = arg;
	char *info = NULL;
	int err;

	if (markers->info) {
		err = lttctl_marker_info(markers->ctl, marker->group,
					 marker->name, &info);
		if (err)	/* its module may have gone meanwhile */
			return err == -ENOENT ? 0 : err;
	}
	markers->count++;
	if (markers->markers)
		show_json(markers, marker, info);
	else
		printf("%-3s %s:%s\n%s", marker->enabled ? "on" : "off",
		       marker->group, marker->name, info ? info : "");
	free(info);
	return 0;
}

static int show_wanted(const char *pattern, void *arg)
{
	struct markers *markers = arg;

	if (markers->wanted)
		json_object_array_add(markers->wanted,
				      json_object_new_string(pattern));
	else if (*pattern == '!')
		printf("unwanted %s\n", pattern + 1);
	else
		printf("wanted %s\n", pattern);
	return 0;
}

static int show_all(struct markers *markers, const char **patterns)
{
	int err = 0;

	if (!patterns || !*patterns) {
		err = lttctl_for_each_marker(markers->ctl, NULL, show_marker,
					     markers);
		if (!err)
			err = lttctl_for_each_wanted(markers->ctl, show_wanted,
						     markers);
		return tracer_status(markers->ctl, err);
	}
	for (; !err && *patterns; patterns++) {
		markers->count = 0;
		err = lttctl_for_each_marker(markers->ctl, *patterns,
					     show_marker, markers);
		if (!err && !markers->count)
			return complain("no marker matches %s", *patterns);
	}
	return tracer_status(markers->ctl, err);
}

static void show_collected(struct markers *markers)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "markers",
			       json_object_get(markers->markers));
	json_object_object_add(object, "wanted",
			       json_object_get(markers->wanted));
	print_json(object);
}

int cmd_markers(int argc, const char **argv)
{
	struct markers markers = { .ctl = NULL };
	int json = 0, info = 0;
	const struct poptOption table[] = {
		{ "info", 'i', POPT_ARG_NONE, &info, 0,
		  "show fields and places, too", NULL },
		{ "json", 0, POPT_ARG_NONE, &json, 0, "print JSON", NULL },
		OPTIONS_VIA,
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	poptContext context;
	int status;

	status = options_parse(argc, argv, table, 0, &context);
	if (status)
		goto out;
	markers.ctl = tracer_connect(true);
	if (!markers.ctl) {
		status = EXIT_FAILED;
		goto out;
	}
	markers.info = info;
	if (json) {
		markers.markers = json_object_new_array();
		markers.wanted = json_object_new_array();
	}
	status = show_all(&markers, poptGetArgs(context));
	if (!status && json)
		show_collected(&markers);
	json_object_put(markers.markers);
	json_object_put(markers.wanted);
out:
	lttctl_free(markers.ctl);
	poptFreeContext(context);
	return status;
}
