// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Open recordings: find their parts, and the files of these.
 *
 * Layer: libltttrace.  A refresh is the same once more: what is known already is passed over.
 */
#include "internal.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int trace_error(struct ltttrace_error *error, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (error)
		vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return err;
}

static int no_memory(struct ltttrace_error *error)
{
	return trace_error(error, -ENOMEM, "out of memory");
}

/* Room is doubled at powers of two. */
int list_add(void *array, size_t *nr, void *pointer)
{
	void **list = *(void ***)array;

	if (!(*nr & (*nr - 1))) {
		list = realloc(list, (*nr ? 2 * *nr : 1) * sizeof(*list));
		if (!list)
			return -ENOMEM;
		*(void ***)array = list;
	}
	list[(*nr)++] = pointer;
	return 0;
}

/* --- Files ------------------------------------------------------------------ */

static struct stream *find_stream(const struct part *part, const char *name)
{
	const struct ltttrace *trace = part->trace;
	size_t i;

	for (i = 0; i < trace->streams; i++)
		if (trace->stream[i]->part == part && !strcmp(trace->stream[i]->public.name, name))
			return trace->stream[i];
	return NULL;
}

/* The name of a data file is CHANNEL_CPU, or EVENTS_SLOT_CPU. */
static int add_stream(struct part *part, const char *name, struct stream **added)
{
	struct ltttrace *trace = part->trace;
	struct stream *stream = calloc(1, sizeof(*stream));

	if (!stream)
		return -ENOMEM;
	stream->part = part;
	stream->public = (struct ltttrace_stream){
		.number = trace->streams, .part = &part->public, .name = strdup(name), .channel = "",
		.is_state = !strncmp(name, "state_", 6),
	};
	if (!stream->public.name || list_add(&trace->stream, &trace->streams, stream)) {
		free((void *)stream->public.name);
		free(stream);
		return -ENOMEM;
	}
	*added = stream;
	return 0;
}

/* Return: true if the file is in the trace: by another name, or before it was compressed. */
static bool has_file(const struct ltttrace *trace, const struct file *file)
{
	const struct file *other;
	size_t i;
	unsigned int j;

	for (i = 0; i < trace->streams; i++)
		for (j = 0; j < trace->stream[i]->files; j++) {
			other = trace->stream[i]->file[j];
			if ((other->device == file->device && other->inode == file->inode) ||
			    (other->folder == file->folder && !strcmp(other->name, file->name)))
				return true;
		}
	return false;
}

static int keep_file(struct part *part, struct file *file)
{
	struct stream *stream = find_stream(part, file->name);
	size_t files;
	int err = stream ? 0 : add_stream(part, file->name, &stream);

	if (err)
		return err;
	files = stream->files;
	err = list_add(&stream->file, &files, file);
	if (!err)
		stream->files = files;
	return err;
}

/* Return: true if the file NAME.zst has to be left, as NAME exists. */
static bool has_original(const struct folder *folder, const char *name)
{
	const size_t len = strlen(name);
	char path[PATH_MAX];

	if (len <= 4 || strcmp(name + len - 4, ".zst"))
		return false;
	snprintf(path, sizeof(path), "%s/%.*s", folder->path, (int)len - 4, name);
	return !access(path, F_OK);
}

static int add_file(struct part *part, const struct folder *folder, const char *name, struct ltttrace_error *error)
{
	struct file *file;
	int err;

	if (*name == '.' || !strcmp(name, "metadata") || has_original(folder, name))
		return 0;
	err = file_open(&file, folder, name);
	/* A directory, or it was removed in the meantime. */
	if (err == -EINVAL || err == -ENOENT || err == -EISDIR || err == -ENXIO)
		return 0;
	if (err)
		return trace_error(error, err, "cannot open %s/%s: %s", folder->path, name, strerror(-err));
	if (!file->size || has_file(part->trace, file)) {
		file_close(file);
		return 0;
	}
	err = keep_file(part, file);
	if (err) {
		file_close(file);
		return no_memory(error);
	}
	part->trace->changed = true;
	return 0;
}

