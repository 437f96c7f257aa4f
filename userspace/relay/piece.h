/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A part of a recording that is acknowledged as a whole: a piece, a state of the system, or all
 * traces of a recording that is not in pieces.
 *
 * Layer: relay.  This file knows directories and files.  session.c sends what it finds.
 */
#ifndef LTT_RELAY_PIECE_H
#define LTT_RELAY_PIECE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/packet.h"

struct relay_trace;

/**
 * struct relay_stream - a file of a trace
 * @next: another one of the trace
 * @trace: its trace
 * @fd: the file
 * @size: its bytes when it was looked at last
 * @at: where the first byte is that has not been sent on this connection
 * @ready: there is a whole packet at @at, with @header; never for metadata
 * @header: see @ready
 * @ready_ms: when it was found, or at the latest when the piece was closed; see relay_now_ms()
 * @handle: the relayd's name for it; valid if @has_handle
 * @is_added: the relayd has been asked for @handle
 * @has_handle: it has replied
 * @is_asked: the relayd has been asked if packets are pending
 * @is_closed: the relayd has been asked to close it
 * @packets: how many packets have been sent on this connection
 * @reached: the end of the last packet that was sent, or the last beacon
 * @name: its name
 */
struct relay_stream {
	struct relay_stream *next;
	struct relay_trace *trace;
	int fd;
	off_t size;
	off_t at;
	bool ready;
	struct ltt_ctf_packet header;
	uint64_t ready_ms;
	uint64_t handle;
	bool is_added;
	bool has_handle;
	bool is_asked;
	bool is_closed;
	uint64_t packets;
	uint64_t reached;
	char name[NAME_MAX + 1];
};

/**
 * struct relay_trace - a trace in a piece
 * @next: another one of the piece
 * @piece: the piece
 * @dir: descriptor of the directory
 * @metadata: its metadata
 * @streams: its data files
 * @has_new: streams have been added since the relayd was asked to show them
 * @name: of the directory
 */
struct relay_trace {
	struct relay_trace *next;
	struct relay_piece *piece;
	int dir;
	struct relay_stream metadata;
	struct relay_stream *streams;
	bool has_new;
	char name[NAME_MAX + 1];
};

/**
 * enum relay_step - how far a piece is on this connection
 * @RELAY_IDLE: nothing has been sent
 * @RELAY_SENDING: it is being sent
 * @RELAY_ASKING: all is sent: the relayd is asked if it has everything
 * @RELAY_CLOSING: it has: its streams are being closed
 * @RELAY_DONE: it is acknowledged, or was dropped
 */
enum relay_step {
	RELAY_IDLE,
	RELAY_SENDING,
	RELAY_ASKING,
	RELAY_CLOSING,
	RELAY_DONE,
};

/**
 * struct relay_piece - a part of a recording
 * @next: the next one
 * @number: of a piece; 0 for a state, or a recording that is not in pieces
 * @root: descriptor of the directory of the recording
 * @traces: its traces
 * @closed: nothing is written to it any more
 * @is_live: it has been written since the recording is sent
 * @gone: it was removed before it was sent
 * @is_compressed: it has compressed files
 * @looked: all its files are known
 * @bytes: bytes of its files when they were measured
 * @step: how far it is
 * @waiting: replies that @step waits for
 * @pending: the relayd does not have everything yet
 * @ask_ms: when to ask again, or to close the streams
 * @beacon: a time, before which no further packet of an open piece begins, and the last one of a closed piece; 0: not known
 * @name: of its directory in @root; "." for a recording that is not in pieces
 */
struct relay_piece {
	struct relay_piece *next;
	unsigned int number;
	int root;
	struct relay_trace *traces;
	bool closed;
	bool is_live;
	bool gone;
	bool is_compressed;
	bool looked;
	uint64_t bytes;
	enum relay_step step;
	unsigned int waiting;
	bool pending;
	uint64_t ask_ms;
	uint64_t beacon;
	char name[NAME_MAX + 1];
};

/** piece_new() - return piece @number, or the part @name if that is 0, of the recording @root; NULL: out of memory */
struct relay_piece *piece_new(int root, unsigned int number, const char *name);

/** piece_measure() - find out if the piece is closed, and how large it is */
void piece_measure(struct relay_piece *piece);

/**
 * piece_look() - look for new files and packets
 * @piece: the piece
 *
 * Return: 0; -1 with errno set.
 */
int piece_look(struct relay_piece *piece);

/** piece_unsent() - return how many bytes of packets have not been sent */
uint64_t piece_unsent(const struct relay_piece *piece);

/** piece_rewind() - another connection begins: nothing has been sent on it */
void piece_rewind(struct relay_piece *piece);

/** stream_look() - look for a whole packet at &stream.at of a data file */
void stream_look(struct relay_stream *stream);

/** piece_close() - close the files of @piece */
void piece_close(struct relay_piece *piece);

#endif /* LTT_RELAY_PIECE_H */
