// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A copy of a session of lttng-relayd that grows as the session does.
 *
 * Layer: lttctl view.
 */
#include "mirror-internal.h"
#include "common/folders.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PATIENCE_NS	INT64_C(2000000000)

#define PIECES_KEPT	3U

/* --- Old pieces ------------------------------------------------------------------------- */

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

/* A recorder that has lost its connection goes on with the pieces that it was sending. */
static void remove_old(struct mirror *mirror)
{
	const unsigned int newest = newest_piece(mirror);
	struct mirror_folder *folder;
	size_t i;

	for (i = 0; i < mirror->nr_folders; i++) {
		folder = mirror->folder[i];
		if (folder->piece && folder->piece + PIECES_KEPT <= newest && !folder->is_removed && has_ended(mirror, folder))
			mirror_remove_folder(mirror, folder);
	}
}

/* --- A round ---------------------------------------------------------------------------- */

static int fetch_streams(struct mirror *mirror)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < mirror->nr_streams && !ret; i++)
		if (!mirror->stream[i]->is_ended)
			ret = mirror_fetch_stream(mirror, mirror->stream[i]);
	return ret;
}

static int fetch_all_metadata(struct mirror *mirror)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < mirror->nr_folders && !ret; i++)
		if (!mirror->folder[i]->is_removed && (!mirror->folder[i]->bytes || mirror->folder[i]->skip))
			ret = mirror_fetch_metadata(mirror, mirror->folder[i]);
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
	return mirror_add_streams(mirror, streams, nr);
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
	const char *name = mirror_part_name(folder);
	size_t i;

	for (i = 0; i < ltttrace_nr_parts(trace); i++)
		if (!strcmp(ltttrace_part(trace, i)->name, name))
			return ltttrace_part(trace, i);
	return NULL;
}

int64_t mirror_horizon(const struct mirror *mirror, const struct ltttrace *trace)
{
	const int64_t since = mirror_now() - PATIENCE_NS;
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

	return mirror_add_streams(mirror, streams, nr);
}

int mirror_begin(struct mirror *mirror)
{
	const char *tmp = getenv("TMPDIR");

	if (snprintf(mirror->dir, sizeof(mirror->dir), "%s/lttctl-live-XXXXXX", tmp && *tmp ? tmp : "/tmp") >= (int)sizeof(mirror->dir)) {
		*mirror->dir = '\0';
		errno = ENAMETOOLONG;
		return mirror_failed("create a directory in", tmp);
	}
	if (!mkdtemp(mirror->dir)) {
		mirror_failed("create", mirror->dir);
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
			mirror->stream[i]->heard = mirror_now();
	mirror->session = *session;
	mirror->is_closed = false;
	return attach(mirror);
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
		folder_remove(AT_FDCWD, mirror->dir);
	viewer_close(&mirror->viewer);
}
