// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The protocol by which viewers read from lttng-relayd.
 *
 * Layer: lttctl view.
 */
#include "viewer.h"
#include "lttctl/command.h"

#include <endian.h>
#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define MAJOR		2
#define MINOR		4
#define TYPE_COMMAND	1
#define SEEK_BEGINNING	1

enum { CONNECT = 1, LIST, ATTACH, NEXT_INDEX, GET_PACKET, GET_METADATA, NEW_STREAMS, CREATE };
enum { ATTACHED = 1, ATTACH_BUSY, ATTACH_UNKNOWN, ATTACH_NOT_LIVE };
enum { INDEX_OK = 1, INDEX_RETRY, INDEX_HUP, INDEX_ERROR, INDEX_INACTIVE, INDEX_EOF };
enum { STREAMS_NEW = 1, STREAMS_NONE, STREAMS_ERROR, STREAMS_HUP };
enum { REPLY_OK = 1, REPLY_NONE };

#define FLAG_NEW_METADATA 1U

/* More than any collector has: a false number must not take all memory. */
#define SESSIONS_MAX	10000U
#define STREAMS_MAX	20000U
#define PACKET_MAX	(1U << 30)
#define METADATA_MAX	(1U << 28)

/* A collector that is alive replies at once. */
#define REPLY_S		20

struct __attribute__((packed)) header { uint64_t bytes; uint32_t command, version; };
struct __attribute__((packed)) hello { uint64_t session; uint32_t major, minor, type; };
struct __attribute__((packed)) session { uint64_t id; uint32_t live_us, clients, streams; char host[64], name[255]; };
struct __attribute__((packed)) attach { uint64_t session, offset; uint32_t seek; };
struct __attribute__((packed)) list { uint32_t status, nr; };
struct __attribute__((packed)) stream { uint64_t id, trace; uint32_t is_metadata; char path[4096], name[255]; };
struct __attribute__((packed)) index { uint64_t offset, bits, content, begin, end, discarded, class; uint32_t status, flags; };
struct __attribute__((packed)) get { uint64_t stream, offset; uint32_t bytes; };
struct __attribute__((packed)) packet { uint32_t status, bytes, flags; };
struct __attribute__((packed)) metadata { uint64_t bytes; uint32_t status; };

/* --- Bytes ------------------------------------------------------------------ */

static int lost(const struct viewer *viewer, const char *why)
{
	complain("the collector at %s: %s", viewer->where, why);
	return -1;
}

static int receive(struct viewer *viewer, void *to, size_t bytes)
{
	ssize_t got;

	for (; bytes; to = (char *)to + got, bytes -= got) {
		if (viewer->is_interrupted && viewer->is_interrupted())
			return -1;
		got = recv(viewer->fd, to, bytes, MSG_WAITALL);
		if (got < 0 && errno == EINTR)
			got = 0;
		else if (!got)
			return lost(viewer, "has closed the connection");
		else if (got < 0)
			return lost(viewer, errno == EAGAIN ? "does not reply" : strerror(errno));
	}
	return 0;
}

