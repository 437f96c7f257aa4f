/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Send pieces on a connection.
 *
 * Layer: relay.  The layout at the collector is that of the recording: a trace is in
 * HOSTNAME/SESSION/PIECE/TRACE.  A packet is sent after the metadata that describes it, and its index
 * after that, which makes it visible to readers.
 */
#ifndef LTT_RELAY_SESSION_H
#define LTT_RELAY_SESSION_H

#include "connection.h"
#include "piece.h"

/**
 * struct relay_session - the pieces that are sent on a connection
 * @connection: the connection
 * @path: HOSTNAME/SESSION
 * @sending: the stream of the packet that is being sent; NULL: none
 * @horizon: a time before which all packets have been found; 0: not known
 * @horizon_ms: when that has changed last, see relay_now_ms()
 * @packets: packets that have been sent, on this and earlier connections
 * @bytes: their bytes
 */
struct relay_session {
	struct relay_connection connection;
	char path[64 + RELAY_NAME_SIZE];
	struct relay_stream *sending;
	uint64_t horizon;
	uint64_t horizon_ms;
	uint64_t packets;
	uint64_t bytes;
};

/**
 * session_work() - send commands of a piece, as many as there is room for
 * @session: the session
 * @piece: a piece that has been looked at; becomes RELAY_DONE when the relayd has all of it
 *
 * Return: 0; -1 with &relay_connection.why set.
 */
int session_work(struct relay_session *session, struct relay_piece *piece);

/**
 * session_send_packet() - begin to send the oldest packet of some pieces
 * @session: the session, which sends no packet
 * @pieces: the pieces
 *
 * A reader that follows shows what it has, in the order of time.  So a packet waits for the beacon after its end, as another
 * stream may come whose records are earlier, but two seconds at most.  None waits when no beacon has come for two seconds.
 *
 * Return: 1; 0: there is no packet that can be sent now; -1 with &relay_connection.why set.
 */
int session_send_packet(struct relay_session *session, struct relay_piece *pieces);

/** session_finish_packet() - send the index of the packet that has been sent.  Return: 0; -1 with the reason set */
int session_finish_packet(struct relay_session *session);

#endif /* LTT_RELAY_SESSION_H */
