/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * libltttrace: read recordings of LTT.
 *
 *	struct ltttrace *trace;
 *	struct ltttrace_cursor *cursor;
 *	const struct ltttrace_record *record;
 *
 *	if (ltttrace_open(paths, 1, 0, &trace, &error))
 *		errx(1, "%s", error.text);
 *	ltttrace_merge(trace, NULL, 0, &cursor);
 *	while (ltttrace_next(cursor, &record) > 0)
 *		...
 *
 * Recordings are mapped and read in place.  Their bytes may be anything: damaged and cut packets are left
 * out and reported as records.  Only a file that is cut while one of its packets is read ends the reader, by SIGBUS: lttd
 * cuts no packet that it has written.  Sources of the format: doc/format.md, and CTF specification 1.8.3.
 *
 * Conventions: a function that returns int returns 0 or more on success, and a negative errno on failure.  Nothing is
 * printed.  An open trace can be read by any number of threads, each with cursors of its own; while
 * ltttrace_refresh() or ltttrace_close() runs, no other thread may use the trace.
 */
#ifndef LTT_LTTTRACE_H
#define LTT_LTTTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct ltttrace_error - what is wrong
 * @text: one sentence, with the name of the file
 */
struct ltttrace_error {
	char text[1024];
};

/* --- What there is in a recording ------------------------------------- */

/**
 * enum ltttrace_kind - the kind of a field
 * @LTTTRACE_UNSIGNED: an integer without a sign
 * @LTTTRACE_SIGNED: an integer with a sign
 * @LTTTRACE_FLOAT: a floating-point number
 * @LTTTRACE_STRING: a text
 * @LTTTRACE_ARRAY: a fixed number of integers or floating-point numbers
 * @LTTTRACE_SEQUENCE: a number of them that the record has in an earlier field, "_NAME_length"
 */
enum ltttrace_kind {
	LTTTRACE_UNSIGNED,
	LTTTRACE_SIGNED,
	LTTTRACE_FLOAT,
	LTTTRACE_STRING,
	LTTTRACE_ARRAY,
	LTTTRACE_SEQUENCE,
};

/**
 * struct ltttrace_label - the name of some values of an integer
 * @name: the name
 * @first: the first value, extended to 64 bits by the sign of the field
 * @last: the last value
 */
struct ltttrace_label {
	const char *name;
	uint64_t first;
	uint64_t last;
};

/**
 * struct ltttrace_field - a field of an event
 * @name: its name, without the underscore that it has in the metadata
 * @kind: its kind
 * @element: kind of an element of an array or sequence; else the same as @kind
 * @bits: of the integer or number, or of an element: 8, 16, 24, 32 or 64; 0 for a string
 * @base: in which the integer is to be shown: 2, 8, 10 or 16
 * @is_text: an array or sequence of characters, which ends before the first NUL
 * @is_length: the number of elements of the sequence that follows
 * @length: number of elements of an array
 * @labels: the names of values; of an array or sequence, of the elements
 * @nr_labels: number of @labels
 */
struct ltttrace_field {
	const char *name;
	enum ltttrace_kind kind;
	enum ltttrace_kind element;
	unsigned int bits;
	unsigned int base;
	bool is_text;
	bool is_length;
	size_t length;
	const struct ltttrace_label *labels;
	size_t nr_labels;
};

/**
 * struct ltttrace_event - a class of events
 * @number: of the class in the open trace, from 0 on
 * @name: "group:name", or "name"
 * @part: the part of the recording that has it
 * @channel: the name of its channel
 * @fields: all fields in the order of the record: the common contexts of the channel, the contexts of the event, the payload
 * @nr_fields: number of @fields
 * @own: index of the first context of the event's own
 * @payload: index of the first field of the payload
 * @tid: index of the context "tid"; -1: there is none
 * @id: its number in the channel, as the metadata has it
 * @channel_id: the number of the channel
 */