static int send_all(struct viewer *viewer, const void *from, size_t bytes)
{
	ssize_t sent;

	for (; bytes; from = (const char *)from + sent, bytes -= sent) {
		sent = send(viewer->fd, from, bytes, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			sent = 0;
		else if (sent < 0)
			return lost(viewer, errno == EAGAIN ? "does not read requests" : strerror(errno));
	}
	return 0;
}

/* Send a request, and receive the first @size bytes of the reply. */
static int ask(struct viewer *viewer, uint32_t command, const void *body, size_t bytes, void *reply, size_t size)
{
	struct {
		struct header header;
		char body[sizeof(struct hello)];
	} __attribute__((packed)) request = {
		.header = { .bytes = htobe64(bytes), .command = htobe32(command) },
	};

	if (bytes)
		memcpy(request.body, body, bytes);
	return send_all(viewer, &request, sizeof(request.header) + bytes) ?: receive(viewer, reply, size);
}

/* @rest: receives memory with @bytes bytes of the reply. */
static int receive_rest(struct viewer *viewer, size_t bytes, void *rest)
{
	void *memory = malloc(bytes ? bytes : 1);

	if (!memory) {
		complain("out of memory");
		return -1;
	}
	if (receive(viewer, memory, bytes)) {
		free(memory);
		return -1;
	}
	*(void **)rest = memory;
	return 0;
}

/* --- The connection --------------------------------------------------------- */

static int connect_to(const struct addrinfo *address)
{
	const struct timeval limit = { .tv_sec = REPLY_S };
	int fd = socket(address->ai_family, address->ai_socktype | SOCK_CLOEXEC, address->ai_protocol);

	if (fd < 0)
		return -1;
	/* Of a connect(2), too. */
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	if (!connect(fd, address->ai_addr, address->ai_addrlen))
		return fd;
	close(fd);
	return -1;
}

static int open_socket(struct viewer *viewer, const char *host, const char *port)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *list, *address;
	int ret = getaddrinfo(host, port, &hints, &list);

	if (ret)
		return lost(viewer, ret == EAI_SYSTEM ? strerror(errno) : gai_strerror(ret));
	for (address = list; address && viewer->fd < 0; address = address->ai_next)
		viewer->fd = connect_to(address);
	freeaddrinfo(list);
	if (viewer->fd >= 0)
		return 0;
	return lost(viewer, errno == ECONNREFUSED ? "connection refused: is lttng-relayd running there?" :
			    errno == EINPROGRESS ? "does not answer" : strerror(errno));
}

int viewer_connect(struct viewer *viewer, const char *host, const char *port)
{
	const struct hello hello = { .major = htobe32(MAJOR), .minor = htobe32(MINOR), .type = htobe32(TYPE_COMMAND) };
	struct hello reply;
	uint32_t status;

	viewer->fd = -1;
	snprintf(viewer->where, sizeof(viewer->where), "%s port %s", host, port);
	if (open_socket(viewer, host, port) || ask(viewer, CONNECT, &hello, sizeof(hello), &reply, sizeof(reply)))
		return -1;
	if (be32toh(reply.major) != MAJOR || be32toh(reply.minor) < MINOR)
		return lost(viewer, "is not an lttng-relayd of version 2.4 or later");
	if (ask(viewer, CREATE, NULL, 0, &status, sizeof(status)))
		return -1;
	return be32toh(status) == REPLY_OK ? 0 : lost(viewer, "refuses viewers");
}

void viewer_close(struct viewer *viewer)
{
	if (viewer->fd >= 0)
		close(viewer->fd);
	viewer->fd = -1;
}

/* --- Sessions ---------------------------------------------------------------- */

/* The field of the protocol may lack the NUL. */
static void copy_text(char *to, const char *from, size_t bytes)
{
	memcpy(to, from, bytes);
	to[bytes] = '\0';
}

int viewer_sessions(struct viewer *viewer, struct viewer_session **sessions)
{
	struct session *raw;
	uint32_t nr, i;

	if (ask(viewer, LIST, NULL, 0, &nr, sizeof(nr)))
		return -1;
	nr = be32toh(nr);
	if (nr > SESSIONS_MAX)
		return lost(viewer, "sends a list of sessions that cannot be");
	if (receive_rest(viewer, nr * sizeof(*raw), &raw))
		return -1;
	*sessions = calloc(nr + 1, sizeof(**sessions));
	for (i = 0; *sessions && i < nr; i++) {
		(*sessions)[i].id = be64toh(raw[i].id);
		(*sessions)[i].live_us = be32toh(raw[i].live_us);
		copy_text((*sessions)[i].host, raw[i].host, sizeof(raw[i].host));
		copy_text((*sessions)[i].name, raw[i].name, sizeof(raw[i].name));
	}
	free(raw);
	return *sessions ? (int)nr : lost(viewer, strerror(ENOMEM));
}

static int receive_streams(struct viewer *viewer, uint32_t nr, struct viewer_stream **streams)
{
	struct stream *raw;
	uint32_t i;

	if (nr > STREAMS_MAX)
		return lost(viewer, "sends a list of streams that cannot be");
	if (receive_rest(viewer, nr * sizeof(*raw), &raw))
		return -1;
	*streams = calloc(nr + 1, sizeof(**streams));
	for (i = 0; *streams && i < nr; i++) {
		(*streams)[i].id = be64toh(raw[i].id);
		(*streams)[i].trace = be64toh(raw[i].trace);
		(*streams)[i].is_metadata = raw[i].is_metadata;
		copy_text((*streams)[i].path, raw[i].path, sizeof(raw[i].path));
		copy_text((*streams)[i].name, raw[i].name, sizeof(raw[i].name));
	}
	free(raw);
	return *streams ? (int)nr : lost(viewer, strerror(ENOMEM));
}

