// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Advice for users who record programs for the first time.
 *
 * Layer: lttctl.
 */
#include "advice.h"
#include "lttctl/check/binary.h"
#include "lttctl/command.h"
#include "lttctl/programs/census.h"

#include <elf.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define FOUND	100	/* differs from each exit status of binary_read() */

/* ---- Markers ---- */

/* As the tracer matches: a pattern without a colon matches the name in any group. */
static bool matches(const char *pattern, const char *event)
{
	const char *colon = strchr(event, ':');

	return !fnmatch(pattern, strchr(pattern, ':') || !colon ? event : colon + 1, 0);
}

static int compare(const char *file, const struct site *site, void *pattern)
{
	char event[512];

	(void)file;
	snprintf(event, sizeof(event), "%.255s:%.255s", site->marker.group, site->marker.name);
	return matches(pattern, event) ? FOUND : 0;
}

/* A command may be a script. */
static bool is_elf(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char magic[SELFMAG];
	bool elf = fd >= 0 && read(fd, magic, sizeof(magic)) == sizeof(magic) &&
		   !memcmp(magic, ELFMAG, SELFMAG);

	if (fd >= 0)
		close(fd);
	return elf;
}

static bool file_has(const char *file, const char *pattern)
{
	return is_elf(file) && binary_read(file, compare, (void *)pattern) == FOUND;
}

static bool running_have(const char *pattern)
{
	struct census census;
	bool found = false;
	size_t i;

	if (!census_take(&census))
		for (i = 0; i < census.nr && !found; i++)
			found = matches(pattern, census.site[i].event);
	census_free(&census);
	return found;
}

bool advice_is_of_programs(const char *pattern, const char *file)
{
	return (file && *file && file_has(file, pattern)) || running_have(pattern);
}

void advice_without_tracer(char *const *patterns, const char *file)
{
	for (; *patterns; patterns++) {
		if (**patterns == '@' || !advice_is_of_programs(*patterns, file))
			continue;
		complain("%s: programs have such events: -e 'user:%s%s' records them without the tracer",
			 *patterns, strchr(*patterns, ':') ? "" : "*:", *patterns);
		return;
	}
	complain("events of programs need no tracer; their patterns begin with user: (-e 'user:GROUP:NAME')");
}

/* ---- Rights ---- */

void advice_rights(const char *file)
{
	const char *gain = NULL;
	struct stat st;

	if (!geteuid() || stat(file, &st))
		return;
	if (st.st_mode & S_ISUID && st.st_uid != geteuid())
		gain = "setuid";
	else if (st.st_mode & S_ISGID && st.st_mode & S_IXGRP && st.st_gid != getegid())
		gain = "setgid";
	else if (getxattr(file, "security.capability", NULL, 0) > 0)
		gain = "file capabilities";
	if (gain)
		complain("warning: %s has more rights than its user (%s): only root can record its events", file, gain);
}
