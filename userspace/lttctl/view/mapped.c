// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The names of code addresses in processes, by the events ltt:object_mapped of a recording.
 *
 * Layer: lttctl view.  The newest object at an address counts: a library may have taken
 * the place of another, and a program that of the one that called exec().
 */
#include "lttctl/command.h"
#include "symbols.h"
#include "view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096

/**
 * struct file - a file that is mapped in some process
 * @next: the next file
 * @symbols: its functions; NULL if they are not known
 * @build_id: its build id
 * @path: its path
 */
struct file {
	struct file *next;
	struct symbols *symbols;
	char *build_id;
	char path[];
};

/**
 * struct object - a file in the memory of a process
 * @next: the next older object in the bucket
 * @file: the file
 * @pid: the process
 * @base: what to subtract from an address to get that in the file
 * @start: its first address
 * @end: the end of its last
 */
struct object {
	struct object *next;
	struct file *file;
	int64_t pid;
	uint64_t base;
	uint64_t start;
	uint64_t end;
};

static struct file *files;
static struct object *buckets[BUCKETS];

static struct object **bucket_of(int64_t pid)
{
	return &buckets[(uint64_t)pid % BUCKETS];
}

/* The path is from the trace, and goes to a terminal. */
static void report_missing(const char *path, const char *why)
{
	char shown[256];

	snprintf(shown, sizeof(shown), "%s", path);
	make_printable(shown);
	complain("%s: names of its functions are missing: %s", shown, why);
}

static struct file *add_file(const char *path, const char *build_id)
{
	struct file *file = malloc(sizeof(*file) + strlen(path) + 1);
	const char *why;

	if (!file)
		return NULL;
	file->build_id = strdup(build_id);
	if (!file->build_id) {
		free(file);
		return NULL;
	}
	strcpy(file->path, path);
	file->symbols = symbols_open(path, build_id, &why);
	/* The kernel's own object has no file. */
	if (!file->symbols && *path == '/')
		report_missing(path, why);
	file->next = files;
	files = file;
	return file;
}

static struct file *get_file(const char *path, const char *build_id)
{
	struct file *file = files;

	while (file && (strcmp(file->path, path) || strcmp(file->build_id, build_id)))
		file = file->next;
	return file ? file : add_file(path, build_id);
}

/* Addresses in an object for which there is no memory are shown as numbers. */
static void add_object(const struct object *object, const char *path, const char *build_id)
{
	struct object **bucket = bucket_of(object->pid), **link, *same;

	/* It takes the place of the one that was there. */
	for (link = bucket; (same = *link); link = &same->next) {
		if (same->pid == object->pid && same->start == object->start) {
			*link = same->next;
			free(same);
			break;
		}
	}
	same = malloc(sizeof(*same));
	if (!same)
		return;
	*same = *object;
	same->file = get_file(path, build_id);
	same->next = *bucket;
	*bucket = same;
	if (!same->file) {
		*bucket = same->next;
		free(same);
	}
}

void mapped_learn(const bt_event *event, int64_t pid)
{
	const char *name = bt_event_class_get_name(bt_event_borrow_class_const(event)), *path, *build_id;
	const bt_field *payload = bt_event_borrow_payload_field_const(event);
	int64_t base, start, end;

	if (!name || strcmp(name, "ltt:object_mapped") || !payload)
		return;
	path = field_string(payload, "path");
	build_id = field_string(payload, "build_id");
	if (!path || !build_id || !field_integer(payload, "base", &base) ||
	    !field_integer(payload, "start", &start) || !field_integer(payload, "end", &end))
		return;
	add_object(&(struct object){ .pid = pid, .base = base, .start = start, .end = end }, path, build_id);
}

static const struct object *find_object(int64_t pid, uint64_t address)
{
	const struct object *object = *bucket_of(pid);

	while (object && !(object->pid == pid && object->start <= address && address < object->end))
		object = object->next;
	return object;
}

bool mapped_print(int64_t pid, uint64_t address, bool returns)
{
	const struct object *object = find_object(pid, address - returns);
	const char *name = NULL, *slash;
	uint64_t offset;

	if (!object)
		return false;
	if (object->file->symbols)
		name = symbols_find(object->file->symbols, address - returns - object->base, &offset);
	if (name) {
		offset += returns;
	} else {
		slash = strrchr(object->file->path, '/');
		name = slash ? slash + 1 : object->file->path;
		offset = address - object->base;
	}
	print_plain(name);
	printf("+0x%" PRIx64, offset);
	return true;
}

void mapped_forget(void)
{
	struct object *object;
	struct file *file;
	size_t i;

	for (i = 0; i < BUCKETS; i++) {
		while ((object = buckets[i])) {
			buckets[i] = object->next;
			free(object);
		}
	}
	while ((file = files)) {
		files = file->next;
		symbols_close(file->symbols);
		free(file->build_id);
		free(file);
	}
}
