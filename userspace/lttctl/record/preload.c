// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The libraries that `record --preload` loads into the command, in front of the C library.
 *
 * Layer: lttctl.  lttctl finds them in ltt/ beside itself, or from there in ../lib/ltt or in
 * ../lib/MULTIARCH/ltt, where Debian has libraries of one architecture.
 */
#include "preload.h"
#include "lttctl/command.h"
#include "program-file.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KNOWN	"functions, malloc, pthread, stdio"

#define OBJECTS		"objects"

static const struct {
	const char *name;	/* and the group of its events */
	bool has_addresses;
} libraries[] = {
	{ "malloc", true },
	{ "pthread", true },
	{ "stdio", false },
	{ "functions", true },
};

#define NR_LIBRARIES	(sizeof(libraries) / sizeof(libraries[0]))

static bool is_wanted(const struct preload *preload, size_t library)
{
	return preload->wanted & 1U << library;
}

bool preload_has_addresses(const struct preload *preload)
{
	size_t i;

	for (i = 0; i < NR_LIBRARIES; i++)
		if (is_wanted(preload, i) && libraries[i].has_addresses)
			return true;
	return false;
}

int preload_parse(struct preload *preload, const char *list)
{
	size_t len, i;

	for (;; list += len + 1) {
		len = strcspn(list, ",");
		for (i = 0; i < NR_LIBRARIES; i++)
			if (strlen(libraries[i].name) == len && !memcmp(libraries[i].name, list, len))
				break;
		if (i == NR_LIBRARIES)
			return misused("--preload %.*s: no such library; there are " KNOWN, (int)len, list);
		preload->wanted |= 1U << i;
		if (!list[len])
			return 0;
	}
}

/* ---- Patterns ---- */

/* Does a pattern of the command line name the group?  One without a colon names none. */
static bool is_named(const struct event_patterns *patterns, const char *group)
{
	char part[256];
	const char *colon;
	size_t i;

	for (i = 0; i < patterns->nr_programs; i++) {
		colon = strrchr(patterns->programs[i], ':');
		if (!colon)
			continue;
		snprintf(part, sizeof(part), "%.*s", (int)(colon - patterns->programs[i]), patterns->programs[i]);
		if (!fnmatch(part, group, 0))
			return true;
	}
	return false;
}

int preload_add_patterns(const struct preload *preload, struct event_patterns *patterns)
{
	/* Those that are added name no group of another library. */
	char pattern[32];
	int status = 0;
	size_t i;

	for (i = 0; i < NR_LIBRARIES && !status; i++) {
		if (!is_wanted(preload, i) || is_named(patterns, libraries[i].name))
			continue;
		snprintf(pattern, sizeof(pattern), "%s:*", libraries[i].name);
		status = event_patterns_add(patterns, pattern);
	}
	return status;
}

/* ---- The value of LD_PRELOAD ---- */

/* Return: the folder of the libraries, absolute, to be freed; NULL after a message. */
static char *find_folder(void)
{
	static const char *const places[] = { "ltt", "../lib/ltt", "../lib/" LTT_MULTIARCH "/ltt" };
	char path[4096 + 64], *name, *folder = NULL;
	ssize_t len = readlink("/proc/self/exe", path, 4096);
	size_t i;

	path[len > 0 ? len : 0] = '\0';
	name = strrchr(path, '/');
	for (i = 0; name && !folder && i < sizeof(places) / sizeof(places[0]); i++) {
		strcpy(name + 1, places[i]);
		folder = realpath(path, NULL);
	}
	if (!folder)
		complain("--preload: cannot find the libraries: install libltt1 (they may be in ltt/ beside lttctl, or from there in ../lib/ltt or ../lib/"
			 LTT_MULTIARCH "/ltt)");
	else if (strpbrk(folder, ": "))
		complain("--preload: %s has a space or a colon, which the loader takes for the end of a file's name",
			 folder);
	else
		return folder;
	free(folder);
	return NULL;
}

/* The loader only warns about a library that it cannot find. */
static bool add_library(FILE *to, const char *folder, const char *name)
{
	char path[4096 + 64];

	snprintf(path, sizeof(path), "%s/libltt-%s.so", folder, name);
	if (access(path, R_OK)) {
		complain("--preload: cannot read %s: %s", path, strerror(errno));
		return false;
	}
	fprintf(to, "%s%s", ftell(to) ? ":" : "", path);
	return true;
}

/* The last is needed with any: it replaces vfork() and dlclose(), and so must come before the C
 * library. */
static bool add_libraries(const struct preload *preload, FILE *to, const char *folder)
{
	size_t i;

	for (i = 0; i < NR_LIBRARIES; i++)
		if (is_wanted(preload, i) && !add_library(to, folder, libraries[i].name))
			return false;
	return add_library(to, folder, OBJECTS);
}

int preload_make(const struct preload *preload, const char *file, char **value)
{
	const char *before = getenv("LD_PRELOAD");
	char *folder;
	int status;
	size_t size;
	FILE *to;

	if (!preload->wanted)
		return 0;
	status = program_file_check(file);
	if (status)
		return status;
	status = EXIT_FAILED;
	folder = find_folder();
	if (!folder)
		return EXIT_FAILED;
	to = open_memstream(value, &size);
	if (!to) {
		complain("out of memory");
		goto out;
	}
	if (add_libraries(preload, to, folder)) {
		if (before && *before)
			fprintf(to, ":%s", before);
		status = 0;
	}
	if (fclose(to) && !status)
		status = complain("out of memory");
	if (status) {
		free(*value);
		*value = NULL;
	}
out:
	free(folder);
	return status;
}
