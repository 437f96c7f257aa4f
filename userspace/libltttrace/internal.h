/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Shared by the files of libltttrace.
 *
 *	open.c       the interface to open recordings
 *	parts.c      directories -> parts
 *	files.c      the files of a part -> streams
 *	metadata.c   the text "metadata" of a part, on lex.c
 *	describe.c   its channels and classes of events, on fields.c
 *	file.c       a data file, mapped or decompressed packet by packet
 *	stream.c     the index: where each packet of a stream is, and its times
 *	time.c       the times of clock values
 *	plan.c       where each field of an event is
 *	cursor.c     the records of a stream
 *	merge.c      the records of several streams, and the cursors of the interface
 *	value.c      the values of fields
 *
 * Layer: libltttrace, on libc and libzstd; it uses the formats of core/.  Everything that is read may be hostile.
 */
#ifndef LIBLTTTRACE_INTERNAL_H
#define LIBLTTTRACE_INTERNAL_H

#include "ltt/ltttrace.h"

#include <pthread.h>
#include <sys/types.h>
#include <zstd.h>

#define CHANNELS_MAX	256U
#define CPUS_MAX	65536U	/* users have arrays of this size; Linux has at most 8192 */
#define ENV_MAX		1024U
#define IDS_MAX		65536U
#define FIELDS_MAX	1024U
#define COMMON_MAX	64U	/* fields of a channel: each of its events has a copy */
#define ARRAY_MAX	(1U << 20)	/* elements of an array */

#define NS_PER_S	INT64_C(1000000000)

/* --- Classes of events --------------------------------------------------- */

/**
 * struct step - the bytes of a record up to a field of variable size, and that field
 * @fixed: bytes before it, since the last step
 * @element: bytes of an element of the sequence; 0: a string
 * @length: bytes of the number of elements, which end where the sequence begins
 */
struct step {
	uint32_t fixed;
	uint16_t element;
	uint16_t length;
};

/**
 * struct place - where a field is
 * @steps: fields of variable size before it
 * @offset: bytes after the end of the last of these
 */
struct place {
	uint32_t steps;
	uint32_t offset;
};

/**
 * struct event - a class of events
 * @public: what users see; first, so that a pointer to it is one to this
 * @steps: number of elements of @step
 * @rest: bytes after the last step
 * @step: the fields of variable size
 * @place: of each field
 */
struct event {
	struct ltttrace_event public;
	uint32_t steps;
	uint32_t rest;
	struct step *step;
	struct place *place;
};

/**
 * struct fields - fields in the order of the record
 * @field: the fields
 * @nr: number of @field
 * @room: elements for which @field has memory
 */
struct fields {
	struct ltttrace_field *field;
	unsigned int nr;
	unsigned int room;
};

/**
 * struct channel - a channel
 * @name: its name
 * @common: the fields that each of its records begins with
 * @event: the classes by id; NULL: there is none
 * @ids: number of elements of @event
 */
struct channel {
	char *name;
	struct fields common;
	struct event **event;
	unsigned int ids;
};

/* --- Parts ---------------------------------------------------------------- */

struct env {
	char *name;
	char *value;
};

/**
 * struct correction - the times of a clock
 * @of: a part with the clock
 * @nr: number of @tick
 * @tick: the times
 */
struct correction {
	const struct part *of;
	size_t nr;
	struct ltttrace_tick tick[];
};

/**
 * struct part - the recording of a kernel, of the programs of a user, or of a state
 * @public: what users see; first
 * @trace: the trace that it belongs to
 * @folders: its directories, one in each piece
 * @base_ns: nanoseconds from the Unix epoch to clock value 0
 * @correction: the times of its clock; NULL: those by @base_ns and the frequency
 * @described: metadata has described the trace and its clock
 * @channel: by number; NULL: there is none
 */
struct part {
	struct ltttrace_part public;
	struct ltttrace *trace;
	struct folder *folders;
	struct env *env;
	size_t nr_env;
	int64_t base_ns;
	const struct correction *correction;
	bool described;
	struct channel *channel[CHANNELS_MAX];
};

/**
 * struct folder - a directory of a part
 * @next: that of the next piece
 * @path: its path
 * @metadata: bytes of its metadata that were read
 */
struct folder {
	struct folder *next;
	char *path;
	off_t metadata;
};

/* --- Files and streams ------------------------------------------------------ */

/* A mapping that a larger one has replaced: records may point into it. */
struct mapping {
	struct mapping *next;
	void *address;
	size_t bytes;
};

/**
 * struct file - a data file
 * @path: its path when it was opened
 * @name: last component of @path, without ".zst"
 * @folder: its directory
 * @compressed: it is a series of frames of zstd, one for each packet
 * @device: with @inode, which file it is
 * @is_deleted: it has no name any more
 * @fd: the file; -1: it was forgotten, and nothing of it is mapped
 * @map: @mapped bytes from its beginning on, of which @size are in the file
 * @old: earlier mappings
 * @scanned: bytes that the index covers
 * @written: bytes up to the last that is not 0, when @size was @written_of
 */
