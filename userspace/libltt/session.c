// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The connection to an lttd, and the buffers that it gave this program.
 *
 * Nothing here ever waits: an lttd may have been stopped.  What it sends is believed as
 * far as sizes go that would hurt: it is root's, or of the same user.
 */
#include "session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "listener.h"
#include "common/peer.h"
#include "probe.h"
#include "common/protocol.h"
#include "common/shm.h"
#include "sites.h"
#include "write.h"

/**
 * struct channel - buffers of an lttd
 * @next: of the same lttd
 * @trace: uuid
 * @number: in the trace
 * @shm: mapped; sinks have its address, so it is never freed
 */
struct channel {
	struct channel *next;
	uint8_t trace[16];
	uint32_t number;
	struct ltt_shm shm;
};

/* lttd answers each; these find room in a socket. */
#define SITES_AT_ONCE	64
#define OBJECT_MAX	4096

struct session *ltt_sessions;

/* Of lttds that have gone, so that tools that look for leaks find them. */
static struct channel *gone;

/* What ltt_sessions_unable_for_good() was told. */
static int unable;

int ltt_session_new(const char *folder, const char *name)
{
	struct session *session;
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int len = snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s", folder, name);

	if (len < 0 || (size_t)len >= sizeof(address.sun_path))
		return 0;
	for (session = ltt_sessions; session; session = session->next)
		if (!strcmp(session->address.sun_path, address.sun_path))
			return 0;
	session = calloc(1, sizeof(*session));
	if (!session)
		return -ENOMEM;
	session->address = address;
	session->unable = unable;
	session->fd = -1;
	session->next = ltt_sessions;
	ltt_sessions = session;
	return 0;
}

void ltt_sessions_unable(int err)
{
	struct session *session;

	for (session = ltt_sessions; session; session = session->next)
		session->unable = err;
}

void ltt_sessions_unable_for_good(int err)
{
	unable = err;
	ltt_sessions_unable(err);
}

/* ---- The connection ---- */

/* What may be better in a moment. */
static int again(int err)
{
	switch (err) {
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case ENOBUFS:
	case EINTR:
		return -EAGAIN;
	}
	return -err;
}

static void tell_again(struct session *session, uint32_t round)
{
	session->told = session->said_end = session->ready = 0;
	session->said_all = false;
	session->round = round;
}

int ltt_session_connect(struct session *session)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int err;

	if (fd < 0)
		return again(errno);
	if (connect(fd, (struct sockaddr *)&session->address, sizeof(session->address))) {
		err = again(errno);
		goto err_close;
	}
	err = -EPERM;
	if (!ltt_may_record(fd))
		goto err_close;
	session->fd = fd;
	tell_again(session, 0);
	session->told_gone = ltt_sites_gone();
	session->told_objects = 0;
	session->said_hello = false;
	session->unable = unable ? unable : session->unable;
	return 0;

err_close:
	close(fd);
	return err;
}

void ltt_session_forked(struct session *session, bool has_it)
{
	if (has_it && session->fd >= 0)
		close(session->fd);
	session->fd = -1;
}

/* ---- Speaking ---- */

static int say(struct session *session, const void *message, size_t size)
{
	ssize_t done;

	do
		done = send(session->fd, message, size, MSG_NOSIGNAL);
	while (done < 0 && errno == EINTR);
	return done < 0 ? again(errno) : 0;
}

static int say_hello(struct session *session)
{
	struct ltt_program_hello message = { LTT_PROGRAM_HELLO, LTT_PROGRAM_VERSION, "" };

	snprintf(message.name, sizeof(message.name), "%s", program_invocation_short_name);
	return say(session, &message, sizeof(message));
}

static size_t put_text(char *to, size_t room, const char *text)
{
	int len = snprintf(to, room, "%s", text);

	return (size_t)len < room ? (size_t)len + 1 : room;
}

/* A format that is cut off fits the arguments no longer; lttd says that it is refused. */
static int say_site(struct session *session, const struct ltt_site *site, uint32_t number)
{
	static char buf[LTT_PROGRAM_MAX];	/* guarded by ltt_lock */
	struct ltt_program_site *message = (void *)buf;
	size_t len = sizeof(*message);

	*message = (struct ltt_program_site){
		.type = LTT_PROGRAM_SITE,
		.number = number,
		.line = site->line,
		.recorded = ltt_site_is_recorded(site),
		.nr_args = site->nr_args,
	};
	memcpy(message->args, site->args, sizeof(message->args));
	len += put_text(buf + len, 256, site->group);
	len += put_text(buf + len, 256, site->name);
	len += put_text(buf + len, sizeof(buf) - len - 4096, site->format);
	len += put_text(buf + len, 4096, site->file);
	return say(session, buf, len);
}

