/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Send a recording to a collector, an lttng-relayd, while it is written or afterwards.
 *
 * Layer: relay.  Guarantees, whatever happens to the connection and to the relayd:
 *   S1: the relayd acknowledges a piece as a whole: when its files have all packets.  A piece that is not
 *       acknowledged stays in the directory, unless the quota of the recording removes it.
 *   S2: after a lost connection all pieces that were not acknowledged are sent again from their
 *       beginning, to the same files, which the relayd empties first.  So no packet is lost or doubled.
 *   S3: the recording never waits for the sender.
 *   S4: pieces that the quota removed before they were sent are reported.
 */
#ifndef LTT_RELAY_SENDER_H
#define LTT_RELAY_SENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "address.h"

/**
 * struct relay_options - what to send, and where
 * @dir: the directory of the recording
 * @address: the collector, with the name of the session
 * @first: the number of the first piece to send
 * @remove: remove pieces when they are acknowledged, and @dir at the end
 * @until: the recording goes on until this descriptor hangs up; -1: until no lttd writes a piece of it
 * @timeout_ms: give up when there has been no connection for so long, and the recording has ended; 0: never
 * @notice: called with a sentence that the user should know
 */
struct relay_options {
	const char *dir;
	struct relay_address address;
	unsigned int first;
	bool remove;
	int until;
	uint64_t timeout_ms;
	void (*notice)(const char *sentence);
};

/**
 * struct relay_result - what has been sent
 * @pieces: parts of the recording that were acknowledged
 * @packets: packets that were sent, also those that were sent again
 * @bytes: their bytes
 * @connections: how often it was connected
 * @dropped: pieces that the quota removed before they were acknowledged
 * @dropped_bytes: bytes of these that had not been sent
 */
struct relay_result {
	uint64_t pieces;
	uint64_t packets;
	uint64_t bytes;
	uint64_t connections;
	uint64_t dropped;
	uint64_t dropped_bytes;
};

/**
 * relay_send() - send a recording, until it has ended and the collector has all of it
 * @options: what to send
 * @result: receives what has been sent
 *
 * Context: ignores SIGPIPE from here on.
 *
 * Return: 0; -1 if it gave up, with the reason passed to &relay_options.notice.  Dropped pieces are not a
 * failure.
 */
int relay_send(const struct relay_options *options, struct relay_result *result);

#endif /* LTT_RELAY_SENDER_H */
