// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A connected program.
 *
 * Layer: lttd.  Programs are untrusted: lttd checks each message before it uses it, and
 * closes the connection of a program that violates the protocol.  lttd never waits for a
 * program: it closes the connection of one that does not read its messages.
 */
#include "program.h"
#include "lttd/log.h"
#include "common/rights.h"
#include "common/site.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/protocol.h"

/* Sites of a program, those of unloaded libraries included. */
#define SITES_MAX	1000000
#define OBJECT_MAX	1024

/* Messages about libraries and objects in memory, of one program: dlopen() and dlclose() in a loop. */
#define OBJECTS_MAX	40000

/* ---- Sending ---- */

/* send() failed.  After EPIPE, lttd still reads the messages that the program sent. */
static int send_failed(struct program *program)
{
	if (errno == EPIPE || errno == ECONNRESET)
		return 0;
	if (errno == EAGAIN) {
		notice_of_others("program %s (pid %d) does not read its messages: it is not recorded",
		       program->name, program->pid);
	} else {
		notice("cannot send to program %s (pid %d): %s; it is not recorded", program->name,
		       program->pid, strerror(errno));
	}
	program->user->incomplete = true;
	return -ECONNRESET;
}

static int say(struct program *program, const void *message, size_t size)
{
	ssize_t done = TEMP_FAILURE_RETRY(send(program->fd, message, size, MSG_NOSIGNAL | MSG_DONTWAIT));

	return done < 0 ? send_failed(program) : 0;
}

/* Send the description of the buffers, with their descriptor. */
static int say_channel(struct program *program)
{
	const struct ltt_shm *shm = &program->set->shm;
	struct ltt_program_channel message = {
		.type = LTT_PROGRAM_CHANNEL,
		.set = program->set->number,
		.nr_cpus = shm->nr_cpus,
		.nr_rings = shm->nr_rings,
		.nr_sb = shm->nr_sb,
		.sb_order = shm->sb_order,
		.overwrite = shm->overwrite,
		.lossless_ms = shm->lossless_ms,
		.context = shm->context,
		.objects = program->user->objects,
	};
	int ret = 0;

	memcpy(message.trace, program->user->trace.uuid, sizeof(message.trace));
	if (rights_send(program->fd, &message, sizeof(message), program->set->memfd) < 0)
		ret = send_failed(program);
	user_provided(program->user, program->set);
	return ret;
}

static int say_listen(struct program *program, uint32_t site, uint32_t id, bool on)
{
	struct ltt_program_listen message = {
		.type = LTT_PROGRAM_LISTEN, .site = site, .id = id, .on = on,
	};

	return say(program, &message, sizeof(message));
}

/* Record a site with a filter, which the message has: instructions, then texts. */
static int say_listen_filtered(struct program *program, uint32_t site, uint32_t id, const struct ltt_filter_code *code)
{
	uint64_t buf[(sizeof(struct ltt_program_listen) + sizeof(code->insn) + sizeof(code->text)) / sizeof(uint64_t)];
	struct ltt_program_listen *message = (void *)buf;
	char *end = mempcpy(message->insn, code->insn, code->nr * sizeof(code->insn[0]));

	*message = (struct ltt_program_listen){
		.type = LTT_PROGRAM_LISTEN, .site = site, .id = id, .on = true, .nr = code->nr,
	};
	end = mempcpy(end, code->text, code->size);
	return say(program, buf, end - (char *)buf);
}

/* ---- Receiving ---- */

static int nonsense(struct program *program)
{
	notice_of_others("pid %d has sent a malformed message: it is not recorded", program->pid);
	/* Before HELLO it may be anything that found the socket. */
	if (program->user)
		program->user->incomplete = true;
	return -ECONNRESET;
}

/* Return: 0; -ECONNRESET: there are no buffers for it, which is logged. */
static int provide(struct program *program)
{
	int err;

	program->set = user_connect(program->user, program->pid, program->name, &err);
	if (program->set)
		return 0;
	if (err == -EDQUOT)
		notice_of_others("program %s (pid %d) is not recorded: the buffers of user %u have reached the limit; see lttd --memory",
				 program->name, program->pid, program->uid);
	else
		notice_of_others("program %s (pid %d) is not recorded: cannot make buffers: %s", program->name,
				 program->pid, strerror(-err));
	program->user->incomplete = true;
	return -ECONNRESET;
}

