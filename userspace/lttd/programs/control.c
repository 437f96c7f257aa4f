// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Requests of lttctl to a running recording of programs.
 *
 * Layer: lttd.  lttd never waits for an lttctl that does not read its answers.
 */
#include "control.h"
#include "lttd/log.h"
#include "snapshot.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/protocol.h"
#include "common/selection.h"

/* ---- Answering ---- */

static int answer(struct program *asker, uint32_t number)
{
	struct ltt_program_number message = { LTT_PROGRAM_ANSWER, number };

	asker->asker = false;
	return send(asker->fd, &message, sizeof(message), MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -ECONNRESET : 0;
}

/* Send @text in as many messages as necessary, then the answer. */
static int answer_text(struct program *asker, const char *text, size_t len, uint32_t number)
{
	char buf[LTT_PROGRAM_MAX];
	struct ltt_program_text *message = (void *)buf;
	size_t room = sizeof(buf) - sizeof(*message), part;

	*message = (struct ltt_program_text){ LTT_PROGRAM_TEXT, 0 };
	for (; len; len -= part, text += part) {
		part = len < room ? len : room;
		memcpy(message->text, text, part);
		if (send(asker->fd, buf, sizeof(*message) + part, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			return -ECONNRESET;
	}
	return answer(asker, number);
}

static int refuse(struct program *asker, const char *why)
{
	return answer_text(asker, why, strlen(why), LTT_PROGRAM_REFUSED);
}

/* ---- Changes ---- */

/* The number of programs that have not acknowledged yet.  Stopped ones do when they continue. */
static unsigned int nr_unsettled(const struct programs *programs)
{
	const struct program *program;
	unsigned int nr = 0;

	LIST_FOREACH(program, &programs->programs, all)
		nr += program->user && program->fd >= 0 && !program->settled;
	return nr;
}

void control_settled(struct programs *programs)
{
	uint64_t now = programs_now(), quiet = LTT_PROGRAM_ASK_MS - 2 * LTT_PROGRAM_QUIET_MS;
	struct program *program;
	unsigned int nr;

	LIST_FOREACH(program, &programs->pending, pending) {
		if (!program->asker || program->fd < 0)
			continue;
		nr = nr_unsettled(programs);
		/* A child that was forked before its parent received the change has not connected yet. */
		if (now >= (nr ? program->until : program->until - quiet))
			answer(program, nr);
	}
}

/* When a program cannot be notified, close its connection; the loop then sees its end. */
static int spread(struct programs *programs, struct program *asker)
{
	struct program *program;

	LIST_FOREACH(program, &programs->programs, all)
		if (program->user && program->fd >= 0 && program_tell(program))
			shutdown(program->fd, SHUT_RDWR);
	asker->asker = true;
	asker->until = programs_now() + LTT_PROGRAM_ASK_MS;
	control_settled(programs);
	return 0;
}

static int change(struct programs *programs, struct program *asker, const char *pattern, bool on)
{
	return patterns_set(&programs->patterns, pattern, on) ? fail("out of memory") : spread(programs, asker);
}

/* Of the events that there are, each must fit the filter or lack a name of it, and one must fit. */
static int change_filter(struct programs *programs, struct program *asker, const char *text)
{
	char why[FILTERS_WHY];
	struct filter *filter = filter_new(text, why);
	bool fits = filter;
	struct user *user;

	for (user = programs->users; user && fits; user = user->next)
		fits = filter_check(filter, &user->trace.events, why);
	if (fits && filter_is_unknown(filter)) {
		strcpy(why, filter->lacking);
		fits = false;
	}
	if (!fits && filter)
		filter_free(filter);
	if (!fits || !filters_set(&programs->filters, filter, why))
		return refuse(asker, why);
	return spread(programs, asker);
}

static int remove_filter(struct programs *programs, struct program *asker, const char *pattern)
{
	return filters_unset(&programs->filters, pattern) ? spread(programs, asker) :
							   refuse(asker, "the pattern has no filter");
}

/* ---- Snapshot and status ---- */

/* A flight recorder's buffers are copied.  The others are written to the trace's files. */
static int snapshot(struct programs *programs, struct program *asker)
{
	char path[PATH_MAX];
	struct user *user;

	if (programs->options->buffers.overwrite && !programs->users)
		return answer(asker, LTT_PROGRAM_SNAPSHOT_EMPTY);
	if (programs->options->buffers.overwrite)
		return snapshot_write(programs, path, sizeof(path)) ? answer(asker, 1) :
		       answer_text(asker, path, strlen(path), 0);
	for (user = programs->users; user; user = user->next)
		if (slots_take(&user->slots, SLOTS_ALL) || notes_flush(&user->notes))
			return -1;
	return answer(asker, 0);
}

static void print_patterns(FILE *to, const struct pattern *pattern)
{
	for (; pattern; pattern = pattern->next)
		fprintf(to, "%s %s\n", pattern->on ? "enabled" : "disabled", pattern->text);
}

static void print_filters(FILE *to, const struct filters *filters)
{
	const struct filter *filter;

	TAILQ_FOREACH(filter, &filters->list, entry)
		fprintf(to, "filter %s %s\n", filter->pattern, filter->text);
}

static void print_user(FILE *to, const struct programs *programs, const struct user *user)
{
	const struct program *program;
	struct user_counts counts;
	unsigned int nr = 0;

	LIST_FOREACH(program, &programs->programs, all)
		nr += program->user == user && program->fd >= 0;
	user_count(user, &counts);
	fprintf(to, "user %u %u %llu %llu %llu\n", user->uid, nr, counts.stored, counts.lost, counts.filtered);
}

static int status(const struct programs *programs, struct program *asker)
{
	const struct user *user;
	char *text = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);
	int ret;

	if (!memory)
		return fail("out of memory");
	fprintf(memory, "output %s\n", programs->options->root);
	print_patterns(memory, programs->patterns.last);
	print_filters(memory, &programs->filters);
	for (user = programs->users; user; user = user->next)
		print_user(memory, programs, user);
	ret = fclose(memory) ? fail("out of memory") : answer_text(asker, text, len, 0);
	free(text);
	return ret;
}

/* Keep a copy of the asker's descriptor: all connections close before the answer is sent. */
static int end(struct programs *programs, const struct program *asker)
{
	if (programs->ender < 0)
		programs->ender = dup(asker->fd);
	return programs->ender < 0 ? fail("cannot answer that the recording ends: %s", strerror(errno)) : 0;
}

void control_ended(struct programs *programs, bool failed)
{
	struct program asker = { .fd = programs->ender };

	if (asker.fd < 0)
		return;
	answer(&asker, failed);
	close(asker.fd);
}

int control_ask(struct program_host *host, struct program *program, const void *data, size_t size)
{
	struct programs *programs = (struct programs *)host;
	const struct ltt_program_text *message = data;

	/* Only our user and root may ask, one request at a time, and not on the connection of
	 * a program, which has sent HELLO. */
	if (size <= sizeof(*message) || program->user || program->asker ||
	    (program->uid && program->uid != geteuid()) || !memchr(message->text, '\0', size - sizeof(*message)))
		goto nonsense;
	program->lttctl = true;
	program->until = programs_now() + LTT_PROGRAM_ASK_MS;
	switch (message->what) {
	case LTT_PROGRAM_ENABLE:
	case LTT_PROGRAM_DISABLE:
		if (!selection_valid(message->text))
			goto nonsense;
		return change(programs, program, message->text, message->what == LTT_PROGRAM_ENABLE);
	case LTT_PROGRAM_FILTER:
		return change_filter(programs, program, message->text);
	case LTT_PROGRAM_UNFILTER:
		return remove_filter(programs, program, message->text);
	case LTT_PROGRAM_SNAPSHOT:
		return snapshot(programs, program);
	case LTT_PROGRAM_STATUS:
		return status(programs, program);
	case LTT_PROGRAM_END:
		return end(programs, program);
	}
nonsense:
	notice_of_others("pid %d has sent a malformed request: its connection is closed", program->pid);
	return -ECONNRESET;
}