static int say_object(struct session *session, const char *object, bool loaded)
{
	static char buf[sizeof(struct ltt_program_text) + OBJECT_MAX];	/* guarded by ltt_lock */
	struct ltt_program_text *message = (void *)buf;
	size_t len;

	*message = (struct ltt_program_text){ LTT_PROGRAM_OBJECT, loaded };
	len = put_text(message->text, OBJECT_MAX, object);
	return say(session, buf, sizeof(*message) + len);
}

/* Of what this lttd has not heard of it need not hear that it has gone. */
static int say_gone(struct session *session)
{
	const char *object;
	uint32_t number;
	int err = 0;

	while (!err && session->told_gone < ltt_sites_gone()) {
		object = ltt_sites_get_gone(session->told_gone, &number);
		if (object && number < session->told_objects)
			err = say_object(session, object, false);
		session->told_gone += !err;
	}
	return err;
}

static int say_sites(struct session *session)
{
	const char *object;
	unsigned int left = SITES_AT_ONCE;
	struct ltt_site *site;
	uint32_t number;
	int err = 0;

	while (!err && left--) {
		number = session->told;
		site = ltt_sites_next(&number);
		if (!site) {
			session->told = ltt_sites_end();
			break;
		}
		object = number < session->told_objects ? NULL : ltt_sites_object(number);
		if (object)
			err = say_object(session, object, true);
		if (!err && session->told_objects <= number)
			session->told_objects = number + 1;
		if (!err)
			err = say_site(session, site, number);
		if (!err)
			session->told = number + 1;
	}
	return err;
}

static int say_end(struct session *session)
{
	struct ltt_program_end message = {
		LTT_PROGRAM_SITES_END, session->told, ltt_sites_end(), session->round,
	};
	int err = say(session, &message, sizeof(message));

	if (err)
		return err;
	session->said_end = message.number;
	session->said_all = message.number == message.end;
	return 0;
}

static int say_unable(struct session *session)
{
	struct ltt_program_number message = { LTT_PROGRAM_UNABLE, session->unable };
	int err = session->unable ? say(session, &message, sizeof(message)) : 0;

	session->unable = err ? session->unable : 0;
	return err;
}

int ltt_session_speak(struct session *session)
{
	int err = 0;

	if (!session->said_hello) {
		err = say_hello(session);
		session->said_hello = !err;
	}
	if (!err)
		err = say_unable(session);
	if (!err)
		err = say_gone(session);
	if (err || session->ready < session->said_end ||
	    (session->said_all && session->said_end == ltt_sites_end()))
		return err;
	if (session->told == session->said_end)
		err = say_sites(session);
	return err ? err : say_end(session);
}

void ltt_session_say_bye(struct session *session, int status)
{
	struct ltt_program_number message = { LTT_PROGRAM_BYE, status };

	say_unable(session);
	say_gone(session);
	say(session, &message, sizeof(message));
}

/* ---- Hearing ---- */

static struct channel *find_channel(const struct session *session, uint32_t number)
{
	struct channel *channel;

	for (channel = session->channels; channel; channel = channel->next)
		if (channel->number == number)
			return channel;
	return NULL;
}

static bool is_of(const struct channel *channel, const struct ltt_program_channel *message)
{
	return channel->number == message->channel &&
	       !memcmp(channel->trace, message->trace, sizeof(channel->trace));
}

/* From before a fork(), or by another way to the same lttd. */
static bool has_already(const struct ltt_program_channel *message)
{
	const struct session *session;
	const struct channel *channel;

	for (session = ltt_sessions; session; session = session->next)
		for (channel = session->channels; channel; channel = channel->next)
			if (is_of(channel, message))
				return true;
	return false;
}

/* Threads may be writing there still, and will never say that they have stopped: what
 * they write to from now on is memory that nobody has, and the addresses are not used
 * again.  The buffers themselves are given back. */
