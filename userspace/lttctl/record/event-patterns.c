// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The patterns of a command line that select events.
 *
 * Layer: lttctl.
 */
#include "event-patterns.h"
#include "advice.h"
#include "lttctl/command.h"
#include "lttctl/nearest.h"
#include "lttctl/probe/describe.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/selection.h"
#include "core/name.h"

/* The most definitions that one pattern stands for. */
#define SEGMENT_PROBES	4

/* ---- Parsing ---- */

/* Return: the comma that ends the pattern at @text, or its end.  A comma in brackets or
 * parentheses belongs to the pattern. */
static const char *end_of_pattern(const char *text)
{
	bool brackets = false;
	int parentheses = 0;

	for (; *text && (brackets || parentheses > 0 || *text != ','); text++) {
		if (*text == '[')
			brackets = true;
		else if (*text == ']')
			brackets = false;
		else if (*text == '(')
			parentheses++;
		else if (*text == ')')
			parentheses--;
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

/* Where the kernel hands a segment to IP, and where it receives one, its data begins with the TCP header. */
static const char *segments(void)
{
	static const char probes[] =
		"kprobe:tcp_sent=ip_queue_xmit(segment=skb->data:x32[3]),"
		"kprobe:tcp_received=tcp_v4_rcv(segment=skb->data:x32[3]),"
		"kprobe:tcp_sent6=inet6_csk_xmit(segment=skb->data:x32[3]),"
		"kprobe:tcp_received6=tcp_v6_rcv(segment=skb->data:x32[3])";
	static char of_version_4[sizeof(probes)];

	if (!access("/proc/net/tcp6", F_OK))
		return probes;
	/* A kernel without IP version 6 has no such functions. */
	memcpy(of_version_4, probes, strstr(probes, ",kprobe:tcp_sent6") - probes);
	return of_version_4;
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

/* event_patterns_describe() looks the names up, when there is a tracer. */
static int add_probe(struct event_patterns *patterns, const char *option, char *text)
{
	struct probe_definition definition;
	char why[PROBE_WHY_SIZE];

	if (!probe_parse(text, &definition, why))
		return misused("%s%s: %s", option, text, why);
	patterns->probes[patterns->nr_probes++] = text;
	return 0;
}

static int add(struct event_patterns *patterns, const char *option, char *pattern)
{
	const char *selection = selection_of(pattern);
	char **kernel = patterns->kernel;

	if (probe_is_definition(pattern))
		return add_probe(patterns, option, pattern);
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
		if (strcmp(pattern, EVENT_PATTERNS_SEGMENTS)) {
			status = add(patterns, option, pattern);
		} else {
			status = add_list(patterns, option, segments());
			free(pattern);
			pattern = NULL;
		}
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
	size_t nr = SEGMENT_PROBES * count_patterns(lists);
	int status = 0;

	patterns->kernel = calloc(nr + 1, sizeof(*patterns->kernel));
	patterns->programs = calloc(nr + 1, sizeof(*patterns->programs));
	patterns->probes = calloc(nr + 1, sizeof(*patterns->probes));
	if (!patterns->kernel || !patterns->programs || !patterns->probes)
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
	free_all(patterns->probes);
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

/* Find known names that are near to a pattern: with a pattern of globs compare the group, with a
 * pattern without a colon the name, else all. */
static void find_nearest(const struct known *known, const char *pattern, struct nearest *nearest)
{
	const char *globs = strpbrk(pattern, "*?["), *colon = strchr(pattern, ':');
	size_t len = globs && colon ? (size_t)(colon - pattern) : strlen(pattern), i;

	/* Globs in the group, or in a bare name, leave nothing to compare. */
	if (globs && (!colon || globs < colon))
		return;
	for (i = 0; i < known->nr; i++) {
		const char *name = known->name[i], *end = strchr(name, ':');

		if (globs)
			nearest_offer(nearest, pattern, len, name, end - name);
		else if (colon)
			nearest_offer(nearest, pattern, len, name, strlen(name));
		else
			nearest_offer(nearest, pattern, len, end + 1, strlen(end + 1));
	}
}

static int report_unknown(const struct known *known, const char *option, const char *pattern,
			  bool only_present, const char *file)
{
	struct nearest nearest = { .nr = 0 };
	char text[NEAREST_TEXT];

	if (advice_is_of_programs(pattern, file))
		return misused("%s%s: no such event of the kernel; programs have it: user:%s%s", option, pattern,
			       strchr(pattern, ':') ? "" : "*:", pattern);
	find_nearest(known, pattern, &nearest);
	nearest_text(&nearest, strpbrk(pattern, "*?[") ? ":*" : "", text);
	return misused("%s%s: no such event%s%s", option, pattern, text,
		       only_present ? "" : " (--allow-missing accepts events that appear later)");
}

/* Take a pattern for a definition.  Return: 0, or a status after a message. */
static int move_to_probes(struct event_patterns *patterns, char **pattern)
{
	char **probes = realloc(patterns->probes, (patterns->nr_probes + 2) * sizeof(*probes));

	if (!probes)
		return complain("out of memory");
	patterns->probes = probes;
	probes[patterns->nr_probes++] = *pattern;
	probes[patterns->nr_probes] = NULL;
	for (; *pattern; pattern++)
		pattern[0] = pattern[1];
	return 0;
}

/* A pattern without an event.  Return: 0 if it defines a probe, which it is now. */
static int take_unknown(struct event_patterns *patterns, const struct known *known, const char *option,
			char **pattern, const char *file)
{
	if (probe_may_define(*pattern))
		return move_to_probes(patterns, pattern);
	return report_unknown(known, option, *pattern, patterns->only_present, file);
}

int event_patterns_check_known(struct lttctl *ctl, const char *option, struct event_patterns *patterns,
			       const char *file)
{
	char **pattern = patterns->kernel;
	struct known known = { NULL };
	int status = 0, err;

	if (!*pattern)
		return 0;
	err = lttctl_for_each_marker(ctl, NULL, add_known, &known);
	if (err == -ENOMEM)
		status = complain("out of memory");
	else
		status = tracer_status(ctl, err);
	while (!status && *pattern) {
		/* The tracer reports an unknown group of events itself. */
		if (**pattern == '@' || is_known(&known, *pattern))
			pattern++;
		else
			status = take_unknown(patterns, &known, option, pattern, file);
	}
	free_known(&known);
	return status;
}

/* ---- Dynamic probes ---- */

int event_patterns_describe(const struct event_patterns *patterns, const char *option,
			    struct descriptions *descriptions)
{
	char why[PROBE_WHY_SIZE];
	int err = 0;
	size_t i;

	for (i = 0; !err && i < patterns->nr_probes; i++)
		err = probe_describe(patterns->probes[i], descriptions, why);
	if (err == -EINVAL)
		return misused("%s%s: %s", option, patterns->probes[i - 1], why);
	return err ? complain("%s%s: %s", option, patterns->probes[i - 1], why) : 0;
}
