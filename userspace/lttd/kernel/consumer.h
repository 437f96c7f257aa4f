/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Consume all buffers of a trace in one loop.
 *
 * Layer: lttd.
 */
#ifndef LTTD_CONSUMER_H
#define LTTD_CONSUMER_H

#include "metadata.h"
#include "lttd/pieces/pieces.h"

struct buffer_file;
struct sampler;

/**
 * struct consumer - state of one consumer
 * @ctl: connection to the tracer
 * @trace: the trace
 * @metadata: its metadata
 * @root: output directory, absolute
 * @pieces: the pieces of the recording
 * @path: directory of the trace: kernel in @root, or in the open piece; and @dir its descriptor
 * @dir: see @path
 * @claim: registration as the trace's consumer; -1 for a private trace
 * @held: descriptor for lines with the number of buffers held, or -1
 * @reported: last number written to @held; UINT_MAX before the first time
 * @refused: a buffer could not be opened, and the failure is logged
 * @cut_short: the trace was removed before all its buffers had been opened
 * @left: a signal ended the run before the trace ended
 * @epoll: waits for @watch, @timer, @signals and the buffers
 * @watch: ready when the tracer has new buffers or markers
 * @timer: ready once a second, where @watch is not enough
 * @flush_timer: ready when it is time for a flush
 * @flush_due: it was, and the flush is still to come
 * @has_beacons: see beacon.h
 * @flushed: the time of the last flush that was in time; 0: none
 * @signals: a signalfd
 * @rotate: SIGUSR1 has asked for the next piece
 * @pipe: empty between packets
 * @filters: the error sentence about filters that was logged last, or NULL
 * @files: the buffers held
 * @nr_files: number of @files
 * @now: latest time seen in any packet
 * @sampler: samples of the clock; NULL: none yet, or none are taken
 * @sampled: size of the metadata in which the clock was looked for
 */
struct consumer {
	struct lttctl *ctl;
	struct lttctl_trace *trace;
	struct metadata metadata;
	char *root;
	struct pieces pieces;
	char *path;
	int dir;
	int claim;
	int held;
	unsigned int reported;
	bool refused;
	bool cut_short;
	bool left;
	int epoll;
	int watch;
	int timer;
	int flush_timer;
	bool flush_due;
	bool has_beacons;
	uint64_t flushed;
	int signals;
	bool rotate;
	int pipe[2];
	char *filters;
	struct buffer_file **files;
	unsigned int nr_files;
	uint64_t now;
	struct sampler *sampler;
	off_t sampled;
};

/**
 * struct consumer_options - the options of a consumer
 * @root: output directory, made if it does not exist
 * @signals: a signalfd; SIGUSR1 opens the next piece, other signals end consumer_run()
 * @held: descriptor for lines with the number of buffers held, or -1
 * @flush_ms: how often consumer_run() flushes the trace's buffers; 0: never
 * @pieces: the options about pieces; must outlive the consumer
 */
struct consumer_options {
	const char *root;
	int signals;
	int held;
	unsigned int flush_ms;
	const struct options_pieces *pieces;
};

/**
 * consumer_open() - prepare to write @trace, and open its buffers
 * @consumer: initialised, also on failure; to be closed with consumer_close()
 * @ctl: connection to the tracer; must outlive @consumer
 * @trace: the trace; must outlive @consumer
 * @options: the options
 *
 * Return: 0; -1 with the failure logged.
 */
int consumer_open(struct consumer *consumer, struct lttctl *ctl,
		  struct lttctl_trace *trace, const struct consumer_options *options);

/**
 * consumer_open_folder() - make the directory of the trace, and open it
 * @consumer: the consumer; its @path and @dir are set
 *
 * Return: 0; -1 with the failure logged.
 */
int consumer_open_folder(struct consumer *consumer);

/* Take a sample of the clock, if it is time for one.  The clock is described when the trace is started, and the metadata
 * copied with the first packet. */
void consumer_sample(struct consumer *consumer);

/**
 * consumer_run() - copy packets until the trace is destroyed and drained
 *
 * When a signal but SIGUSR1 arrives, flush the trace's buffers, drain them once, and return.
 *
 * Return: 0; -1 with the failure logged.
 */
int consumer_run(struct consumer *consumer);

/**
 * consumer_drain() - copy the packets that are ready, once
 *
 * Return: 0; -1 with the failure logged.
 */
int consumer_drain(struct consumer *consumer);

/** consumer_report() - report the packets and bytes copied, on stdout or in the log */
void consumer_report(const struct consumer *consumer);

/**
 * consumer_close() - close and free all that consumer_open() has opened
 * @consumer: the consumer
 *
 * Return: 0; -1: a piece is not whole on the disk, with the failure logged.
 */
int consumer_close(struct consumer *consumer);

#endif /* LTTD_CONSUMER_H */