int viewer_attach(struct viewer *viewer, uint64_t session, struct viewer_stream **streams)
{
	const struct attach request = { .session = htobe64(session), .seek = htobe32(SEEK_BEGINNING) };
	struct list reply;

	if (ask(viewer, ATTACH, &request, sizeof(request), &reply, sizeof(reply)))
		return -1;
	switch (be32toh(reply.status)) {
	case ATTACHED:
		return receive_streams(viewer, be32toh(reply.nr), streams);
	case ATTACH_BUSY:
		return lost(viewer, "the session has a viewer already, and this lttng-relayd allows one at a time");
	case ATTACH_UNKNOWN:
		return lost(viewer, "the session has ended");
	case ATTACH_NOT_LIVE:
		return lost(viewer, "the recorder of the session does not send live");
	default:
		return lost(viewer, "refuses the session");
	}
}

int viewer_new_streams(struct viewer *viewer, uint64_t session, struct viewer_stream **streams, bool *is_closed)
{
	const uint64_t request = htobe64(session);
	struct list reply;

	*streams = NULL;
	if (ask(viewer, NEW_STREAMS, &request, sizeof(request), &reply, sizeof(reply)))
		return -1;
	/* An unknown session is one that has ended. */
	*is_closed = be32toh(reply.status) == STREAMS_HUP || be32toh(reply.status) == STREAMS_ERROR;
	return be32toh(reply.status) == STREAMS_NEW ? receive_streams(viewer, be32toh(reply.nr), streams) : 0;
}

/* --- Streams ------------------------------------------------------------------ */

static enum viewer_next next_of(uint32_t status)
{
	switch (status) {
	case INDEX_OK:
		return VIEWER_PACKET;
	case INDEX_RETRY:
		return VIEWER_NOTHING;
	case INDEX_INACTIVE:
		return VIEWER_QUIET;
	default:
		return VIEWER_END;
	}
}

int viewer_next(struct viewer *viewer, uint64_t stream, struct viewer_index *index)
{
	const uint64_t request = htobe64(stream);
	struct index reply;
	uint64_t bytes;

	if (ask(viewer, NEXT_INDEX, &request, sizeof(request), &reply, sizeof(reply)))
		return -1;
	bytes = be64toh(reply.bits) / 8;
	*index = (struct viewer_index){
		.next = next_of(be32toh(reply.status)),
		.offset = be64toh(reply.offset),
		.bytes = bytes,
		.end = be64toh(reply.end),
		.has_metadata = be32toh(reply.flags) & FLAG_NEW_METADATA,
	};
	if (index->next == VIEWER_PACKET && (!bytes || bytes > PACKET_MAX))
		return lost(viewer, "sends the index of a packet that cannot be");
	return 0;
}

int viewer_packet(struct viewer *viewer, uint64_t stream, const struct viewer_index *index, unsigned char **packet)
{
	const struct get request = {
		.stream = htobe64(stream), .offset = htobe64(index->offset), .bytes = htobe32(index->bytes),
	};
	struct packet reply;

	if (ask(viewer, GET_PACKET, &request, sizeof(request), &reply, sizeof(reply)))
		return -1;
	if (be32toh(reply.status) != REPLY_OK)
		return 0;
	if (be32toh(reply.bytes) != index->bytes)
		return lost(viewer, "sends a packet of another size");
	return receive_rest(viewer, index->bytes, packet) ?: 1;
}

int viewer_metadata(struct viewer *viewer, uint64_t stream, unsigned char **text)
{
	const uint64_t request = htobe64(stream);
	struct metadata reply;
	uint64_t bytes;

	if (ask(viewer, GET_METADATA, &request, sizeof(request), &reply, sizeof(reply)))
		return -1;
	bytes = be64toh(reply.bytes);
	if (be32toh(reply.status) != REPLY_OK || !bytes)
		return 0;
	if (bytes > METADATA_MAX)
		return lost(viewer, "sends metadata of a size that cannot be");
	return receive_rest(viewer, bytes, text) ? -1 : (int)bytes;
}
