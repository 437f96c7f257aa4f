// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The socket of the exporter.
 *
 * Layer: ltt-exporter.
 */
#include "http.h"
#include "common/options.h"
#include "lttctl/command.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define UNIX "unix:"
#define BACKLOG 16

/* ---- Unix ---- */

/* Remove the socket of an exporter that was killed.  Return: false if one listens there, or it is not a socket. */
static bool remove_stale(const struct sockaddr_un *address)
{
	struct stat stat;
	bool stale;
	int fd;

	if (lstat(address->sun_path, &stat))
		return true;
	if (!S_ISSOCK(stat.st_mode))
		return false;
	/* One that listens may not accept: that is EAGAIN, and not a wait. */
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return false;
	stale = connect(fd, (const struct sockaddr *)address, sizeof(*address)) && errno == ECONNREFUSED;
	close(fd);
	return stale && !unlink(address->sun_path);
}

static int listen_at_path(struct listening *listening, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	mode_t mask;
	int failed;

	if (!*path || strlen(path) >= sizeof(address.sun_path))
		return misused("--listen " UNIX "%s: the path must have 1 to %zu characters", path, sizeof(address.sun_path) - 1);
	strcpy(address.sun_path, path);
	if (!remove_stale(&address))
		return complain("cannot listen at %s: it exists, and is not the socket of an exporter that has ended", path);
	listening->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	mask = umask(0117);	/* only its user and group may connect */
	failed = listening->fd < 0 || bind(listening->fd, (struct sockaddr *)&address, sizeof(address)) ||
		 listen(listening->fd, BACKLOG);
	umask(mask);
	if (failed)
		return complain("cannot listen at %s: %s", path, strerror(errno));
	strcpy(listening->path, path);
	snprintf(listening->name, sizeof(listening->name), UNIX "%s", path);
	return 0;
}

/* ---- TCP ---- */

static bool is_loopback(const struct addrinfo *found)
{
	if (found->ai_family == AF_INET)
		return ntohl(((const struct sockaddr_in *)found->ai_addr)->sin_addr.s_addr) >> 24 == 127;
	return found->ai_family == AF_INET6 &&
	       IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)found->ai_addr)->sin6_addr);
}

/* The port may have been 0, any. */
static void set_name(struct listening *listening)
{
	char host[256] = "?", port[16] = "?";
	struct sockaddr_storage address;
	socklen_t size = sizeof(address);

	if (!getsockname(listening->fd, (struct sockaddr *)&address, &size))
		getnameinfo((struct sockaddr *)&address, size, host, sizeof(host), port, sizeof(port),
			    NI_NUMERICHOST | NI_NUMERICSERV);
	snprintf(listening->name, sizeof(listening->name), strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
}

static int listen_at_address(struct listening *listening, const char *where, const struct addrinfo *found)
{
	const int on = 1;

	listening->fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (listening->fd < 0 || setsockopt(listening->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    bind(listening->fd, found->ai_addr, found->ai_addrlen) || listen(listening->fd, BACKLOG))
		return complain("cannot listen at %s: %s", where, strerror(errno));
	set_name(listening);
	return 0;
}

/* Cut HOST:PORT or [HOST]:PORT.  Return: the port, or NULL. */
static char *cut(char *where, char **host)
{
	char *colon = strrchr(where, ':'), *end;

	if (!colon || colon == where || !colon[1])
		return NULL;
	*colon = '\0';
	*host = where;
	if (*where != '[')
		return strchr(where, ':') ? NULL : colon + 1;
	end = colon - 1;
	if (*end != ']')
		return NULL;
	*end = '\0';
	*host = where + 1;
	return colon + 1;
}

static int listen_at_host(struct listening *listening, const char *where, bool is_public)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
	char *copy = strdup(where), *host, *port = copy ? cut(copy, &host) : NULL;
	struct addrinfo *found = NULL;
	int number, err, status;

	/* getaddrinfo() takes 70000 for 4464. */
	if (!port || !options_number(port, 0, UINT16_MAX, &number)) {
		free(copy);
		return misused("--listen %s: must be HOST:PORT or [HOST]:PORT with a port up to %d, or " UNIX "PATH", where,
			       UINT16_MAX);
	}
	err = getaddrinfo(host, port, &hints, &found);
	/* A name server may answer later. */
	if (err)
		status = complain("cannot listen at %s: %s", where, gai_strerror(err));
	else if (!is_public && !is_loopback(found))
		status = misused("--listen %s: other machines reach this address, and no password is asked for: add --public if they may",
				 where);
	else
		status = listen_at_address(listening, where, found);
	if (!err)
		freeaddrinfo(found);
	free(copy);
	return status;
}

int listen_at(struct listening *listening, const char *where, bool is_public)
{
	*listening = (struct listening){ .fd = -1 };
	if (!strncmp(where, UNIX, strlen(UNIX)))
		return listen_at_path(listening, where + strlen(UNIX));
	return listen_at_host(listening, where, is_public);
}

void listening_end(const struct listening *listening)
{
	if (*listening->path)
		unlink(listening->path);
}
