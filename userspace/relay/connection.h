/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The two connections to a relayd: commands and their replies on one, packets on the other.
 *
 * Layer: relay.  Replies come in the order of the commands, so commands are sent without waiting
 * for them.  The relayd serves all connections by one thread, which waits when a client does not
 * take its replies: relay_connection_pump() always takes them.
 */
#ifndef LTT_RELAY_CONNECTION_H
#define LTT_RELAY_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "address.h"
#include "protocol.h"

/* Commands whose reply has not come yet, at most. */
#define RELAY_PIPELINE		1024

/* Begin no command when so many bytes of earlier ones wait. */
#define RELAY_WAITING_MAX	(256 * 1024)

#define RELAY_REPLY_MAX		sizeof(struct relay_handle)

#define RELAY_WHY_SIZE		512

struct relay_connection;

/**
 * typedef relay_reply_fn - called with the reply to a command
 * @connection: the connection
 * @arg: of relay_connection_command()
 * @reply: the reply, in the byte order of the network
 *
 * Return: 0; -1 ends the connection, with the reason in &relay_connection.why.
 */
typedef int relay_reply_fn(struct relay_connection *connection, void *arg, const void *reply);

/** struct relay_expected - a reply that has not come yet, of @size bytes, for @fn */
struct relay_expected {
	size_t size;
	relay_reply_fn *fn;
	void *arg;
};

/**
 * struct relay_connection - a session of a relayd
 * @control: the socket of commands; -1: not connected
 * @data: the socket of packets
 * @why: why a function has returned -1: a sentence
 * @out: commands to send
 * @out_size: bytes in @out
 * @out_sent: how many of them have been sent
 * @out_room: allocated bytes of @out
 * @expected: a ring of replies to come
 * @first: the next one
 * @nr: how many there are
 * @reply: the first bytes of the next reply
 * @got: how many
 * @packet: the header of the packet that is being sent
 * @packet_sent: how many bytes of @packet have been sent
 * @packet_file: the file with the packet
 * @packet_at: where its next byte is
 * @packet_left: bytes to send; 0: no packet is being sent
 * @looked_ms: when a dead peer was looked for
 */
struct relay_connection {
	int control;
	int data;
	char why[RELAY_WHY_SIZE];
	char *out;
	size_t out_size;
	size_t out_sent;
	size_t out_room;
	struct relay_expected expected[RELAY_PIPELINE];
	unsigned int first;
	unsigned int nr;
	unsigned char reply[RELAY_REPLY_MAX];
	size_t got;
	struct relay_data_header packet;
	size_t packet_sent;
	int packet_file;
	off_t packet_at;
	uint64_t packet_left;
	uint64_t looked_ms;
};

/** relay_now_ms() - return milliseconds of the monotonic clock */
uint64_t relay_now_ms(void);

/**
 * relay_connection_open() - connect, and create a session
 * @connection: receives the connection; relay_connection_close() also after a failure
 * @address: the collector
 * @name: the session
 * @hostname: this machine
 *
 * Return: 0; -1 with &relay_connection.why set.
 */
int relay_connection_open(struct relay_connection *connection, const struct relay_address *address, const char *name,
			  const char *hostname);

/** relay_connection_has_room() - return true if further commands can be sent */
bool relay_connection_has_room(const struct relay_connection *connection);

/**
 * relay_connection_command() - send a command, as soon as possible
 * @connection: the connection, which has room
 * @command: the command
 * @payload: its payload
 * @size: bytes of @payload
 * @text: bytes behind the payload, or NULL
 * @len: bytes of @text
 * @expected: the reply to come; its size is 0 if the command has none
 *
 * Return: 0; -1 if memory is short, with &relay_connection.why set.
 */
int relay_connection_command(struct relay_connection *connection, enum relay_command command, const void *payload,
			     size_t size, const void *text, size_t len, struct relay_expected expected);

/** relay_connection_is_sending() - return true while a packet is being sent */
static inline bool relay_connection_is_sending(const struct relay_connection *connection)
{
	return connection->packet_left;
}

/**
 * relay_connection_send() - send a packet
 * @connection: the connection, which sends none
 * @stream: the handle of the stream
 * @sequence: the number of the packet in the stream
 * @fd: the file with the packet, open until relay_connection_is_sending() returns false
 * @at: where the packet begins
 * @size: its bytes, at most UINT32_MAX
 */
void relay_connection_send(struct relay_connection *connection, uint64_t stream, uint64_t sequence, int fd, off_t at,
			   uint64_t size);

/**
 * relay_connection_pump() - send and receive what can be sent and received without waiting
 * @connection: the connection
 * @ms: how long to wait for something to do
 *
 * Return: 0; -1 if the connection is lost, or the peer is dead, with &relay_connection.why set.
 */
int relay_connection_pump(struct relay_connection *connection, int ms);

/** relay_connection_fault() - set &relay_connection.why.  Return: -1 */
__attribute__((format(printf, 2, 3)))
int relay_connection_fault(struct relay_connection *connection, const char *fmt, ...);

/** relay_connection_close() - close both sockets: at once, and drop what waits, if @abandon */
void relay_connection_close(struct relay_connection *connection, bool abandon);

#endif /* LTT_RELAY_CONNECTION_H */
