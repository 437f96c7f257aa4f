// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The two connections to a relayd.
 *
 * Layer: relay.
 */
#include "connection.h"
#include "socket.h"

#include <endian.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Not 0, whatever it is: readers may follow the session. */
#define LIVE_TIMER_US	1000000

/* A relayd answers at once; one that serves many hosts may take a while. */
#define ANSWER_MS	30000

#define LOOK_MS		1000

uint64_t relay_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ULL + ts.tv_nsec / 1000000;
}

int relay_connection_fault(struct relay_connection *connection, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(connection->why, sizeof(connection->why), fmt, args);
	va_end(args);
	return -1;
}

static int lost(struct relay_connection *connection)
{
	return relay_connection_fault(connection, "the connection to lttng-relayd is lost: %s", strerror(errno));
}

/* ---- Commands ---- */

bool relay_connection_has_room(const struct relay_connection *connection)
{
	return connection->out_size - connection->out_sent < RELAY_WAITING_MAX && connection->nr < RELAY_PIPELINE;
}

static int reserve(struct relay_connection *connection, size_t size)
{
	char *more;

	if (connection->out_sent) {
		connection->out_size -= connection->out_sent;
		memmove(connection->out, connection->out + connection->out_sent, connection->out_size);
		connection->out_sent = 0;
	}
	if (connection->out_size + size <= connection->out_room)
		return 0;
	more = realloc(connection->out, connection->out_size + size);
	if (!more)
		return relay_connection_fault(connection, "out of memory");
	connection->out = more;
	connection->out_room = connection->out_size + size;
	return 0;
}

static void put(struct relay_connection *connection, const void *from, size_t size)
{
	if (size)
		memcpy(connection->out + connection->out_size, from, size);
	connection->out_size += size;
}

int relay_connection_command(struct relay_connection *connection, enum relay_command command, const void *payload,
			     size_t size, const void *text, size_t len, struct relay_expected expected)
{
	const struct relay_header header = { .size = htobe64(size + len), .command = htobe32(command) };

	if (reserve(connection, sizeof(header) + size + len))
		return -1;
	put(connection, &header, sizeof(header));
	put(connection, payload, size);
	put(connection, text, len);
	if (expected.size)
		connection->expected[(connection->first + connection->nr++) % RELAY_PIPELINE] = expected;
	return 0;
}

