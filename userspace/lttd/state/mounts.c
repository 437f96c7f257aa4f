// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The mounts of lttd's mount namespace.
 *
 * Layer: lttd state.
 */
#include "dump.h"
#include "proc.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static const struct ltt_field fields[] = {
	WRITER_NUMBER("major", 4),
	WRITER_NUMBER("minor", 4),
	WRITER_STRING("root"),
	WRITER_STRING("path"),
	WRITER_STRING("options"),
	WRITER_STRING("type"),
	WRITER_STRING("source"),
};
WRITER_EVENT(mount_event, "mount", fields);

static bool is_octal(char digit)
{
	return digit >= '0' && digit <= '7';
}

/* Take the next word off a line; in words, \NNN stands for a blank and other bytes. */
static char *next_word(char **line)
{
	char *word = strsep(line, " "), *from, *to;

	if (!word)
		return "";
	for (from = to = word; *from; to++) {
		if (*from == '\\' && is_octal(from[1]) && is_octal(from[2]) && is_octal(from[3])) {
			*to = (from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0');
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
	return word;
}

/* "36 35 98:0 /root /path options optional... - type source superblock-options" */
static void write_mount(struct dump *dump, char *line)
{
	const char *root, *path, *options, *type, *source;
	struct writer *writer = &dump->writer;
	unsigned int major, minor;
	char *word;

	next_word(&line);
	next_word(&line);
	if (sscanf(next_word(&line), "%u:%u", &major, &minor) != 2)
		return;
	root = next_word(&line);
	path = next_word(&line);
	options = next_word(&line);
	do
		word = next_word(&line);
	while (*word && strcmp(word, "-"));
	type = next_word(&line);
	source = next_word(&line);
	writer_begin(writer, STATE_MOUNT, 0);
	writer_number(writer, major);
	writer_number(writer, minor);
	writer_string(writer, root);
	writer_string(writer, path);
	writer_string(writer, options);
	writer_string(writer, type);
	writer_string(writer, source);
	dump_end(dump);
}

void dump_mounts(struct dump *dump)
{
	struct lines lines;
	char *line;
	int err;

	err = lines_open(&lines, AT_FDCWD, "/proc/self/mountinfo");
	if (err) {
		dump_missed(dump, err);
		return;
	}
	while (!dump->writer.err && (line = lines_next(&lines)))
		write_mount(dump, line);
	dump_missed(dump, lines.err);
	lines_close(&lines);
}
