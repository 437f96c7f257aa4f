// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl check: list the markers of programs and libraries that do not run, and what is wrong
 * with them.
 *
 * Layer: lttctl.  Exit status: 0; 1 when a marker has a problem; 2 for wrong usage, or when a
 * file cannot be read.
 */
#include "lttctl/check/binary.h"
#include "lttctl/command.h"
#include "marker-json.h"
#include "lttctl/programs/census.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REFUSED	"refused: "	/* see &census_site.fields */

/**
 * struct entry - a marker at one place
 * @event: group:name
 * @fields: see &census_site.fields
 * @place: "FILE:LINE"
 * @binary: the file of machine code
 */
struct entry {
	char *event;
	char *fields;
	char *place;
	char *binary;
};

/**
 * struct check - one call of the command
 * @entry: all markers of all files
 * @nr: number of @entry
 * @events: number of different markers: by name and fields
 * @bad: number of those with a problem
 * @markers: them as JSON; NULL for text
 */
struct check {
	struct entry *entry;
	size_t nr;
	unsigned int events;
	unsigned int bad;
	struct json_object *markers;
};

/* ---- Reading ---- */

/* Return: the text, printable, which the caller frees; NULL without memory. */
__attribute__((format(printf, 1, 2)))
static char *print(const char *format, ...)
{
	va_list args;
	char *text;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0)
		return NULL;
	make_printable(text);
	return text;
}

static int add(const char *file, const struct site *site, void *arg)
{
	struct check *check = arg;
	struct entry *more = reallocarray(check->entry, check->nr + 1, sizeof(*more)), *entry;

	if (!more)
		return complain("out of memory");
	check->entry = more;
	entry = &more[check->nr++];
	*entry = (struct entry){
		.event = print("%.255s:%.255s", site->marker.group, site->marker.name),
		.fields = census_fields(&site->marker),
		.place = print("%s:%u", site->file, site->line),
		.binary = print("%s", file),
	};
	return entry->event && entry->fields && entry->place && entry->binary ? 0 :
	       complain("out of memory");
}

/* Read all files, also after one that cannot be read.  Return: the worst status. */
static int read_files(struct check *check, const char **files)
{
	int status = 0, ret;
	size_t before;

	for (; *files; files++) {
		before = check->nr;
		ret = binary_read(*files, add, check);
		if (!ret && check->nr == before)
			complain("%s: has no markers", *files);
		status = ret > status ? ret : status;
	}
	return status;
}

static int compare(const void *one, const void *other)
{
	const struct entry *a = one, *b = other;
	int differs = strcmp(a->event, b->event);

	if (!differs)
		differs = strcmp(a->fields, b->fields);
	if (!differs)
		differs = strcmp(a->place, b->place);
	return differs ? differs : strcmp(a->binary, b->binary);
}

/* ---- Showing ---- */

/* Entries of the same marker are adjacent.  Return: the number of those from @entry on. */
static size_t count_same(const struct entry *entry, size_t left)
{
	size_t nr = 1;

	while (nr < left && !strcmp(entry->event, entry[nr].event) &&
	       !strcmp(entry->fields, entry[nr].fields))
		nr++;
	return nr;
}

/* Is there another marker of the same name?  @nr: number of the entries of this marker. */
static bool has_clash(const struct check *check, size_t first, size_t nr)
{
	const struct entry *entry = &check->entry[first];

	return (first && !strcmp(entry[-1].event, entry->event)) ||
	       (first + nr < check->nr && !strcmp(entry[nr].event, entry->event));
}

/* The compiler may have duplicated the site. */
static bool is_again(const struct entry *entry, size_t i)
{
	return i && !compare(&entry[i - 1], &entry[i]);
}

static void show_text(const struct entry *entry, size_t nr, bool bad, bool clash)
{
	size_t i;

	printf("%-3s user:%s\n", bad ? "bad" : "ok", entry->event);
	if (clash)
		puts("clash: a marker of this name has other fields");
	fputs(entry->fields, stdout);
	for (i = 0; i < nr; i++)
		if (!is_again(entry, i))
			printf("  at %s [%s]\n", entry[i].place, entry[i].binary);
}

static void show_json(struct json_object *markers, const struct entry *entry, size_t nr, bool bad,
		      bool clash)
{
	struct json_object *object = json_object_new_object(), *places = json_object_new_array();
	struct json_object *place;
	const char *colon = strchr(entry->event, ':');
	char group[sizeof("user:") + 255];
	size_t i;

	snprintf(group, sizeof(group), "user:%.*s", (int)(colon - entry->event), entry->event);
	json_object_object_add(object, "group", json_object_new_string(group));
	json_object_object_add(object, "name", json_object_new_string(colon + 1));
	json_object_object_add(object, "good", json_object_new_boolean(!bad));
	json_object_object_add(object, "clash", json_object_new_boolean(clash));
	marker_json_fields(object, entry->fields);
	for (i = 0; i < nr; i++) {
		if (is_again(entry, i))
			continue;
		place = json_object_new_object();
		marker_json_place(place, entry[i].place, strlen(entry[i].place));
		json_object_object_add(place, "binary", json_object_new_string(entry[i].binary));
		json_object_array_add(places, place);
	}
	json_object_object_add(object, "places", places);
	json_object_array_add(markers, object);
}

static void show_all(struct check *check)
{
	const struct entry *entry;
	bool bad, clash;
	size_t i, nr;

	for (i = 0; i < check->nr; i += nr) {
		entry = &check->entry[i];
		nr = count_same(entry, check->nr - i);
		clash = has_clash(check, i, nr);
		bad = clash || !strncmp(entry->fields, REFUSED, strlen(REFUSED));
		check->events++;
		check->bad += bad;
		if (check->markers)
			show_json(check->markers, entry, nr, bad, clash);
		else
			show_text(entry, nr, bad, clash);
	}
}

/* ---- The command ---- */

static int run(struct check *check, const char **files)
{
	int status = read_files(check, files);

	if (check->nr)
		qsort(check->entry, check->nr, sizeof(*check->entry), compare);
	show_all(check);
	if (check->bad)
		complain("%u of %u markers have problems", check->bad, check->events);
	return status ? status : check->bad ? EXIT_FAILED : 0;
}

static void show_collected(struct json_object *markers)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "markers", markers);
	print_json(object);
}

static void free_all(struct check *check)
{
	struct entry *entry;

	while (check->nr) {
		entry = &check->entry[--check->nr];
		free(entry->event);
		free(entry->fields);
		free(entry->place);
		free(entry->binary);
	}
	free(check->entry);
}

int cmd_check(int argc, const char **argv)
{
	struct check check = { NULL };
	int json = 0, status;
	const struct poptOption table[] = {
		{ "json", 0, POPT_ARG_NONE, &json, 0, "print JSON", NULL },
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	poptContext context;
	const char **files;

	status = options_parse(argc, argv, table, 0, &context);
	files = poptGetArgs(context);
	if (!status && (!files || !*files))
		status = misused("FILE is missing");
	if (!status) {
		check.markers = json ? json_object_new_array() : NULL;
		status = run(&check, files);
		if (json)
			show_collected(check.markers);
	}
	free_all(&check);
	poptFreeContext(context);
	return status;
}
