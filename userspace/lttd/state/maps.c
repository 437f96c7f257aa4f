// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The memory maps of a process, with the build ids of their files.
 *
 * Layer: lttd state.
 */
#include "bounded.h"
#include "build-ids.h"
#include "dump.h"
#include "proc.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

static const struct ltt_field fields[] = {
	WRITER_SIGNED("pid", 4),
	WRITER_HEX("start", 8),
	WRITER_HEX("end", 8),
	WRITER_STRING("rights"),
	WRITER_HEX("offset", 8),
	WRITER_HEX("base", 8),
	WRITER_STRING("path"),
	WRITER_STRING("build_id"),
};
WRITER_EVENT(map_event, "map", fields);

/**
 * struct map - a line of the file maps
 * @start: its first address
 * @end: the end of its last
 * @offset: offset of @start in the file
 * @dev: device of the file
 * @inode: its inode; 0 without a file
 * @rights: such as "r-xp"
 * @path: the file, or a name such as "[heap]"; "" without one
 */
struct map {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	dev_t dev;
	uint64_t inode;
	char rights[5];
	const char *path;
};

static bool parse(struct map *map, const char *line)
{
	unsigned int major, minor;
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 "%n", &map->start, &map->end,
		   map->rights, &map->offset, &major, &minor, &map->inode, &at) != 7)
		return false;
	map->dev = makedev(major, minor);
	map->path = line + at + strspn(line + at, " ");
	return true;
}

/* By the map itself, or without the rights for that by its path as the process sees it, where another file may
 * be by now. */
static void get_build_id(struct dump *dump, int dir, const struct map *map, struct build_id *id)
{
	struct build_ids *ids = dump->build_ids;
	char path[PATH_MAX + sizeof("root")];
	int err;

	/* The file can be of the user's file system.  An abandoned thread must not look at @dump. */
	bounded_wait_begin();
	snprintf(path, sizeof(path), "map_files/%" PRIx64 "-%" PRIx64, map->start, map->end);
	err = build_ids_get(ids, dir, path, map->dev, map->inode, id);
	if (err) {
		snprintf(path, sizeof(path), "root%s", map->path);
		err = build_ids_get(ids, dir, path, map->dev, map->inode, id);
	}
	bounded_wait_end();
	/* The map itself is known: an item that is missed is a build id. */
	if (err == -ENOENT || err == -ESTALE)
		err = -EACCES;
	dump_missed(dump, err);
}

/**
 * struct object - the file whose maps are being written
 * @inode: its inode; 0 before the first file
 * @path: its path
 * @offset: offset of its last map
 * @base: its address 0, by its first map: the loader puts all segments at their distances
 * @id: its build id
 */
struct object {
	uint64_t inode;
	char path[PATH_MAX];
	uint64_t offset;
	uint64_t base;
	struct build_id id;
};

/* The maps of a file follow each other, but for those without a file.  At a lower offset, the file
 * is mapped a second time. */
static void look_at_object(struct dump *dump, int dir, const struct map *map, struct object *object)
{
	bool is_same = map->inode == object->inode && !strcmp(map->path, object->path);

	if (!is_same) {
		object->id = (struct build_id){ .bias = 0 };
		if (*map->path == '/')
			get_build_id(dump, dir, map, &object->id);
		object->inode = map->inode;
		snprintf(object->path, sizeof(object->path), "%s", map->path);
	}
	if (!is_same || map->offset < object->offset)
		object->base = map->start - (map->offset + object->id.bias);
	object->offset = map->offset;
}

static void write_map(struct dump *dump, int32_t pid, const struct map *map, const struct object *object)
{
	struct writer *writer = &dump->writer;

	writer_begin(writer, STATE_MAP, pid);
	writer_number(writer, pid);
	writer_number(writer, map->start);
	writer_number(writer, map->end);
	writer_string(writer, map->rights);
	writer_number(writer, map->offset);
	writer_number(writer, map->inode ? object->base : 0);
	writer_string(writer, map->path);
	writer_string(writer, map->inode ? object->id.text : "");
	dump_end(dump);
}

static char *next_line(struct lines *lines)
{
	char *line;

	bounded_wait_begin();
	line = lines_next(lines);
	bounded_wait_end();
	return line;
}

void dump_maps(struct dump *dump, int dir, int32_t pid)
{
	struct object object = { .inode = 0 };
	struct lines lines;
	struct map map;
	char *line;
	int err;

	err = dump->hurried ? -ETIMEDOUT : lines_open(&lines, dir, "maps");
	if (err) {
		dump_missed(dump, err);
		return;
	}
	while (!dump->writer.err && (line = next_line(&lines))) {
		if (!parse(&map, line))
			continue;
		if (map.inode)
			look_at_object(dump, dir, &map, &object);
		write_map(dump, pid, &map, &object);
	}
	dump_missed(dump, lines.err);
	lines_close(&lines);
}
