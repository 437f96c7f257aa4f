/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Descriptions of markers as JSON.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_MARKER_JSON_H
#define LTTCTL_MARKER_JSON_H

#include "lttctl/programs/census.h"

#include <json-c/json.h>
#include <stddef.h>

/**
 * marker_json_kernel() - add the description of a marker of the kernel to an object
 * @object: gets the members "fields" and "places"
 * @info: the text of lttctl_marker_info()
 */
void marker_json_kernel(struct json_object *object, const char *info);

/**
 * marker_json_fields() - add the fields of a marker of a program to an object
 * @object: gets the member "fields"; or "rejected", the reason
 * @text: see &census_site.fields
 */
void marker_json_fields(struct json_object *object, const char *text);

/**
 * marker_json_place() - add a place in a source to an object
 * @object: gets the members "file" and "line"
 * @text: "FILE:LINE"
 * @len: its length
 */
void marker_json_place(struct json_object *object, const char *text, size_t len);

/**
 * marker_json_programs() - add the description of a marker of programs to an object
 * @object: gets the members "fields" and "places"; or "rejected", the reason, in place of
 *	"fields"
 * @site: the first of the sites that have this marker
 * @nr: the number of these sites, at least 1
 *
 * A place has members "fields" or "rejected" of its own where they differ from those of
 * the first place.
 */
void marker_json_programs(struct json_object *object, const struct census_site *site, size_t nr);

#endif /* LTTCTL_MARKER_JSON_H */
