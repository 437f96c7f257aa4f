// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Send a recording to a collector.
 *
 * Layer: relay.
 */
#include "sender.h"
#include "session.h"
#include "spool.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* How often to look for new packets. */
#define LOOK_MS		100

/* The wait before the next attempt to connect doubles from the first to the last. */
#define BACKOFF_MIN_MS	250
#define BACKOFF_MAX_MS	30000

/* A connection that lasted so long was a real one. */
#define USEFUL_MS	60000

/**
 * struct sender - a recording that is being sent
 * @options: of relay_send()
 * @result: of relay_send()
 * @spool: the recording
 * @session: the connection
 * @hostname: this machine
 * @was_open: an lttd has written a piece when it was looked at last
 * @look_ms: when to look for new packets
 * @opened_ms: when the connection began; 0: there was none
 * @connected_ms: when it was connected last, or the recording ended
 * @backoff_ms: how long to wait before the next attempt
 * @reported: the fault that was reported last
 * @failed: why to give up, or an empty string
 */
struct sender {
	const struct relay_options *options;
	struct relay_result *result;
	struct relay_spool spool;
	struct relay_session session;
	char hostname[64];
	bool was_open;
	uint64_t look_ms;
	uint64_t opened_ms;
	uint64_t connected_ms;
	uint64_t backoff_ms;
	char reported[RELAY_WHY_SIZE];
	char failed[RELAY_WHY_SIZE];
};

__attribute__((format(printf, 2, 3)))
static void notice(const struct sender *sender, const char *fmt, ...)
{
	char sentence[2 * RELAY_WHY_SIZE];
	va_list args;

	va_start(args, fmt);
	vsnprintf(sentence, sizeof(sentence), fmt, args);
	va_end(args);
	sender->options->notice(sentence);
}

/* Nothing that another attempt could mend. */
__attribute__((format(printf, 2, 3)))
static int give_up(struct sender *sender, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(sender->failed, sizeof(sender->failed), fmt, args);
	va_end(args);
	return -1;
}

/* ---- The recording ---- */

static bool has_hung_up(int fd)
{
	struct pollfd pollfd = { .fd = fd };

	return fd < 0 || (poll(&pollfd, 1, 0) > 0 && pollfd.revents);
}

static void report_drop(const struct sender *sender, const struct relay_piece *piece)
{
	notice(sender, "piece %s/%s was removed before it was sent, to keep to the quota: %" PRIu64 " bytes are not at the collector",
	       sender->options->dir, piece->name, piece_unsent(piece));
}

/* The newest piece stays as long as there will be others: lttd would give its number again. */
static bool is_needed(const struct sender *sender, const struct relay_piece *piece)
{
	return sender->was_open && sender->options->remove && !piece->gone && piece->number == sender->spool.last;
}

/* Forget pieces that are acknowledged, and those that are gone while there is no connection. */
static int drop_done(struct sender *sender, bool connected)
{
	struct relay_piece *piece, *next;

	for (piece = sender->spool.pieces; piece; piece = next) {
		next = piece->next;
		if (piece->step == RELAY_DONE ? is_needed(sender, piece) : connected || !piece->gone)
			continue;
		if (piece->gone) {
			report_drop(sender, piece);
			sender->result->dropped++;
			sender->result->dropped_bytes += piece_unsent(piece);
		} else {
			sender->result->pieces++;
		}
		if (spool_drop(&sender->spool, piece, sender->options->remove && !piece->gone))
			return give_up(sender, "cannot remove a piece of %s: %s", sender->options->dir, strerror(errno));
	}
	return 0;
}

static int look(struct sender *sender)
{
	const struct relay_piece *piece;
	/* Before the list: the pieces until then are in it. */
	bool ended = has_hung_up(sender->options->until);

	sender->look_ms = relay_now_ms() + LOOK_MS;
	if (spool_list(&sender->spool))
		return give_up(sender, "cannot read %s: %s", sender->options->dir, strerror(errno));
	for (piece = sender->spool.pieces; piece; piece = piece->next)
		if (piece->is_compressed)
			return give_up(sender, "%s/%s has compressed files: restore them by `unzstd --rm DIR/*/*/*.zst` first",
				       sender->options->dir, piece->name);
	ended &= !spool_is_open(&sender->spool);
	if (ended && sender->was_open)
		sender->connected_ms = relay_now_ms();
	sender->was_open = !ended;
	return 0;
}

static bool is_finished(const struct sender *sender)
{
	return !sender->was_open && !sender->spool.pieces;
}

/* ---- While connected ---- */

static int work_on_pieces(struct sender *sender, bool looks)
{
	struct relay_piece *piece;
	unsigned int nr = 0;

	for (piece = sender->spool.pieces; piece; piece = piece->next) {
		if (piece->step == RELAY_DONE)
			continue;
		if (piece->step == RELAY_IDLE && piece->closed && !piece->gone && nr >= SPOOL_AT_ONCE)
			continue;
		if (looks && piece_look(piece))
			return give_up(sender, "cannot read %s/%s: %s", sender->options->dir, piece->name, strerror(errno));
		if (session_work(&sender->session, piece))
			return -1;
		nr += piece->step != RELAY_CLOSING;
	}
	return 0;
}

