// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A copy of a session of lttng-relayd that grows as the session does.
 *
 * Layer: lttctl view.
 */
#include "mirror.h"
#include "lttctl/command.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_NS	INT64_C(2000000000)

/* Of one stream at a time, so that one that is far behind does not delay the others. */
#define PACKETS_AT_ONCE	16

#define PIECES_KEPT	3U

/* Of a copy.  More than any recording has: a collector must not fill the disk with names. */
#define NAMES_MAX	100000U
#define METADATA_MAX	(UINT64_C(1) << 26)

/**
 * struct mirror_folder - a trace
 * @id: its number in the session
 * @metadata: number of the stream of metadata
 * @has_metadata: @metadata is valid
 * @name: its directory in the copy: PART or PIECE/PART
 * @piece: number of the piece; 0: the recording has none
 * @bytes: metadata in the copy
 * @skip: metadata still to come that the copy has already
 * @is_removed: it was removed from the copy
 */
struct mirror_folder {
	uint64_t id;
	uint64_t metadata;
	bool has_metadata;
	char name[64];
	unsigned int piece;
	uint64_t bytes;
	uint64_t skip;
	bool is_removed;
};

/**
 * struct mirror_stream - a stream
 * @id: its number in the session
 * @folder: its trace
 * @name: its name there
 * @fd: the file of the copy
 * @next: bytes of the file of the collector that the copy has
 * @until: clock value up to which it is complete
 * @heard: when the collector has said something new about it, on the monotonic clock
 * @is_ended: nothing is added to it any more, unless the recorder connects again
 */
struct mirror_stream {
	uint64_t id;
	struct mirror_folder *folder;
	char name[VIEWER_NAME];
	int fd;
	uint64_t next;
	uint64_t until;
	int64_t heard;
	bool is_ended;
};

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int failed(const char *what, const char *path)
{
	complain("cannot %s %s: %s", what, path, strerror(errno));
	return -1;
}

static int no_memory(void)
{
	complain("out of memory");
	return -1;
}

