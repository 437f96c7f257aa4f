/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What lttd itself has to say in the trace of a user's programs: channel "state".
 *
 * Layer: lttd.
 */
#ifndef LTTD_NOTES_H
#define LTTD_NOTES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/ctf.h"

#define NOTES_STREAM	1

/**
 * struct notes - a file of packets, which are written when they are full, and at the end
 * @dir: the folder of the trace
 * @uuid: of the trace
 * @out: the file; -1 before the first packet
 * @size: of the file
 * @full: no more is written
 * @sequence: of the next packet
 * @begin: the time of the first record in @data
 * @last: of the last one
 * @len: of @data
 * @data: records
 */
struct notes {
	int dir;
	const uint8_t *uuid;
	int out;
	off_t size;
	bool full;
	uint64_t sequence;
	uint64_t begin;
	uint64_t last;
	size_t len;
	char data[3072];
};

/** notes_describe() - the metadata of the channel and its events */
void notes_describe(struct ltt_ctf *ctf);

/** notes_started() - a program has connected.  0; -1 after having said what is wrong */
int notes_started(struct notes *notes, pid_t pid, const char *name);

/** notes_ended() - and how it has ended: "exit 0", ... */
int notes_ended(struct notes *notes, pid_t pid, const char *how);

/** notes_object() - and has loaded a library with markers, or unloaded it */
int notes_object(struct notes *notes, pid_t pid, const char *name, bool loaded);

/** notes_flush() - all is in the file */
int notes_flush(struct notes *notes);

/** notes_end() - all is in the file, and on the disk */
int notes_end(struct notes *notes);

#endif /* LTTD_NOTES_H */