struct ltttrace_event {
	unsigned int number;
	const char *name;
	const struct ltttrace_part *part;
	const char *channel;
	const struct ltttrace_field *fields;
	unsigned int nr_fields;
	unsigned int own;
	unsigned int payload;
	int tid;
	unsigned int id;
	unsigned int channel_id;
};

/**
 * struct ltttrace_part - the recording of a kernel, of the programs of a user, or of a state
 * @number: of the part in the open trace, from 0 on
 * @path: its directory
 * @name: the last component of @path: kernel, user-UID, state, ...
 * @host: the name of the machine; "" if it is not known
 * @uuid: its UUID
 * @clock_uuid: UUID of the clock, that of the boot
 * @frequency: counts of the clock in a second
 * @is_state: it is a state of the system, made by lttd --state
 */
struct ltttrace_part {
	unsigned int number;
	const char *path;
	const char *name;
	const char *host;
	unsigned char uuid[16];
	unsigned char clock_uuid[16];
	uint64_t frequency;
	bool is_state;
};

/**
 * struct ltttrace_stream - the events of a channel on a CPU
 * @number: of the stream in the open trace, from 0 on
 * @part: the part of the recording
 * @name: the name of its file, without the directory
 * @channel: the name of its channel
 * @cpu: the CPU of its first packet; a record has its own
 * @is_state: channel "state" of a kernel or of programs: what was there when the recording began
 * @bytes: size of its files
 * @packets: number of whole packets
 * @first_ns: the time of the begin of its first packet, nanoseconds since the Unix epoch
 * @last_ns: the time of the end of its last packet
 */
struct ltttrace_stream {
	unsigned int number;
	const struct ltttrace_part *part;
	const char *name;
	const char *channel;
	unsigned int cpu;
	bool is_state;
	uint64_t bytes;
	uint64_t packets;
	int64_t first_ns;
	int64_t last_ns;
};

struct ltttrace;

/* Flags of ltttrace_open(). */
#define LTTTRACE_WITH_STATES	1U	/* also the parts that are states of the system, when a directory contains them */

/**
 * ltttrace_open() - open recordings
 * @paths: directories: each is a part, or contains parts, or contains pieces NNNN that contain parts
 * @nr_paths: number of @paths; may be 0
 * @flags: LTTTRACE_WITH_STATES or 0
 * @trace: receives the trace, to be closed by ltttrace_close()
 * @error: receives what is wrong
 *
 * Parts with the same UUID and the same name are one part: a stream continues from one piece to the next.
 * A file that is named twice is read once.  Each file is open until ltttrace_close(): a recording in pieces may need more
 * than the usual limit RLIMIT_NOFILE of 1024.
 *
 * Return: 0; -ENOENT: a path does not exist; -ENODATA: it contains no trace; -ENOTSUP: the metadata or its layout is
 *	not of LTT, which libbabeltrace2 may read; -EBADMSG: the metadata is damaged; -ENOMEM; another -errno of open(2).
 */
int ltttrace_open(const char *const *paths, size_t nr_paths, unsigned int flags, struct ltttrace **trace,
		  struct ltttrace_error *error);

/* Close it, after all its cursors have been freed. */
void ltttrace_close(struct ltttrace *trace);

/**
 * ltttrace_refresh() - see what has been added since: packets, files, events, parts
 * @trace: the trace
 * @error: receives what is wrong
 *
 * Cursors go on with the new packets and the new streams.  Pointers to records and to their values are no longer
 * valid; those to parts, streams, events and fields are.  Files that were deleted, as a quota asks for or after they were
 * compressed, are closed when all cursors have read them, so that their disk space is free: for a cursor that goes back
 * they are damage.
 *
 * Return: 1: there is something new; 0: there is nothing; see ltttrace_open().  After a failure the trace has what was found
 *	before it, and another refresh may succeed.
 */
int ltttrace_refresh(struct ltttrace *trace, struct ltttrace_error *error);