static int too_many(const struct mirror *mirror, const char *what)
{
	complain("the collector at %s: sends more %s than can be", mirror->viewer.where, what);
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

/* --- Names --------------------------------------------------------------------- */

/* Names come from the network: no others become names of files. */
static bool is_safe(const char *name)
{
	const char *at;

	for (at = name; isalnum((unsigned char)*at) || (*at && strchr("_-.:@", *at)); at++)
		;
	return !*at && *name && *name != '.' && at - name < 200;
}

static bool is_piece(const char *name)
{
	return strlen(name) >= 4 && strlen(name) < 10 && strspn(name, "0123456789") == strlen(name);
}

/* The last components of the path: PART, or PIECE/PART. */
static void name_folder(struct mirror_folder *folder, char *path)
{
	char *part, *piece;

	while (*path && path[strlen(path) - 1] == '/')
		path[strlen(path) - 1] = '\0';
	part = strrchr(path, '/');
	if (part)
		*part = '\0';
	part = part ? part + 1 : path;
	piece = part == path ? NULL : strrchr(path, '/');
	piece = piece ? piece + 1 : path;
	if (!is_safe(part) || strlen(part) > 40)
		snprintf(folder->name, sizeof(folder->name), "trace-%llu", (unsigned long long)folder->id);
	else if (piece != part && is_piece(piece))
		folder->piece = atoi(piece);
	if (folder->piece)
		snprintf(folder->name, sizeof(folder->name), "%.12s/%.40s", piece, part);
	else if (!*folder->name)
		snprintf(folder->name, sizeof(folder->name), "%.40s", part);
}

static const char *part_name(const struct mirror_folder *folder)
{
	const char *slash = strchr(folder->name, '/');

	return slash ? slash + 1 : folder->name;
}

static int path_of(const struct mirror *mirror, const struct mirror_folder *folder, const char *file, char path[PATH_MAX])
{
	if (snprintf(path, PATH_MAX, "%s/%s/%s", mirror->dir, folder->name, file) < PATH_MAX)
		return 0;
	errno = ENAMETOOLONG;
	return failed("create a file in", mirror->dir);
}

/* @folder: in a piece. */
static void piece_path(const struct mirror *mirror, const struct mirror_folder *folder, char *path, size_t size)
{
	snprintf(path, size, "%s/%.*s", mirror->dir, (int)strcspn(folder->name, "/"), folder->name);
}

static int make_folder(const struct mirror *mirror, const struct mirror_folder *folder)
{
	char path[PATH_MAX + 64];

	if (folder->piece) {
		piece_path(mirror, folder, path, sizeof(path));
		if (mkdir(path, 0700) && errno != EEXIST)
			return failed("create", path);
	}
	snprintf(path, sizeof(path), "%s/%s", mirror->dir, folder->name);
	return mkdir(path, 0700) && errno != EEXIST ? failed("create", path) : 0;
}

/* --- Streams -------------------------------------------------------------------- */

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
	name_folder(&made, path);
	folder = find_folder(mirror, made.name);
	if (folder) {
		folder->id = stream->trace;
		return folder;
	}
	if (mirror->nr_folders - mirror->nr_removed >= NAMES_MAX) {
		too_many(mirror, "traces");
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
		too_many(mirror, "streams");
		return NULL;
	}
	stream = calloc(1, sizeof(*stream));
	if (!stream) {
		no_memory();
		return NULL;
	}
	stream->folder = folder;
	stream->heard = now();
	snprintf(stream->name, sizeof(stream->name), "%s", name);
	stream->fd = -1;
	if (path_of(mirror, folder, name, path))
		goto error;
	/* O_EXCL: two names of the network are never one file. */
	stream->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (stream->fd < 0) {
		failed("create", path);
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
	if (is_safe(added->name) && strcmp(added->name, "metadata"))
		snprintf(name, sizeof(name), "%s", added->name);
	else
		snprintf(name, sizeof(name), "stream-%llu", (unsigned long long)added->id);
	stream = find_stream(mirror, folder, name) ?: make_stream(mirror, folder, name);
	if (!stream)
		return -1;
	stream->id = added->id;
	stream->is_ended = false;
	stream->heard = now();
	return 0;
}

static int add_streams(struct mirror *mirror, struct viewer_stream *streams, int nr)
{
	int i, ret = 0;

	for (i = 0; i < nr && !ret; i++)
		ret = add_stream(mirror, &streams[i]);
	free(streams);
	return nr < 0 ? -1 : ret;
}

/* --- Copying ----------------------------------------------------------------------- */

static int append(int fd, const char *path, const unsigned char *from, size_t bytes)
{
	ssize_t written;

	for (; bytes; from += written, bytes -= written) {
		written = write(fd, from, bytes);
		if (written < 0 && errno == EINTR)
			written = 0;
		else if (written < 0)
			return failed("write", path);
	}
	return 0;
}

/* The metadata that a recorder sends after it has connected again begins with what it sent before. */
static int add_metadata(struct mirror *mirror, struct mirror_folder *folder, const unsigned char *text, uint64_t bytes)
{
	uint64_t skip = folder->skip < bytes ? folder->skip : bytes;
	char path[PATH_MAX];
	int fd, ret;

	folder->skip -= skip;
	if (folder->bytes + bytes > METADATA_MAX)
		return too_many(mirror, "metadata");
	if (path_of(mirror, folder, "metadata", path))
		return -1;
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return failed("create", path);
	ret = append(fd, path, text + skip, bytes - skip);
	close(fd);
	folder->bytes += bytes - skip;
	return ret;
}

static int fetch_metadata(struct mirror *mirror, struct mirror_folder *folder)
{
	unsigned char *text;
	int bytes, ret = 0;

	while (!ret && folder->has_metadata && (bytes = viewer_metadata(&mirror->viewer, folder->metadata, &text))) {
		if (bytes < 0)
			return -1;
		ret = add_metadata(mirror, folder, text, bytes);
		free(text);
	}
	return ret;
}

static int fetch_packet(struct mirror *mirror, struct mirror_stream *stream, const struct viewer_index *index)
{
	unsigned char *packet;
	int ret;

	if (index->has_metadata && fetch_metadata(mirror, stream->folder))
		return -1;
	stream->until = index->end;
	/* Sent again on a new connection. */
	if (index->offset < stream->next)
		return 0;
	ret = viewer_packet(&mirror->viewer, stream->id, index, &packet);
	if (ret < 0)
		return -1;
	if (!ret) {
		complain("the collector at %s: cannot read a packet of %s/%s", mirror->viewer.where, stream->folder->name,
			 stream->name);
		return -1;
	}
	ret = append(stream->fd, stream->name, packet, index->bytes);
	free(packet);
	stream->next = index->offset + index->bytes;
	return ret;
}

static int drain_earlier(struct mirror *mirror, const struct mirror_stream *stream);

/* @is_earlier: called by drain_earlier().  Return: 1: there may be more; 0; -1 after a message. */
static int fetch_next(struct mirror *mirror, struct mirror_stream *stream, bool is_earlier)
{
	struct viewer_index index;

	if (viewer_next(&mirror->viewer, stream->id, &index))
		return -1;
	if (index.next != VIEWER_NOTHING)
		stream->heard = now();
	switch (index.next) {
	case VIEWER_PACKET:
		if (!stream->next && !is_earlier && drain_earlier(mirror, stream))
			return -1;
		return fetch_packet(mirror, stream, &index) ? -1 : 1;
	case VIEWER_QUIET:
		stream->until = index.end;
		return 0;
	case VIEWER_END:
		stream->is_ended = true;
		return 0;
	default:
		return 0;
	}
}

/* The reader takes the pieces of a stream one after the other: with the first packet of the next one, the last of those before
 * has come to the collector. */
static int drain_earlier(struct mirror *mirror, const struct mirror_stream *stream)
{
	const char *part = part_name(stream->folder);
	struct mirror_stream *other;
	size_t i;
	int ret;

	for (i = 0; i < mirror->nr_streams && mirror->stream[i] != stream; i++) {
		other = mirror->stream[i];
		if (other->is_ended || strcmp(other->name, stream->name) || strcmp(part_name(other->folder), part))
			continue;
		do
			ret = fetch_next(mirror, other, true);
		while (ret > 0);
		if (ret < 0)
			return -1;
	}
	return 0;
}

static int fetch_stream(struct mirror *mirror, struct mirror_stream *stream)
{
	unsigned int i;
	int ret = 1;

	for (i = 0; i < PACKETS_AT_ONCE && ret > 0; i++)
		ret = fetch_next(mirror, stream, false);
	return ret < 0 ? -1 : 0;
}

static unsigned int newest_piece(const struct mirror *mirror)
{
	unsigned int newest = 0;
	size_t i;

	for (i = 0; i < mirror->nr_folders; i++)
		if (mirror->folder[i]->piece > newest)
			newest = mirror->folder[i]->piece;
	return newest;
}

/* Return: true if all streams have ended.  A trace that has none yet may get some. */
static bool has_ended(const struct mirror *mirror, const struct mirror_folder *folder)
{
	bool has_streams = false;
	size_t i;

	for (i = 0; i < mirror->nr_streams; i++) {
		if (mirror->stream[i]->folder != folder)
			continue;
		if (!mirror->stream[i]->is_ended)
			return false;
		has_streams = true;
	}
	return has_streams;
}

static void remove_file(const struct mirror *mirror, const struct mirror_folder *folder, const char *name)
{
	char path[PATH_MAX];

	if (!path_of(mirror, folder, name, path))
		unlink(path);
}

/* The reader has the files open that it needs. */
static void remove_folder(struct mirror *mirror, struct mirror_folder *folder)
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
	piece_path(mirror, folder, path, sizeof(path));
	rmdir(path);
	folder->is_removed = true;
	mirror->nr_removed++;
}

