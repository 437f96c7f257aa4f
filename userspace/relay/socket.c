// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A TCP connection to a collector.
 *
 * Layer: relay.
 */
#include "socket.h"

#include <errno.h>
#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECT_MS	30000

/* While nothing is sent, the kernel asks the peer this often for an acknowledgment.  It would give up after so many
 * without one: much later than relay_socket_is_silent(), as they may wait behind data on a slow network. */
#define KEEPALIVE_SECONDS	5
#define KEEPALIVE_PROBES	24

/* A peer without room is asked by probes, at intervals that the kernel doubles: so many without an answer. */
#define SILENT_PROBES	6

static void set(int fd, int level, int option, int value)
{
	setsockopt(fd, level, option, &value, sizeof(value));
}

static void set_options(int fd)
{
	set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	set(fd, IPPROTO_TCP, TCP_KEEPIDLE, KEEPALIVE_SECONDS);
	set(fd, IPPROTO_TCP, TCP_KEEPINTVL, KEEPALIVE_SECONDS);
	set(fd, IPPROTO_TCP, TCP_KEEPCNT, KEEPALIVE_PROBES);
	set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
}

/* Return: 0, or an errno. */
static int wait_connected(int fd)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLOUT };
	int ready;

	do
		ready = poll(&pollfd, 1, CONNECT_MS);
	while (ready < 0 && errno == EINTR);
	if (ready < 0)
		return errno;
	if (!ready)
		return ETIMEDOUT;
	return relay_socket_error(fd);
}

/* Return: a socket; -1 with errno set. */
static int open_one(const struct addrinfo *info)
{
	int fd = socket(info->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), err;

	if (fd < 0)
		return -1;
	set_options(fd);
	err = connect(fd, info->ai_addr, info->ai_addrlen) ? errno : 0;
	if (err == EINPROGRESS || err == EINTR)
		err = wait_connected(fd);
	if (!err)
		return fd;
	close(fd);
	errno = err;
	return -1;
}

static void explain(const char *host, const char *port, char *why, size_t size)
{
	if (errno == ECONNREFUSED)
		snprintf(why, size, "connection to %s port %s refused: is lttng-relayd running there?", host, port);
	else if (errno == ETIMEDOUT)
		snprintf(why, size, "%s port %s does not answer: is the address right, and does a firewall permit it?", host, port);
	else
		snprintf(why, size, "cannot connect to %s port %s: %s", host, port, strerror(errno));
}

int relay_socket_open(const char *host, const char *port, bool ipv6, char *why, size_t size)
{
	const struct addrinfo hints = { .ai_family = ipv6 ? AF_INET6 : AF_UNSPEC, .ai_socktype = SOCK_STREAM,
					.ai_flags = AI_NUMERICSERV };
	struct addrinfo *list, *info;
	int fd = -1, err, kept = 0;

	err = getaddrinfo(host, port, &hints, &list);
	if (err) {
		snprintf(why, size, "cannot find host %s: %s", host, err == EAI_SYSTEM ? strerror(errno) : gai_strerror(err));
		return -1;
	}
	for (info = list; fd < 0 && info; info = info->ai_next) {
		fd = open_one(info);
		/* That a port is closed says more than that an address of another family cannot be reached. */
		if (fd < 0 && kept != ECONNREFUSED)
			kept = errno;
	}
	freeaddrinfo(list);
	errno = kept;
	if (fd < 0)
		explain(host, port, why, size);
	return fd;
}

bool relay_socket_is_silent(int fd)
{
	struct tcp_info info;
	socklen_t size = sizeof(info);
	int waiting = 0;

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size))
		return true;
	/* There is data, but the peer has no room: the kernel asks by probes. */
	if (!info.tcpi_unacked && !ioctl(fd, SIOCOUTQNSD, &waiting) && waiting)
		return info.tcpi_probes >= SILENT_PROBES;
	return info.tcpi_last_ack_recv > RELAY_SILENT_SECONDS * 1000;
}

int relay_socket_error(int fd)
{
	socklen_t size = sizeof(int);
	int err = 0;

	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &size) ? errno : err;
}

void relay_socket_abandon(int fd)
{
	const struct linger now = { .l_onoff = 1, .l_linger = 0 };

	if (fd < 0)
		return;
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(fd);
}
