/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Writes records to a small CTF trace.
 *
 * Layer: lttd state, on the ring of core/.  The ring has two sub-buffers, of which each goes to
 * the file as soon as it is full: memory does not depend on the number of records.
 */
#ifndef LTTD_STATE_WRITER_H
#define LTTD_STATE_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/ctf.h"
#include "core/ring.h"

struct clock;

#define WRITER_SB_ORDER	16
#define WRITER_PAGES	(2 << WRITER_SB_ORDER >> LTT_PAGE_SHIFT)

/* Longer texts are cut. */
#define WRITER_TEXT_MAX	16384
#define WRITER_RECORD_MAX	40960

/**
 * struct writer_event - an event of the trace
 * @name: its name, without the group
 * @fields: its fields
 * @nr: number of @fields
 */
struct writer_event {
	const char *name;
	const struct ltt_field *fields;
	unsigned int nr;
};

/* Fields, in lists of struct ltt_field. */
#define WRITER_NUMBER(field, bytes) { .name = field, .kind = LTT_FIELD_INT, .size = bytes, .base = 10 }
#define WRITER_SIGNED(field, bytes) \
	{ .name = field, .kind = LTT_FIELD_INT, .size = bytes, .is_signed = true, .base = 10 }
#define WRITER_HEX(field, bytes) { .name = field, .kind = LTT_FIELD_INT, .size = bytes, .base = 16 }
#define WRITER_STRING(field) { .name = field, .kind = LTT_FIELD_STRING, .size = 1 }

#define WRITER_EVENT(variable, event_name, list) \
	const struct writer_event variable = { event_name, list, sizeof(list) / sizeof((list)[0]) }

/**
 * struct writer_trace - what a trace is of
 * @name: its channel, the group of its events, and the value of "domain" in its metadata
 * @events: its events, whose index is their id
 * @nr: number of @events
 * @is_live: readers may use it while it is written: the metadata comes first, and what is written stays after a failure.
 *	The user has it written to the disk.
 */
struct writer_trace {
	const char *name;
	const struct writer_event *const *events;
	unsigned int nr;
	bool is_live;
};

/**
 * struct writer - a trace that is being written
 * @ring: holds the records that are not on disk; first, as its callbacks get it
 * @slot: memory of @ring, as @page, @content and @memory
 * @page: see @slot
 * @content: see @slot
 * @memory: see @slot
 * @uuid: uuid of the trace
 * @dir: the folder of the trace
 * @clock: the clock of the records
 * @out: the file of the packets
 * @size: bytes in @out
 * @has_metadata: the writer has made the file of the metadata
 * @err: 0, or the first failure, -errno; later records are dropped
 * @trace: what it is of
 * @id: the record that is being made: its event
 * @tid: its thread
 * @field: its next field
 * @len: bytes of @payload
 * @payload: what it has so far
 */
struct writer {
	struct ltt_ring ring;
	struct ltt_slot slot[2];
	void *page[WRITER_PAGES];
	u32 content[2];
	char *memory;
	uint8_t uuid[16];
	int dir;
	const struct clock *clock;
	int out;
	off_t size;
	bool has_metadata;
	int err;
	const struct writer_trace *trace;
	uint32_t id;
	int32_t tid;
	unsigned int field;
	size_t len;
	char payload[WRITER_RECORD_MAX];
};

/**
 * writer_open() - begin a trace
 * @writer: receives the trace
 * @dir: its folder, which is empty; open until writer_close()
 * @clock: the clock of the records, valid until writer_close()
 * @trace: what it is of, valid until writer_close()
 *
 * One writer at a time can be open in a process.
 *
 * Return: 0; -errno, and then there is nothing to close.
 */
int writer_open(struct writer *writer, int dir, const struct clock *clock, const struct writer_trace *trace);

/* Begin a record.  Its fields follow in their order, each by one of the next two functions. */
void writer_begin(struct writer *writer, uint32_t id, int32_t tid);

void writer_number(struct writer *writer, uint64_t value);
void writer_string(struct writer *writer, const char *text);

/* End a record. */
void writer_end(struct writer *writer);

/* Write what the ring holds as a packet. */
void writer_flush(struct writer *writer);

/**
 * writer_close() - write what the ring holds and the metadata, and wait until they are on the disk
 * @writer: the trace
 *
 * The metadata comes last: without it the folder is not a trace, and readers ignore it.  For a live trace, see there.
 *
 * Return: 0; -errno of the first failure, and then the trace is removed.
 */
int writer_close(struct writer *writer);

/**
 * writer_remove() - remove the files of a trace, and no others
 * @writer: a trace that was closed; its folder is still open
 */
void writer_remove(const struct writer *writer);

#endif /* LTTD_STATE_WRITER_H */