static int take_hello(struct program *program, struct program_host *host, const void *data, size_t size)
{
	const struct ltt_program_hello *message = data;
	char name[sizeof(message->name) + 1] = "";

	/* Other versions have the members before this one, too. */
	if (size < offsetof(struct ltt_program_hello, socket) || program->user)
		return nonsense(program);
	memcpy(name, message->name, sizeof(message->name));
	copy_printable(program->name, sizeof(program->name), name);
	if (message->version != LTT_PROGRAM_VERSION) {
		if (!host->wants(host, program->pid, program->heir))
			return -ECONNRESET;
		host->refused = true;
		notice_of_others("program %s (pid %d) has another version of libltt (%u, not %u): it is not recorded",
		       program->name, program->pid, message->version, LTT_PROGRAM_VERSION);
		return -ECONNRESET;
	}
	if (size < sizeof(*message))
		return nonsense(program);
	program->socket = message->socket;
	if (!host->wants(host, program->pid, message->heir || program->heir))
		return -ECONNRESET;
	program->user = host->user(host, program->uid);
	if (!program->user)
		return -ECONNRESET;
	if (notes_started(&program->user->notes, program->pid, program->name))
		return -1;
	return provide(program) ?: say_channel(program);
}

/* Events from before lttd's answer are missing, of a program or of a library that it loaded. */
static void note_late(struct program *program, struct program_host *host)
{
	if (!program->late || !program->wanted || program->lacking)
		return;
	program->lacking = true;
	host->late(host, program);
}

/* An event that its filter does not fit is not recorded, also if it was before. */
static int listen_filtered(struct program *program, struct filter *filter, const struct site *site, uint32_t id)
{
	const struct event_filter *found;
	char why[FILTERS_WHY], text[FILTERS_WHY + 32];

	found = filter_event(filter, program->user->trace.events.event[id], why);
	if (!found)
		return fail("out of memory");
	if (!found->err)
		return say_listen_filtered(program, site->number, id, &found->code);
	snprintf(text, sizeof(text), "its filter does not fit it: %s", why);
	if (*why && user_reject(program->user, &site->marker, text))
		return -1;
	return say_listen(program, site->number, 0, false);
}

static int take_site(struct program *program, struct program_host *host, const void *data, size_t size)
{
	struct filter *filter;
	struct site site;
	uint32_t id;
	int ret;

	if (!program->user || !site_parse(data, size, &site))
		return nonsense(program);
	if (++program->nr_sites > SITES_MAX) {
		notice_of_others("program %s (pid %d) has more than %d markers: it is not recorded", program->name,
		       program->pid, SITES_MAX);
		program->user->incomplete = true;
		return -ECONNRESET;
	}
	if (!patterns_want(host->patterns, program->name, site.marker.group, site.marker.name))
		/* The site may be recorded already, also by the parent before a fork(). */
		return host->patterns->may_be_on ? say_listen(program, site.number, 0, false) : 0;
	program->wanted = true;
	note_late(program, host);
	ret = user_event(program->user, &program->share, &site.marker, &id);
	if (ret)
		return ret == -1 ? 0 : -1;
	filter = filters_find(host->filters, program->name, site.marker.group, site.marker.name);
	return filter ? listen_filtered(program, filter, &site, id) : say_listen(program, site.number, id, true);
}

static void settle(struct program *program, struct program_host *host)
{
	program->settled = true;
	if (!program->running)
		return;
	program->running = false;
	host->joined(host, program);
}

/* The first message with all sites requires the answer READY.  The second confirms that. */
static int take_end(struct program *program, struct program_host *host, const void *data, size_t size)
{
	struct ltt_program_end message;

	if (!program->user || size < sizeof(message))
		return nonsense(program);
	memcpy(&message, data, sizeof(message));
	program->unlisted = message.number < message.end;
	if (message.round == program->round && message.number == message.end) {
		if (program->listed && program->listed == message.number) {
			settle(program, host);
			return 0;
		}
		program->listed = message.number;
	}
	message.type = LTT_PROGRAM_READY;
	return say(program, &message, sizeof(message));
}

/* Return: false: the program has had its share of the file of notes. */
static bool may_note_object(struct program *program)
{
	if (program->nr_objects > OBJECTS_MAX || program->nr_objects++ < OBJECTS_MAX)
		return program->nr_objects <= OBJECTS_MAX;
	notice_of_others("program %s (pid %d) loads and unloads too often: further libraries and their places are not recorded",
			 program->name, program->pid);
	program->user->incomplete = true;
	return false;
}

static int take_object(struct program *program, const void *data, size_t size)
{
	const struct ltt_program_text *message = data;
	char name[OBJECT_MAX];

	if (!program->user || size <= sizeof(*message) || !memchr(message->text, '\0', size - sizeof(*message)))
		return nonsense(program);
	if (!may_note_object(program))
		return 0;
	copy_printable(name, sizeof(name), message->text);
	return notes_object(&program->user->notes, program->pid, name, message->what) ? -1 : 0;
}

