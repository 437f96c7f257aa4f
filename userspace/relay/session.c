// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Send pieces on a connection.
 *
 * Layer: relay.
 */
#include "session.h"
#include "common/state.h"

#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define METADATA_CHUNK	(64 * 1024)

/* Ask again if the relayd had not everything. */
#define ASK_MS	50

/* So long the streams of a piece stay open for readers that follow: lttng-relayd shows nothing of those that are closed. */
#define LINGER_MS	1000

/* So long a packet waits for a beacon: lttd may have no time for one, or not write any. */
#define HOLD_MS	2000

static int fault(struct relay_session *session, const struct relay_stream *stream, const char *what, uint32_t status)
{
	return relay_connection_fault(&session->connection, "lttng-relayd cannot %s %s/%s/%s (error %u): see its messages",
				      what, stream->trace->piece->name, stream->trace->name, stream->name, status);
}

/* ---- Streams ---- */

static int take_handle(struct relay_connection *connection, void *arg, const void *reply)
{
	const struct relay_handle *handle = reply;
	struct relay_stream *stream = arg;

	if (be32toh(handle->status) != RELAY_OK)
		return fault((struct relay_session *)connection, stream, "create", be32toh(handle->status));
	stream->handle = be64toh(handle->handle);
	stream->has_handle = true;
	return 0;
}

/* Return: the path of a trace, without that of the session; NULL if it is too long. */
static const char *path_of(const struct relay_session *session, const struct relay_trace *trace, char *path)
{
	const char *piece = trace->piece->name;
	const bool is_top = !strcmp(piece, ".") || state_trace_is(piece);
	int len = snprintf(path, RELAY_PATH_SIZE, "/%s/%s%s%s", session->path, is_top ? "" : piece, is_top ? "" : "/",
			   trace->name);

	return len < RELAY_PATH_SIZE ? path : NULL;
}

static int add_stream(struct relay_session *session, struct relay_stream *stream)
{
	struct relay_add_stream add = { .file_size = 0 };

	if (!path_of(session, stream->trace, add.path) || strlen(stream->name) >= sizeof(add.name))
		return relay_connection_fault(&session->connection, "%s/%s/%s: the name is too long for lttng-relayd",
					      session->path, stream->trace->name, stream->name);
	strcpy(add.name, stream->name);
	stream->is_added = true;
	stream->trace->has_new = true;
	return relay_connection_command(&session->connection, RELAY_ADD_STREAM, &add, sizeof(add), NULL, 0,
					(struct relay_expected){ sizeof(struct relay_handle), take_handle, stream });
}

static int take_status(struct relay_connection *connection, void *arg, const void *reply)
{
	const struct relay_status *status = reply;

	if (be32toh(status->status) == RELAY_OK)
		return 0;
	return relay_connection_fault(connection, "lttng-relayd rejects %s (error %u): see its messages", (const char *)arg,
				      be32toh(status->status));
}

static int show_streams(struct relay_session *session, struct relay_trace *trace)
{
	static char what[] = "the streams of a trace";

	trace->has_new = false;
	return relay_connection_command(&session->connection, RELAY_STREAMS_SENT, NULL, 0, NULL, 0,
					(struct relay_expected){ sizeof(struct relay_status), take_status, what });
}

/* A data stream is created with its first packet: a reader that follows would wait for that of each stream. */
static int add_streams(struct relay_session *session, struct relay_trace *trace)
{
	struct relay_stream *stream;

	if (!trace->metadata.is_added && relay_connection_has_room(&session->connection) &&
	    add_stream(session, &trace->metadata))
		return -1;
	for (stream = trace->streams; stream && relay_connection_has_room(&session->connection); stream = stream->next)
		if (!stream->is_added && (stream->ready || trace->piece->closed) && add_stream(session, stream))
			return -1;
	return trace->has_new && relay_connection_has_room(&session->connection) ? show_streams(session, trace) : 0;
}

/* ---- Metadata ---- */

/* Readers that follow take metadata by whole blocks, and reject empty lines alone.  Return: bytes up to the end of the
 * last block and the empty lines behind it; 0: there is none. */