struct file {
	char *path;
	char *name;
	const struct folder *folder;
	bool compressed;
	dev_t device;
	ino_t inode;
	bool is_deleted;
	int fd;
	const unsigned char *map;
	size_t mapped;
	uint64_t size;
	struct mapping *old;
	uint64_t scanned;
	uint64_t written;
	uint64_t written_of;
};

/**
 * struct packet - a packet, or bytes between packets that cannot be read
 * @offset: in the file, of its frame if the file is compressed
 * @stored: bytes in the file
 * @size: bytes of the packet
 * @content: bytes of header and records
 * @begin: clock value
 * @end: clock value, not after @begin of the next one
 * @seq: sequence number
 * @discarded: events that were refused so far
 * @cpu: the CPU
 * @file: index of the file in the stream
 * @damage: NULL, or why it cannot be read; then only @offset, @stored, @file, @begin and @end are valid
 */
struct packet {
	uint64_t offset;
	uint64_t stored;
	uint32_t size;
	uint32_t content;
	uint64_t begin;
	uint64_t end;
	uint64_t seq;
	uint64_t discarded;
	uint32_t cpu;
	uint32_t file;
	const char *damage;
};

/**
 * struct stream - the events of a channel on a CPU
 * @public: what users see; first
 * @part: its part
 * @channel: its channel; NULL: no packet has been read
 * @file: its files in the order of time
 * @packet: its packets in the order of time
 * @whole: index of the last of them that can be read; valid if there is one
 * @cut: bytes of the last file after the last whole packet
 * @cursors: the cursors that read it, protected by &ltttrace.lock
 */
struct stream {
	struct ltttrace_stream public;
	struct part *part;
	uint32_t channel_id;
	struct channel *channel;
	struct file **file;
	unsigned int files;
	struct packet *packet;
	size_t packets;
	size_t room;
	size_t whole;
	uint64_t cut;
	struct cursor *cursors;
};

/**
 * struct ltttrace - open recordings
 * @flags: of ltttrace_open()
 * @generation: 0 while it is opened; then it counts the refreshes that found something
 * @changed: this look has found something
 * @lock: protects the lists of cursors, as threads make them at the same time
 * @headers: decompresses the headers of packets; NULL: there was none yet
 * @correction: of clocks, the latest of a clock last
 */
struct ltttrace {
	unsigned int flags;
	char **path;
	size_t paths;
	struct part **part;
	size_t parts;
	struct stream **stream;
	size_t streams;
	struct event **event;
	size_t events;
	unsigned long generation;
	bool changed;
	pthread_mutex_t lock;
	ZSTD_DStream *headers;
	struct correction **correction;
	size_t corrections;
};

/* --- Errors and memory (open.c) ------------------------------------------- */