size_t ltttrace_nr_parts(const struct ltttrace *trace);
size_t ltttrace_nr_streams(const struct ltttrace *trace);
size_t ltttrace_nr_events(const struct ltttrace *trace);
/* The number is that of the part, stream or event class. */
const struct ltttrace_part *ltttrace_part(const struct ltttrace *trace, unsigned int number);
const struct ltttrace_stream *ltttrace_stream(const struct ltttrace *trace, unsigned int number);
const struct ltttrace_event *ltttrace_event(const struct ltttrace *trace, unsigned int number);

/* Return: the value of NAME in the block env of the metadata, a number as a text; NULL if there is none. */
const char *ltttrace_env(const struct ltttrace_part *part, const char *name);

/* Find a field of the payload.  Return: its index in event->fields; -1 if there is none of this name. */
int ltttrace_payload_field(const struct ltttrace_event *event, const char *name);
/* As ltttrace_payload_field(), of the contexts. */
int ltttrace_context_field(const struct ltttrace_event *event, const char *name);

/* The times of the first and last packets, states excepted.  Return: false if there are no packets. */
bool ltttrace_span(const struct ltttrace *trace, int64_t *first_ns, int64_t *last_ns);

/* --- Clocks ---------------------------------------------------------------- */

/**
 * struct ltttrace_tick - the time of a value of a clock
 * @clock: the value
 * @ns: its time, nanoseconds since the Unix epoch
 */
struct ltttrace_tick {
	uint64_t clock;
	int64_t ns;
};

/* Return: the time of a value of the clock of a part, nanoseconds since the Unix epoch. */
int64_t ltttrace_ns(const struct ltttrace_part *part, uint64_t clock);

/**
 * ltttrace_correct() - give the times of a clock, in place of those that the metadata has
 * @trace: the trace, which has no cursors
 * @part: a part with the clock; it is corrected, and all other parts with the same clock_uuid, host and frequency
 * @tick: times, whose clock values and nanoseconds increase
 * @nr: number of @tick
 *
 * Times between two ticks, and those before and after all, lie on a line through the nearest two; with one tick,
 * the frequency of the metadata holds.  Parts that ltttrace_refresh() finds are corrected, too.
 *
 * Return: 0; -EINVAL: there is no tick, or they do not increase; -ENOMEM.
 */
int ltttrace_correct(struct ltttrace *trace, const struct ltttrace_part *part, const struct ltttrace_tick *tick,
		     size_t nr);

/* --- Reading ------------------------------------------------------------ */

/**
 * enum ltttrace_record_kind - what a record is
 * @LTTTRACE_EVENT: an event
 * @LTTTRACE_LOST_EVENTS: events that the writer refused
 * @LTTTRACE_LOST_PACKETS: packets that were overwritten or are not in the files; also those that LTTTRACE_DAMAGE has in bytes
 * @LTTTRACE_DAMAGE: bytes that cannot be read
 * @LTTTRACE_CUT: the file ends inside a packet
 */
enum ltttrace_record_kind {
	LTTTRACE_EVENT,
	LTTTRACE_LOST_EVENTS,
	LTTTRACE_LOST_PACKETS,
	LTTTRACE_DAMAGE,
	LTTTRACE_CUT,
};

/**
 * struct ltttrace_record - an event, or what happened to events
 * @kind: its kind
 * @stream: its stream
 * @event: the class of the event; NULL for others
 * @ns: its time, nanoseconds since the Unix epoch; of others, the earliest time of what is missing
 * @until_ns: the latest time of what is missing; of an event, @ns
 * @clock: the value of the clock at @ns
 * @cpu: the CPU, below 65536
 * @count: events, packets or bytes that are missing; of an event, 0
 * @data: the bytes of an event after its header: contexts and payload
 * @size: bytes at @data
 * @offset: of the record in its file, or of the packet where something is missing; in a compressed file, the offset of the
 *	frame plus that in the packet
 * @why: of LTTTRACE_DAMAGE, a clause that says what is wrong; else NULL
 */
struct ltttrace_record {
	enum ltttrace_record_kind kind;
	const struct ltttrace_stream *stream;
	const struct ltttrace_event *event;
	int64_t ns;
	int64_t until_ns;
	uint64_t clock;
	unsigned int cpu;
	uint64_t count;
	const unsigned char *data;
	size_t size;
	uint64_t offset;
	const char *why;
};