/* A recorder that has lost its connection goes on with the pieces that it was sending. */
static void remove_old(struct mirror *mirror)
{
	const unsigned int newest = newest_piece(mirror);
	struct mirror_folder *folder;
	size_t i;

	for (i = 0; i < mirror->nr_folders; i++) {
		folder = mirror->folder[i];
		if (folder->piece && folder->piece + PIECES_KEPT <= newest && !folder->is_removed && has_ended(mirror, folder))
			remove_folder(mirror, folder);
	}
}

static int fetch_streams(struct mirror *mirror)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < mirror->nr_streams && !ret; i++)
		if (!mirror->stream[i]->is_ended)
			ret = fetch_stream(mirror, mirror->stream[i]);
	return ret;
}

static int fetch_all_metadata(struct mirror *mirror)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < mirror->nr_folders && !ret; i++)
		if (!mirror->folder[i]->is_removed && (!mirror->folder[i]->bytes || mirror->folder[i]->skip))
			ret = fetch_metadata(mirror, mirror->folder[i]);
	return ret;
}

/* New streams come last: a stream that came before the times that the others have by now is known, and holds the horizon. */
int mirror_fetch(struct mirror *mirror)
{
	struct viewer_stream *streams;
	int nr;

	/* Without a connection, all streams have ended. */
	if (mirror->is_closed)
		return 0;
	remove_old(mirror);
	if (fetch_all_metadata(mirror) || fetch_streams(mirror))
		return -1;
	nr = viewer_new_streams(&mirror->viewer, mirror->session.id, &streams, &mirror->is_closed);
	return add_streams(mirror, streams, nr);
}

