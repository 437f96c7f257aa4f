// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The patterns of a command line that select events.
 *
 * Layer: lttctl.
 */
#include "event-patterns.h"
#include "advice.h"
#include "lttctl/command.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/selection.h"
#include "core/name.h"

/* A message names at most so many events. */
#define NEAREST_MAX 3

/* ---- Parsing ---- */

/* Return: the comma that ends the pattern at @text, or its end.  A comma in brackets
 * belongs to the pattern. */
static const char *end_of_pattern(const char *text)
{
	bool brackets = false;

	for (; *text && (brackets || *text != ','); text++) {
		if (*text == '[')
			brackets = true;
		else if (*text == ']')
			brackets = false;
	}
	return text;
}

static size_t count_patterns(const char *const *lists)
{
	const char *at;
	size_t nr = 0;

	for (; lists && *lists; lists++)
		for (at = *lists, nr++; *(at = end_of_pattern(at)); at++)
			nr++;
	return nr;
}

/* Return: the selection in @pattern; NULL if it is not for programs. */
static const char *selection_of(const char *pattern)
{
	const size_t prefix = strlen(EVENT_PATTERNS_USER);

	if (strncmp(pattern, EVENT_PATTERNS_USER, prefix))
		return NULL;
	if (pattern[prefix] == ':')
		return pattern + prefix + 1;
	return pattern[prefix] == '@' ? pattern + prefix : NULL;
}

static int add(struct event_patterns *patterns, const char *option, char *pattern)
{
	const char *selection = selection_of(pattern);
	char **kernel = patterns->kernel;

	if (selection && !selection_valid(selection))
		return misused("%s%.127s: must be user:, or user@PROGRAM:, then " SELECTION_FORM, option, pattern);
	if (!selection && !ltt_selection_valid(pattern))
		return misused("%s%.127s: must be group:name or name, with * ? [] globs (for example sched:*)",
			       option, *pattern ? pattern : "''");
	if (selection) {
		memmove(pattern, selection, strlen(selection) + 1);
		patterns->programs[patterns->nr_programs++] = pattern;
		return 0;
	}
	while (*kernel)
		kernel++;
	*kernel = pattern;
	return 0;
}

static int add_list(struct event_patterns *patterns, const char *option, const char *list)
{
	const char *end;
	char *pattern;
	int status;

	for (;; list = end + 1) {
		end = end_of_pattern(list);
		pattern = strndup(list, end - list);
		if (!pattern)
			return complain("out of memory");
		status = add(patterns, option, pattern);
		if (status) {
			free(pattern);
			return status;
		}
		if (!*end)
			return 0;
	}
}

int event_patterns_parse(struct event_patterns *patterns, const char *option,
			 const char *const *lists)
{
	size_t nr = count_patterns(lists);
	int status = 0;

	patterns->kernel = calloc(nr + 1, sizeof(*patterns->kernel));
	patterns->programs = calloc(nr + 1, sizeof(*patterns->programs));
	if (!patterns->kernel || !patterns->programs)
		return complain("out of memory");
	for (; !status && lists && *lists; lists++)
		status = add_list(patterns, option, *lists);
	return status;
}

int event_patterns_add(struct event_patterns *patterns, const char *pattern)
{
	size_t nr = patterns->nr_programs;
	char **grown = realloc(patterns->programs, (nr + 2) * sizeof(*grown));

	if (!grown)
		return complain("out of memory");
	patterns->programs = grown;
	grown[nr + 1] = NULL;
	grown[nr] = strdup(pattern);
	if (!grown[nr])
		return complain("out of memory");
	patterns->nr_programs++;
	return 0;
}

static void free_all(char **texts)
{
	char **text;

	for (text = texts; text && *text; text++)
		free(*text);
	free(texts);
}

void event_patterns_free(struct event_patterns *patterns)
{
	free_all(patterns->kernel);
	free_all(patterns->programs);
	*patterns = (struct event_patterns){ NULL };
}

/* ---- Events that the tracer knows ---- */

/**
 * struct known - the events that the tracer knows
 * @name: each as group:name
 * @nr: how many
 */
struct known {
	char **name;
	size_t nr;
};

