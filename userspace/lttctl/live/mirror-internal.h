/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Shared by the files of a mirror.
 *
 * Layer: lttctl view.  mirror.c uses mirror-copy.c and mirror-streams.c, and all use mirror-names.c.
 */
#ifndef LTTCTL_MIRROR_INTERNAL_H
#define LTTCTL_MIRROR_INTERNAL_H

#include "mirror.h"
#include "lttctl/command.h"

#include <errno.h>
#include <string.h>
#include <time.h>

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
 * @heard: when the collector has said something new about it, as of mirror_now()
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

/* Return: nanoseconds of the monotonic clock. */
static inline int64_t mirror_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* Report "cannot WHAT PATH" and the reason in errno.  Return: -1. */
static inline int mirror_failed(const char *what, const char *path)
{
	complain("cannot %s %s: %s", what, path, strerror(errno));
	return -1;
}

/* Report that the collector sends more of @what than is allowed.  Return: -1. */
static inline int mirror_too_many(const struct mirror *mirror, const char *what)
{
	complain("the collector at %s: sends more %s than can be", mirror->viewer.where, what);
	return -1;
}

/* --- mirror-names.c ------------------------------------------------------------- */

/**
 * mirror_name_folder() - choose the directory of a trace in the copy
 * @folder: a trace with its @id; receives @name and @piece
 * @path: the directory as the collector names it; changed
 *
 * The name consists of the last components of @path, PIECE/PART or PART.  A PART that is not safe as the name of a file
 * is replaced by a name made of @id.
 */
void mirror_name_folder(struct mirror_folder *folder, char *path);

/**
 * mirror_name_stream() - choose the file of a stream in the copy
 * @name: receives the name
 * @stream: the stream as the collector describes it; not one of metadata
 *
 * A name that is not safe as the name of a file is replaced by one made of the number of the stream.
 */
void mirror_name_stream(char name[VIEWER_NAME], const struct viewer_stream *stream);

/* Return: the PART of the name of a trace, which is the same in all pieces. */
const char *mirror_part_name(const struct mirror_folder *folder);

/**
 * mirror_path() - make the path of a file of a trace
 * @mirror: the copy
 * @folder: the trace
 * @file: name of the file
 * @path: receives the path
 *
 * Return: 0; -1 after a message: it is too long.
 */
int mirror_path(const struct mirror *mirror, const struct mirror_folder *folder, const char *file, char path[PATH_MAX]);

/**
 * mirror_piece_path() - make the path of the piece of a trace
 * @mirror: the copy
 * @folder: a trace in a piece
 * @path: receives the path, cut off if it is too long
 * @size: bytes of @path
 */
void mirror_piece_path(const struct mirror *mirror, const struct mirror_folder *folder, char *path, size_t size);

/* --- mirror-streams.c ----------------------------------------------------------- */

/**
 * mirror_add_streams() - add the streams that the collector has named, and their traces
 * @mirror: the copy
 * @streams: array of them, which is freed
 * @nr: their number; negative: the collector could not be asked, and there is no array
 *
 * A stream that the copy has already, from before a new connection, gets its new number.
 *
 * Return: 0; -1 after a message, or if @nr is negative.
 */
int mirror_add_streams(struct mirror *mirror, struct viewer_stream *streams, int nr);

/**
 * mirror_remove_folder() - remove a trace and its streams from the copy
 * @mirror: the copy
 * @folder: a trace in a piece; it keeps its place in the array, marked as removed
 *
 * The last trace of a piece takes the piece with it.
 */
void mirror_remove_folder(struct mirror *mirror, struct mirror_folder *folder);

/* --- mirror-copy.c -------------------------------------------------------------- */

/**
 * mirror_fetch_metadata() - copy what was added to the metadata of a trace
 * @mirror: the copy
 * @folder: the trace
 *
 * Return: 0; -1 after a message.
 */
int mirror_fetch_metadata(struct mirror *mirror, struct mirror_folder *folder);

/**
 * mirror_fetch_stream() - copy the next packets of a stream
 * @mirror: the copy
 * @stream: one that has not ended
 *
 * Before the first packet of a piece, the same stream of earlier pieces is copied to its end.
 *
 * Return: 0; -1 after a message.
 */
int mirror_fetch_stream(struct mirror *mirror, struct mirror_stream *stream);

#endif /* LTTCTL_MIRROR_INTERNAL_H */
