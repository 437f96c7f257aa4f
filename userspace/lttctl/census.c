// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The markers of the programs that run.
 *
 * Layer: lttctl.
 */
#include "census.h"
#include "command.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../libltt/protocol.h"
#include "../lttd/call.h"
#include "../lttd/meet.h"
#include "../lttd/site.h"

#define WAIT_MS 2000

/* A program that answers. */
struct answer {
	pid_t pid;
	char name[LTT_PROGRAM_NAME + 1];
};

/* The first of @polls is the socket, where others come from. */
struct asking {
	struct census *census;
	struct pollfd *polls;
	struct answer *answers;
	size_t nr;
	unsigned int called;
	unsigned int heard;
};

/* ---- What they say ---- */

/* What a terminal would take for more than text is not shown. */
static char *plain(char *text)
{
	char *at;

	for (at = text; at && *at; at++)
		if (*at < ' ' || *at > '~')
			*at = '?';
	return text;
}

static char *describe_fields(const struct marker *marker)
{
	struct ltt_mark_fields fields;
	const char *where, *why;
	char *text = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);
	unsigned int i;

	if (!memory)
		return NULL;
	why = ltt_mark_parse(marker->format, marker->args, marker->nr_args, &fields, &where);
	if (why)
		fprintf(memory, "refused: %s\n", why);
	for (i = 0; !why && i < marker->nr_args; i++) {
		const struct ltt_field *field = &fields.field[i];

		if (field->kind == LTT_FIELD_STRING)
			fprintf(memory, "field %s string\n", field->name);
		else
			fprintf(memory, "field %s integer %c%u base %u\n", field->name,
				field->is_signed ? 's' : 'u', field->size * 8, field->base);
	}
	return fclose(memory) ? NULL : text;
}

static char *print(const char *format, const char *one, const char *other, long number)
{
	char *text;

	return asprintf(&text, format, one, other, number) < 0 ? NULL : plain(text);
}

static int add_site(struct census *census, const struct answer *answer, const struct site *site)
{
	struct census_site *more = reallocarray(census->site, census->nr + 1, sizeof(*more));
	struct census_site *new;

	if (!more)
		return complain("out of memory");
	census->site = more;
	new = &more[census->nr++];
	*new = (struct census_site){
		.event = print("%s:%s", site->marker.group, site->marker.name, 0),
		.fields = describe_fields(&site->marker),
		.place = print("%s%s:%ld", site->file, "", site->line),
		.program = print("%s%s %ld", answer->name, "", answer->pid),
		.recorded = site->recorded,
	};
	return new->event && new->fields && new->place && new->program ? 0 : complain("out of memory");
}

/* All have been told of up to here; more are to come, unless that is the end. */
static int take_end(struct pollfd *pollfd, const struct ltt_program_end *message)
{
	struct ltt_program_end ready = *message;

	ready.type = LTT_PROGRAM_READY;
	return message->number == message->end ||
	       send(pollfd->fd, &ready, sizeof(ready), MSG_NOSIGNAL | MSG_DONTWAIT) < 0;
}

/* Return: 1: that was the last of it, 0, or -1. */
static int take(struct asking *asking, size_t nr, const void *data, size_t size)
{
	const struct ltt_program_hello *hello = data;
	struct answer *answer = &asking->answers[nr];
	struct site site;

	if (size >= sizeof(*hello) && hello->type == LTT_PROGRAM_HELLO) {
		snprintf(answer->name, sizeof(answer->name), "%.*s", LTT_PROGRAM_NAME, hello->name);
		return hello->version != LTT_PROGRAM_VERSION;
	}
	if (size >= sizeof(struct ltt_program_end) && hello->type == LTT_PROGRAM_SITES_END)
		return take_end(&asking->polls[nr], data);
	if (size < sizeof(hello->type) || hello->type != LTT_PROGRAM_SITE || !site_parse(data, size, &site))
		return 1;
	return add_site(asking->census, answer, &site) ? -1 : 0;
}

