/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The data streams of a slot: the files that the rings of one process are written to, and then
 * those of the next process.
 *
 * Layer: lttd.
 */
#ifndef LTTD_STREAM_H
#define LTTD_STREAM_H

#include <stdint.h>
#include <sys/types.h>

#include "event.h"
#include "common/packet.h"

/**
 * struct stream - a data stream and its file
 * @next: the stream whose file was opened after this one
 * @slot: number of the slot
 * @cpu: number of the CPU; for a thread's ring, a number above all CPUs
 * @out: the file; -1: it is not open, or not made yet because there is no packet
 * @failed: the last write failed, which is logged
 * @size: bytes of whole packets in the file
 * @before: bytes in the files of earlier pieces
 * @sequence: sequence number of the next packet
 * @begin: begin of the last packet
 * @time: end of the last packet
 * @lost: events lost in rings that were written to this stream before
 * @filtered: events that filters have dropped in those rings
 * @reported: lost events that the last packet in the file reports
 * @stored: number of records in the file
 * @overwritten: number of sub-buffers that a flight recorder has overwritten
 */
struct stream {
	struct stream *next;
	uint32_t slot;
	uint32_t cpu;
	int out;
	bool failed;
	off_t size;
	off_t before;
	uint64_t sequence;
	uint64_t begin;
	uint64_t time;
	uint64_t lost;
	uint64_t filtered;
	uint64_t reported;
	uint64_t stored;
	uint64_t overwritten;
};

/**
 * struct ring_trace - data that all rings and data streams of a user's trace share
 * @dir: descriptor of the trace's directory on disk
 * @uuid: the trace's uuid
 * @events: the channel's events
 * @packet: room for a packet: header, a sub-buffer, padding to whole pages
 * @oldest: the stream whose file has been open for the longest time
 * @newest: the stream whose file was opened last
 * @nr_open: number of streams with an open file
 * @beacon: a time before which no further record is; see pieces_beacon()
 * @together: the files are too many to wait for the disk for each, see disk_sync_all()
 * @before_packet: called before a packet of so many bytes is written; may call stream_move() of
 *	all streams.  Returns 0, or -1 with the failure logged.  NULL: nothing
 * @before_packet_arg: its first argument
 */
struct ring_trace {
	int dir;
	uint8_t uuid[16];
	struct events events;
	char *packet;
	struct stream *oldest;
	struct stream *newest;
	unsigned int nr_open;
	uint64_t beacon;
	bool together;
	int (*before_packet)(void *arg, size_t bytes);
	void *before_packet_arg;
};

/* A trace of more slots is written to the disk at once: a flush of the disk's cache for each of
 * thousands of files would take minutes. */
#define STREAM_SLOTS_MAX	32

/* No slot or CPU yet, no packet. */
#define STREAM_NEW(slot_, cpu_)	((struct stream){ .slot = (slot_), .cpu = (cpu_), .out = -1 })

/**
 * stream_put() - append the packet in &ring_trace.packet to the file
 * @stream: the stream
 * @trace: its trace
 * @begin: time of the packet's begin, at least &stream.time
 * @end: time of the packet's end
 * @size: bytes of header and records; the header is filled in here
 * @lost: lost events that the packet reports, at least &stream.reported
 *
 * Keeps the number of open files small, whatever the number of streams.
 *
 * Return: 0; -1 with the failure logged.
 */
int stream_put(struct stream *stream, struct ring_trace *trace, uint64_t begin, uint64_t end, size_t size,
	       uint64_t lost);

/**
 * stream_put_first() - write an empty packet before the first one, if events were lost before it
 * @stream: the stream
 * @trace: its trace
 * @lost: number of events that the first packet would report
 * @time: time of the packet
 *
 * Readers count losses by the difference between two packets, so the first one must report none.
 *
 * Return: 0; -1 with the failure logged.
 */
int stream_put_first(struct stream *stream, struct ring_trace *trace, uint64_t lost, uint64_t time);

/**
 * stream_report_losses() - if events were lost after the last packet, write an empty one
 * @stream: the stream; all its rings have ended
 * @trace: its trace
 *
 * Return: 0; -1 with the failure logged.
 */
int stream_report_losses(struct stream *stream, struct ring_trace *trace);

/**
 * stream_end() - wait until all of the file is on the disk, and close it
 * @stream: the stream
 * @trace: its trace; with &ring_trace.together, the file is on the disk after streams_end()
 *
 * Return: 0; -1 with the failure logged.
 */
int stream_end(struct stream *stream, struct ring_trace *trace);

/** stream_move() - continue in a file in another &ring_trace.dir, which the next packet makes */
void stream_move(struct stream *stream, struct ring_trace *trace);

/** streams_end() - finish stream_end() of all streams of @trace.  Return: 0; -1 with the failure logged. */
int streams_end(const struct ring_trace *trace);

/** stream_name() - write the name of the stream's file to @name, 32 bytes */
void stream_name(const struct stream *stream, char *name);

#endif /* LTTD_STREAM_H */