/* Call a function for each entry of a directory, in the order of names. */
static int for_each_entry(const char *path, int (*fn)(const char *name, void *data, struct ltttrace_error *error),
			  void *data, struct ltttrace_error *error)
{
	struct dirent **entries;
	int nr = scandir(path, &entries, NULL, versionsort), i, err = 0;

	if (nr < 0)
		return trace_error(error, -errno, "cannot open %s: %s", path, strerror(errno));
	for (i = 0; i < nr; i++) {
		if (!err && strcmp(entries[i]->d_name, ".") && strcmp(entries[i]->d_name, ".."))
			err = fn(entries[i]->d_name, data, error);
		free(entries[i]);
	}
	free(entries);
	return err;
}

/* --- Parts --------------------------------------------------------------------- */

struct place_in_part {
	struct part *part;
	const struct folder *folder;
};

static int visit_file(const char *name, void *data, struct ltttrace_error *error)
{
	const struct place_in_part *place = data;

	return add_file(place->part, place->folder, name, error);
}

static void part_free(struct part *part)
{
	struct folder *folder;
	size_t i;

	while ((folder = part->folders)) {
		part->folders = folder->next;
		free(folder->path);
		free(folder);
	}
	for (i = 0; i < part->nr_env; i++) {
		free(part->env[i].name);
		free(part->env[i].value);
	}
	free(part->env);
	metadata_free(part);
	free((void *)part->public.path);
	free((void *)part->public.name);
	free(part);
}

/* Remove a part that was not added, with its events, which are the last ones. */
static void part_drop(struct part *part)
{
	struct ltttrace *trace = part->trace;

	while (trace->events && trace->event[trace->events - 1]->public.part == &part->public)
		event_free(trace->event[--trace->events]);
	part_free(part);
}

static bool is_state_name(const char *name)
{
	if (strncmp(name, "state", 5))
		return false;
	return !name[5] || (name[5] == '-' && name[6] && !name[6 + strspn(name + 6, "0123456789")]);
}

static struct part *part_make(struct ltttrace *trace, const char *path, const unsigned char *uuid)
{
	struct part *part = calloc(1, sizeof(*part));
	char full[PATH_MAX];

	if (!part)
		return NULL;
	part->trace = trace;
	memcpy(part->public.uuid, uuid, 16);
	part->public.path = strdup(path);
	/* The name of "." is that of the directory. */
	part->public.name = strdup(basename(realpath(path, full) ? full : path));
	if (!part->public.path || !part->public.name) {
		part_free(part);
		return NULL;
	}
	part->public.is_state = is_state_name(part->public.name);
	part->public.number = trace->parts;
	return part;
}

static struct folder *folder_find(struct part *part, const char *path)
{
	struct folder *folder = part->folders;

	while (folder && strcmp(folder->path, path))
		folder = folder->next;
	return folder;
}

/* Return: the new directory, which is the last of its part; NULL without memory. */
static struct folder *folder_add(struct part *part, const char *path)
{
	struct folder *folder = calloc(1, sizeof(*folder)), **last = &part->folders;

	if (!folder)
		return NULL;
	folder->path = strdup(path);
	if (!folder->path) {
		free(folder);
		return NULL;
	}
	while (*last)
		last = &(*last)->next;
	*last = folder;
	return folder;
}

static struct part *part_find(const struct ltttrace *trace, const unsigned char *uuid, const char *path)
{
	char full[PATH_MAX];
	const char *name = basename(realpath(path, full) ? full : path);
	size_t i;

	for (i = 0; i < trace->parts; i++)
		if (!memcmp(trace->part[i]->public.uuid, uuid, 16) && !strcmp(trace->part[i]->public.name, name))
			return trace->part[i];
	return NULL;
}

