/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Copy a trace's metadata to disk.
 *
 * Layer: lttd.
 */
#ifndef LTTD_METADATA_H
#define LTTD_METADATA_H

#include "liblttctl/lttctl.h"

/**
 * struct metadata - a trace's metadata
 * @in: the tracer's file, whose text only grows, by whole blocks
 * @out: the file on disk
 * @size: bytes in the file on disk
 */
struct metadata {
	int in;
	int out;
	off_t size;
};

/**
 * metadata_open() - open DIR/metadata, and compare it with the trace's metadata
 * @metadata: initialised; to be closed with metadata_close()
 * @ctl: connection to the tracer
 * @trace: the trace
 * @dir: descriptor of the trace's directory on disk
 * @path: name of the directory, for messages
 *
 * Rejects a directory that holds another trace.
 *
 * Return: 0; -1 with the failure logged.
 */
int metadata_open(struct metadata *metadata, struct lttctl *ctl,
		  struct lttctl_trace *trace, int dir, const char *path);

/**
 * metadata_move() - continue in another directory, with all text from the beginning on
 * @metadata: the metadata
 * @dir: descriptor of the other directory, which is empty
 *
 * Return: 0; -1 with the failure logged.
 */
int metadata_move(struct metadata *metadata, int dir);

/**
 * metadata_drain() - write new text to the file on disk
 *
 * Called before each packet is written, so that the metadata on disk always describes
 * all packets on disk.
 *
 * Return: 0; -1 with the failure logged.
 */
int metadata_drain(struct metadata *metadata);

/**
 * metadata_finish() - write new text a last time, and wait until it is on the disk
 *
 * Return: 0; -1 with the failure logged.
 */
int metadata_finish(struct metadata *metadata);

void metadata_close(struct metadata *metadata);

#endif /* LTTD_METADATA_H */