static int add_known(const struct lttctl_marker *marker, void *arg)
{
	struct known *known = arg;
	char **grown = realloc(known->name, (known->nr + 1) * sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	known->name = grown;
	if (asprintf(&known->name[known->nr], "%s:%s", marker->group, marker->name) < 0)
		return -ENOMEM;
	known->nr++;
	return 0;
}

static void free_known(struct known *known)
{
	while (known->nr)
		free(known->name[--known->nr]);
	free(known->name);
}

/* As the tracer matches: a pattern without a colon matches the name in any group. */
static bool is_known(const struct known *known, const char *pattern)
{
	bool full = strchr(pattern, ':');
	size_t i;

	for (i = 0; i < known->nr; i++)
		if (!fnmatch(pattern, full ? known->name[i] : strchr(known->name[i], ':') + 1, 0))
			return true;
	return false;
}

/* ---- Names that are near ---- */

/* The edit distance of V. Levenshtein: how many characters to insert, delete or replace. */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t row[2 * LTT_NAME_MAX + 1], i, j, diagonal, above;

	for (j = 0; j <= b_len; j++)
		row[j] = j;
	for (i = 1; i <= a_len; i++) {
		diagonal = row[0];
		row[0] = i;
		for (j = 1; j <= b_len; j++) {
			above = row[j];
			row[j] = diagonal + (a[i - 1] != b[j - 1]);
			if (row[j] > above + 1)
				row[j] = above + 1;
			if (row[j] > row[j - 1] + 1)
				row[j] = row[j - 1] + 1;
			diagonal = above;
		}
	}
	return row[b_len];
}

/**
 * struct near_name - a known name, or its group, that resembles a pattern
 * @name: its first character
 * @len: its length in characters
 * @distance: see distance()
 */
struct near_name {
	const char *name;
	size_t len;
	size_t distance;
};

/* The part of the known name that is compared with a pattern: with a pattern of globs the
 * group, with a pattern without a colon the name, else all of it. */
static struct near_name comparable(const char *known, bool group_only, bool name_only)
{
	const char *colon = strchr(known, ':');

	if (group_only)
		return (struct near_name){ known, colon - known, 0 };
	if (name_only)
		known = colon + 1;
	return (struct near_name){ known, strlen(known), 0 };
}

/* Keep the nearest first.  @nearest has a spare entry.  Return: how many there are. */
static size_t insert(struct near_name *nearest, size_t nr, const struct near_name *name)
{
	size_t at = nr;

	for (; at && nearest[at - 1].distance > name->distance; at--)
		nearest[at] = nearest[at - 1];
	nearest[at] = *name;
	return nr < NEAREST_MAX ? nr + 1 : nr;
}

/* Find known names of which at most a third of the pattern differs.  Return: how many. */
static size_t find_nearest(const struct known *known, const char *pattern,
			   struct near_name nearest[NEAREST_MAX + 1])
{
	const char *globs = strpbrk(pattern, "*?["), *colon = strchr(pattern, ':');
	size_t len = globs && colon ? (size_t)(colon - pattern) : strlen(pattern), nr = 0, i;
	struct near_name last = { "", 0, 0 }, name;

	/* Globs in the group, or in a bare name, leave nothing to compare. */
	if (globs && (!colon || globs < colon))
		return 0;
	for (i = 0; i < known->nr; i++) {
		name = comparable(known->name[i], globs, !colon);
		if (name.len == last.len && !memcmp(name.name, last.name, name.len))
			continue;
		last = name;
		name.distance = distance(pattern, len, name.name, name.len);
		if (name.distance <= 1 + len / 3)
			nr = insert(nearest, nr, &name);
	}
	return nr;
}

static int report_unknown(const struct known *known, const char *option, const char *pattern,
			  const char *file)
{
	const char *tail = strpbrk(pattern, "*?[") ? ":*" : "";
	char text[NEAREST_MAX * (2 * LTT_NAME_MAX + 16)] = "";
	struct near_name nearest[NEAREST_MAX + 1];
	size_t used = 0, nr, i;

	if (advice_is_of_programs(pattern, file))
		return misused("%s%s: no such event of the kernel; programs have it: user:%s%s", option, pattern,
			       strchr(pattern, ':') ? "" : "*:", pattern);
	nr = find_nearest(known, pattern, nearest);
	for (i = 0; i < nr; i++)
		used += snprintf(text + used, sizeof(text) - used, "%s %.*s%s", i ? "," : "; nearest:",
				 (int)nearest[i].len, nearest[i].name, tail);
	return misused("%s%s: no such event%s (--allow-missing accepts events that appear later)",
		       option, pattern, text);
}

int event_patterns_check_known(struct lttctl *ctl, const char *option, char *const *kernel,
			       const char *file)
{
	struct known known = { NULL };
	int status = 0, err;

	if (!*kernel)
		return 0;
	err = lttctl_for_each_marker(ctl, NULL, add_known, &known);
	if (err == -ENOMEM)
		status = complain("out of memory");
	else
		status = tracer_status(ctl, err);
	/* The tracer reports an unknown group of events itself. */
	for (; !status && *kernel; kernel++)
		if (**kernel != '@' && !is_known(&known, *kernel))
			status = report_unknown(&known, option, *kernel, file);
	free_known(&known);
	return status;
}
