// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The events that -e selects.
 *
 * Layer: lttctl view.
 */
#include "select.h"

#include "common/user-trace.h"
#include "core/name.h"
#include "decode.h"
#include "lttctl/command.h"
#include "lttctl/nearest.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define USER "user:"

/* ---- Parsing ---- */

/* @text is taken over. */
static int add(struct select_patterns *patterns, char *text)
{
	struct select_pattern *more, *pattern;
	const char *rest = text, *colon;

	more = text ? reallocarray(patterns->pattern, patterns->nr + 1, sizeof(*more)) : NULL;
	if (!more) {
		free(text);
		return complain("out of memory");
	}
	patterns->pattern = more;
	pattern = &more[patterns->nr++];
	*pattern = (struct select_pattern){ .text = text };
	if (!strncmp(text, USER, strlen(USER))) {
		pattern->of_programs = true;
		rest += strlen(USER);
	}
	if (!ltt_pattern_valid(rest))
		return misused("-e %s: must be GLOB or GROUP:GLOB (for example sched:*)", text);
	colon = strchr(rest, ':');
	pattern->group = colon ? strndup(rest, colon - rest) : NULL;
	pattern->name = strdup(colon ? colon + 1 : rest);
	return pattern->name && (pattern->group || !colon) ? 0 : complain("out of memory");
}

int select_parse(struct select_patterns *patterns, const char *const *lists)
{
	int status = 0;
	const char *at;
	size_t len;

	*patterns = (struct select_patterns){ .nr = 0 };
	for (; lists && *lists && !status; lists++) {
		for (at = *lists; !status; at += len + 1) {
			len = strcspn(at, ",");
			status = add(patterns, strndup(at, len));
			if (!at[len])
				break;
		}
	}
	return status;
}

void select_free(struct select_patterns *patterns)
{
	while (patterns->nr) {
		struct select_pattern *pattern = &patterns->pattern[--patterns->nr];

		free(pattern->text);
		free(pattern->group);
		free(pattern->name);
	}
	free(patterns->pattern);
	patterns->pattern = NULL;
}

/* ---- Matching ---- */

/* Names of the kernel's tracepoints have no group: its own name for it is in the state of the system.  Where that is not
 * known, the name decides, if the pattern has one. */
static bool matches_bare(const struct select_pattern *pattern, const struct ltttrace_event *event)
{
	const char *system;

	if (fnmatch(pattern->name, event->name, 0))
		return false;
	if (!pattern->group)
		return true;
	system = decode_system(event);
	return system ? !fnmatch(pattern->group, system, 0) : pattern->name[strspn(pattern->name, "*?")] != '\0';
}

static bool matches(const struct select_pattern *pattern, const struct ltttrace_event *event)
{
	const char *colon = strchr(event->name, ':');
	char group[LTT_PATTERN_MAX];
	size_t len;

	if (pattern->of_programs && !user_trace_is(event->part->name))
		return false;
	if (!colon)
		return matches_bare(pattern, event);
	if (fnmatch(pattern->name, colon + 1, 0))
		return false;
	len = colon - event->name;
	if (!pattern->group || len >= sizeof(group))
		return !pattern->group;
	memcpy(group, event->name, len);
	group[len] = '\0';
	return !fnmatch(pattern->group, group, 0);
}

bool select_matches(const struct select_patterns *patterns, const struct ltttrace_event *event)
{
	unsigned int i;

	for (i = 0; i < patterns->nr; i++)
		if (matches(&patterns->pattern[i], event))
			return true;
	return !patterns->nr;
}

static int complain_about(const struct select_pattern *pattern, const struct ltttrace *trace)
{
	struct nearest nearest = { .nr = 0 };
	char text[NEAREST_TEXT];
	unsigned int i;

	for (i = 0; i < ltttrace_nr_events(trace); i++) {
		const char *name = ltttrace_event(trace, i)->name, *colon = strchr(name, ':');
		const char *wanted = pattern->group && colon ? pattern->text : pattern->name;

		name = pattern->group || !colon ? name : colon + 1;
		nearest_offer(&nearest, wanted, strlen(wanted), name, strlen(name));
	}
	nearest_text(&nearest, "", text);
	return complain("-e %s: the recording has no such event%s", pattern->text, text);
}

int select_check(const struct select_patterns *patterns, const struct ltttrace *trace)
{
	unsigned int i, k;

	for (i = 0; i < patterns->nr; i++) {
		for (k = 0; k < ltttrace_nr_events(trace); k++)
			if (matches(&patterns->pattern[i], ltttrace_event(trace, k)))
				break;
		if (k == ltttrace_nr_events(trace))
			return complain_about(&patterns->pattern[i], trace);
	}
	return 0;
}
