// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The recordings of programs, as list and status show them.
 *
 * Layer: lttctl.
 */
#include "recordings.h"
#include "lttctl/command.h"

#include <stdio.h>
#include <string.h>

struct show {
	pid_t only;		/* 0: all */
	bool counts;
	struct json_object *to;
	unsigned int nr;
};

/* A line of LTT_PROGRAM_STATUS. */
struct line {
	bool enabled;
	const char *pattern;	/* NULL: the line is about a user */
	unsigned int uid;
	unsigned int programs;
	unsigned long long stored;
	unsigned long long lost;
	unsigned long long filtered;
};

static bool parse_line(char *text, struct line *line)
{
	char *space = strchr(text, ' ');

	*line = (struct line){ .pattern = NULL };
	if (sscanf(text, "user %u %u %llu %llu %llu", &line->uid, &line->programs, &line->stored, &line->lost,
		   &line->filtered) == 5)
		return true;
	line->enabled = !strncmp(text, "enabled ", 8);
	line->pattern = space ? space + 1 : NULL;
	return line->enabled || !strncmp(text, "disabled ", 9);
}

static void show_line(const struct line *line)
{
	char filtered[48] = "";

	if (line->filtered)
		snprintf(filtered, sizeof(filtered), ", %llu filtered", line->filtered);
	if (line->pattern)
		printf("  %s user%s%s\n", line->enabled ? "enabled" : "disabled",
		       *line->pattern == '@' ? "" : ":", line->pattern);
	else
		printf("  user %u: %u program%s, %llu events stored, %llu lost%s\n", line->uid, line->programs,
		       line->programs == 1 ? "" : "s", line->stored, line->lost, filtered);
}

static void add_line(const struct line *line, struct json_object *patterns, struct json_object *users)
{
	struct json_object *object = json_object_new_object();

	if (line->pattern) {
		json_object_object_add(object, "pattern", json_object_new_string(line->pattern));
		json_object_object_add(object, "enabled", json_object_new_boolean(line->enabled));
		json_object_array_add(patterns, object);
		return;
	}
	json_object_object_add(object, "uid", json_object_new_int64(line->uid));
	json_object_object_add(object, "programs", json_object_new_int64(line->programs));
	json_object_object_add(object, "stored", json_object_new_uint64(line->stored));
	json_object_object_add(object, "lost", json_object_new_uint64(line->lost));
	json_object_object_add(object, "filtered", json_object_new_uint64(line->filtered));
	json_object_array_add(users, object);
}

/* Handle each line; unknown lines, of a newer lttd, are ignored. */
static void each_line(char *text, struct json_object *patterns, struct json_object *users)
{
	struct line line;
	char *save, *at;

	for (at = strtok_r(text, "\n", &save); at; at = strtok_r(NULL, "\n", &save)) {
		if (!parse_line(at, &line))
			continue;
		if (patterns)
			add_line(&line, patterns, users);
		else
			show_line(&line);
	}
}

static void add(const struct recording_status *status, const struct show *show)
{
	struct json_object *object = json_object_new_object();
	struct json_object *patterns, *users;
	char name[32];

	snprintf(name, sizeof(name), RECORDINGS_NAME "%d", status->pid);
	json_object_object_add(object, "name", json_object_new_string(name));
	json_object_object_add(object, "state", json_object_new_string("running"));
	json_object_object_add(object, "lttd", json_object_new_int(status->pid));
	json_object_object_add(object, "output", json_object_new_string(status->dir));
	if (show->counts) {
		patterns = json_object_new_array();
		users = json_object_new_array();
		each_line(status->lines, patterns, users);
		json_object_object_add(object, "patterns", patterns);
		json_object_object_add(object, "users", users);
	}
	json_object_array_add(show->to, object);
}

static int show_one(const struct recording_status *status, void *arg)
{
	struct show *show = arg;

	show->nr++;
	if (show->to) {
		add(status, show);
		return 0;
	}
	printf(RECORDINGS_NAME "%d running, lttd %d writes %s\n", status->pid, status->pid, status->dir);
	if (show->counts)
		each_line(status->lines, NULL, NULL);
	return 0;
}

int recordings_show(const char *name, bool counts, struct json_object *to, unsigned int *nr)
{
	struct show show = { .counts = counts, .to = to };
	pid_t pid;
	int status;

	if (name && recordings_is_name(name, &pid))
		status = recordings_look(pid, show_one, &show);
	else
		status = recordings_for_each(show_one, &show);
	*nr = show.nr;
	return status;
}
