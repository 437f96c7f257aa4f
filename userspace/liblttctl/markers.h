/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The markers of the kernel.
 *
 * Layer: liblttctl.  lttctl.h, which includes this file, has the conventions.
 */
#ifndef LIBLTTCTL_MARKERS_H
#define LIBLTTCTL_MARKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct lttctl;
struct lttctl_trace;

/* --- Markers ------------------------------------------------------------ */

/**
 * struct lttctl_marker - an instrumentation point
 * @group: its group
 * @name: its name in the group
 * @enabled: every trace made through this face records it by default
 */
struct lttctl_marker {
	const char *group;
	const char *name;
	bool enabled;
};

/**
 * lttctl_for_each_marker() - call a function for each marker, in the order of the names
 * @ctl: a connected handle
 * @pattern: group:name, or a name in any group, with * ? [] wildcards; NULL for all
 * @fn: the function; @marker is valid during the call
 * @arg: its last argument
 *
 * Return: 0, or the first non-zero value of @fn.
 */
int lttctl_for_each_marker(struct lttctl *ctl, const char *pattern,
			   int (*fn)(const struct lttctl_marker *marker, void *arg), void *arg);

/**
 * lttctl_marker_info() - request the description of a marker
 * @ctl: a connected handle
 * @group: its group
 * @name: its name
 * @text: receives the text, see doc/debugfs.md; the caller frees it
 *
 * Return: 0; -EINVAL for an invalid name; -ENOENT when there is no such marker.
 */
int lttctl_marker_info(struct lttctl *ctl, const char *group, const char *name, char **text);

/**
 * struct lttctl_fields - the fields of a marker
 * @field: the fields, in the order of the payload; their texts are in @text
 * @nr: number of @field
 * @layout: stands for these fields in requests to the tracer
 * @text: memory of the texts
 */
struct lttctl_fields {
	struct ltt_field *field;
	size_t nr;
	char layout[17];
	char *text;
};

/**
 * lttctl_marker_fields() - request the fields of a marker
 * @ctl: a connected handle
 * @event: group:name
 * @fields: receives the fields, to be freed by lttctl_fields_free()
 *
 * Return: 0; -EINVAL for an invalid name; -ENOENT when there is no such marker.
 */
int lttctl_marker_fields(struct lttctl *ctl, const char *event, struct lttctl_fields *fields);

void lttctl_fields_free(struct lttctl_fields *fields);

/**
 * lttctl_mark() - send a text as the event mark:text
 * @ctl: a connected handle
 * @text: the text, not empty.  Traces that record mark:text get it, cut to 4 KiB
 *
 * Return: 0; -EINVAL for an empty text; -ENOSYS from a tracer without the command.
 */
int lttctl_mark(struct lttctl *ctl, const char *text);

/**
 * lttctl_marker_enable() - record the events that match a pattern by default
 * @ctl: a connected handle
 * @pattern: see lttctl_event_enable(); no event need match it yet
 *
 * It takes effect in every trace, present and future, made through this face.
 *
 * Return: as lttctl_event_enable().
 */
int lttctl_marker_enable(struct lttctl *ctl, const char *pattern);

/**
 * lttctl_marker_disable() - record the events that match a pattern no longer by default
 * @ctl: a connected handle
 * @pattern: see lttctl_event_enable()
 *
 * It takes effect in every trace, present and future, made through this face.
 *
 * Return: as lttctl_event_enable().
 */
int lttctl_marker_disable(struct lttctl *ctl, const char *pattern);

/**
 * lttctl_for_each_wanted() - call a function for each pattern that decides the default
 * @ctl: a connected handle
 * @fn: the function; a pattern that begins with `!` removes what it matches, and the last
 *	pattern that matches an event decides
 * @arg: its last argument
 *
 * Return: 0, or the first non-zero value of @fn.
 */
int lttctl_for_each_wanted(struct lttctl *ctl, int (*fn)(const char *pattern, void *arg),
			   void *arg);

#endif /* LIBLTTCTL_MARKERS_H */
