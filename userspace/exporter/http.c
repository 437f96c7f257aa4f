// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * HTTP: one page, /metrics.
 *
 * Layer: ltt-exporter.  One thread: scrapes at the same time are collected one after the other, each whole in memory, and
 * a slow client takes its time to read while others are served.
 */
#include "http.h"
#include "collect.h"
#include "core/version.h"
#include "lttctl/ask/ask.h"

#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECTIONS		32U
#define CONNECTION_SECONDS	10U	/* without a byte in either direction */
#define REQUEST_SECONDS		30U	/* with its answer */
#define CONNECTION_BYTES	((size_t)32768)	/* of a request and the head of its answer */

/* ---- A scrape ---- */

static char *collect(enum metrics_format format, size_t *len)
{
	struct metrics metrics = { .format = format };
	struct labels labels = { .nr = 0 };
	const struct labels version = labels_with(labels, "version", LTT_VERSION);
	double began = asking_now();

	metrics_value(&metrics, "ltt_build", METRIC_INFO, "The version of LTT.", &version, 1);
	collect_traces(&metrics);
	collect_recordings(&metrics);
	questions_collect(&metrics);
	collect_self(&metrics);
	metrics_value(&metrics, "ltt_exporter_collect_seconds", METRIC_GAUGE, "Time to collect this answer.", &labels,
		      asking_now() - began);
	return metrics_finish(&metrics, len);
}

/* ---- Answers ---- */

/* Queue an answer, and take @text over. */
static enum MHD_Result respond(struct MHD_Connection *connection, unsigned int status, char *text, size_t len,
			       enum MHD_ResponseMemoryMode mode, const char *header, const char *value)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(len, text, mode);
	enum MHD_Result done;

	if (!response) {
		if (mode == MHD_RESPMEM_MUST_FREE)
			free(text);
		return MHD_NO;
	}
	MHD_add_response_header(response, header, value);
	done = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return done;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned int status, char *text, const char *header,
			      const char *value)
{
	return respond(connection, status, text, strlen(text), MHD_RESPMEM_PERSISTENT, header, value);
}

static enum MHD_Result respond_metrics(struct MHD_Connection *connection)
{
	const char *accept = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT);
	enum metrics_format format = metrics_accepted(accept);
	size_t len = 0;
	char *text = collect(format, &len);

	if (!text)
		return refuse(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "out of memory\n", MHD_HTTP_HEADER_CONTENT_TYPE,
			      "text/plain");
	return respond(connection, MHD_HTTP_OK, text, len, MHD_RESPMEM_MUST_FREE, MHD_HTTP_HEADER_CONTENT_TYPE,
		       metrics_content_type(format));
}

static enum MHD_Result answer(void *none, struct MHD_Connection *connection, const char *url, const char *method,
			      const char *version, const char *upload, size_t *upload_size, void **state)
{
	static int seen;

	(void)none;
	(void)version;
	(void)upload;
	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD\n", MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	/* The first call comes before the end of the request. */
	if (!*state) {
		*state = &seen;
		return MHD_YES;
	}
	if (*upload_size) {
		*upload_size = 0;
		return MHD_YES;
	}
	if (strcmp(url, "/metrics"))
		return refuse(connection, MHD_HTTP_NOT_FOUND, "see /metrics\n", MHD_HTTP_HEADER_CONTENT_TYPE, "text/plain");
	return respond_metrics(connection);
}

/* ---- Clients that are too slow ---- */

/**
 * struct client - a connection
 * @fd: its descriptor
 * @since: when it, or the last answer, was there, in seconds of asking_now(); 0: the entry is free
 */
struct client {
	int fd;
	double since;
};

static struct client clients[CONNECTIONS];

static void note_connection(void *none, struct MHD_Connection *connection, void **client,
			    enum MHD_ConnectionNotificationCode what)
{
	struct client *at = clients;

	(void)none;
	if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
		if (*client)
			((struct client *)*client)->since = 0;
		return;
	}
	while (at < clients + CONNECTIONS && at->since)
		at++;
	if (at == clients + CONNECTIONS)
		return;
	at->fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	at->since = asking_now();
	*client = at;
}

static void note_answer(void *none, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode why)
{
	struct client *client = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;

	(void)none;
	(void)state;
	(void)why;
	if (client)
		client->since = asking_now();
}

/* A client that sends a byte now and then would keep its connection for ever, and 32 of them keep all others away. */
static void end_slow_clients(void)
{
	const double least = asking_now() - REQUEST_SECONDS;
	struct client *client;

	for (client = clients; client < clients + CONNECTIONS; client++)
		if (client->since && client->since < least)
			shutdown(client->fd, SHUT_RDWR);
}

/* ---- The loop ---- */

static void serve(struct MHD_Daemon *http, int signals)
{
	struct pollfd fds[] = {
		{ .fd = signals, .events = POLLIN },
		{ .fd = MHD_get_daemon_info(http, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, .events = POLLIN },
	};
	MHD_UNSIGNED_LONG_LONG ms;

	while (!(fds[0].revents & POLLIN)) {
		if (MHD_get_timeout(http, &ms) != MHD_YES)
			ms = CONNECTION_SECONDS * 1000;
		poll(fds, 2, ms);
		MHD_run(http);
		end_slow_clients();
	}
}

int http_serve(int fd)
{
	struct MHD_Daemon *http;
	sigset_t set;
	int signals;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	signals = signalfd(-1, &set, SFD_CLOEXEC);
	if (signals < 0) {
		close(fd);
		return complain("cannot receive signals: %s", strerror(errno));
	}
	http = MHD_start_daemon(MHD_USE_EPOLL, 0, NULL, NULL, answer, NULL, MHD_OPTION_LISTEN_SOCKET, fd,
				MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, CONNECTION_SECONDS,
				MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_BYTES,
				MHD_OPTION_NOTIFY_CONNECTION, note_connection, NULL,
				MHD_OPTION_NOTIFY_COMPLETED, note_answer, NULL, MHD_OPTION_END);
	if (http) {
		serve(http, signals);
		MHD_stop_daemon(http);
	} else {
		close(fd);
	}
	close(signals);
	return http ? 0 : complain("libmicrohttpd does not start");
}
