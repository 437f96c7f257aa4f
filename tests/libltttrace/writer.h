/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Recordings for the tests of libltttrace: metadata by core/ctf.c, packets by hand, and what the library
 * reads as one line of text.
 */
#ifndef LTT_TESTS_LIBLTTTRACE_WRITER_H
#define LTT_TESTS_LIBLTTTRACE_WRITER_H

#include "core/ctf.h"
#include "core/header.h"
#include "ltt/ltttrace.h"

#include <stdbool.h>

#define PAGE		4096
#define PACKET_ROOM	(64 * PAGE)
#define BASE_NS		(INT64_C(1000) * 1000000000)	/* clock value 0 */
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* The channels that each part has. */
enum { EVENTS, STATE };

/* The events of channel EVENTS that each part has, all without fields but "text", which has one string. */
enum { EVENT_A = 1, EVENT_B = 2, EVENT_TEXT = 3, EVENT_MEDIUM = 500 };

/**
 * struct part_out - a part that is being written
 * @dir: its directory
 * @uuid: its UUID, as text the same 16 bytes
 * @ctf: where events are described
 */
struct part_out {
	char dir[512];
	u8 uuid[16];
	struct ltt_ctf ctf;
};

/**
 * struct packet_out - a packet that is being written
 * @header: may be changed before packet_append()
 * @at: bytes of header and records
 * @clock: the time of the last record
 */
struct packet_out {
	struct ltt_ctf_packet header;
	u8 bytes[PACKET_ROOM];
	size_t at;
	u64 clock;
};

/* A new empty folder, whose path begin_folder() returns, and its removal. */
const char *begin_folder(void);
void end_folder(void);
/* Return: "FOLDER/...", valid until 16 more were made. */
const char *at(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Remove a file or a directory with all that it contains. */
void remove_all(const char *path);
void shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Make a directory of the folder, and the metadata with the channels and events above.  @uuid: fills its UUID. */
void part_begin(struct part_out *part, const char *name, u8 uuid);
/* Likewise, with a clock of @freq counts a second, and without channels and events. */
void part_begin_bare(struct part_out *part, const char *name, u8 uuid, u64 freq);

void packet_begin(struct packet_out *packet, const struct part_out *part, u64 begin, u64 seq);
/* With the shortest header that the time permits.  Its context is a tid of 4 bytes. */
void packet_record(struct packet_out *packet, u32 id, u64 clock, const void *payload, size_t len);
/* Bytes as they are. */
void packet_bytes(struct packet_out *packet, const void *bytes, size_t len);
/* Round it up to pages, and return its bytes, which are in packet->bytes. */
size_t packet_end(struct packet_out *packet, u64 end);
/* packet_end(), and append it to a file of the part. */
void packet_append(struct packet_out *packet, const struct part_out *part, const char *name, u64 end);
/* A packet from @begin to @begin + 9 with event a at @begin + 1 and b at @begin + 2. */
void put_packet(const struct part_out *part, const char *name, u64 begin, u64 seq);

void append(const char *path, const void *bytes, size_t len);
/* Replace bytes of a file. */
void overwrite(const char *path, size_t offset, const void *bytes, size_t len);
/* Write "PATH.zst", one frame for each packet, and remove PATH. */
void compress(const char *path);

/* Open the paths up to NULL; a failure is one of the test. */
struct ltttrace *open_trace(unsigned int flags, const char *path, ...);
/* As open_trace(), and return what ltttrace_open() does.  The text of the error is in open_error.text. */
int try_open(const char *path);
extern struct ltttrace_error open_error;

/**
 * take_text() - take all records of a cursor that there are now
 * @cursor: the cursor
 *
 * Return: for each record " NAME@TIME", " lost-COUNT@FROM-UNTIL", " packets-COUNT@FROM-UNTIL",
 *	" damage-BYTES@FROM-UNTIL" or " cut-BYTES@TIME", the times in ns after BASE_NS.  Valid until the next call.
 */
const char *take_text(struct ltttrace_cursor *cursor);
/* Likewise of all streams of a trace, from @from ns after BASE_NS on. */
const char *merged_text(struct ltttrace *trace, int64_t from);
/* Likewise of a path alone. */
const char *text_of(const char *path);

#define ALL INT64_MIN

/* CU_ASSERT_STRING_EQUAL() that prints both. */
void same_text(const char *file, unsigned int line, const char *want, const char *got);
#define SAME(want, got) same_text(__FILE__, __LINE__, (want), (got))

#endif /* LTT_TESTS_LIBLTTTRACE_WRITER_H */
