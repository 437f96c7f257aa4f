/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A TCP connection to a collector.
 *
 * Layer: relay.  A peer that acknowledges what it gets is alive, however slow it is.
 */
#ifndef LTT_RELAY_SOCKET_H
#define LTT_RELAY_SOCKET_H

#include <stdbool.h>
#include <stddef.h>

/* A peer that acknowledges nothing for so long, on no connection, is dead. */
#define RELAY_SILENT_SECONDS	15

/**
 * relay_socket_open() - connect to a port
 * @host: name or address of the machine; each of its addresses is tried
 * @port: the port
 * @ipv6: use IPv6 only
 * @why: receives the reason of a failure, a sentence
 * @size: size of @why
 *
 * Return: a socket that does not block; -1.
 */
int relay_socket_open(const char *host, const char *port, bool ipv6, char *why, size_t size);

/**
 * relay_socket_is_silent() - find out if the peer has stopped acknowledging
 * @fd: the socket
 *
 * A peer that takes no data, because it is stopped or busy, is not silent: its kernel answers.
 */
bool relay_socket_is_silent(int fd);

/** relay_socket_error() - return the error of the connection, an errno, or 0 */
int relay_socket_error(int fd);

/** relay_socket_abandon() - close @fd at once, and drop what has not been sent; -1 is permitted */
void relay_socket_abandon(int fd);

#endif /* LTT_RELAY_SOCKET_H */