/* Add a part that the trace does not have. */
static int part_add(struct ltttrace *trace, const char *path, const unsigned char *uuid, struct part **added,
		    struct ltttrace_error *error)
{
	struct part *part = part_make(trace, path, uuid);
	struct folder *folder = part ? folder_add(part, path) : NULL;
	int err = folder ? metadata_read(part, folder, error) : no_memory(error);

	if (!err && list_add(&trace->part, &trace->parts, part))
		err = no_memory(error);
	if (err) {
		if (part)
			part_drop(part);
		return err;
	}
	part->public.host = ltttrace_env(&part->public, "hostname") ?: "";
	trace->changed = true;
	*added = part;
	return 0;
}

/* A directory that has a file "metadata". */
static int add_part(struct ltttrace *trace, const char *path, struct ltttrace_error *error)
{
	struct place_in_part place = { 0 };
	unsigned char uuid[16];
	struct folder *folder;
	int err;

	err = metadata_uuid(path, uuid, error);
	/* lttd has not written it yet. */
	if (err == -EAGAIN && trace->generation)
		return 0;
	if (err)
		return err == -EAGAIN ? -EBADMSG : err;
	place.part = part_find(trace, uuid, path);
	if (!place.part) {
		err = part_add(trace, path, uuid, &place.part, error);
		if (err)
			return err == -EBADMSG && trace->generation ? 0 : err;
	}
	folder = folder_find(place.part, path);
	if (!folder) {
		folder = folder_add(place.part, path);
		if (!folder)
			return no_memory(error);
	}
	place.folder = folder;
	return metadata_read(place.part, folder, error) ?: for_each_entry(path, visit_file, &place, error);
}

/* --- Directories ------------------------------------------------------------------ */

static bool is_part(const char *path)
{
	char metadata[PATH_MAX + sizeof("/metadata")];

	snprintf(metadata, sizeof(metadata), "%s/metadata", path);
	return !access(metadata, F_OK);
}

/**
 * struct visit - a directory of parts
 * @trace: the trace
 * @path: the directory
 * @depth: 0, or 1 within a piece
 * @parts: number of parts that were found
 */
struct visit {
	struct ltttrace *trace;
	const char *path;
	unsigned int depth;
	size_t parts;
};

static int visit_part(const char *name, void *data, struct ltttrace_error *error)
{
	struct visit *visit = data, piece = { .trace = visit->trace, .depth = 1 };
	char path[PATH_MAX];
	int err = 0;

	if (*name == '.' || snprintf(path, sizeof(path), "%s/%s", visit->path, name) >= (int)sizeof(path))
		return 0;
	if (is_part(path)) {
		if (is_state_name(name) && !(visit->trace->flags & LTTTRACE_WITH_STATES))
			return 0;
		visit->parts++;
		return add_part(visit->trace, path, error);
	}
	piece.path = path;
	if (!visit->depth && strspn(name, "0123456789") >= 4 && !access(path, X_OK))
		err = for_each_entry(path, visit_part, &piece, error);
	visit->parts += piece.parts;
	/* A file of this name, or a piece that was deleted in the meantime. */
	return err == -ENOTDIR || err == -ENOENT ? 0 : err;
}

static int add_path(struct ltttrace *trace, const char *path, struct ltttrace_error *error)
{
	struct visit visit = { .trace = trace, .path = path };
	int err;

	if (is_part(path))
		return add_part(trace, path, error);
	err = for_each_entry(path, visit_part, &visit, error);
	if (!err && !visit.parts)
		err = trace_error(error, -ENODATA, "%s: contains no trace", path);
	return err;
}

/* Find what there is now, and index it. */
static int look(struct ltttrace *trace, struct ltttrace_error *error)
{
	struct stream *stream;
	uint64_t before;
	size_t i;
	unsigned int j;
	int err = 0;

	for (i = 0; i < trace->paths && !err; i++)
		err = add_path(trace, trace->path[i], error);
	for (i = 0; i < trace->streams && !err; i++) {
		stream = trace->stream[i];
		before = stream->public.bytes;
		for (j = 0; j < stream->files && !err; j++)
			err = file_grow(stream->file[j]);
		if (err)
			return trace_error(error, err, "cannot read %s/%s: %s", stream->part->public.path,
					   stream->public.name, strerror(-err));
		err = stream_index(stream);
		if (err)
			return no_memory(error);
		trace->changed |= stream->public.bytes != before;
	}
	return err;
}

