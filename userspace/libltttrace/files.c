// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The data files of a part: which of them is in which stream, and in which order.
 *
 * Layer: libltttrace.
 */
#include "internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A directory of files, and its part. */
struct listing {
	struct part *part;
	const struct folder *folder;
};

/* Return: the length of a file's name without ".zst". */
static size_t name_length(const char *name)
{
	const size_t len = strlen(name);

	return len > 4 && !strcmp(name + len - 4, ".zst") ? len - 4 : len;
}

/* Find the stream of the file @name, or of @name.zst. */
static struct stream *find_stream(const struct part *part, const char *name)
{
	const struct ltttrace *trace = part->trace;
	const size_t len = name_length(name);
	const char *other;
	size_t i;

	for (i = 0; i < trace->streams; i++) {
		other = trace->stream[i]->public.name;
		if (trace->stream[i]->part == part && !strncmp(other, name, len) && !other[len])
			return trace->stream[i];
	}
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

/* Return: true if the file is in the trace: perhaps before it was compressed. */
static bool has_name(const struct listing *listing, const char *name)
{
	const struct stream *stream = find_stream(listing->part, name);
	unsigned int i = stream ? stream->files : 0;

	while (i-- > 0)
		if (stream->file[i]->folder == listing->folder)
			return true;
	return false;
}

/* Return: true if the file is in the trace: by another name. */
static bool has_inode(const struct ltttrace *trace, dev_t device, ino_t inode)
{
	const struct file *file;
	size_t i;
	unsigned int j;

	for (i = 0; i < trace->streams; i++)
		for (j = 0; j < trace->stream[i]->files; j++) {
			file = trace->stream[i]->file[j];
			if (file->device == device && file->inode == inode)
				return true;
		}
	return false;
}

static int keep_file(struct part *part, struct file *file)
{
	struct stream *stream = find_stream(part, file->name);
	int err = stream ? 0 : add_stream(part, file->name, &stream);

	return err ?: stream_add_file(stream, file);
}

/* Return: true if the file NAME.zst has to be left, as NAME exists. */
static bool has_original(const struct folder *folder, const char *name)
{
	const size_t len = name_length(name);
	char path[PATH_MAX];

	if (!name[len])
		return false;
	snprintf(path, sizeof(path), "%s/%.*s", folder->path, (int)len, name);
	return !access(path, F_OK);
}

/* Return: true if there may be packets in it that the trace does not have. */
static bool is_new(const struct listing *listing, const char *name)
{
	const struct folder *folder = listing->folder;
	char path[PATH_MAX];
	struct stat stat;

	if (*name == '.' || !strcmp(name, "metadata") || has_name(listing, name) ||
	    snprintf(path, sizeof(path), "%s/%s", folder->path, name) >= (int)sizeof(path))
		return false;
	/* One that cannot be looked at is opened, for the sake of the error. */
	if (lstat(path, &stat) || S_ISLNK(stat.st_mode))
		return true;
	return S_ISREG(stat.st_mode) && stat.st_size && !has_inode(listing->part->trace, stat.st_dev, stat.st_ino) &&
	       !has_original(folder, name);
}

/* lttd may have compressed the file since the directory was listed.  Return: as file_open(). */
static int open_compressed(struct file **file, const struct folder *folder, const char *name)
{
	char compressed[NAME_MAX + sizeof(".zst")];

	snprintf(compressed, sizeof(compressed), "%s.zst", name);
	return file_open(file, folder, compressed);
}

static int add_file(const char *name, void *data, struct ltttrace_error *error)
{
	const struct listing *listing = data;
	struct ltttrace *trace = listing->part->trace;
	struct file *file;
	int err;

	if (!is_new(listing, name))
		return 0;
	err = file_open(&file, listing->folder, name);
	if (err == -ENOENT)
		err = open_compressed(&file, listing->folder, name);
	/* A directory, or it was removed in the meantime. */
	if (err == -EINVAL || err == -ENOENT || err == -EISDIR || err == -ENXIO)
		return 0;
	if (err)
		return trace_error(error, err, "cannot open %s/%s: %s", listing->folder->path, name, strerror(-err));
	if (!file->size || has_name(listing, file->name) || has_inode(trace, file->device, file->inode)) {
		file_close(file);
		return 0;
	}
	err = keep_file(listing->part, file);
	if (err) {
		file_close(file);
		return no_memory(error);
	}
	trace->changed = true;
	return 0;
}

int for_each_entry(const char *path, int (*fn)(const char *name, void *data, struct ltttrace_error *error),
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

int add_files(struct part *part, const struct folder *folder, struct ltttrace_error *error)
{
	struct listing listing = { .part = part, .folder = folder };

	return for_each_entry(folder->path, add_file, &listing, error);
}
