// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The recording that a state is written for.
 *
 * Layer: lttd state.  The metadata is the text that core/ctf.c writes.
 */
#include "recording.h"
#include "common/user-trace.h"
#include "lttd/log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Metadata of thousands of events is a megabyte. */
#define METADATA_MAX	(64 << 20)

/* Return: the text of a file, to be freed; NULL if it cannot be read. */
static char *read_text(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char *text = NULL;
	struct stat st;
	ssize_t got = -1;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size < METADATA_MAX)
		text = malloc(st.st_size + 1);
	if (text)
		got = pread(fd, text, st.st_size, 0);
	close(fd);
	if (got < 0) {
		free(text);
		return NULL;
	}
	text[got] = '\0';
	return text;
}

/* ---- The clock ---- */

/* Copy the value of a key in a block.  Return: false if there is none, or it is too long. */
static bool value_of(const char *block, const char *key, char *value, size_t size)
{
	const char *at = strstr(block, key), *end = strstr(block, "\n};");
	size_t len;

	if (!at || (end && at > end))
		return false;
	at += strlen(key);
	at += *at == '"';
	len = strcspn(at, "\";\n");
	if (len >= size)
		return false;
	memcpy(value, at, len);
	value[len] = '\0';
	return true;
}

static bool find_clock(const char *metadata, struct clock *clock)
{
	const char *block = strstr(metadata, "\nclock {\n");
	char name[64], uuid[40], freq[24], offset_s[24], offset[24], text[256];

	if (!block || !value_of(block, "\tname = ", name, sizeof(name)) ||
	    !value_of(block, "\tuuid = ", uuid, sizeof(uuid)) ||
	    !value_of(block, "\tfreq = ", freq, sizeof(freq)) ||
	    !value_of(block, "\toffset_s = ", offset_s, sizeof(offset_s)) ||
	    !value_of(block, "\toffset = ", offset, sizeof(offset)))
		return false;
	snprintf(text, sizeof(text), "%s %s %s %s %s", name, uuid, freq, offset_s, offset);
	if (!clock_parse(clock, text))
		return false;
	if (!value_of(block, "\tdescription = ", clock->description, sizeof(clock->description)))
		*clock->description = '\0';
	return true;
}

/* ---- The events ---- */

static int compare(const void *one, const void *other)
{
	return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* Add each bare name: those of markers have a colon. */
static int find_events(struct recording *recording)
{
	static const char begin[] = "\nevent {\n\tname = \"";
	const char **more;
	size_t room = 0;
	char *at, *end;

	for (at = recording->text; (at = strstr(at, begin)); at = end + 1) {
		at += strlen(begin);
		end = strchr(at, '"');
		if (!end)
			break;
		*end = '\0';
		if (strchr(at, ':'))
			continue;
		if (recording->nr == room) {
			room = room ? 2 * room : 64;
			more = reallocarray(recording->events, room, sizeof(*more));
			if (!more)
				return fail("out of memory");
			recording->events = more;
		}
		recording->events[recording->nr++] = at;
	}
	if (recording->nr)
		qsort(recording->events, recording->nr, sizeof(*recording->events), compare);
	return 0;
}

/* ---- The traces ---- */

/* Take the clock from the metadata of a user's trace, if there is one. */
static bool find_user_clock(const char *root, struct clock *clock)
{
	DIR *dir = opendir(root);
	struct dirent *entry;
	char path[PATH_MAX];
	bool found = false;
	char *text;

	while (dir && !found && (entry = readdir(dir))) {
		if (!user_trace_is(entry->d_name) ||
		    snprintf(path, sizeof(path), "%s/%s/metadata", root, entry->d_name) >= (int)sizeof(path))
			continue;
		text = read_text(path);
		found = text && find_clock(text, clock);
		free(text);
	}
	if (dir)
		closedir(dir);
	return found;
}

/* Return: the metadata of the kernel's trace, to be freed; NULL if it cannot be read. */
static char *kernel_text(const char *root)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/kernel/metadata", root) >= (int)sizeof(path))
		return NULL;
	return read_text(path);
}

bool recording_kernel_clock(struct clock *clock, const char *root)
{
	char *text = kernel_text(root);
	bool found = text && find_clock(text, clock);

	free(text);
	return found;
}

int recording_read(struct recording *recording, const char *root)
{
	*recording = (struct recording){ .nr = 0 };
	recording->text = kernel_text(root);
	if (recording->text && find_clock(recording->text, &recording->clock))
		return find_events(recording);
	return find_user_clock(root, &recording->clock) ? 0 : clock_find(&recording->clock, NULL);
}

void recording_free(struct recording *recording)
{
	free(recording->events);
	free(recording->text);
}
