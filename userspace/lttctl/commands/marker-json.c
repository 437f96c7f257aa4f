// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Descriptions of markers as JSON.
 *
 * Layer: lttctl.
 */
#include "marker-json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/label.h"

static void add_text(struct json_object *object, const char *key, const char *text, size_t len)
{
	json_object_object_add(object, key, json_object_new_string_len(text, len));
}

static void add_number(struct json_object *object, const char *key, const char *digits)
{
	json_object_object_add(object, key, json_object_new_int64(strtoll(digits, NULL, 10)));
}

/* Does @line begin with @word?  Return: the rest behind it, or NULL. */
static const char *after(const char *line, const char *word)
{
	size_t len = strlen(word);

	return strncmp(line, word, len) ? NULL : line + len;
}

/* "{idle=0,running=1}".  Return: the text behind it. */
static const char *add_labels(struct json_object *field, const char *at)
{
	struct json_object *labels = json_object_new_object();
	struct ltt_label label;
	char *name;

	for (at++; ltt_label_next(&at, &label); free(name)) {
		name = strndup(label.name, label.len);
		if (name)
			json_object_object_add(labels, name, label.is_negative ?
					       json_object_new_int64(label.value) :
					       json_object_new_uint64(label.value));
	}
	json_object_object_add(field, "labels", labels);
	return at + (*at == '}');
}

/* The parts of a field behind its name: "integer s32 base 10 count 4 {idle=0}", "float 64". */
static void add_type(struct json_object *field, const char *text, size_t len)
{
	size_t word = strcspn(text, " (\n");
	const char *at, *end = text + len;

	add_text(field, "type", text, word);
	for (at = text + word; at < end; at += strcspn(at, " (\n")) {
		at += strspn(at, " ");
		if ((*at == 's' || *at == 'u') && at[1] >= '0' && at[1] <= '9') {
			json_object_object_add(field, "size", json_object_new_int(atoi(at + 1) / 8));
			json_object_object_add(field, "signed", json_object_new_boolean(*at == 's'));
		} else if (*at >= '0' && *at <= '9') {
			json_object_object_add(field, "size", json_object_new_int(atoi(at) / 8));
		} else if (*at == '{') {
			at = add_labels(field, at);
		} else if (after(at, "base ")) {
			at += strlen("base ");
			add_number(field, "base", at);
		} else if (after(at, "count ")) {
			at += strlen("count ");
			add_number(field, "count", at);
		} else {
			break;
		}
	}
}

/* "NAME TYPE (C TYPE)"; a field of a program has no C type. */
static struct json_object *parse_field(const char *text)
{
	struct json_object *field = json_object_new_object();
	size_t name = strcspn(text, " \n"), len = strcspn(text, "\n");
	const char *paren = memchr(text, '(', len);

	add_text(field, "name", text, name);
	if (name < len)
		add_type(field, text + name + 1, len - name - 1);
	if (paren)
		add_text(field, "c_type", paren + 1, text + len - paren - 2);
	return field;
}

void marker_json_place(struct json_object *place, const char *text, size_t len)
{
	const char *colon = memrchr(text, ':', len);

	add_text(place, "file", text, colon ? (size_t)(colon - text) : len);
	if (colon)
		add_number(place, "line", colon + 1);
}

/* "  at FILE:LINE [MODULE]", "  tracepoint NAME [MODULE]" or "  system call NUMBER [MODULE]".
 * Return: NULL for another line. */
static struct json_object *parse_place(const char *line)
{
	const char *at = after(line, "  at "), *tracepoint = after(line, "  tracepoint ");
	const char *syscall = after(line, "  system call ");
	const char *text = at ? at : tracepoint ? tracepoint : syscall, *bracket;
	struct json_object *place;
	size_t len;

	if (!text)
		return NULL;
	len = strcspn(text, "\n");
	bracket = memrchr(text, '[', len);
	place = json_object_new_object();
	if (bracket && bracket > text) {
		add_text(place, "module", bracket + 1, text + len - bracket - 2);
		len = bracket - text - 1;
	}
	if (at)
		marker_json_place(place, text, len);
	else if (syscall)
		add_number(place, "syscall", syscall);
	else
		add_text(place, "tracepoint", text, len);
	return place;
}

void marker_json_kernel(struct json_object *object, const char *info)
{
	struct json_object *fields = json_object_new_array(), *places = json_object_new_array();
	struct json_object *place;
	const char *line, *field;

	for (line = info; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		field = after(line, "field ");
		if (field)
			json_object_array_add(fields, parse_field(field));
		place = parse_place(line);
		if (place)
			json_object_array_add(places, place);
	}
	json_object_object_add(object, "fields", fields);
	json_object_object_add(object, "places", places);
}

/* ---- Programs ---- */

void marker_json_fields(struct json_object *object, const char *text)
{
	const char *reason = after(text, "refused: ");
	struct json_object *fields;
	const char *line, *field;

	if (reason) {
		add_text(object, "rejected", reason, strcspn(reason, "\n"));
		return;
	}
	fields = json_object_new_array();
	for (line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		field = after(line, "field ");
		if (field)
			json_object_array_add(fields, parse_field(field));
	}
	json_object_object_add(object, "fields", fields);
}

void marker_json_programs(struct json_object *object, const struct census_site *site, size_t nr)
{
	struct json_object *places = json_object_new_array(), *place;
	const char *blank;
	size_t i;

	marker_json_fields(object, site->fields);
	for (i = 0; i < nr; i++) {
		place = json_object_new_object();
		marker_json_place(place, site[i].place, strlen(site[i].place));
		blank = strrchr(site[i].program, ' ');
		add_text(place, "program", site[i].program, blank - site[i].program);
		add_number(place, "pid", blank + 1);
		if (strcmp(site[i].fields, site->fields))
			marker_json_fields(place, site[i].fields);
		json_object_array_add(places, place);
	}
	json_object_object_add(object, "places", places);
}