/* Send packets as long as there are some, and take what comes, until the next look. */
static int pump(struct sender *sender)
{
	struct relay_session *session = &sender->session;
	uint64_t now;
	bool busy;

	do {
		if (!session->sending && session_send_packet(session, sender->spool.pieces) < 0)
			return -1;
		busy = session->sending;
		now = relay_now_ms();
		if (relay_connection_pump(&session->connection, now < sender->look_ms ? sender->look_ms - now : 0))
			return -1;
		if (busy && !relay_connection_is_sending(&session->connection) && session_finish_packet(session))
			return -1;
	} while (busy && relay_now_ms() < sender->look_ms);
	return 0;
}

/* Return: 0 when all is acknowledged; -1 when the connection is lost, or &sender.failed is set. */
static int send_all(struct sender *sender)
{
	bool looks;

	while (!is_finished(sender)) {
		looks = relay_now_ms() >= sender->look_ms;
		if (looks && look(sender))
			return -1;
		if (work_on_pieces(sender, looks) || drop_done(sender, true) || (!is_finished(sender) && pump(sender)))
			return -1;
	}
	return 0;
}

/* ---- Connecting again and again ---- */

/* Say each fault once, not at each attempt. */
static void report_fault(struct sender *sender)
{
	if (!strcmp(sender->reported, sender->session.connection.why))
		return;
	strcpy(sender->reported, sender->session.connection.why);
	notice(sender, "%s (trying again)", sender->reported);
}

/* Many hosts must not come back at the same moment. */
static uint64_t with_jitter(uint64_t ms)
{
	return ms / 2 + random() % (ms / 2 + 1);
}

/* Pieces come and go meanwhile. */
static int wait_and_look(struct sender *sender)
{
	const uint64_t until = relay_now_ms() + with_jitter(sender->backoff_ms);

	while (relay_now_ms() < until) {
		if (look(sender) || drop_done(sender, false))
			return -1;
		if (is_finished(sender))
			return 0;
		poll(NULL, 0, LOOK_MS);
	}
	sender->backoff_ms = sender->backoff_ms * 2 < BACKOFF_MAX_MS ? sender->backoff_ms * 2 : BACKOFF_MAX_MS;
	if (sender->options->timeout_ms && !sender->was_open &&
	    relay_now_ms() - sender->connected_ms > sender->options->timeout_ms)
		return give_up(sender, "the collector could not be reached for %" PRIu64 " s: what has not been sent is in %s",
			       sender->options->timeout_ms / 1000, sender->options->dir);
	return 0;
}

static int connect_once(struct sender *sender)
{
	if (relay_connection_open(&sender->session.connection, &sender->options->address, sender->options->address.name,
				  sender->hostname))
		return -1;
	if (*sender->reported)
		notice(sender, "connected again to %s port %s", sender->options->address.host, sender->options->address.control);
	*sender->reported = '\0';
	sender->result->connections++;
	sender->session.sending = NULL;
	sender->session.horizon_ms = sender->opened_ms = relay_now_ms();
	sender->look_ms = 0;
	spool_rewind(&sender->spool);
	return send_all(sender);
}

/* A relayd that accepts connections, but closes them at once, is asked less and less often. */
static int connect_and_send(struct sender *sender)
{
	const uint64_t acknowledged = sender->result->pieces;
	int ret;

	sender->opened_ms = 0;
	ret = connect_once(sender);
	relay_connection_close(&sender->session.connection, ret);
	if (sender->result->pieces != acknowledged || (sender->opened_ms && relay_now_ms() - sender->opened_ms > USEFUL_MS)) {
		sender->backoff_ms = BACKOFF_MIN_MS;
		sender->connected_ms = relay_now_ms();
	}
	return ret;
}

static int send_recording(struct sender *sender)
{
	if (look(sender))
		return -1;
	if (!sender->spool.pieces && !sender->was_open)
		return give_up(sender, "%s has no traces", sender->options->dir);
	while (!is_finished(sender)) {
		if (!connect_and_send(sender))
			continue;
		if (*sender->failed)
			return -1;
		report_fault(sender);
		if (wait_and_look(sender))
			return -1;
	}
	return 0;
}

static void raise_limit_of_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int relay_send(const struct relay_options *options, struct relay_result *result)
{
	struct sender *sender = calloc(1, sizeof(*sender));
	int ret;

	*result = (struct relay_result){ 0 };
	if (!sender) {
		options->notice("out of memory");
		return -1;
	}
	sender->options = options;
	sender->result = result;
	sender->backoff_ms = BACKOFF_MIN_MS;
	sender->connected_ms = relay_now_ms();
	signal(SIGPIPE, SIG_IGN);
	raise_limit_of_files();
	srandom(getpid() ^ (unsigned int)relay_now_ms());
	gethostname(sender->hostname, sizeof(sender->hostname) - 1);
	snprintf(sender->session.path, sizeof(sender->session.path), "%s/%s", sender->hostname, options->address.name);
	if (spool_open(&sender->spool, options->dir, options->first))
		ret = give_up(sender, "cannot open %s: %s", options->dir, strerror(errno));
	else
		ret = send_recording(sender);
	if (!ret && options->remove && spool_remove(&sender->spool))
		ret = give_up(sender, "cannot remove %s: %s", options->dir, strerror(errno));
	if (*sender->failed)
		options->notice(sender->failed);
	result->packets = sender->session.packets;
	result->bytes = sender->session.bytes;
	spool_close(&sender->spool);
	free(sender);
	return ret;
}
