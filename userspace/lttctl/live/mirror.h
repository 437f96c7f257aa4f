/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A copy of a session of lttng-relayd that grows as the session does: a recording that `lttctl view --follow` reads.
 *
 * Layer: lttctl view, on viewer.h.  Of a recording in pieces, the copy has the last few.
 */
#ifndef LTTCTL_MIRROR_H
#define LTTCTL_MIRROR_H

#include "viewer.h"
#include "ltt/ltttrace.h"

#include <limits.h>

/**
 * struct mirror - a copy
 * @viewer: the connection
 * @session: the session
 * @dir: the directory with the copy; "": there is none
 * @folder: the traces of the session
 * @nr_folders: number of @folder
 * @nr_removed: how many of them are not in the copy any more
 * @stream: its streams but those of metadata, by piece
 * @nr_streams: number of @stream
 * @is_closed: the recorder has ended the session
 */
struct mirror {
	struct viewer viewer;
	struct viewer_session session;
	char dir[PATH_MAX];
	struct mirror_folder **folder;
	size_t nr_folders;
	size_t nr_removed;
	struct mirror_stream **stream;
	size_t nr_streams;
	bool is_closed;
};

/**
 * mirror_begin() - attach to a session
 * @mirror: its @viewer is connected, and @session is chosen; to be ended with mirror_end(), also on failure
 *
 * Return: 0; -1 after a message.
 */
int mirror_begin(struct mirror *mirror);

/**
 * mirror_again() - attach to the session that has replaced the one that was closed: the recorder has connected again
 *
 * Packets that the copy has are not written to it again.
 *
 * Return: 0; -1 after a message.
 */
int mirror_again(struct mirror *mirror, const struct viewer_session *session);

/**
 * mirror_fetch() - copy what has been added
 * @mirror: the mirror; the reader has been refreshed since the last call
 *
 * Return: 0; -1 after a message.
 */
int mirror_fetch(struct mirror *mirror);

/* Return: true if the copy has a trace with events. */
bool mirror_is_readable(const struct mirror *mirror);

/**
 * mirror_horizon() - find the time up to which the copy is complete
 * @mirror: the mirror
 * @trace: its reader
 *
 * A stream of which the collector says nothing for two seconds does not count.
 *
 * Return: nanoseconds since the Unix epoch.
 */
int64_t mirror_horizon(const struct mirror *mirror, const struct ltttrace *trace);

/* Remove the copy, and close the connection. */
void mirror_end(struct mirror *mirror);

#endif /* LTTCTL_MIRROR_H */
