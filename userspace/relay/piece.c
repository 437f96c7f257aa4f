// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A part of a recording that is acknowledged as a whole.
 *
 * Layer: relay.
 */
#include "piece.h"
#include "connection.h"
#include "packets.h"
#include "common/folders.h"
#include "common/pieces.h"
#include "common/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct relay_piece *piece_new(int root, unsigned int number, const char *name)
{
	struct relay_piece *piece = calloc(1, sizeof(*piece));

	if (!piece)
		return NULL;
	piece->root = root;
	piece->number = number;
	if (number)
		piece_name(number, piece->name);
	else
		snprintf(piece->name, sizeof(piece->name), "%s", name);
	piece->closed = !number;
	return piece;
}

static bool is_data(const char *name)
{
	const size_t len = strlen(name);

	return strcmp(name, "metadata") && (len < 4 || strcmp(name + len - 4, ".zst"));
}

/* ---- Size ---- */

static int add_file(int dir, const char *name, const struct stat *st, void *arg)
{
	struct relay_piece *piece = arg;

	(void)dir;
	if (is_data(name))
		piece->bytes += st->st_size;
	else if (strcmp(name, "metadata"))
		piece->is_compressed = true;
	return 0;
}

static int add_trace(int parent, const char *name, void *arg)
{
	int dir = folder_open(parent, name);

	if (dir >= 0) {
		folder_walk(dir, false, add_file, arg);
		close(dir);
	}
	return 0;
}

/* An lttd that was killed has left it open. */
static bool is_closed(const struct relay_piece *piece)
{
	return !piece->number || !piece_is_open(piece->root, piece->number) || !piece_writer(piece->root, piece->number);
}

void piece_measure(struct relay_piece *piece)
{
	int dir;

	if (piece->closed && piece->bytes)
		return;
	piece->closed = is_closed(piece);
	dir = folder_open(piece->root, piece->name);
	if (dir < 0)
		return;
	piece->bytes = 0;
	folders_walk(dir, add_trace, piece);
	close(dir);
}

uint64_t piece_unsent(const struct relay_piece *piece)
{
	const struct relay_stream *stream;
	const struct relay_trace *trace;
	uint64_t sent = 0;

	for (trace = piece->traces; trace; trace = trace->next)
		for (stream = trace->streams; stream; stream = stream->next)
			sent += stream->at;
	return piece->bytes > sent ? piece->bytes - sent : 0;
}

/* ---- Files ---- */

