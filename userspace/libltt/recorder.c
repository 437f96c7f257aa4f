// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Recorders: the connection to each lttd, and the buffers that this lttd provides.
 *
 * No function waits: an lttd may have been stopped.  An lttd is trusted as far as it could
 * harm the program by other means: it runs as root or as the program's user.  Sizes in its
 * messages are checked all the same.
 */
#include "recorder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/peer.h"
#include "probe.h"
#include "common/protocol.h"
#include "objects.h"
#include "sites.h"

/* lttd answers for each site; the answers for so many fit into a socket, also if each has the longest
 * filter, which takes 4352 bytes of the 208 KiB. */
#define SITES_AT_ONCE	32
#define OBJECT_MAX	4096

struct recorder *ltt_recorders;
uint64_t ltt_recorders_socket;

/* Set by ltt_recorders_set_error_for_good(): an errno, or 0. */
static int unable;

int ltt_recorder_new(const char *folder, const char *name, int err)
{
	struct recorder *recorder;
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int len = snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s", folder, name);

	if (len < 0 || (size_t)len >= sizeof(address.sun_path))
		return 0;
	for (recorder = ltt_recorders; recorder; recorder = recorder->next)
		if (!strcmp(recorder->address.sun_path, address.sun_path))
			return 0;
	recorder = calloc(1, sizeof(*recorder));
	if (!recorder)
		return -ENOMEM;
	recorder->address = address;
	recorder->unable = unable ? unable : err;
	recorder->fd = -1;
	recorder->next = ltt_recorders;
	ltt_recorders = recorder;
	return 0;
}

void ltt_recorders_set_error(int err)
{
	struct recorder *recorder;

	for (recorder = ltt_recorders; recorder; recorder = recorder->next)
		recorder->unable = err;
}

bool ltt_recorders_set_error_for_good(int err)
{
	if (unable == err)
		return false;
	unable = err;
	ltt_recorders_set_error(err);
	return true;
}

bool ltt_recorder_is_behind(const struct recorder *recorder)
{
	return recorder->ready < ltt_sites_end() || recorder->unable;
}

bool ltt_recorder_lacks_objects(const struct recorder *recorder)
{
	return recorder->wants_objects &&
	       (ltt_objects_are_old() || recorder->ended_mapped < ltt_objects_end() ||
		recorder->noted != recorder->said_mapped);
}

void ltt_recorder_set_late(struct recorder *recorder)
{
	recorder->late = true;
	recorder->unable = recorder->unable ? recorder->unable : ETIMEDOUT;
}

/* ---- The connection ---- */

/* Errors that may pass become -EAGAIN. */
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

static void tell_again(struct recorder *recorder, uint32_t round)
{
	recorder->told = recorder->said_end = recorder->ready = 0;
	recorder->said_all = recorder->confirmed = false;
	recorder->round = round;
}

int ltt_recorder_connect(struct recorder *recorder)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int err;

	if (fd < 0)
		return again(errno);
	if (connect(fd, (struct sockaddr *)&recorder->address, sizeof(recorder->address))) {
		err = again(errno);
		goto err_close;
	}
	err = -EPERM;
	if (!ltt_may_record(fd))
		goto err_close;
	recorder->fd = fd;
	tell_again(recorder, 0);
	recorder->told_gone = ltt_sites_gone();
	recorder->told_objects = 0;
	recorder->said_hello = false;
	recorder->wants_objects = recorder->slow = false;
	recorder->told_mapped = recorder->ended_mapped = 0;
	recorder->said_mapped = recorder->noted = 0;
	recorder->unable = unable ? unable : recorder->unable;
	return 0;

err_close:
	close(fd);
	return err;
}

void ltt_recorder_forked(struct recorder *recorder, bool has_it)
{
	if (has_it && recorder->fd >= 0)
		close(recorder->fd);
	recorder->fd = -1;
	ltt_channels_forked(&recorder->channels);
	recorder->heir |= recorder->channels != NULL;
	/* The parent's sites were not all on, so neither are those of the child. */
	if (recorder->answered < ltt_sites_end() && !recorder->unable)
		recorder->unable = EINPROGRESS;
}

/* ---- Sending ---- */

