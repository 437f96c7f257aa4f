/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The metadata of a trace on its way to disk.
 *
 * Layer: lttd.
 */
#ifndef LTTD_METADATA_H
#define LTTD_METADATA_H

#include "liblttctl/lttctl.h"

/**
 * struct metadata - the trace's description
 * @in: the tracer's file: text that only ever grows, by whole blocks
 * @out: the file on disk
 * @size: how much of it is on disk
 */
struct metadata {
	int in;
	int out;
	off_t size;
};

/**
 * metadata_open() - begin, or go on with, DIR/metadata
 * @dir: the folder of the trace on disk
 * @path: its name, for messages
 *
 * Refuses a folder that holds another trace.
 */
int metadata_open(struct metadata *metadata, struct lttctl *ctl,
		  struct lttctl_trace *trace, int dir, const char *path);

/**
 * metadata_drain() - bring the file on disk up to date
 *
 * Called when a packet has been taken and before it is written, so that the
 * description on disk always covers the packets on disk.
 */
int metadata_drain(struct metadata *metadata);

/**
 * metadata_finish() - drain a last time, and wait until the disk has it
 */
int metadata_finish(struct metadata *metadata);

void metadata_close(struct metadata *metadata);

#endif /* LTTD_METADATA_H */