/* --- What is in it ---------------------------------------------------------------------- */

bool mirror_is_readable(const struct mirror *mirror)
{
	size_t i;

	for (i = 0; i < mirror->nr_streams; i++)
		if (mirror->stream[i]->folder->bytes && mirror->stream[i]->next)
			return true;
	return false;
}

/* The pieces of a part have one clock. */
static const struct ltttrace_part *part_of(const struct ltttrace *trace, const struct mirror_folder *folder)
{
	const char *name = part_name(folder);
	size_t i;

	for (i = 0; i < ltttrace_nr_parts(trace); i++)
		if (!strcmp(ltttrace_part(trace, i)->name, name))
			return ltttrace_part(trace, i);
	return NULL;
}

int64_t mirror_horizon(const struct mirror *mirror, const struct ltttrace *trace)
{
	const int64_t since = now() - PATIENCE_NS;
	const struct ltttrace_part *part;
	int64_t horizon = INT64_MAX, ns;
	size_t i;

	for (i = 0; i < mirror->nr_streams; i++) {
		part = part_of(trace, mirror->stream[i]->folder);
		if (!part || mirror->stream[i]->is_ended || mirror->stream[i]->heard < since)
			continue;
		ns = ltttrace_ns(part, mirror->stream[i]->until);
		if (ns < horizon)
			horizon = ns;
	}
	return horizon;
}

/* --- Begin and end ------------------------------------------------------------------------ */

static int attach(struct mirror *mirror)
{
	struct viewer_stream *streams = NULL;
	int nr = viewer_attach(&mirror->viewer, mirror->session.id, &streams);

	return add_streams(mirror, streams, nr);
}

int mirror_begin(struct mirror *mirror)
{
	const char *tmp = getenv("TMPDIR");

	if (snprintf(mirror->dir, sizeof(mirror->dir), "%s/lttctl-live-XXXXXX", tmp && *tmp ? tmp : "/tmp") >= (int)sizeof(mirror->dir)) {
		*mirror->dir = '\0';
		errno = ENAMETOOLONG;
		return failed("create a directory in", tmp);
	}
	if (!mkdtemp(mirror->dir)) {
		failed("create", mirror->dir);
		*mirror->dir = '\0';
		return -1;
	}
	return attach(mirror);
}

int mirror_again(struct mirror *mirror, const struct viewer_session *session)
{
	size_t i;

	for (i = 0; i < mirror->nr_streams; i++)
		if (!mirror->stream[i]->is_ended)
			mirror->stream[i]->heard = now();
	mirror->session = *session;
	mirror->is_closed = false;
	return attach(mirror);
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *walk)
{
	(void)info;
	(void)type;
	(void)walk;
	remove(path);
	return 0;
}

void mirror_end(struct mirror *mirror)
{
	size_t i;

	for (i = 0; i < mirror->nr_streams; i++) {
		if (mirror->stream[i]->fd >= 0)
			close(mirror->stream[i]->fd);
		free(mirror->stream[i]);
	}
	for (i = 0; i < mirror->nr_folders; i++)
		free(mirror->folder[i]);
	free(mirror->stream);
	free(mirror->folder);
	if (*mirror->dir)
		nftw(mirror->dir, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	viewer_close(&mirror->viewer);
}
