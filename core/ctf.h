/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The Common Trace Format: packet header and metadata (TSDL) writer.
 *
 * Layer: core.  Source: CTF specification 1.8.3, sections 5 (packets), 6 (event
 * header) and 7 (TSDL).  Everything is aligned to 8 bits and in native byte
 * order.
 */
#ifndef LTT_CORE_CTF_H
#define LTT_CORE_CTF_H

#include "field.h"
#include "types.h"

#define LTT_CTF_MAGIC	0xC1FC1FC1U

/**
 * struct ltt_ctf_packet - the header of a packet, on disk
 *
 * Packet header and packet context; the metadata that ltt_ctf_put_trace() and
 * ltt_ctf_put_stream() write says the same.
 *
 * @magic: LTT_CTF_MAGIC
 * @uuid: of the trace
 * @stream_id: number of the channel
 * @timestamp_begin: clock value
 * @timestamp_end: clock value
 * @content_size: bits up to the end of the last record
 * @packet_size: bits, a whole number of pages
 * @packet_seq_num: from 0; a gap is packets that were overwritten
 * @events_discarded: number of events refused on this channel and CPU so far
 * @cpu_id: the CPU that wrote the packet
 */
struct ltt_ctf_packet {
	u32 magic;
	u8 uuid[16];
	u32 stream_id;
	u64 timestamp_begin;
	u64 timestamp_end;
	u64 content_size;
	u64 packet_size;
	u64 packet_seq_num;
	u64 events_discarded;
	u32 cpu_id;
} __attribute__((packed));

/**
 * struct ltt_ctf - a receiver of metadata text
 * @write: takes @len bytes.  Returns 0, or a negative error, after which it is not called
 *	again
 * @priv: passed to @write
 * @err: the first error of @write; 0 at first
 */
struct ltt_ctf {
	int (*write)(void *priv, const char *text, size_t len);
	void *priv;
	int err;
};

/**
 * struct ltt_ctf_trace - the properties of a trace that its metadata contains
 * @uuid: of the trace, 16 bytes
 * @clock_name: a C identifier
 * @clock_description: no quotes or backslashes
 * @clock_uuid: 16 bytes
 * @freq: counts per second
 * @offset_s: clock value 0: whole seconds after the Unix epoch
 * @offset: clock value 0: the rest in counts, 0 to freq - 1
 * @env: pairs of name and value, nr_env of them; quotes and backslashes in values
 *	are escaped; a value that is a decimal number is written as one
 * @nr_env: number of pairs
 */
struct ltt_ctf_trace {
	const u8 *uuid;
	const char *clock_name;
	const char *clock_description;
	const u8 *clock_uuid;
	u64 freq;
	u64 offset_s;
	u64 offset;
	const char *const (*env)[2];
	unsigned int nr_env;
};

/**
 * ltt_ctf_put_trace() - write the block that metadata begins with
 * @ctf: receives the text; after an error in @ctf this does nothing
 * @trace: the properties to write
 *
 * Context: that of &ltt_ctf.write.
 */
void ltt_ctf_put_trace(struct ltt_ctf *ctf, const struct ltt_ctf_trace *trace);

/**
 * ltt_ctf_put_stream() - write the block of one channel
 * @ctf: receives the text
 * @id: number of the channel
 * @name: of the channel, for people
 * @context: the fields that each record has before its payload
 * @nr_context: number of elements in @context
 *
 * Context: that of &ltt_ctf.write.
 */
void ltt_ctf_put_stream(struct ltt_ctf *ctf, u32 id, const char *name,
			const struct ltt_field *context, unsigned int nr_context);

/**
 * ltt_ctf_put_event() - write the block of one event
 * @ctf: receives the text
 * @stream: number of the channel
 * @id: of the event in its channel
 * @group: NULL for an event known by its name alone
 * @name: with @group, the event is named "group:name"
 * @fields: the fields of the payload
 * @nr_fields: number of elements in @fields; may be 0
 *
 * Context: that of &ltt_ctf.write.
 */
void ltt_ctf_put_event(struct ltt_ctf *ctf, u32 stream, u32 id, const char *group,
		       const char *name, const struct ltt_field *fields,
		       unsigned int nr_fields);

/**
 * ltt_ctf_put_event_with() - write the block of one event that has contexts of its own
 * @ctf: receives the text
 * @stream: see ltt_ctf_put_event()
 * @id: see ltt_ctf_put_event()
 * @group: see ltt_ctf_put_event()
 * @name: see ltt_ctf_put_event()
 * @context: the fields that its records have between those of the channel and the payload
 * @nr_context: number of elements in @context; may be 0
 * @fields: see ltt_ctf_put_event()
 * @nr_fields: see ltt_ctf_put_event()
 *
 * Context: that of &ltt_ctf.write.
 */
void ltt_ctf_put_event_with(struct ltt_ctf *ctf, u32 stream, u32 id, const char *group,
			    const char *name, const struct ltt_field *context,
			    unsigned int nr_context, const struct ltt_field *fields,
			    unsigned int nr_fields);

#endif /* LTT_CORE_CTF_H */