static int say(struct recorder *recorder, const void *message, size_t size)
{
	ssize_t done;

	do
		done = send(recorder->fd, message, size, MSG_NOSIGNAL);
	while (done < 0 && errno == EINTR);
	return done < 0 ? again(errno) : 0;
}

static int say_hello(struct recorder *recorder)
{
	struct ltt_program_hello message = {
		LTT_PROGRAM_HELLO, LTT_PROGRAM_VERSION, "", ltt_recorders_socket, recorder->heir,
	};

	snprintf(message.name, sizeof(message.name), "%s", program_invocation_short_name);
	return say(recorder, &message, sizeof(message));
}

static size_t put_text(char *to, size_t room, const char *text)
{
	int len = snprintf(to, room, "%s", text);

	return (size_t)len < room ? (size_t)len + 1 : room;
}

/* A format that is cut off does not match the arguments, so lttd rejects it with a message. */
static int say_site(struct recorder *recorder, const struct ltt_site *site, uint32_t number)
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
	return say(recorder, buf, len);
}

static int say_object(struct recorder *recorder, const char *object, bool loaded)
{
	static char buf[sizeof(struct ltt_program_text) + OBJECT_MAX];	/* guarded by ltt_lock */
	struct ltt_program_text *message = (void *)buf;
	size_t len;

	*message = (struct ltt_program_text){ LTT_PROGRAM_OBJECT, loaded };
	len = put_text(message->text, OBJECT_MAX, object);
	return say(recorder, buf, sizeof(*message) + len);
}

/* A library that was not announced to this lttd needs no message when it goes. */
static int say_gone(struct recorder *recorder)
{
	const char *object;
	uint32_t number;
	int err = 0;

	while (!err && recorder->told_gone < ltt_sites_gone()) {
		object = ltt_sites_get_gone(recorder->told_gone, &number);
		if (object && number < recorder->told_objects)
			err = say_object(recorder, object, false);
		recorder->told_gone += !err;
	}
	return err;
}

static int say_sites(struct recorder *recorder)
{
	const char *object;
	unsigned int left = SITES_AT_ONCE;
	struct ltt_site *site;
	uint32_t number;
	int err = 0;

	while (!err && left--) {
		number = recorder->told;
		site = ltt_sites_next(&number);
		if (!site) {
			recorder->told = ltt_sites_end();
			break;
		}
		object = number < recorder->told_objects ? NULL : ltt_sites_object(number);
		if (object)
			err = say_object(recorder, object, true);
		if (!err && recorder->told_objects <= number)
			recorder->told_objects = number + 1;
		if (!err)
			err = say_site(recorder, site, number);
		if (!err)
			recorder->told = number + 1;
	}
	return err;
}

static int say_end(struct recorder *recorder)
{
	struct ltt_program_end message = {
		LTT_PROGRAM_SITES_END, recorder->told, ltt_sites_end(), recorder->round,
	};
	int err = say(recorder, &message, sizeof(message));

	if (err)
		return err;
	recorder->said_end = message.number;
	recorder->said_all = message.number == message.end;
	recorder->confirmed = false;
	return 0;
}

static int say_unable(struct recorder *recorder)
{
	struct ltt_program_number message = { LTT_PROGRAM_UNABLE, recorder->unable };
	int err = recorder->unable ? say(recorder, &message, sizeof(message)) : 0;

	recorder->unable = err ? recorder->unable : 0;
	return err;
}

static int say_mapped(struct recorder *recorder, const struct ltt_object *object)
{
	static struct {
		struct ltt_program_mapped message;
		char text[OBJECT_MAX + LTT_BUILD_ID_SIZE];
	} buf;	/* guarded by ltt_lock */
	size_t len;

	buf.message = (struct ltt_program_mapped){
		LTT_PROGRAM_MAPPED, object->is_there, object->base, object->start, object->end,
	};
	len = put_text(buf.text, OBJECT_MAX, object->path);
	len += put_text(buf.text + len, LTT_BUILD_ID_SIZE, object->build_id);
	return say(recorder, &buf, sizeof(buf.message) + len);
}