static size_t whole_blocks(const char *text, size_t size)
{
	static const char end[] = "\n};\n";
	const size_t end_len = sizeof(end) - 1;
	size_t len = size;

	while (len >= end_len && memcmp(text + len - end_len, end, end_len))
		len--;
	if (len < end_len)
		return 0;
	while (len < size && text[len] == '\n')
		len++;
	return len;
}

/* Return: 1 if bytes were sent; 0; -1. */
static int send_chunk(struct relay_session *session, struct relay_stream *metadata)
{
	const struct relay_metadata head = { .stream = htobe64(metadata->handle) };
	char text[METADATA_CHUNK];
	ssize_t got = pread(metadata->fd, text, sizeof(text), metadata->at);
	size_t len;

	if (got < 0)
		return relay_connection_fault(&session->connection, "cannot read the metadata: %s", strerror(errno));
	len = whole_blocks(text, got);
	/* The end of a closed file, or a block that is very long. */
	if (!len && (metadata->trace->piece->closed || got == sizeof(text)))
		len = got;
	if (!len)
		return 0;
	metadata->at += len;
	return relay_connection_command(&session->connection, RELAY_SEND_METADATA, &head, sizeof(head), text, len,
					(struct relay_expected){ 0 }) ? -1 : 1;
}

/* Send all that is there.  Return: 1; 0 if there is no room for it now; -1. */
static int send_metadata(struct relay_session *session, struct relay_trace *trace)
{
	int ret = 1;

	if (!trace->metadata.has_handle)
		return 0;
	while (ret > 0) {
		if (!relay_connection_has_room(&session->connection))
			return 0;
		ret = send_chunk(session, &trace->metadata);
	}
	return ret < 0 ? -1 : 1;
}

/* ---- Packets ---- */

static int take_index_status(struct relay_connection *connection, void *arg, const void *reply)
{
	const struct relay_status *status = reply;

	if (be32toh(status->status) == RELAY_OK)
		return 0;
	return fault((struct relay_session *)connection, arg, "store a packet of", be32toh(status->status));
}

static int send_index(struct relay_session *session, struct relay_stream *stream, const struct relay_index *index)
{
	return relay_connection_command(&session->connection, RELAY_SEND_INDEX, index, sizeof(*index), NULL, 0,
					(struct relay_expected){ sizeof(struct relay_status), take_index_status, stream });
}

static struct relay_stream *older(struct relay_stream *a, struct relay_stream *b)
{
	return !a || b->header.timestamp_begin < a->header.timestamp_begin ? b : a;
}

/* Return: the earliest beacon of the open pieces; the last known one while a piece, which has just begun, has none. */
static uint64_t find_horizon(const struct relay_session *session, const struct relay_piece *pieces)
{
	uint64_t horizon = UINT64_MAX;
	const struct relay_piece *piece;

	for (piece = pieces; piece; piece = piece->next) {
		if (piece->closed || piece->gone)
			continue;
		if (!piece->beacon)
			return session->horizon;
		if (piece->beacon < horizon)
			horizon = piece->beacon;
	}
	return horizon;
}

static void look_for_horizon(struct relay_session *session, const struct relay_piece *pieces)
{
	const uint64_t horizon = find_horizon(session, pieces);

	if (horizon != session->horizon)
		session->horizon_ms = relay_now_ms();
	session->horizon = horizon;
}

/* If the horizon stands still, each packet of a stream would wait, one after the other. */
static bool is_held(const struct relay_session *session, const struct relay_stream *stream, uint64_t now)
{
	return stream->header.timestamp_end > session->horizon && now - session->horizon_ms < HOLD_MS &&
	       now - stream->ready_ms < HOLD_MS;
}

/* Return: the stream with the oldest packet that can be sent.  None can while a stream waits for its handle: readers learn of
 * it first. */
static struct relay_stream *choose(const struct relay_session *session, struct relay_piece *pieces)
{
	const uint64_t now = relay_now_ms();
	struct relay_stream *stream, *oldest = NULL;
	struct relay_piece *piece;
	struct relay_trace *trace;

