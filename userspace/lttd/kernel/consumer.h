/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * All buffers of a trace, served by one loop.
 *
 * Layer: lttd.
 */
#ifndef LTTD_CONSUMER_H
#define LTTD_CONSUMER_H

#include "metadata.h"

struct stream;

/**
 * struct consumer - lttd's state
 * @claim: registration as the trace's consumer; -1 of a private trace, which
 *	has no other
 * @held: where it is told how many buffers are held, or -1
 * @told: how many that was; UINT_MAX before the first time
 * @cut_short: the trace went before all its buffers had been taken
 * @left: a signal ended the run before the trace ended
 * @path: the folder of the trace on disk, absolute, and @dir the same open
 * @root: its parent as the user named it, absolute
 */
struct consumer {
	struct lttctl *ctl;
	struct lttctl_trace *trace;
	struct metadata metadata;
	char *root;
	char *path;
	int dir;
	int claim;
	int held;
	unsigned int told;
	bool cut_short;
	bool left;
	int epoll;
	int watch;
	int timer;
	int signals;
	int pipe[2];
	struct stream **streams;
	unsigned int nr_streams;
	uint64_t now;
};

/**
 * consumer_open() - get everything ready to write @trace to @root
 * @signals: a signalfd; a signal there ends consumer_run()
 * @held: descriptor for lines with the number of buffers held, or -1
 *
 * The buffers that exist have been taken when this returns 0.
 */
int consumer_open(struct consumer *consumer, struct lttctl *ctl,
		  struct lttctl_trace *trace, const char *root, int signals,
		  int held);

/**
 * consumer_run() - move data until the trace is destroyed and drained, or a
 * signal comes, at which what is there is drained
 */
int consumer_run(struct consumer *consumer);

/** consumer_drain() - move what is there, once */
int consumer_drain(struct consumer *consumer);

/** consumer_report() - say in one line what was moved, on stdout or in the log */
void consumer_report(const struct consumer *consumer);

void consumer_close(struct consumer *consumer);

#endif /* LTTD_CONSUMER_H */
