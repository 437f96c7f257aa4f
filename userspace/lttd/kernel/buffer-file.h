/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Copy one buffer (a channel on one CPU) to its file.
 *
 * Layer: lttd.
 */
#ifndef LTTD_BUFFER_FILE_H
#define LTTD_BUFFER_FILE_H

#include "common/packet.h"
#include "liblttctl/lttctl.h"

struct metadata;

/**
 * struct buffer_file - a buffer and its file
 * @name: name of both
 * @in: the buffer; -1 after its end
 * @dir: descriptor of the directory of the file
 * @out: the file; -1: the next packet makes it
 * @size: bytes of whole packets in the file
 * @unsynced: start of the first packet that may not be on the disk yet
 * @ready: @header is the header of a packet to copy
 * @cached: leave the file in the page cache
 * @direct: writes to @out bypass the page cache
 * @by_read: splice() does not support this buffer or file
 * @has_last: the file has a packet; @last is the sequence number of the last one
 * @last: see @has_last
 * @header: see @ready
 * @quota: while draining: largest number of packets still to copy
 * @packets: number of packets that this process copied
 * @bytes: number of bytes that this process copied
 */
struct buffer_file {
	char name[2 * LTTCTL_NAME_SIZE];
	int in;
	int dir;
	int out;
	off_t size;
	off_t unsynced;
	bool ready;
	bool cached;
	bool direct;
	bool by_read;
	bool has_last;
	uint64_t last;
	struct ltt_ctf_packet header;
	uint64_t quota;
	uint64_t packets;
	uint64_t bytes;
};

/**
 * buffer_file_open() - open the file for a buffer
 * @name: name of the buffer and of the file
 * @in: the open buffer; buffer_file_open() takes ownership, also on failure
 * @dir: descriptor of the trace's directory on disk
 * @cached: leave the file in the page cache, for a process that reads it
 *
 * Cuts off the torn packet that a killed lttd may have left at the file's end.
 *
 * Return: the file, to be freed with buffer_file_free(); NULL with the failure logged.
 */
struct buffer_file *buffer_file_open(const char *name, int in, int dir, bool cached);

/**
 * buffer_file_peek() - look for the next packet of the buffer
 * @file: the buffer; its @ready receives whether there is a packet
 *
 * Frees in the tracer the packets that have been copied, and skips those that an earlier
 * lttd copied.  Closes @in at the buffer's end.
 *
 * Return: 0; -1 with the failure logged.
 */
int buffer_file_peek(struct buffer_file *file);

/**
 * buffer_file_copy() - copy the packet that is ready, then look for the next one
 * @file: a buffer that is ready
 * @pipe: an empty pipe
 * @metadata: written before the packet
 *
 * On failure, cuts the file back to its last whole packet; the packet stays in the tracer.
 *
 * Return: 0; -1 with the failure logged.
 */
int buffer_file_copy(struct buffer_file *file, const int pipe[2],
		struct metadata *metadata);

/**
 * buffer_file_sync() - wait until all of the file is on the disk (D5)
 * @file: the buffer
 *
 * Return: 0; -1 with the failure logged.
 */
int buffer_file_sync(struct buffer_file *file);

/**
 * buffer_file_backlog() - estimate how many packets wait in the buffer
 * @file: a buffer that is ready
 * @now: the latest time seen in any packet
 *
 * Return: the time since the first waiting packet began, divided by the time that the
 * packet took to fill.
 */
double buffer_file_backlog(const struct buffer_file *file, uint64_t now);

/**
 * buffer_file_move() - continue in another file
 * @file: the buffer
 * @dir: descriptor of the directory of the next file, which the next packet makes
 */
void buffer_file_move(struct buffer_file *file, int dir);

/** buffer_file_free() - close buffer and file, and free @file */
void buffer_file_free(struct buffer_file *file);

#endif /* LTTD_BUFFER_FILE_H */
