/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The protocol by which viewers read from lttng-relayd, version 2.4.
 *
 * Layer: lttctl view.  Source: src/bin/lttng-relayd/lttng-viewer-abi.h and live.c of lttng-tools 2.13.  A request is a
 * header of 16 bytes (u64 size of what follows, u32 command, u32 version 0) and its body; a reply has no header.  All
 * integers are big-endian.  The collector may be hostile: sizes are checked before memory is taken.
 *
 * Functions that return int return 0 or more on success, and -1 after a message.
 */
#ifndef LTTCTL_VIEWER_H
#define LTTCTL_VIEWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VIEWER_PORT		"5344"
#define VIEWER_NAME		256
#define VIEWER_HOST		65
#define VIEWER_PATH		4097

/**
 * struct viewer - a connection
 * @fd: the socket; -1: there is none
 * @where: "HOST port PORT", for messages
 * @is_interrupted: returns true when the user has had enough, which ends each wait with -1, without a message; NULL: never
 */
struct viewer {
	int fd;
	char where[300];
	bool (*is_interrupted)(void);
};

/**
 * struct viewer_session - a session that a collector has
 * @id: its number
 * @live_us: how often the recorder sends; 0: it cannot be followed
 * @host: the machine that sends it
 * @name: its name
 */
struct viewer_session {
	uint64_t id;
	uint32_t live_us;
	char host[VIEWER_HOST];
	char name[VIEWER_NAME];
};

/**
 * struct viewer_stream - a file of a session
 * @id: its number
 * @trace: number of the trace that it belongs to
 * @is_metadata: it is the metadata of the trace
 * @path: the directory of the trace, as the recorder has named it
 * @name: its name in the directory
 */
struct viewer_stream {
	uint64_t id;
	uint64_t trace;
	bool is_metadata;
	char path[VIEWER_PATH];
	char name[VIEWER_NAME];
};

/**
 * enum viewer_next - what comes next in a stream
 * @VIEWER_PACKET: a packet
 * @VIEWER_NOTHING: not known yet
 * @VIEWER_QUIET: nothing before &viewer_index.end
 * @VIEWER_END: nothing
 */
enum viewer_next {
	VIEWER_PACKET,
	VIEWER_NOTHING,
	VIEWER_QUIET,
	VIEWER_END,
};

/**
 * struct viewer_index - what comes next in a stream
 * @next: see there
 * @offset: of the packet in the file
 * @bytes: its size
 * @end: its last clock value
 * @has_metadata: there is metadata that was not fetched, which the packet may need
 */
struct viewer_index {
	enum viewer_next next;
	uint64_t offset;
	uint32_t bytes;
	uint64_t end;
	bool has_metadata;
};

/**
 * viewer_connect() - connect to a collector
 * @viewer: initialised, also on failure; to be closed with viewer_close()
 * @host: its name or address
 * @port: the port for viewers
 */
int viewer_connect(struct viewer *viewer, const char *host, const char *port);

/* List the sessions.  @sessions: to be freed.  Return: their number. */
int viewer_sessions(struct viewer *viewer, struct viewer_session **sessions);

/* Attach to a session, from what the collector still has of it.  @streams: as of viewer_new_streams(). */
int viewer_attach(struct viewer *viewer, uint64_t session, struct viewer_stream **streams);

/**
 * viewer_new_streams() - get the streams that were added
 * @viewer: the connection
 * @session: number of the session
 * @streams: receives them, to be freed
 * @is_closed: receives true if the recorder has ended and all was fetched
 *
 * Return: their number.
 */
int viewer_new_streams(struct viewer *viewer, uint64_t session, struct viewer_stream **streams, bool *is_closed);

int viewer_next(struct viewer *viewer, uint64_t stream, struct viewer_index *index);

/* Fetch a packet.  @packet: receives &index.bytes bytes, to be freed.  Return: 1; 0: it cannot be read now. */
int viewer_packet(struct viewer *viewer, uint64_t stream, const struct viewer_index *index, unsigned char **packet);

/* Fetch what was added to the metadata.  @text: receives it, to be freed.  Return: its bytes; 0: nothing. */
int viewer_metadata(struct viewer *viewer, uint64_t stream, unsigned char **text);

void viewer_close(struct viewer *viewer);

#endif /* LTTCTL_VIEWER_H */