static int send_commands(struct relay_connection *connection)
{
	ssize_t sent;

	while (connection->out_sent < connection->out_size) {
		sent = send(connection->control, connection->out + connection->out_sent,
			    connection->out_size - connection->out_sent, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return errno == EAGAIN ? 0 : lost(connection);
		connection->out_sent += sent;
	}
	return 0;
}

/* ---- Replies ---- */

static int take_reply(struct relay_connection *connection)
{
	const struct relay_expected expected = connection->expected[connection->first];

	connection->first = (connection->first + 1) % RELAY_PIPELINE;
	connection->nr--;
	connection->got = 0;
	return expected.fn(connection, expected.arg, connection->reply);
}

static int receive(struct relay_connection *connection)
{
	const int at_once = 1;
	ssize_t got;
	size_t want;

	/* The relayd holds back a short reply until earlier ones are acknowledged. */
	setsockopt(connection->control, IPPROTO_TCP, TCP_QUICKACK, &at_once, sizeof(at_once));
	for (;;) {
		/* Without a command that waits for one, any byte is wrong. */
		want = connection->nr ? connection->expected[connection->first].size : 1;
		got = recv(connection->control, connection->reply + connection->got, want - connection->got, 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno == EAGAIN ? 0 : lost(connection);
		if (!got)
			return relay_connection_fault(connection, "lttng-relayd closed the connection: see its messages");
		if (!connection->nr)
			return relay_connection_fault(connection, "lttng-relayd replied to no command: is this the control port?");
		connection->got += got;
		if (connection->got == want && take_reply(connection))
			return -1;
	}
}

/* ---- Packets ---- */

void relay_connection_send(struct relay_connection *connection, uint64_t stream, uint64_t sequence, int fd, off_t at,
			   uint64_t size)
{
	connection->packet = (struct relay_data_header){ .stream = htobe64(stream), .sequence = htobe64(sequence),
							 .size = htobe32(size) };
	connection->packet_sent = 0;
	connection->packet_file = fd;
	connection->packet_at = at;
	connection->packet_left = size;
}

/* Return: bytes sent; 0: the socket is full; -1 with the reason set. */
static ssize_t send_header(struct relay_connection *connection)
{
	const char *header = (const char *)&connection->packet;
	ssize_t sent;

	do
		sent = send(connection->data, header + connection->packet_sent,
			    sizeof(connection->packet) - connection->packet_sent, MSG_NOSIGNAL | MSG_MORE);
	while (sent < 0 && errno == EINTR);
	if (sent < 0)
		return errno == EAGAIN ? 0 : lost(connection);
	connection->packet_sent += sent;
	return sent;
}

/* The pages of the file go to the socket without a copy.  Return: as above. */
static ssize_t send_content(struct relay_connection *connection)
{
	ssize_t sent;

	do
		sent = sendfile(connection->data, connection->packet_file, &connection->packet_at, connection->packet_left);
	while (sent < 0 && errno == EINTR);
	if (sent < 0)
		return errno == EAGAIN ? 0 : lost(connection);
	if (!sent)
		return relay_connection_fault(connection, "a file of the recording has become shorter while it was sent");
	connection->packet_left -= sent;
	return sent;
}

static int send_packet(struct relay_connection *connection)
{
	ssize_t sent = 1;

	while (sent > 0 && connection->packet_left)
		sent = connection->packet_sent < sizeof(connection->packet) ? send_header(connection) : send_content(connection);
	return sent < 0 ? -1 : 0;
}

/* ---- Both ---- */

/* Return: false and sets the reason if the peer is dead. */
static bool is_alive(struct relay_connection *connection)
{
	const uint64_t now = relay_now_ms();

	if (now - connection->looked_ms < LOOK_MS)
		return true;
	connection->looked_ms = now;
	if (!relay_socket_is_silent(connection->control) || !relay_socket_is_silent(connection->data))
		return true;
	relay_connection_fault(connection, "the collector has acknowledged nothing for %d seconds", RELAY_SILENT_SECONDS);
	return false;
}

int relay_connection_pump(struct relay_connection *connection, int ms)
{
	const bool commands = connection->out_sent < connection->out_size;
	struct pollfd pollfds[] = {
		{ .fd = connection->control, .events = POLLIN | (commands ? POLLOUT : 0) },
		{ .fd = connection->data, .events = POLLRDHUP | (connection->packet_left ? POLLOUT : 0) },
	};

	if (poll(pollfds, 2, ms) < 0)
		return errno == EINTR ? 0 : relay_connection_fault(connection, "poll: %s", strerror(errno));
	if (pollfds[0].revents & (POLLIN | POLLERR | POLLHUP) && receive(connection))
		return -1;
	if (pollfds[0].revents & POLLOUT && send_commands(connection))
		return -1;
	if (pollfds[1].revents & POLLOUT && send_packet(connection))
		return -1;
	if (pollfds[1].revents & (POLLERR | POLLHUP | POLLRDHUP)) {
		errno = relay_socket_error(connection->data);
		return errno ? lost(connection) :
			relay_connection_fault(connection, "lttng-relayd closed the data connection: see its messages");
	}
	return is_alive(connection) ? 0 : -1;
}

/* ---- Open and close ---- */

static int take_version(struct relay_connection *connection, void *arg, const void *reply)
{
	const struct relay_version *version = reply;

	(void)arg;
	if (be32toh(version->major) == RELAY_MAJOR && be32toh(version->minor) >= RELAY_MINOR)
		return 0;
	return relay_connection_fault(connection,
				      "the collector speaks version %u.%u of the protocol, not %u.%u or later: is it an lttng-relayd?",
				      be32toh(version->major), be32toh(version->minor), RELAY_MAJOR, RELAY_MINOR);
}

static int take_session(struct relay_connection *connection, void *arg, const void *reply)
{
	const struct relay_handle *session = reply;

	(void)arg;
	if (be32toh(session->status) == RELAY_OK)
		return 0;
	return relay_connection_fault(connection, "lttng-relayd cannot create a session (error %u): see its messages",
				      be32toh(session->status));
}

static int create_session(struct relay_connection *connection, const char *name, const char *hostname)
{
	const struct relay_version version = { htobe32(RELAY_MAJOR), htobe32(RELAY_MINOR) };
	struct relay_create_session session = { .live_timer = htobe32(LIVE_TIMER_US) };
	const uint64_t until = relay_now_ms() + ANSWER_MS;

	snprintf(session.name, sizeof(session.name), "%s", name);
	snprintf(session.hostname, sizeof(session.hostname), "%s", hostname);
	if (relay_connection_command(connection, RELAY_VERSION, &version, sizeof(version), NULL, 0,
				     (struct relay_expected){ sizeof(struct relay_version), take_version, NULL }) ||
	    relay_connection_command(connection, RELAY_CREATE_SESSION, &session, sizeof(session), NULL, 0,
				     (struct relay_expected){ sizeof(struct relay_handle), take_session, NULL }))
		return -1;
	while (connection->nr) {
		if (relay_now_ms() > until)
			return relay_connection_fault(connection, "the collector does not answer: is it an lttng-relayd?");
		if (relay_connection_pump(connection, LOOK_MS))
			return -1;
	}
	return 0;
}

int relay_connection_open(struct relay_connection *connection, const struct relay_address *address, const char *name,
			  const char *hostname)
{
	*connection = (struct relay_connection){ .control = -1, .data = -1 };
	connection->control = relay_socket_open(address->host, address->control, address->ipv6, connection->why,
						sizeof(connection->why));
	if (connection->control < 0)
		return -1;
	connection->data = relay_socket_open(address->host, address->data, address->ipv6, connection->why,
					     sizeof(connection->why));
	return connection->data < 0 ? -1 : create_session(connection, name, hostname);
}

void relay_connection_close(struct relay_connection *connection, bool abandon)
{
	if (abandon) {
		relay_socket_abandon(connection->control);
		relay_socket_abandon(connection->data);
	} else {
		close(connection->control);
		close(connection->data);
	}
	free(connection->out);
	connection->out = NULL;
	connection->control = connection->data = -1;
}
