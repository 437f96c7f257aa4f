// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl markers: list the markers, and those that are recorded by default.
 *
 * Layer: lttctl.
 */
#include "lttctl/programs/census.h"
#include "lttctl/command.h"
#include "marker-json.h"
#include "lttctl/programs/recordings.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct markers - one call of the command
 * @ctl: the tracer; NULL before the first pattern for the kernel
 * @census: the markers of programs
 * @counted: @census has been taken
 * @info: --info was given
 * @no_load: --no-load was given
 * @markers: the markers as JSON; NULL for text
 * @wanted: the patterns of enable and disable as JSON; NULL for text
 * @count: the markers that match the current pattern
 */
struct markers {
	struct lttctl *ctl;
	struct census census;
	bool counted;
	int info;
	int no_load;
	struct json_object *markers;
	struct json_object *wanted;
	unsigned int count;
};

/* Return: the object, owned by the list, for more members. */
static struct json_object *add_json(struct markers *markers, const char *group,
				    const char *name, bool enabled)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "group",
			       json_object_new_string(group));
	json_object_object_add(object, "name",
			       json_object_new_string(name));
	json_object_object_add(object, "enabled",
			       json_object_new_boolean(enabled));
	json_object_array_add(markers->markers, object);
	return object;
}

static int show_marker(const struct lttctl_marker *marker, void *arg)
{
	struct markers *markers = arg;
	struct json_object *object;
	char *info = NULL;
	int err;

	if (markers->info) {
		err = lttctl_marker_info(markers->ctl, marker->group,
					 marker->name, &info);
		if (err)	/* its module may have been unloaded meanwhile */
			return err == -ENOENT ? 0 : err;
	}
	markers->count++;
	if (markers->markers) {
		object = add_json(markers, marker->group, marker->name, marker->enabled);
		if (info)
			marker_json_kernel(object, info);
	} else {
		printf("%-3s %s:%s\n%s", marker->enabled ? "on" : "off",
		       marker->group, marker->name, info ? info : "");
	}
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

/* ---- Markers of the kernel ---- */

static int show_kernel(struct markers *markers, const char *pattern)
{
	int err;

	if (markers->no_load && !tracer_is_loaded())
		return 0;
	if (!markers->ctl)
		markers->ctl = tracer_connect(!markers->no_load);
	if (!markers->ctl)
		return EXIT_FAILED;
	err = lttctl_for_each_marker(markers->ctl, pattern, show_marker,
				     markers);
	if (!err && !pattern)
		err = lttctl_for_each_wanted(markers->ctl, show_wanted,
					     markers);
	return tracer_status(markers->ctl, err);
}

/* ---- Markers of programs ---- */

/* Sites of the same event are adjacent.  Return: the number of those from @first on. */
static size_t count_same(const struct census *census, size_t first, bool *recorded)
{
	size_t i;

	*recorded = false;
	for (i = first; i < census->nr && !strcmp(census->site[i].event, census->site[first].event); i++)
		*recorded |= census->site[i].recorded;
	return i - first;
}

static bool is_same(const char *one, const char *other)
{
	return one && !strcmp(one, other);
}

/* Show each list of fields once, with its places and their programs.  Return: a text that
 * the caller frees, or NULL without memory. */
static char *describe(const struct census_site *site, size_t nr)
{
	const char *fields = NULL, *place = NULL;
	char *text = NULL;
	size_t len, i;
	FILE *memory = open_memstream(&text, &len);

	for (i = 0; memory && i < nr; i++) {
		if (is_same(fields, site[i].fields) && is_same(place, site[i].place)) {
			/* The compiler may have duplicated the site. */
			if (strcmp(site[i - 1].program, site[i].program))
				fprintf(memory, ", %s", site[i].program);
			continue;
		}
		fprintf(memory, "%s%s  at %s [%s", place ? "]\n" : "",
			is_same(fields, site[i].fields) ? "" : site[i].fields,
			site[i].place, site[i].program);
		fields = site[i].fields;
		place = site[i].place;
	}
	if (memory)
		fputs("]\n", memory);
	return memory && !fclose(memory) ? text : NULL;
}

static int show_event_json(struct markers *markers, const struct census_site *site, size_t nr,
			   bool recorded)
{
	const char *colon = strchr(site->event, ':');
	struct json_object *object;
	char *group;

	if (asprintf(&group, "user:%.*s", (int)(colon - site->event), site->event) < 0)
		return complain("out of memory");
	object = add_json(markers, group, colon + 1, recorded);
	if (markers->info)
		marker_json_programs(object, site, nr);
	free(group);
	return 0;
}

static int show_event(struct markers *markers, const struct census_site *site, size_t nr,
		      bool recorded)
{
	char *info = NULL;

	markers->count++;
	if (markers->markers)
		return show_event_json(markers, site, nr, recorded);
	if (markers->info && !(info = describe(site, nr)))
		return complain("out of memory");
	printf("%-3s user:%s\n%s", recorded ? "on" : "off", site->event, info ? info : "");
	free(info);
	return 0;
}

/* As lttd matches: a pattern without a colon is a name in any group, an empty one matches
 * everything. */
static bool matches(const char *pattern, const char *event)
{
	if (!*pattern)
		return true;
	return !fnmatch(pattern, strchr(pattern, ':') ? event : strchr(event, ':') + 1, 0);
}

static int take_census(struct markers *markers)
{
	int status = markers->counted ? 0 : census_take(&markers->census);

	if (!markers->counted && !status && markers->census.silent)
		complain("warning: %u programs did not answer within two seconds (stopped?)",
			 markers->census.silent);
	if (!markers->counted && !status && markers->census.cut)
		complain("warning: a program has more markers than the list shows");
	markers->counted = true;
	return status;
}

static int show_programs(struct markers *markers, const char *pattern)
{
	const struct census *census = &markers->census;
	int status = take_census(markers);
	bool recorded;
	size_t i, nr;

	for (i = 0; !status && i < census->nr; i += nr) {
		nr = count_same(census, i, &recorded);
		if (matches(pattern, census->site[i].event))
			status = show_event(markers, &census->site[i], nr, recorded);
	}
	return status;
}

static int show_all(struct markers *markers, const char **patterns)
{
	const char *program;
	int status = 0;

	if (!patterns || !*patterns)
		return show_kernel(markers, NULL);
	for (; !status && *patterns; patterns++) {
		markers->count = 0;
		program = recordings_pattern(*patterns);
		status = program ? show_programs(markers, program)
				 : show_kernel(markers, *patterns);
		if (!status && !markers->count)
			return complain("no marker matches %s", *patterns);
	}
	return status;
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
	int json = 0;
	const struct poptOption table[] = {
		{ "info", 'i', POPT_ARG_NONE, &markers.info, 0,
		  "show fields and places, too", NULL },
		{ "no-load", 0, POPT_ARG_NONE, &markers.no_load, 0,
		  "load no kernel module; list the markers that are there", NULL },
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
	census_free(&markers.census);
	lttctl_free(markers.ctl);
	poptFreeContext(context);
	return status;
}