/* --- The interface -------------------------------------------------------------------- */

int ltttrace_open(const char *const *paths, size_t nr_paths, unsigned int flags, struct ltttrace **opened,
		  struct ltttrace_error *error)
{
	struct ltttrace *trace = calloc(1, sizeof(*trace));
	char *path;
	size_t i;
	int err = 0;

	if (!trace)
		return no_memory(error);
	trace->flags = flags;
	for (i = 0; i < nr_paths && !err; i++) {
		path = strdup(paths[i]);
		if (!path || list_add(&trace->path, &trace->paths, path)) {
			free(path);
			err = no_memory(error);
		}
	}
	err = err ?: look(trace, error);
	if (err) {
		ltttrace_close(trace);
		return err;
	}
	trace->generation = 1;
	*opened = trace;
	return 0;
}

int ltttrace_refresh(struct ltttrace *trace, struct ltttrace_error *error)
{
	int err;

	trace->changed = false;
	err = look(trace, error);
	/* What was found before a failure is there for cursors, too. */
	if (trace->changed)
		trace->generation++;
	return err ?: trace->changed;
}

void ltttrace_close(struct ltttrace *trace)
{
	struct stream *stream;
	size_t i;
	unsigned int j;

	if (!trace)
		return;
	for (i = 0; i < trace->streams; i++) {
		stream = trace->stream[i];
		for (j = 0; j < stream->files; j++)
			file_close(stream->file[j]);
		free(stream->file);
		free(stream->packet);
		free((void *)stream->public.name);
		free(stream);
	}
	for (i = 0; i < trace->events; i++)
		event_free(trace->event[i]);
	for (i = 0; i < trace->parts; i++)
		part_free(trace->part[i]);
	for (i = 0; i < trace->paths; i++)
		free(trace->path[i]);
	free(trace->stream);
	free(trace->event);
	free(trace->part);
	free(trace->path);
	free(trace);
}

size_t ltttrace_nr_parts(const struct ltttrace *trace)
{
	return trace->parts;
}

size_t ltttrace_nr_streams(const struct ltttrace *trace)
{
	return trace->streams;
}

size_t ltttrace_nr_events(const struct ltttrace *trace)
{
	return trace->events;
}

const struct ltttrace_part *ltttrace_part(const struct ltttrace *trace, unsigned int number)
{
	return &trace->part[number]->public;
}

const struct ltttrace_stream *ltttrace_stream(const struct ltttrace *trace, unsigned int number)
{
	return &trace->stream[number]->public;
}

const struct ltttrace_event *ltttrace_event(const struct ltttrace *trace, unsigned int number)
{
	return &trace->event[number]->public;
}

const char *ltttrace_env(const struct ltttrace_part *public, const char *name)
{
	const struct part *part = (const struct part *)public;
	size_t i;

	for (i = 0; i < part->nr_env; i++)
		if (!strcmp(part->env[i].name, name))
			return part->env[i].value;
	return NULL;
}

bool ltttrace_span(const struct ltttrace *trace, int64_t *first_ns, int64_t *last_ns)
{
	const struct ltttrace_stream *stream;
	bool has_packets = false;
	size_t i;

	for (i = 0; i < trace->streams; i++) {
		stream = &trace->stream[i]->public;
		if (!stream->packets || stream->is_state || stream->part->is_state)
			continue;
		if (!has_packets || stream->first_ns < *first_ns)
			*first_ns = stream->first_ns;
		if (!has_packets || stream->last_ns > *last_ns)
			*last_ns = stream->last_ns;
		has_packets = true;
	}
	return has_packets;
}
