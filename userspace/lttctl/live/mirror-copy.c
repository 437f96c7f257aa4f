// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Packets and metadata, from the collector to the files of a copy.
 *
 * Layer: lttctl view.
 */
#include "mirror-internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Of one stream at a time, so that one that is far behind does not delay the others. */
#define PACKETS_AT_ONCE	16

#define METADATA_MAX	(UINT64_C(1) << 26)

static int append(int fd, const char *path, const unsigned char *from, size_t bytes)
{
	ssize_t written;

	for (; bytes; from += written, bytes -= written) {
		written = write(fd, from, bytes);
		if (written < 0 && errno == EINTR)
			written = 0;
		else if (written < 0)
			return mirror_failed("write", path);
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
		return mirror_too_many(mirror, "metadata");
	if (mirror_path(mirror, folder, "metadata", path))
		return -1;
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return mirror_failed("create", path);
	ret = append(fd, path, text + skip, bytes - skip);
	close(fd);
	folder->bytes += bytes - skip;
	return ret;
}

int mirror_fetch_metadata(struct mirror *mirror, struct mirror_folder *folder)
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

	if (index->has_metadata && mirror_fetch_metadata(mirror, stream->folder))
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
		stream->heard = mirror_now();
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
	const char *part = mirror_part_name(stream->folder);
	struct mirror_stream *other;
	size_t i;
	int ret;

	for (i = 0; i < mirror->nr_streams && mirror->stream[i] != stream; i++) {
		other = mirror->stream[i];
		if (other->is_ended || strcmp(other->name, stream->name) || strcmp(mirror_part_name(other->folder), part))
			continue;
		do
			ret = fetch_next(mirror, other, true);
		while (ret > 0);
		if (ret < 0)
			return -1;
	}
	return 0;
}

int mirror_fetch_stream(struct mirror *mirror, struct mirror_stream *stream)
{
	unsigned int i;
	int ret = 1;

	for (i = 0; i < PACKETS_AT_ONCE && ret > 0; i++)
		ret = fetch_next(mirror, stream, false);
	return ret < 0 ? -1 : 0;
}
