/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The protocol of lttng-relayd, version 2.10, from which later relayds do not differ for a client
 * that announces it.  All numbers are big-endian, and nothing is aligned.
 *
 * Layer: relay.  Source: lttng-tools 2.13.9, src/common/sessiond-comm/relayd.h.
 */
#ifndef LTT_RELAY_PROTOCOL_H
#define LTT_RELAY_PROTOCOL_H

#include <stdint.h>

#define RELAY_MAJOR	2
#define RELAY_MINOR	10

#define RELAY_OK	10	/* LTTNG_OK */

enum relay_command {
	RELAY_ADD_STREAM = 1,
	RELAY_CREATE_SESSION = 2,
	RELAY_VERSION = 5,
	RELAY_SEND_METADATA = 6,
	RELAY_CLOSE_STREAM = 7,
	RELAY_DATA_PENDING = 8,
	RELAY_SEND_INDEX = 13,
	RELAY_STREAMS_SENT = 16,
};

/* The beginning of each command. */
struct relay_header {
	uint64_t circuit_id;
	uint64_t size;
	uint32_t command;
	uint32_t version;
} __attribute__((packed));

/* The beginning of each packet on the data connection. */
struct relay_data_header {
	uint64_t circuit_id;
	uint64_t stream;
	uint64_t sequence;
	uint32_t size;
	uint32_t padding;
} __attribute__((packed));

/* Also its reply. */
struct relay_version {
	uint32_t major;
	uint32_t minor;
} __attribute__((packed));

struct relay_create_session {
	char name[255];
	char hostname[64];
	uint32_t live_timer;	/* microseconds; not 0: readers may follow */
	uint32_t snapshot;
} __attribute__((packed));

struct relay_add_stream {
	char name[264];
	char path[4096];
	uint64_t file_size;
	uint64_t file_count;
} __attribute__((packed));

/* The reply to RELAY_CREATE_SESSION and RELAY_ADD_STREAM. */
struct relay_handle {
	uint64_t handle;
	uint32_t status;
} __attribute__((packed));

/* The longest path of a stream that relayds accept, with the NUL. */
#define RELAY_PATH_SIZE	255

/* The text follows. */
struct relay_metadata {
	uint64_t stream;
	uint32_t padding;
} __attribute__((packed));

/* Of RELAY_CLOSE_STREAM and RELAY_DATA_PENDING. */
struct relay_position {
	uint64_t stream;
	uint64_t last_sequence;
} __attribute__((packed));

/* The packet_size of a beacon is 0: no later packet begins before timestamp_end. */
struct relay_index {
	uint64_t stream;
	uint64_t sequence;
	uint64_t packet_size;
	uint64_t content_size;
	uint64_t timestamp_begin;
	uint64_t timestamp_end;
	uint64_t events_discarded;
	uint64_t stream_class;
	uint64_t stream_instance;
	uint64_t packet_sequence;
} __attribute__((packed));

/* The reply to all other commands; that to RELAY_DATA_PENDING is 0 if nothing is pending. */
struct relay_status {
	uint32_t status;
} __attribute__((packed));

#endif /* LTT_RELAY_PROTOCOL_H */