static int open_file(struct relay_stream *stream, struct relay_trace *trace, const char *name)
{
	stream->fd = openat(trace->dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	stream->trace = trace;
	snprintf(stream->name, sizeof(stream->name), "%s", name);
	return stream->fd < 0 ? -1 : 0;
}

static struct relay_stream *find_stream(struct relay_trace *trace, const char *name)
{
	struct relay_stream *stream;

	for (stream = trace->streams; stream && strcmp(stream->name, name); stream = stream->next)
		;
	return stream;
}

static int take_file(int dir, const char *name, const struct stat *st, void *arg)
{
	struct relay_trace *trace = arg;
	struct relay_stream *stream;

	(void)dir;
	(void)st;
	if (!strcmp(name, "metadata"))
		return 0;
	if (!is_data(name)) {
		trace->piece->is_compressed = true;
		return 0;
	}
	if (find_stream(trace, name))
		return 0;
	stream = calloc(1, sizeof(*stream));
	if (!stream)
		return -1;
	if (open_file(stream, trace, name)) {
		free(stream);
		return errno == ENOENT ? 0 : -1;
	}
	stream->next = trace->streams;
	trace->streams = stream;
	return 0;
}

/* A trace has metadata from its beginning; a directory without is being made, or removed. */
static struct relay_trace *open_trace(struct relay_piece *piece, int parent, const char *name)
{
	struct relay_trace *trace = calloc(1, sizeof(*trace));

	if (!trace)
		return NULL;
	trace->piece = piece;
	snprintf(trace->name, sizeof(trace->name), "%s", name);
	trace->dir = folder_open(parent, name);
	if (trace->dir >= 0 && !open_file(&trace->metadata, trace, "metadata"))
		return trace;
	if (trace->dir >= 0)
		close(trace->dir);
	free(trace);
	return NULL;
}

static struct relay_trace *find_trace(struct relay_piece *piece, const char *name)
{
	struct relay_trace *trace;

	for (trace = piece->traces; trace && strcmp(trace->name, name); trace = trace->next)
		;
	return trace;
}

static int take_trace(int parent, const char *name, void *arg)
{
	struct relay_piece *piece = arg;
	struct relay_trace *trace = find_trace(piece, name);

	if (!piece_has(name) && !state_trace_is(name) && !clock_trace_is(name))
		return 0;
	if (!trace) {
		trace = open_trace(piece, parent, name);
		if (!trace)
			return errno == ENOENT ? 0 : -1;
		trace->next = piece->traces;
		piece->traces = trace;
	}
	return folder_walk(trace->dir, false, take_file, trace);
}

void stream_look(struct relay_stream *stream)
{
	struct stat st;

	if (stream->ready || fstat(stream->fd, &st))
		return;
	stream->size = st.st_size;
	stream->ready = packets_next(stream->fd, stream->at, stream->size, &stream->header);
	/* The packets of a closed piece were there when it was closed. */
	if (!stream->trace->piece->looked)
		stream->ready_ms = relay_now_ms();
}

static void look_at_streams(struct relay_piece *piece)
{
	struct relay_stream *stream;
	struct relay_trace *trace;

	for (trace = piece->traces; trace; trace = trace->next)
		for (stream = trace->streams; stream; stream = stream->next)
			stream_look(stream);
}

/* A state is a trace itself, not a directory of traces. */
static int take_traces(struct relay_piece *piece)
{
	int dir, ret;

	if (state_trace_is(piece->name))
		return take_trace(piece->root, piece->name, piece);
	dir = folder_open(piece->root, piece->name);
	if (dir < 0)
		return errno == ENOENT ? 0 : -1;
	ret = folders_walk(dir, take_trace, piece);
	close(dir);
	return ret;
}

int piece_look(struct relay_piece *piece)
{
	uint64_t beacon;
	bool closed;

	if (piece->looked || piece->gone)
		return 0;
	/* Both before the files: what is written until then is found. */
	closed = piece->closed || is_closed(piece);
	beacon = piece->number ? piece_beacon(piece->root, piece->number) : 0;
	piece->beacon = beacon ? beacon : piece->beacon;
	if (take_traces(piece))
		return -1;
	look_at_streams(piece);
	piece->looked = piece->closed = closed;
	piece->is_live |= !closed;
	return 0;
}

/* ---- Connections come and go ---- */

static void rewind_stream(struct relay_stream *stream)
{
	stream->at = 0;
	stream->ready = stream->is_added = stream->has_handle = stream->is_asked = stream->is_closed = false;
	stream->packets = stream->reached = 0;
}

void piece_rewind(struct relay_piece *piece)
{
	struct relay_stream *stream;
	struct relay_trace *trace;

	if (piece->step == RELAY_DONE)
		return;
	piece->step = RELAY_IDLE;
	piece->waiting = 0;
	piece->ask_ms = 0;
	for (trace = piece->traces; trace; trace = trace->next) {
		rewind_stream(&trace->metadata);
		for (stream = trace->streams; stream; stream = stream->next)
			rewind_stream(stream);
	}
	look_at_streams(piece);
}

void piece_close(struct relay_piece *piece)
{
	struct relay_stream *stream;
	struct relay_trace *trace;

	while ((trace = piece->traces)) {
		piece->traces = trace->next;
		while ((stream = trace->streams)) {
			trace->streams = stream->next;
			close(stream->fd);
			free(stream);
		}
		close(trace->metadata.fd);
		close(trace->dir);
		free(trace);
	}
}