	for (piece = pieces; piece; piece = piece->next)
		for (trace = piece->step == RELAY_SENDING && !piece->gone ? piece->traces : NULL; trace; trace = trace->next)
			for (stream = trace->streams; stream; stream = stream->next) {
				if (stream->ready && !stream->has_handle)
					return NULL;
				if (stream->ready && !is_held(session, stream, now))
					oldest = older(oldest, stream);
			}
	return oldest;
}

int session_send_packet(struct relay_session *session, struct relay_piece *pieces)
{
	struct relay_stream *stream;
	int ret;

	look_for_horizon(session, pieces);
	stream = choose(session, pieces);
	if (!stream || !relay_connection_has_room(&session->connection))
		return 0;
	ret = send_metadata(session, stream->trace);
	if (ret <= 0)
		return ret;
	session->sending = stream;
	relay_connection_send(&session->connection, stream->handle, stream->packets, stream->fd, stream->at,
			      packet_bytes(&stream->header));
	return 1;
}

int session_finish_packet(struct relay_session *session)
{
	struct relay_stream *stream = session->sending;
	const struct ltt_ctf_packet *header = &stream->header;
	const struct relay_index index = {
		.stream = htobe64(stream->handle), .sequence = htobe64(stream->packets),
		.packet_size = htobe64(header->packet_size), .content_size = htobe64(header->content_size),
		.timestamp_begin = htobe64(header->timestamp_begin), .timestamp_end = htobe64(header->timestamp_end),
		.events_discarded = htobe64(header->events_discarded), .stream_class = htobe64(header->stream_id),
		.stream_instance = htobe64(header->cpu_id), .packet_sequence = htobe64(header->packet_seq_num),
	};

	session->sending = NULL;
	session->packets++;
	session->bytes += packet_bytes(header);
	stream->packets++;
	stream->at += packet_bytes(header);
	stream->reached = header->timestamp_end;
	stream->ready = false;
	stream_look(stream);
	return send_index(session, stream, &index);
}

/* ---- Beacons ---- */

/* No further packet of the stream begins before the time of the beacon. */
static int send_beacon(struct relay_session *session, struct relay_stream *stream, uint64_t time)
{
	const struct relay_index index = {
		.stream = htobe64(stream->handle), .sequence = UINT64_MAX, .timestamp_end = htobe64(time),
		.stream_class = htobe64(stream->header.stream_id), .stream_instance = UINT64_MAX, .packet_sequence = UINT64_MAX,
	};

	stream->reached = time;
	return send_index(session, stream, &index);
}

/* babeltrace2 warns of streams whose next times are the same: each has its own, a few nanoseconds earlier. */
static uint64_t beacon_of(const struct relay_session *session, const struct relay_stream *stream)
{
	const uint64_t beacon = stream->trace->piece->beacon, before = stream->handle % 4096 * 16;
	const uint64_t time = beacon < session->horizon ? beacon : session->horizon;

	return time > before ? time - before : 0;
}

static int send_beacons(struct relay_session *session, struct relay_trace *trace)
{
	struct relay_stream *stream;

	for (stream = trace->streams; stream; stream = stream->next)
		if (stream->packets && !stream->ready && stream != session->sending && stream->reached < beacon_of(session, stream) &&
		    relay_connection_has_room(&session->connection) && send_beacon(session, stream, beacon_of(session, stream)))
			return -1;
	return 0;
}

/* ---- The end of a piece ---- */

static bool is_sent(const struct relay_session *session, const struct relay_piece *piece)
{
	const struct relay_stream *stream;
	const struct relay_trace *trace;
	struct stat st;

	if ((session->sending && session->sending->trace->piece == piece) || !(piece->looked || piece->gone))
		return false;
	for (trace = piece->traces; trace; trace = trace->next) {
		if (!trace->metadata.has_handle && piece->gone && !trace->metadata.is_added)
			continue;
		if (!trace->metadata.has_handle)
			return false;
		if (!piece->gone && (fstat(trace->metadata.fd, &st) || trace->metadata.at < st.st_size))
			return false;
		for (stream = trace->streams; stream; stream = stream->next)
			if (stream->is_added != stream->has_handle || (!piece->gone && (stream->ready || !stream->has_handle)))
				return false;
	}
	return true;
}