static int hear(struct asking *asking, size_t nr)
{
	uint64_t message[LTT_PROGRAM_MAX / sizeof(uint64_t)];
	ssize_t size = recv(asking->polls[nr].fd, message, sizeof(message), MSG_DONTWAIT);
	int ret;

	if (size < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	ret = size <= 0 ? 1 : take(asking, nr, message, size);
	if (!ret)
		return 0;
	close(asking->polls[nr].fd);
	asking->polls[nr].fd = -1;
	asking->heard++;
	return ret < 0 ? EXIT_FAILED : 0;
}

/* ---- Asking ---- */

/* Takes the descriptor, whatever is returned. */
static int add_poll(struct asking *asking, int fd, pid_t pid)
{
	struct pollfd *polls = reallocarray(asking->polls, asking->nr + 1, sizeof(*polls));
	struct answer *answers = reallocarray(asking->answers, asking->nr + 1, sizeof(*answers));

	asking->polls = polls ? polls : asking->polls;
	asking->answers = answers ? answers : asking->answers;
	if (!polls || !answers) {
		close(fd);
		return complain("out of memory");
	}
	polls[asking->nr] = (struct pollfd){ .fd = fd, .events = POLLIN };
	answers[asking->nr++] = (struct answer){ .pid = pid };
	return 0;
}

/* Programs of others come to root only; and call_programs() looks who is at this socket. */
static int take_connection(struct asking *asking, int fd)
{
	struct ucred ucred;
	socklen_t len = sizeof(ucred);

	if (!getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &ucred, &len) && ucred.pid != getpid() &&
	    (!geteuid() || ucred.uid == geteuid()))
		return add_poll(asking, fd, ucred.pid);
	close(fd);
	return 0;
}

static int take_connections(struct asking *asking)
{
	int status = 0, fd;

	while (!status && (fd = accept4(asking->polls[0].fd, NULL, NULL, SOCK_CLOEXEC)) >= 0)
		status = take_connection(asking, fd);
	return status;
}

static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Until all that were called have come and said all, or time is up. */
static int hear_all(struct asking *asking)
{
	long until = now_ms() + WAIT_MS, left;
	int status = 0;
	size_t i;

	while (!status && asking->heard < asking->called && (left = until - now_ms()) > 0) {
		if (poll(asking->polls, asking->nr, left) < 0 && errno != EINTR)
			return complain("cannot wait for programs: %s", strerror(errno));
		for (i = 1; !status && i < asking->nr; i++)
			if (asking->polls[i].fd >= 0 && asking->polls[i].revents)
				status = hear(asking, i);
		if (!status)
			status = take_connections(asking);
	}
	asking->census->silent = asking->called > asking->heard ? asking->called - asking->heard : 0;
	return status;
}

static int compare(const void *one, const void *other)
{
	const struct census_site *a = one, *b = other;
	int differs = strcmp(a->event, b->event);

	if (!differs)
		differs = strcmp(a->fields, b->fields);
	if (!differs)
		differs = strcmp(a->place, b->place);
	return differs ? differs : strcmp(a->program, b->program);
}

/* Each program takes a descriptor. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int census_take(struct census *census)
{
	struct asking asking = { .census = census };
	char path[MEET_PATH_SIZE];
	int fd, status;
	size_t i;

	*census = (struct census){ NULL };
	raise_file_limit();
	fd = meet_open(path, "list-");
	if (fd < 0)
		return complain("cannot make %s for programs: %s", path, strerror(-fd));
	status = add_poll(&asking, fd, 0);
	if (!status) {
		asking.called = call_programs();
		status = hear_all(&asking);
	}
	unlink(path);
	for (i = 0; i < asking.nr; i++)
		if (asking.polls[i].fd >= 0)
			close(asking.polls[i].fd);
	free(asking.polls);
	free(asking.answers);
	if (!status && census->nr)
		qsort(census->site, census->nr, sizeof(*census->site), compare);
	return status;
}

void census_free(struct census *census)
{
	size_t i;

	for (i = 0; i < census->nr; i++) {
		free(census->site[i].event);
		free(census->site[i].fields);
		free(census->site[i].place);
		free(census->site[i].program);
	}
	free(census->site);
}
