/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * One buffer (a channel on a CPU) on its way to its file.
 *
 * Layer: lttd.
 */
#ifndef LTTD_BUFFER_FILE_H
#define LTTD_BUFFER_FILE_H

#include "lttd/packet.h"
#include "liblttctl/lttctl.h"

struct metadata;

/**
 * struct stream - a buffer and its file
 * @name: of both
 * @in: the buffer; -1 when its end has been reached
 * @out: the file
 * @size: bytes of whole packets in the file; what lies beyond is being written
 * @unsynced: start of the packet that the disk may not have yet
 * @ready: @header is that of a packet to be copied
 * @direct: @out is written past the page cache
 * @by_read: this buffer or file cannot be spliced
 * @has_last: the file has a packet; @last is the sequence number of its last
 * @quota: while draining: packets still to be taken at most
 * @packets: copied by this process
 * @bytes: copied by this process
 */
struct stream {
	char name[2 * LTTCTL_NAME_SIZE];
	int in;
	int out;
	off_t size;
	off_t unsynced;
	bool ready;
	bool direct;
	bool by_read;
	bool has_last;
	uint64_t last;
	struct packet_header header;
	uint64_t quota;
	uint64_t packets;
	uint64_t bytes;
};

/**
 * stream_open() - connect a buffer with its file
 * @in: the open buffer; the stream's from now on
 * @dir: the folder of the trace on disk
 *
 * Cuts the torn packet that a killed lttd may have left at the file's end.
 *
 * Return: the stream; NULL after having said why not.
 */
struct stream *stream_open(const char *name, int in, int dir);

/**
 * stream_peek() - is there a packet?
 *
 * Sets @ready, or closes @in at the buffer's end.  Frees in the tracer the
 * packets that have been copied; skips those that were on disk before.
 *
 * Return: 0; -1 after having said what is wrong.
 */
int stream_peek(struct stream *stream);

/**
 * stream_copy() - write the packet that is ready, then peek for the next
 * @pipe: an empty pipe
 *
 * On failure the file is cut back to its last whole packet, and the packet is
 * still in the tracer.
 */
int stream_copy(struct stream *stream, const int pipe[2],
		struct metadata *metadata);

/**
 * stream_sync() - wait until the disk has all of the file (D5)
 * Return: 0; -1 after having said what is wrong.
 */
int stream_sync(struct stream *stream);

/**
 * stream_backlog() - how many packets wait, as far as one can tell
 * @now: the latest time seen in any packet
 *
 * The time since the first waiting packet began, in units of the time it took
 * to fill.
 */
double stream_backlog(const struct stream *stream, uint64_t now);

void stream_free(struct stream *stream);

#endif /* LTTD_BUFFER_FILE_H */