static int take_pending(struct relay_connection *connection, void *arg, const void *reply)
{
	const struct relay_status *status = reply;
	struct relay_stream *stream = arg;
	struct relay_piece *piece = stream->trace->piece;

	if (be32toh(status->status) > 1)
		return fault((struct relay_session *)connection, stream, "find", be32toh(status->status));
	piece->pending |= be32toh(status->status);
	piece->waiting--;
	return 0;
}

static int take_closed(struct relay_connection *connection, void *arg, const void *reply)
{
	const struct relay_status *status = reply;
	struct relay_stream *stream = arg;

	if (be32toh(status->status) != RELAY_OK)
		return fault((struct relay_session *)connection, stream, "close", be32toh(status->status));
	stream->trace->piece->waiting--;
	return 0;
}

static int send_position(struct relay_session *session, struct relay_stream *stream, enum relay_command command,
			 relay_reply_fn *fn)
{
	const struct relay_position position = { htobe64(stream->handle), htobe64(stream->packets - 1) };

	stream->trace->piece->waiting++;
	return relay_connection_command(&session->connection, command, &position, sizeof(position), NULL, 0,
					(struct relay_expected){ sizeof(struct relay_status), fn, stream });
}

/* Ask about, or close, each stream.  Return: 1 when all have been; 0: there is no room for all now; -1. */
static int finish_streams(struct relay_session *session, struct relay_piece *piece, bool closing)
{
	struct relay_stream *stream;
	struct relay_trace *trace;

	for (trace = piece->traces; trace; trace = trace->next)
		for (stream = closing ? &trace->metadata : trace->streams; stream;
		     stream = stream == &trace->metadata ? trace->streams : stream->next) {
			bool *done = closing ? &stream->is_closed : &stream->is_asked;

			if (*done || !stream->has_handle || (!closing && !stream->packets))
				continue;
			if (!relay_connection_has_room(&session->connection))
				return 0;
			*done = true;
			if (send_position(session, stream, closing ? RELAY_CLOSE_STREAM : RELAY_DATA_PENDING,
					  closing ? take_closed : take_pending))
				return -1;
		}
	return 1;
}

static void ask_again(struct relay_piece *piece)
{
	struct relay_stream *stream;
	struct relay_trace *trace;

	for (trace = piece->traces; trace; trace = trace->next)
		for (stream = trace->streams; stream; stream = stream->next)
			stream->is_asked = false;
	piece->pending = false;
	piece->ask_ms = relay_now_ms() + ASK_MS;
}

/* A piece that was complete when it was found has no readers that follow. */
static void linger(struct relay_piece *piece)
{
	piece->step = RELAY_CLOSING;
	piece->ask_ms = piece->is_live && !piece->gone ? relay_now_ms() + LINGER_MS : 0;
}

static int finish(struct relay_session *session, struct relay_piece *piece)
{
	int ret;

	if (relay_now_ms() < piece->ask_ms)
		return 0;
	ret = finish_streams(session, piece, piece->step == RELAY_CLOSING);
	if (ret <= 0 || piece->waiting)
		return ret < 0 ? -1 : 0;
	if (piece->step == RELAY_CLOSING)
		piece->step = RELAY_DONE;
	else if (piece->pending)
		ask_again(piece);
	else
		linger(piece);
	return 0;
}

/* Do what is to be done in the step that the piece is in. */
static int work_once(struct relay_session *session, struct relay_piece *piece)
{
	struct relay_trace *trace;

	if (piece->step == RELAY_ASKING || piece->step == RELAY_CLOSING)
		return finish(session, piece);
	if (piece->step == RELAY_IDLE && piece->gone) {
		piece->step = RELAY_DONE;
		return 0;
	}
	piece->step = RELAY_SENDING;
	for (trace = piece->gone ? NULL : piece->traces; trace; trace = trace->next)
		if (add_streams(session, trace) || send_metadata(session, trace) < 0 || send_beacons(session, trace))
			return -1;
	if (is_sent(session, piece))
		piece->step = RELAY_ASKING;
	return 0;
}

int session_work(struct relay_session *session, struct relay_piece *piece)
{
	enum relay_step before = RELAY_DONE;

	while (piece->step != before && piece->step != RELAY_DONE) {
		before = piece->step;
		if (work_once(session, piece))
			return -1;
	}
	return 0;
}