static int take_mapped(struct program *program, const void *data, size_t size)
{
	const struct ltt_program_mapped *message = data;
	char path[NOTE_PATH_SIZE], build_id[NOTE_BUILD_ID_SIZE];
	const char *id;

	if (!program->user || size <= sizeof(*message))
		return nonsense(program);
	id = memchr(message->text, '\0', size - sizeof(*message));
	id = id ? id + 1 : NULL;
	if (!id || !memchr(id, '\0', (const char *)data + size - id))
		return nonsense(program);
	if (!program->user->objects || !may_note_object(program))
		return 0;
	/* A longer path ends early: lttctl will not find the file. */
	snprintf(path, sizeof(path), "%s", message->text);
	copy_printable(build_id, sizeof(build_id), id);
	return notes_mapped(&program->user->notes, program->pid,
			    &(struct note_mapped){ message->base, message->start, message->end, path, build_id },
			    message->is_there) ? -1 : 0;
}

static int take_mapped_end(struct program *program, uint32_t number)
{
	struct ltt_program_number message = { LTT_PROGRAM_NOTED, number };

	return program->user ? say(program, &message, sizeof(message)) : nonsense(program);
}

static int take_unable(struct program *program, struct program_host *host, int err)
{
	if (!program->user)
		return nonsense(program);
	if (err == EINPROGRESS) {
		program->running = !program->settled;
		return 0;
	}
	if (err == ETIMEDOUT) {
		program->late = true;
		note_late(program, host);
		return 0;
	}
	/* It is not waited for, though it may have said this in place of EINPROGRESS. */
	program->running = !program->settled;
	/* Once for each program: notice_of_others() has a limit. */
	if (!program->lacking && err == ELIBBAD)
		notice_of_others("program %s (pid %d) has markers of another version of <ltt/marker.h>: they are not recorded",
				 program->name, program->pid);
	else if (!program->lacking && err == EBADMSG)
		notice_of_others("program %s (pid %d) has rejected a filter: an event of it is not recorded",
				 program->name, program->pid);
	else if (!program->lacking)
		notice_of_others("program %s (pid %d) cannot be recorded, or not all of it: %s", program->name,
				 program->pid, strerror(err));
	program->lacking = true;
	program->user->incomplete = true;
	return 0;
}

static void take_bye(struct program *program, struct program_host *host, int status)
{
	program->bye = true;
	program->status = status;
	/* Of the sites that it has not described, any may be wanted. */
	if (program->late && program->unlisted)
		program->wanted = true;
	note_late(program, host);
}

static int take(struct program *program, struct program_host *host, const void *data, size_t size)
{
	const struct ltt_program_number *number = data;

	if (size < sizeof(*number))
		return nonsense(program);
	switch (number->type) {
	case LTT_PROGRAM_HELLO:
		return take_hello(program, host, data, size);
	case LTT_PROGRAM_SITE:
		return take_site(program, host, data, size);
	case LTT_PROGRAM_SITES_END:
		return take_end(program, host, data, size);
	case LTT_PROGRAM_OBJECT:
		return take_object(program, data, size);
	case LTT_PROGRAM_MAPPED:
		return take_mapped(program, data, size);
	case LTT_PROGRAM_MAPPED_END:
		return take_mapped_end(program, number->number);
	case LTT_PROGRAM_BYE:
		take_bye(program, host, number->number);
		return 0;
	case LTT_PROGRAM_UNABLE:
		return take_unable(program, host, number->number);
	case LTT_PROGRAM_ASK:
		return host->ask(host, program, data, size);
	}
	return nonsense(program);
}

int program_tell(struct program *program)
{
	struct ltt_program_number message = { LTT_PROGRAM_TELL, program->round + 1 };

	program->round++;
	program->settled = program->late = program->unlisted = false;
	program->listed = 0;
	program->nr_sites = 0;
	return say(program, &message, sizeof(message));
}

int program_hear(struct program *program, struct program_host *host)
{
	uint64_t message[LTT_PROGRAM_MAX / sizeof(uint64_t)];
	ssize_t size = recv(program->fd, message, sizeof(message), MSG_DONTWAIT | MSG_TRUNC);

	/* ECONNRESET: the program exited with messages unread.  recv() reports this once, and
	 * then returns the program's remaining messages. */
	if (size < 0)
		return errno == ECONNRESET || errno == EINTR ? 0 : -EAGAIN;
	if (!size)
		return -ECONNRESET;
	if ((size_t)size > sizeof(message))
		return nonsense(program);
	return take(program, host, message, size);
}
