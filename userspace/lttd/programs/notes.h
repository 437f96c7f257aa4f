/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * lttd's own events in the trace of a user's programs: channel "state".
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
#define NOTES_FILE	"state_0"

/**
 * struct notes - the channel's file, and the packet that is being filled
 * @dir: descriptor of the trace's directory
 * @uuid: the trace's uuid
 * @out: the file; -1 before the first packet
 * @size: bytes in the file
 * @noted: bytes of all records for the file
 * @full: there are as many as there may be; further ones are dropped
 * @lacking: records have been dropped, in this file or in one of an earlier piece
 * @sequence: sequence number of the next packet
 * @begin: time of the first record in @data
 * @last: time of the last record
 * @len: bytes in @data
 * @data: records of the packet
 */
struct notes {
	int dir;
	const uint8_t *uuid;
	int out;
	off_t size;
	uint64_t noted;
	bool full;
	bool lacking;
	uint64_t sequence;
	uint64_t begin;
	uint64_t last;
	size_t len;
	char data[3072];
};

/* The functions below return 0; or -1 with the failure logged. */

/** notes_describe() - write the metadata of the channel and its events */
void notes_describe(struct ltt_ctf *ctf);

/** notes_started() - record that a program has connected */
int notes_started(struct notes *notes, pid_t pid, const char *name);

/** notes_ended() - record how a program has ended: "exit 0", ... */
int notes_ended(struct notes *notes, pid_t pid, const char *how);

/** notes_object() - record that a program has loaded a library with markers, or unloaded it */
int notes_object(struct notes *notes, pid_t pid, const char *name, bool loaded);

/**
 * struct note_mapped - an object in the memory of a process
 * @base: the address in memory of the file's address 0
 * @start: its first address
 * @end: the end of its last
 * @path: its file, shorter than NOTE_PATH_SIZE
 * @build_id: its build id, shorter than NOTE_BUILD_ID_SIZE
 */
struct note_mapped {
	uint64_t base;
	uint64_t start;
	uint64_t end;
	const char *path;
	const char *build_id;
};

#define NOTE_PATH_SIZE		2048
#define NOTE_BUILD_ID_SIZE	128

/** notes_mapped() - record that an object is in memory, or, with @is_there false, no more */
int notes_mapped(struct notes *notes, pid_t pid, const struct note_mapped *mapped, bool is_there);

/** notes_flush() - write all records to the file */
int notes_flush(struct notes *notes);

/** notes_move() - continue in another &notes.dir, after notes_flush() */
void notes_move(struct notes *notes);

/** notes_end() - write all records, wait until they are on the disk, and close the file */
int notes_end(struct notes *notes);

#endif /* LTTD_NOTES_H */