static int say_objects(struct recorder *recorder)
{
	struct ltt_program_number message = { LTT_PROGRAM_MAPPED_END, recorder->said_mapped + 1 };
	const struct ltt_object *object;
	int err = 0;

	if (!recorder->wants_objects)
		return 0;
	ltt_objects_look();
	if (recorder->ended_mapped == ltt_objects_end())
		return 0;
	while (!err && (object = ltt_objects_next(recorder->told_mapped))) {
		err = say_mapped(recorder, object);
		recorder->told_mapped = err ? recorder->told_mapped : object->number + 1;
	}
	if (!err)
		err = say(recorder, &message, sizeof(message));
	if (err)
		return err;
	recorder->told_mapped = recorder->ended_mapped = ltt_objects_end();
	recorder->said_mapped++;
	return 0;
}

int ltt_recorder_send(struct recorder *recorder)
{
	int err = 0;

	if (!recorder->said_hello) {
		err = say_hello(recorder);
		recorder->said_hello = !err;
	}
	if (!err)
		err = say_unable(recorder);
	if (!err)
		err = say_gone(recorder);
	if (!err)
		err = say_objects(recorder);
	if (err || recorder->ready < recorder->said_end)
		return err;
	if (recorder->said_all && recorder->said_end == ltt_sites_end()) {
		err = recorder->confirmed ? 0 : say_end(recorder);
		recorder->confirmed = !err;
		return err;
	}
	if (recorder->told == recorder->said_end)
		err = say_sites(recorder);
	return err ? err : say_end(recorder);
}

int ltt_recorder_send_rest(struct recorder *recorder)
{
	int err = 0;

	if (recorder->said_all)
		return 0;
	while (!err && recorder->told < ltt_sites_end())
		err = say_sites(recorder);
	return err ? err : say_end(recorder);
}

void ltt_recorder_send_exit(struct recorder *recorder, int status)
{
	struct ltt_program_number message = { LTT_PROGRAM_BYE, status };

	say_unable(recorder);
	say_gone(recorder);
	say_objects(recorder);
	say(recorder, &message, sizeof(message));
}

/* ---- Receiving ---- */

/* Return: 0, or an errno that is to be reported to lttd; so does take_listen(). */
static int take_channel(struct recorder *recorder, const struct ltt_program_channel *message, int fd)
{
	const struct recorder *other;

	if (message->objects && !recorder->wants_objects) {
		recorder->wants_objects = true;
		ltt_objects_want();
	}
	/* A second socket of the same lttd is another recorder. */
	for (other = ltt_recorders; other; other = other->next)
		if (other != recorder && ltt_channels_have(&other->channels, message))
			return 0;
	return -ltt_channels_add(&recorder->channels, message, fd);
}

/* Return: false if the message does not have what it says. */
static bool copy_filter(struct ltt_filter_code *code, const struct ltt_program_listen *message, size_t size)
{
	size_t rest = size - sizeof(*message), bytes = message->nr * sizeof(message->insn[0]);

	if (message->nr > LTT_FILTER_INSNS_MAX || bytes > rest || rest - bytes > LTT_FILTER_TEXTS_MAX)
		return false;
	code->nr = message->nr;
	code->size = rest - bytes;
	memcpy(code->insn, message->insn, bytes);
	memcpy(code->text, (const char *)message->insn + bytes, code->size);
	return true;
}

static int take_listen(struct recorder *recorder, const struct ltt_program_listen *message, size_t size)
{
	static struct ltt_filter_code code;	/* guarded by ltt_lock */
	const struct ltt_shm *shm = ltt_channels_find(&recorder->channels, message->channel);
	bool has_filter = message->on && (message->nr || size > sizeof(*message)), is_right = true;
	int err;

	if (!shm)
		return 0;
	if (has_filter)
		is_right = copy_filter(&code, message, size);
	/* A wrong filter must not leave the site on without it. */
	err = ltt_site_listen(message->site, shm, message->id, message->on && is_right, has_filter ? &code : NULL);
	return is_right ? err == -ENOENT ? 0 : -err : EBADMSG;
}

/* An answer that was sent before the last LTT_PROGRAM_TELL belongs to a former round. */
static void take_ready(struct recorder *recorder, const struct ltt_program_end *message)
{
	if (message->round != recorder->round)
		return;
	recorder->ready = message->number;
	if (recorder->answered < recorder->ready)
		recorder->answered = recorder->ready;
	recorder->late &= recorder->ready < ltt_sites_end();
}

