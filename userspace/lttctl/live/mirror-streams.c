// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The traces and streams of a copy: adding those that the collector names, and removing old ones.
 *
 * Layer: lttctl view.
 */
#include "mirror-internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of a copy.  More than any recording has: a collector must not fill the disk with names. */
#define NAMES_MAX	100000U

static int no_memory(void)
{
	complain("out of memory");
	return -1;
}

static int add(void *array, size_t *nr, void *element)
{
	void **more = reallocarray(*(void ***)array, *nr + 1, sizeof(*more));

	if (!more)
		return no_memory();
	more[(*nr)++] = element;
	*(void ***)array = more;
	return 0;
}

/* --- Traces --------------------------------------------------------------------- */

static int make_folder(const struct mirror *mirror, const struct mirror_folder *folder)
{
	char path[PATH_MAX + 64];

	if (folder->piece) {
		mirror_piece_path(mirror, folder, path, sizeof(path));
		if (mkdir(path, 0700) && errno != EEXIST)
			return mirror_failed("create", path);
	}
	snprintf(path, sizeof(path), "%s/%s", mirror->dir, folder->name);
	return mkdir(path, 0700) && errno != EEXIST ? mirror_failed("create", path) : 0;
}

static struct mirror_folder *find_folder(struct mirror *mirror, const char *name)
{
	size_t i;

	for (i = 0; i < mirror->nr_folders; i++)
		if (!strcmp(mirror->folder[i]->name, name))
			return mirror->folder[i];
	return NULL;
}

/* After a new connection, the folder may be there already. */
static struct mirror_folder *get_folder(struct mirror *mirror, const struct viewer_stream *stream)
{
	struct mirror_folder made = { .id = stream->trace }, *folder;
	char path[VIEWER_PATH];

	strcpy(path, stream->path);
	mirror_name_folder(&made, path);
	folder = find_folder(mirror, made.name);
	if (folder) {
		folder->id = stream->trace;
		return folder;
	}
	if (mirror->nr_folders - mirror->nr_removed >= NAMES_MAX) {
		mirror_too_many(mirror, "traces");
		return NULL;
	}
	folder = malloc(sizeof(*folder));
	if (!folder) {
		no_memory();
		return NULL;
	}
	*folder = made;
	if (!make_folder(mirror, folder) && !add(&mirror->folder, &mirror->nr_folders, folder))
		return folder;
	free(folder);
	return NULL;
}

static void set_metadata(struct mirror_folder *folder, uint64_t id)
{
	folder->metadata = id;
	folder->has_metadata = true;
	folder->skip = folder->bytes;
}

/* --- Streams -------------------------------------------------------------------- */

static struct mirror_stream *find_stream(struct mirror *mirror, const struct mirror_folder *folder, const char *name)
{
	size_t i;

	for (i = 0; i < mirror->nr_streams; i++)
		if (mirror->stream[i]->folder == folder && !strcmp(mirror->stream[i]->name, name))
			return mirror->stream[i];
	return NULL;
}

/* Put the last stream behind those of its piece and earlier ones. */
static void sort_last(struct mirror *mirror)
{
	size_t at = mirror->nr_streams - 1;
	struct mirror_stream *last = mirror->stream[at];

	for (; at && mirror->stream[at - 1]->folder->piece > last->folder->piece; at--)
		mirror->stream[at] = mirror->stream[at - 1];
	mirror->stream[at] = last;
}

static struct mirror_stream *make_stream(struct mirror *mirror, struct mirror_folder *folder, const char *name)
{
	struct mirror_stream *stream;
	char path[PATH_MAX];

	if (mirror->nr_streams >= NAMES_MAX) {
		mirror_too_many(mirror, "streams");
		return NULL;
	}
	stream = calloc(1, sizeof(*stream));
	if (!stream) {
		no_memory();
		return NULL;
	}
	stream->folder = folder;
	stream->heard = mirror_now();
	snprintf(stream->name, sizeof(stream->name), "%s", name);
	stream->fd = -1;
	if (mirror_path(mirror, folder, name, path))
		goto error;
	/* O_EXCL: two names of the network are never one file. */
	stream->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (stream->fd < 0) {
		mirror_failed("create", path);
		goto error;
	}
	if (!add(&mirror->stream, &mirror->nr_streams, stream)) {
		sort_last(mirror);
		return stream;
	}
	close(stream->fd);
error:
	free(stream);
	return NULL;
}

static int add_stream(struct mirror *mirror, const struct viewer_stream *added)
{
	struct mirror_folder *folder = get_folder(mirror, added);
	struct mirror_stream *stream;
	char name[VIEWER_NAME];

	if (!folder)
		return -1;
	/* Sent again on a new connection. */
	if (folder->is_removed)
		return 0;
	if (added->is_metadata) {
		set_metadata(folder, added->id);
		return 0;
	}
	mirror_name_stream(name, added);
	stream = find_stream(mirror, folder, name) ?: make_stream(mirror, folder, name);
	if (!stream)
		return -1;
	stream->id = added->id;
	stream->is_ended = false;
	stream->heard = mirror_now();
	return 0;
}

int mirror_add_streams(struct mirror *mirror, struct viewer_stream *streams, int nr)
{
	int i, ret = 0;

	for (i = 0; i < nr && !ret; i++)
		ret = add_stream(mirror, &streams[i]);
	free(streams);
	return nr < 0 ? -1 : ret;
}

/* --- Removing ------------------------------------------------------------------- */

static void remove_file(const struct mirror *mirror, const struct mirror_folder *folder, const char *name)
{
	char path[PATH_MAX];

	if (!mirror_path(mirror, folder, name, path))
		unlink(path);
}

/* The reader has the files open that it needs. */
void mirror_remove_folder(struct mirror *mirror, struct mirror_folder *folder)
{
	char path[PATH_MAX + 64];
	size_t i, kept = 0;

	for (i = 0; i < mirror->nr_streams; i++) {
		if (mirror->stream[i]->folder != folder) {
			mirror->stream[kept++] = mirror->stream[i];
			continue;
		}
		remove_file(mirror, folder, mirror->stream[i]->name);
		close(mirror->stream[i]->fd);
		free(mirror->stream[i]);
	}
	mirror->nr_streams = kept;
	remove_file(mirror, folder, "metadata");
	snprintf(path, sizeof(path), "%s/%s", mirror->dir, folder->name);
	rmdir(path);
	/* The last trace takes the piece with it. */
	mirror_piece_path(mirror, folder, path, sizeof(path));
	rmdir(path);
	folder->is_removed = true;
	mirror->nr_removed++;
}