/* Fill in the error.  Return: @err. */
int trace_error(struct ltttrace_error *error, int err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Add a pointer to an array.  Return: 0, -ENOMEM. */
int list_add(void *array, size_t *nr, void *pointer);

/* Fill in the error of a failed allocation.  Return: -ENOMEM. */
int no_memory(struct ltttrace_error *error);

/* --- parts.c, files.c --------------------------------------------------------- */

/* Add the new parts and files of a directory that the user named.  Return: 0, or as ltttrace_open(). */
int add_path(struct ltttrace *trace, const char *path, struct ltttrace_error *error);
void part_free(struct part *part);

/* Add the new files of a directory to the streams of its part.  Return: 0, -ENOMEM, -errno of open(2). */
int add_files(struct part *part, const struct folder *folder, struct ltttrace_error *error);
/* Call a function for each entry of a directory, in the order of names, until it fails. */
int for_each_entry(const char *path, int (*fn)(const char *name, void *data, struct ltttrace_error *error), void *data,
		   struct ltttrace_error *error);

/* --- metadata.c ------------------------------------------------------------- */

/**
 * metadata_read() - add the text of a directory's metadata to a part
 * @part: the part; what it has already is left as it is
 * @folder: the directory
 * @error: receives what is wrong
 *
 * Return: 0; -ENOTSUP, -EBADMSG, -ENOMEM, as ltttrace_open(); -errno of reading.
 */
int metadata_read(struct part *part, struct folder *folder, struct ltttrace_error *error);

/* Find the UUID that the metadata of a directory names.  Return: 0; -EAGAIN: it ends before; see metadata_read(). */
int metadata_uuid(const char *path, unsigned char *uuid, struct ltttrace_error *error);
/* Free the channels of a part. */
void metadata_free(struct part *part);
void event_free(struct event *event);

/* --- plan.c ------------------------------------------------------------------- */

/* Find the place of each field of an event.  Return: 0; -ENOMEM; -EMSGSIZE: its fixed fields are too large. */
int plan_make(struct event *event);

/**
 * plan_size() - find the size of a record
 * @event: its class
 * @data: the bytes after its header
 * @room: bytes at @data
 *
 * Return: the bytes of its fields; more than @room if they do not end within @room.
 */
size_t plan_size(const struct event *event, const unsigned char *data, size_t room);

/* Return: the first byte of a field of a record whose size plan_size() has checked. */
const unsigned char *plan_field(const struct event *event, const unsigned char *data, unsigned int field);

uint64_t load_unsigned(const unsigned char *data, unsigned int bytes);

/* --- file.c ----------------------------------------------------------------- */

/* Return: 0, or -errno of open(2) or mmap(2). */
int file_open(struct file **file, const struct folder *folder, const char *name);
/* See whether it has grown.  Return: 0, or -errno. */
int file_grow(struct file *file);
void file_close(struct file *file);
/* Let the system free the disk space of a file that was deleted.  Its packets cannot be read any more. */
void file_forget(struct file *file);

/* Return: 1; 0: the file ends before; -errno of pread(2). */
int file_read(const struct file *file, uint64_t offset, void *to, size_t bytes);

/* A mapping behind the end of its file kills the reader by SIGBUS.  Return: true if the file is as long now. */
bool file_has(const struct file *file, uint64_t end);

/**
 * struct unpacked - where packets of compressed files are decompressed, one after the other
 * @context: zstd's; NULL: there was none yet
 * @bytes: the packet, in memory of @room bytes
 * @room: see @bytes
 */
struct unpacked {
	ZSTD_DCtx *context;
	unsigned char *bytes;
	size_t room;
};

/**
 * file_packet() - get the bytes of a packet
 * @file: the file
 * @packet: one of its packets
 * @unpacked: receives the bytes if the file is compressed
 * @data: receives the bytes
 *
 * Return: 0; -ENOMEM; -EBADMSG: the frame is damaged; -ESTALE: the file has become shorter; -ENOENT: it was forgotten.
 */
int file_packet(const struct file *file, const struct packet *packet, struct unpacked *unpacked,
		const unsigned char **data);

/* --- stream.c ---------------------------------------------------------------- */

/* Add a file, in the order of the first packets.  Return: 0, -ENOMEM. */
int stream_add_file(struct stream *stream, struct file *file);
/* Add to the index what its files have by now.  Return: 0, -ENOMEM; -errno of reading. */
int stream_index(struct stream *stream);
/* Forget the files that were deleted, and that all cursors have read. */
void stream_forget(struct stream *stream);
/* Compute the times of its first and last packet again. */
void stream_span(struct stream *stream);

/* --- time.c -------------------------------------------------------------------- */

/* Return: nanoseconds of a number of counts. */
int64_t clock_ns(uint64_t frequency, uint64_t value);
/* Return: the time of a value of the part's clock. */
int64_t part_ns(const struct part *part, uint64_t clock);
/* Give a new part the correction of its clock, if there is one. */
void part_correct(struct part *part);

/* --- cursor.c ------------------------------------------------------------------ */

/* A loss that comes before a packet. */
#define CURSOR_LOSSES 2

/**
 * struct cursor - a place in a stream
 * @stream: the stream
 * @others: the next of its cursors
 * @next: index of the packet to be entered next
 * @last: index of the last packet that was entered; -1: none, and what came before it is not reported
 * @since: records that ended before it, in ns, are passed over
 * @data: the packet's bytes; NULL: in none
 * @at: place of the next record in @data
 * @clock: the time of the last record
 * @packet_end: the end of the packet, a clock value
 * @cpu: that of the packet
 * @unpacked: the packet, if its file is compressed
 * @record: the last record
 * @cut: the cut end that was reported last, as offset + bytes
 * @loss: records to be reported before the next packet
 */
struct cursor {
	struct stream *stream;
	struct cursor *others;
	size_t next;
	ssize_t last;
	int64_t since;
	const unsigned char *data;
	size_t at;
	size_t end;
	uint64_t clock;
	uint64_t packet_end;
	unsigned int cpu;
	uint64_t data_offset;
	struct unpacked unpacked;
	struct ltttrace_record record;
	struct ltttrace_record loss[CURSOR_LOSSES];
	unsigned int losses;
	unsigned int reported;
	uint64_t cut;
};

void cursor_init(struct cursor *cursor, struct stream *stream);
void cursor_release(struct cursor *cursor);
/* Go to the first record that ltttrace_next() is to return after a seek, which becomes the current one.  Return: as
 * cursor_next(). */
int cursor_seek(struct cursor *cursor, int64_t ns);
/* Take the next record.  Return: 1: &cursor.record is valid; 0: there is none now; -errno. */
int cursor_next(struct cursor *cursor);

#endif /* LIBLTTTRACE_INTERNAL_H */
