// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The names of code addresses in processes, by the events ltt:object_mapped and
 * ltt:object_unmapped of a recording, which lttd writes.
 *
 * Layer: lttctl view.  All of them are read first, because lttd may learn of a library only
 * after its first event.  An address is looked up at the time of its event.
 */
#include "mapped.h"

#include "lttctl/command.h"
#include "machine.h"
#include "payload.h"
#include "symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096

/**
 * struct file - a file that is mapped in some process
 * @next: the next file
 * @symbols: its functions; NULL if they are not known, or not read yet
 * @is_read: they are read, as an address in the file was to be shown
 * @build_id: its build id
 * @path: its path
 */
struct file {
	struct file *next;
	struct symbols *symbols;
	bool is_read;
	char *build_id;
	char path[];
};

/**
 * struct place - where a file is in memory, in one process or in several
 * @next: the next place in the bucket
 * @file: the file
 * @base: what to subtract from an address to get that in the file
 * @start: its first address
 * @end: the end of its last
 */
struct place {
	struct place *next;
	struct file *file;
	uint64_t base;
	uint64_t start;
	uint64_t end;
};

/**
 * struct object - a file in the memory of a process
 * @next: the next older object in the bucket
 * @place: where it is
 * @machine: of the process
 * @pid: the process
 * @from: since when, in nanoseconds
 * @to: until when
 */
struct object {
	struct object *next;
	const struct place *place;
	unsigned int machine;
	int64_t pid;
	int64_t from;
	int64_t to;
};

static struct file *files;
static struct place *places[BUCKETS];	/* by @start */
static struct object *buckets[BUCKETS];	/* by @pid */

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
	struct file *file = calloc(1, sizeof(*file) + strlen(path) + 1);

	if (!file)
		return NULL;
	file->build_id = strdup(build_id);
	if (!file->build_id) {
		free(file);
		return NULL;
	}
	strcpy(file->path, path);
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

static void read_symbols(struct file *file)
{
	const char *why;

	if (file->is_read)
		return;
	file->is_read = true;
	file->symbols = symbols_open(file->path, file->build_id, &why);
	/* The kernel's own object has no file. */
	if (!file->symbols && *file->path == '/')
		report_missing(file->path, why);
}

static struct place *get_place(const struct place *wanted)
{
	struct place **bucket = &places[(wanted->start >> 12) % BUCKETS], *place;

	for (place = *bucket; place; place = place->next)
		if (place->file == wanted->file && place->base == wanted->base && place->start == wanted->start &&
		    place->end == wanted->end)
			return place;
	place = malloc(sizeof(*place));
	if (!place)
		return NULL;
	*place = *wanted;
	place->next = *bucket;
	*bucket = place;
	return place;
}

/* End the objects of a process in a range of addresses. */
static void end_objects(unsigned int machine, int64_t pid, uint64_t start, uint64_t end, int64_t ns)
{
	struct object *object;

	for (object = *bucket_of(pid); object; object = object->next)
		if (object->pid == pid && object->machine == machine && object->to == INT64_MAX &&
		    object->place->start < end && start < object->place->end)
			object->to = ns;
}

/* Addresses in an object for which there is no memory are shown as numbers. */
static void add_object(unsigned int machine, int64_t pid, const struct place *wanted, int64_t ns)
{
	const struct place *place = wanted->file ? get_place(wanted) : NULL;
	struct object **bucket = bucket_of(pid), *object = place ? malloc(sizeof(*object)) : NULL;

	if (!object)
		return;
	*object = (struct object){ *bucket, place, machine, pid, ns, INT64_MAX };
	*bucket = object;
}

static void learn_object(const struct ltttrace_record *record, unsigned int machine, int64_t pid)
{
	int64_t base, start, end;
	char *path, *build_id;

	if (!payload_integer(record, "base", &base) || !payload_integer(record, "start", &start) ||
	    !payload_integer(record, "end", &end))
		return;
	end_objects(machine, pid, start, end, record->ns);
	path = payload_text(record, "path");
	build_id = payload_text(record, "build_id");
	if (path && build_id)
		add_object(machine, pid, &(struct place){ .file = get_file(path, build_id), .base = base,
							  .start = start, .end = end }, record->ns);
	free(path);
	free(build_id);
}

void mapped_learn(const struct ltttrace_record *record)
{
	const char *name = record->event->name;
	const unsigned int machine = machine_of(record->stream->part);
	const int context = ltttrace_context_field(record->event, "pid");
	int64_t pid = ltttrace_integer(record, context);

	/* The state of the system, for programs without markers. */
	if (!strcmp(name, "state:map") && payload_integer(record, "pid", &pid))
		learn_object(record, machine, pid);
	if (context < 0)
		return;
	/* After exec() nothing is where it was. */
	if (!strcmp(name, "ltt:program_started"))
		end_objects(machine, pid, 0, UINT64_MAX, record->ns);
	if (!strcmp(name, "ltt:object_mapped") || !strcmp(name, "ltt:object_unmapped"))
		learn_object(record, machine, pid);
}

/* A process that lttd does not know yet is a child of one that it knows, and has the same
 * objects.  Return: NULL also if they have different ones there. */
static const struct place *find_of_others(uint64_t address)
{
	const struct place *place, *found = NULL;
	size_t i;

	for (i = 0; i < BUCKETS; i++) {
		for (place = places[i]; place; place = place->next) {
			if (address < place->start || address >= place->end)
				continue;
			if (found)
				return NULL;
			found = place;
		}
	}
	return found;
}

static const struct place *find_place(const struct mapped_where *where, uint64_t address)
{
	const struct object *object, *later = NULL;
	bool is_known = false;

	for (object = *bucket_of(where->pid); object; object = object->next) {
		if (object->pid != where->pid || object->machine != where->machine)
			continue;
		is_known |= object->from <= where->ns;
		if (address < object->place->start || address >= object->place->end)
			continue;
		if (object->from <= where->ns && where->ns < object->to)
			return object->place;
		/* The list begins with the newest. */
		if (object->from > where->ns)
			later = object;
	}
	if (later)
		return later->place;
	return is_known ? NULL : find_of_others(address);
}

bool mapped_put(struct out *out, const struct mapped_where *where, uint64_t address, bool returns)
{
	const struct place *place = find_place(where, address - returns);
	const char *name = NULL, *slash;
	uint64_t offset;

	if (!place)
		return false;
	read_symbols(place->file);
	if (place->file->symbols)
		name = symbols_find(place->file->symbols, address - returns - place->base, &offset);
	if (name) {
		offset += returns;
	} else {
		slash = strrchr(place->file->path, '/');
		name = slash ? slash + 1 : place->file->path;
		offset = address - place->base;
	}
	out_plain(out, name, strlen(name));
	out_char(out, '+');
	out_hex(out, offset);
	return true;
}

void mapped_forget(void)
{
	struct object *object;
	struct place *place;
	struct file *file;
	size_t i;

	for (i = 0; i < BUCKETS; i++) {
		while ((object = buckets[i])) {
			buckets[i] = object->next;
			free(object);
		}
		while ((place = places[i])) {
			places[i] = place->next;
			free(place);
		}
	}
	while ((file = files)) {
		files = file->next;
		symbols_close(file->symbols);
		free(file->build_id);
		free(file);
	}
}
