// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The machines of several recordings.
 *
 * Layer: lttctl view.
 */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

/* The part of each number, and its machine: that of the first part that agrees with it. */
static struct known {
	const struct ltttrace_part *part;
	unsigned int machine;
} *known;
static unsigned int nr_known;

static bool is_same(const struct ltttrace_part *one, const struct ltttrace_part *other)
{
	return !memcmp(one->clock_uuid, other->clock_uuid, sizeof(one->clock_uuid)) && !strcmp(one->host, other->host);
}

static bool add(const struct ltttrace_part *part)
{
	struct known *more = reallocarray(known, part->number + 1, sizeof(*known));
	unsigned int i;

	if (!more)
		return false;
	known = more;
	memset(known + nr_known, 0, (part->number + 1 - nr_known) * sizeof(*known));
	nr_known = part->number + 1;
	for (i = 0; i + 1 < nr_known && !(known[i].part && is_same(known[i].part, part)); i++)
		;
	known[part->number] = (struct known){ part, i };
	return true;
}

unsigned int machine_of(const struct ltttrace_part *part)
{
	unsigned int i;

	if (part->number >= nr_known && !add(part))
		return 0;
	if (known[part->number].part)
		return known[part->number].machine;
	/* A later part came first. */
	for (i = 0; i < nr_known && !(known[i].part && is_same(known[i].part, part)); i++)
		;
	known[part->number] = (struct known){ part, i < nr_known ? known[i].machine : part->number };
	return known[part->number].machine;
}

bool machines_differ(const struct ltttrace *trace)
{
	const char *host = "", *other;
	unsigned int i;

	for (i = 0; i < ltttrace_nr_parts(trace); i++) {
		other = ltttrace_part(trace, i)->host;
		if (*host && *other && strcmp(host, other))
			return true;
		host = *host ? host : other;
	}
	return false;
}

void machines_forget(void)
{
	free(known);
	known = NULL;
	nr_known = 0;
}