struct ltttrace_cursor;

/**
 * ltttrace_read() - read one stream
 * @trace: the trace
 * @stream: the stream
 * @cursor: receives a cursor before its first record, to be freed by ltttrace_cursor_free()
 *
 * Return: 0; -ENOMEM.
 */
int ltttrace_read(const struct ltttrace *trace, const struct ltttrace_stream *stream, struct ltttrace_cursor **cursor);

/**
 * ltttrace_merge() - read streams in the order of time
 * @trace: the trace
 * @want: returns true for the streams to read; also called for those that ltttrace_refresh() finds; NULL: all streams
 * @data: for @want
 * @cursor: receives a cursor before the first record, to be freed by ltttrace_cursor_free()
 *
 * Records of the same time come in the order of their streams' numbers.
 *
 * Return: 0; -ENOMEM.
 */
int ltttrace_merge(const struct ltttrace *trace, bool (*want)(const struct ltttrace_stream *stream, void *data),
		   void *data, struct ltttrace_cursor **cursor);

/**
 * ltttrace_seek() - go to a time
 * @cursor: the cursor
 * @ns: nanoseconds since the Unix epoch
 *
 * The next records are those of @ns and later.  Before them comes each loss that began earlier and lasted until @ns or longer.
 * The time that this takes grows with the logarithm of the number of packets.
 *
 * Return: 0; -ENOMEM; an error of reading a compressed file.
 */
int ltttrace_seek(struct ltttrace_cursor *cursor, int64_t ns);

/**
 * ltttrace_next() - take the next record
 * @cursor: the cursor
 * @record: receives the record, valid until the next call with @cursor
 *
 * Return: 1; 0: there is none now, and after ltttrace_refresh() there may be; -ENOMEM; an error of reading a
 *	compressed file.
 */
int ltttrace_next(struct ltttrace_cursor *cursor, const struct ltttrace_record **record);

/**
 * ltttrace_limit() - hold back the records after a time
 * @cursor: the cursor
 * @ns: nanoseconds since the Unix epoch; INT64_MAX, as at first: hold back none
 *
 * ltttrace_next() returns 0 at the first record after @ns, and returns it when a later limit allows.  Of a recording that is
 * being made, this is the time up to which all streams have come, so that the records are in the order of time.
 */
void ltttrace_limit(struct ltttrace_cursor *cursor, int64_t ns);

void ltttrace_cursor_free(struct ltttrace_cursor *cursor);

/**
 * struct ltttrace_value - the value of a field
 * @u: of an unsigned integer
 * @s: of a signed integer, extended to 64 bits
 * @f: of a floating-point number
 * @text: of a string, or of an array or sequence of characters: @size bytes, perhaps without a NUL
 * @size: bytes of @text
 * @elements: of other arrays and sequences: the first element, not aligned; see ltttrace_element()
 * @length: number of @elements
 */
struct ltttrace_value {
	union {
		uint64_t u;
		int64_t s;
		double f;
	};
	const char *text;
	size_t size;
	const void *elements;
	size_t length;
};

/**
 * ltttrace_value() - get the value of a field
 * @record: an event
 * @field: index in record->event->fields, less than record->event->nr_fields
 *
 * Context: async-signal-safe.
 */
struct ltttrace_value ltttrace_value(const struct ltttrace_record *record, unsigned int field);

/* Return: element @index of an array or sequence whose value is @value. */
struct ltttrace_value ltttrace_element(const struct ltttrace_field *field, const struct ltttrace_value *value,
				       size_t index);

/* Return: an integer field, extended to 64 bits by its sign; 0 if the field is another kind or @field is negative. */
int64_t ltttrace_integer(const struct ltttrace_record *record, int field);

/* Return: the first name of a value; NULL if it has none. */
const char *ltttrace_label(const struct ltttrace_field *field, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif /* LTT_LTTTRACE_H */
