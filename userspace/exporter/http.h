/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The exporter's socket, and the HTTP that it speaks, by libmicrohttpd.
 *
 * Layer: ltt-exporter.
 */
#ifndef EXPORTER_HTTP_H
#define EXPORTER_HTTP_H

#include <stdbool.h>

/**
 * struct listening - a socket
 * @fd: its descriptor
 * @path: of a Unix socket; else ""
 * @name: what it listens at, for messages
 */
struct listening {
	int fd;
	char path[108];
	char name[320];
};

/**
 * listen_at() - open a socket
 * @listening: receives it, to be closed by listening_end()
 * @where: "unix:PATH" or "HOST:PORT"
 * @is_public: also at other addresses than those of this machine alone
 *
 * Return: 0, or a status after a message.
 */
int listen_at(struct listening *listening, const char *where, bool is_public);

/* Remove the file of a Unix socket.  The descriptor belongs to http_serve(). */
void listening_end(const struct listening *listening);

/* Answer requests until SIGINT or SIGTERM, which are blocked; closes @fd.  Return: 0, or a status after a message. */
int http_serve(int fd);

#endif /* EXPORTER_HTTP_H */
