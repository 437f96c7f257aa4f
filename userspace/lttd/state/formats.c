// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * How the kernel prints the events of the recording: the line "print fmt" of each in tracefs, by
 * which readers show numbers as names.
 *
 * Layer: lttd state.  tracefs has an event in the folder of its system; the metadata has its name
 * alone.  Two systems may have an event of the same name: both lines are written, and a reader
 * uses the one whose fields the event has.
 */
#include "dump.h"
#include "proc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct ltt_field fields[] = {
	WRITER_STRING("system"),
	WRITER_STRING("event"),
	WRITER_STRING("format"),
};
WRITER_EVENT(event_format_event, "event_format", fields);

static const char *const roots[] = { "/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events" };

/* A format that is longer than a record may have is left out. */
#define FORMAT_MAX	(64 << 10)

struct system {
	struct dump *dump;
	const char *name;
	char *text;
};

static int compare(const void *name, const void *event)
{
	return strcmp(name, *(const char *const *)event);
}

static bool is_wanted(const struct recording *recording, const char *name)
{
	return bsearch(name, recording->events, recording->nr, sizeof(*recording->events), compare);
}

static bool write_format(int dir, const char *name, void *arg)
{
	static const char begin[] = "\nprint fmt: ";
	const struct system *system = arg;
	struct writer *writer = &system->dump->writer;
	char path[300], *format;
	ssize_t got;

	if (!is_wanted(system->dump->recording, name))
		return true;
	snprintf(path, sizeof(path), "%s/format", name);
	got = proc_read(dir, path, system->text, FORMAT_MAX);
	if (got < 0) {
		dump_missed(system->dump, got);
		return true;
	}
	format = strstr(system->text, begin);
	if (!format)
		return true;
	format += strlen(begin);
	format[strcspn(format, "\n")] = '\0';
	if (strlen(format) > WRITER_TEXT_MAX)
		return true;
	writer_begin(writer, STATE_EVENT_FORMAT, 0);
	writer_string(writer, system->name);
	writer_string(writer, name);
	writer_string(writer, format);
	dump_end(system->dump);
	return !writer->err;
}

static bool look_at_system(int dir, const char *name, void *arg)
{
	struct system *system = arg;
	int folder = proc_folder(dir, name), err;

	if (folder == -ENOTDIR)
		return true;
	if (folder < 0) {
		dump_missed(system->dump, folder);
		return true;
	}
	system->name = name;
	err = proc_walk(folder, write_format, system);
	dump_missed(system->dump, err);
	close(folder);
	return !system->dump->writer.err;
}

void dump_formats(struct dump *dump)
{
	struct system system = { .dump = dump };
	int dir, err;

	if (!dump->recording->nr)
		return;
	dir = proc_folder(AT_FDCWD, roots[0]);
	if (dir < 0)
		dir = proc_folder(AT_FDCWD, roots[1]);
	if (dir < 0) {
		dump_missed(dump, dir);
		return;
	}
	system.text = malloc(FORMAT_MAX);
	err = system.text ? proc_walk(dir, look_at_system, &system) : -ENOMEM;
	dump_missed(dump, err);
	free(system.text);
	close(dir);
}
