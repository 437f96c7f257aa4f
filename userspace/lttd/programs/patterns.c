// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The patterns that select the events of a recording of programs.
 *
 * Layer: lttd.
 */
#include "patterns.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/selection.h"

/* libltt sends up to 255 characters of a group and of a name. */
#define TEXTS_SIZE	(2 * 256)

static void forget(struct patterns *patterns, const char *text)
{
	struct pattern **link, *pattern;

	for (link = &patterns->last; (pattern = *link); link = &pattern->next) {
		if (strcmp(pattern->text, text))
			continue;
		*link = pattern->next;
		free(pattern);
		return;
	}
}

int patterns_set(struct patterns *patterns, const char *text, bool on)
{
	struct pattern *pattern = malloc(sizeof(*pattern) + strlen(text) + 1);

	if (!pattern)
		return -ENOMEM;
	forget(patterns, text);
	*pattern = (struct pattern){ .next = patterns->last, .on = on };
	strcpy(pattern->text, text);
	patterns->last = pattern;
	patterns->may_be_on |= !on || *text == '@';
	return 0;
}

bool patterns_want(struct patterns *patterns, const char *program, const char *group, const char *name)
{
	char event[TEXTS_SIZE];
	struct pattern *pattern;
	bool decided = false, wanted = false;

	if (snprintf(event, sizeof(event), "%s:%s", group, name) >= (int)sizeof(event))
		return true;	/* events_number() rejects the names */
	for (pattern = patterns->last; pattern; pattern = pattern->next) {
		if (!selection_matches(pattern->text, program, event))
			continue;
		pattern->matched = true;
		wanted = decided ? wanted : pattern->on;
		decided = true;
	}
	return wanted;
}

void patterns_free(struct patterns *patterns)
{
	struct pattern *pattern;

	while ((pattern = patterns->last)) {
		patterns->last = pattern->next;
		free(pattern);
	}
}