static void take_noted(struct recorder *recorder, uint32_t number)
{
	recorder->noted = number;
	recorder->slow &= number != recorder->said_mapped;
}

/* The kernel lets only those processes read the challenge in this program's memory that may
 * debug it, and these can make it run any code anyway. */
static void take_challenge(struct recorder *recorder)
{
	struct ltt_program_challenge message = { .type = LTT_PROGRAM_CHALLENGE };

	recorder->challenged = getrandom(recorder->challenge, sizeof(recorder->challenge), 0) ==
			      (ssize_t)sizeof(recorder->challenge);
	message.address = (uintptr_t)recorder->challenge;
	say(recorder, &message, sizeof(message));
}

static bool is_proof(struct recorder *recorder, const uint8_t *proof)
{
	bool good = recorder->challenged && !memcmp(recorder->challenge, proof, sizeof(recorder->challenge));

	recorder->challenged = false;
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

/* @load may release ltt_lock; only this thread ends a recorder, so @recorder stays valid. */
static void take_probe(struct recorder *recorder, const struct ltt_program_probe *message, size_t size,
		       recorder_load_fn *load)
{
	struct probing probing = { message, size, { .text = { LTT_PROGRAM_PROBED, EAGAIN } } };

	if (is_proof(recorder, message->proof))
		load(probe, &probing);
	else
		probing.answer.text.what = EPERM;
	say(recorder, &probing.answer, sizeof(probing.answer));
}

static void take(struct recorder *recorder, const char *message, size_t size, int fd,
		 recorder_load_fn *load)
{
	const struct ltt_program_number *number = (const void *)message;
	int err = 0;

	if (size < sizeof(*number))
		return;
	if (number->type == LTT_PROGRAM_CHANNEL && size >= sizeof(struct ltt_program_channel))
		err = take_channel(recorder, (const void *)message, fd);
	else if (number->type == LTT_PROGRAM_LISTEN && size >= sizeof(struct ltt_program_listen))
		err = take_listen(recorder, (const void *)message, size);
	else if (number->type == LTT_PROGRAM_READY && size >= sizeof(struct ltt_program_end))
		take_ready(recorder, (const void *)message);
	else if (number->type == LTT_PROGRAM_NOTED)
		take_noted(recorder, number->number);
	else if (number->type == LTT_PROGRAM_PROVE)
		take_challenge(recorder);
	else if (number->type == LTT_PROGRAM_PROBE && size >= sizeof(struct ltt_program_probe))
		take_probe(recorder, (const void *)message, size, load);
	else if (number->type == LTT_PROGRAM_TELL) {
		tell_again(recorder, number->number);
		recorder->answered = 0;
	}
	if (err == EINPROGRESS)
		recorder->answered = 0;
	if (err)
		recorder->unable = err;
}

/* The control buffer has room for one descriptor, so the kernel never passes more. */
static int fd_of(struct msghdr *msg)
{
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(msg);
	int fd;

	if (!cmsg || cmsg->cmsg_level != SOL_SOCKET || cmsg->cmsg_type != SCM_RIGHTS)
		return -1;
	memcpy(&fd, CMSG_DATA(cmsg), sizeof(fd));
	return fd;
}

int ltt_recorder_receive(struct recorder *recorder, recorder_load_fn *load)
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

	size = recvmsg(recorder->fd, &msg, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	if (size < 0)
		return errno == EINTR ? 0 : again(errno);
	if (!size)
		return -ECONNRESET;
	fd = fd_of(&msg);
	take(recorder, (const char *)message, size, fd, load);
	if (fd >= 0)
		close(fd);
	return 0;
}

/* ---- The end ---- */

void ltt_recorder_end(struct recorder *recorder)
{
	struct recorder **link;

	if (recorder->fd >= 0)
		close(recorder->fd);
	ltt_channels_end(&recorder->channels);
	for (link = &ltt_recorders; *link != recorder; link = &(*link)->next)
		;
	*link = recorder->next;
	free(recorder);
}