static void let_go(struct session *session, struct channel *channel)
{
	struct channel **link;

	for (link = &session->channels; *link != channel; link = &(*link)->next)
		;
	*link = channel->next;
	channel->next = gone;
	gone = channel;
	__atomic_store_n(&channel->shm.gone, true, __ATOMIC_RELAXED);
	ltt_sites_forget(&channel->shm);
	if (mmap(channel->shm.base, channel->shm.size, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != MAP_FAILED)
		ltt_shm_unlock(&channel->shm);
}

/* This and the next: 0, or an errno, of which lttd is to know. */
static int take_channel(struct session *session, const struct ltt_program_channel *message, int fd)
{
	struct channel *channel = find_channel(session, message->channel);
	int err;

	if (has_already(message))
		return 0;
	/* The kernel had no room for it. */
	if (fd < 0)
		return EMFILE;
	/* Its lttd has another trace for this user, who was another. */
	if (channel)
		let_go(session, channel);
	channel = calloc(1, sizeof(*channel));
	if (!channel)
		return ENOMEM;
	memcpy(channel->trace, message->trace, sizeof(channel->trace));
	channel->number = message->channel;
	channel->shm.overwrite = message->overwrite;
	channel->shm.lossless_ms = message->lossless_ms < LTT_LOSSLESS_MS_MAX ? message->lossless_ms
									       : LTT_LOSSLESS_MS_MAX;
	channel->shm.context = message->context;
	err = ltt_shm_map(&channel->shm, fd, message->nr_cpus, message->nr_rings, message->nr_sb,
			  message->sb_order);
	if (err) {
		free(channel);
		return -err;
	}
	if (!ltt_shm_can_write())
		channel->shm.sequence_cpus = 0;
	channel->next = session->channels;
	session->channels = channel;
	return 0;
}

static int take_listen(struct session *session, const struct ltt_program_listen *message)
{
	struct channel *channel = find_channel(session, message->channel);
	int err = channel ? ltt_site_listen(message->site, &channel->shm, message->id, message->on) : 0;

	return err == -ENOENT ? 0 : -err;
}

/* What was on its way before the last LTT_PROGRAM_TELL is not about this round. */
static void take_ready(struct session *session, const struct ltt_program_end *message)
{
	if (message->round == session->round)
		session->ready = message->number;
}

/* Who can read it where it is could do with this program what he likes: the kernel lets
 * nobody do that who could not debug it. */
static void take_challenge(struct session *session)
{
	struct ltt_program_challenge message = { .type = LTT_PROGRAM_CHALLENGE };

	session->challenged = getrandom(session->challenge, sizeof(session->challenge), 0) ==
			      (ssize_t)sizeof(session->challenge);
	message.address = (uintptr_t)session->challenge;
	say(session, &message, sizeof(message));
}

static bool is_proof(struct session *session, const uint8_t *proof)
{
	bool good = session->challenged && !memcmp(session->challenge, proof, sizeof(session->challenge));

	session->challenged = false;
	return good;
}

struct probing {
	const struct ltt_program_probe *message;
	size_t size;
	struct {
		struct ltt_program_text text;
		char words[LTT_PROBE_ANSWER];
	} answer;
};

static void probe(void *arg)
{
	struct probing *probing = arg;

	probing->answer.text.what = -ltt_probe_ask(probing->message->what, probing->message->text,
						   probing->size - sizeof(*probing->message),
						   probing->answer.words);
}

/* Nobody but this thread ends the session. */
static void take_probe(struct session *session, const struct ltt_program_probe *message, size_t size)
{
	struct probing probing = { message, size, { .text = { LTT_PROGRAM_PROBED, EAGAIN } } };

	if (is_proof(session, message->proof))
		ltt_listener_load(probe, &probing);
	else
		probing.answer.text.what = EPERM;
	say(session, &probing.answer, sizeof(probing.answer));
}

static void take(struct session *session, const char *message, size_t size, int fd)
{
	const struct ltt_program_number *number = (const void *)message;
	int err = 0;

	if (size < sizeof(*number))
		return;
	if (number->type == LTT_PROGRAM_CHANNEL && size >= sizeof(struct ltt_program_channel))
		err = take_channel(session, (const void *)message, fd);
	else if (number->type == LTT_PROGRAM_LISTEN && size >= sizeof(struct ltt_program_listen))
		err = take_listen(session, (const void *)message);
	else if (number->type == LTT_PROGRAM_READY && size >= sizeof(struct ltt_program_end))
		take_ready(session, (const void *)message);
	else if (number->type == LTT_PROGRAM_PROVE)
		take_challenge(session);
	else if (number->type == LTT_PROGRAM_PROBE && size >= sizeof(struct ltt_program_probe))
		take_probe(session, (const void *)message, size);
	else if (number->type == LTT_PROGRAM_TELL)
		tell_again(session, number->number);
	if (err)
		session->unable = err;
}

/* Room for one descriptor: more than that the kernel does not give. */
static int fd_of(struct msghdr *msg)
{
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(msg);
	int fd;

	if (!cmsg || cmsg->cmsg_level != SOL_SOCKET || cmsg->cmsg_type != SCM_RIGHTS)
		return -1;
	memcpy(&fd, CMSG_DATA(cmsg), sizeof(fd));
	return fd;
}

int ltt_session_hear(struct session *session)
{
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(sizeof(int))];
	} control;
	uint64_t message[LTT_PROGRAM_MAX / sizeof(uint64_t)];
	struct iovec iov = { message, sizeof(message) };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control.buf, .msg_controllen = sizeof(control.buf),
	};
	ssize_t size;
	int fd;

	size = recvmsg(session->fd, &msg, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	if (size < 0)
		return errno == EINTR ? 0 : again(errno);
	if (!size)
		return -ECONNRESET;
	fd = fd_of(&msg);
	take(session, (const char *)message, size, fd);
	if (fd >= 0)
		close(fd);
	return 0;
}

/* ---- The end ---- */

void ltt_session_end(struct session *session)
{
	struct session **link;

	if (session->fd >= 0)
		close(session->fd);
	while (session->channels)
		let_go(session, session->channels);
	for (link = &ltt_sessions; *link != session; link = &(*link)->next)
		;
	*link = session->next;
	free(session);
}
