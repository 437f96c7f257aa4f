// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A recording that a collector, lttng-relayd, receives.
 *
 * Layer: lttctl view.
 */
#include "live.h"
#include "lttctl/command.h"

#include <ctype.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LOOK_MS		100

/* A recorder that lost its connection is back so soon, or the recording has ended. */
#define BACK_MS		5000

/* --- The address ------------------------------------------------------------- */

/* Return: what follows; NULL if it does not fit. */
static const char *take(char *to, size_t size, const char *from, size_t len)
{
	if (!len || len >= size)
		return NULL;
	memcpy(to, from, len);
	to[len] = '\0';
	return from + len;
}

static const char *take_host(struct live *live, const char *at)
{
	const char *end;

	if (*at != '[')
		return take(live->host, sizeof(live->host), at, strcspn(at, ":/"));
	end = strchr(at, ']');
	at = end ? take(live->host, sizeof(live->host), at + 1, end - at - 1) : NULL;
	return at ? at + 1 : NULL;
}

static const char *take_port(struct live *live, const char *at)
{
	strcpy(live->port, VIEWER_PORT);
	if (*at != ':')
		return at;
	return take(live->port, sizeof(live->port), at + 1, strspn(at + 1, "0123456789"));
}

static bool take_session(struct live *live, const char *at)
{
	const bool has_machine = !strncmp(at, "host/", 5) && strchr(at + 5, '/');

	if (has_machine) {
		at = take(live->machine, sizeof(live->machine), at + 5, strcspn(at + 5, "/"));
		at = at ? at + 1 : NULL;
	}
	return at && !strchr(at, '/') && take(live->session, sizeof(live->session), at, strlen(at));
}

bool live_parse(struct live *live, const char *url)
{
	*live = (struct live){ .mirror = { .viewer = { .fd = -1 } } };
	if (!strncmp(url, "net6://", 7))
		url = take_host(live, url + 7);
	else
		url = !strncmp(url, "net://", 6) ? take_host(live, url + 6) : NULL;
	url = url ? take_port(live, url) : NULL;
	if (!url || (*url && *url != '/'))
		return false;
	return !*url || !url[1] || take_session(live, url + 1);
}

/* --- The session --------------------------------------------------------------- */

/* Return: true for "-20261126-183907", which lttctl record appends to the name of a session. */
static bool is_date(const char *text)
{
	static const char form[] = "-dddddddd-dddddd";
	size_t i;

	for (i = 0; form[i] && (form[i] == 'd' ? isdigit((unsigned char)text[i]) : text[i] == form[i]); i++)
		;
	return !form[i] && !text[i];
}

static bool matches(const struct live *live, const struct viewer_session *session)
{
	const size_t len = strlen(live->session);

	return !strncmp(session->name, live->session, len) && (!session->name[len] || is_date(session->name + len)) &&
	       (!*live->machine || !strcmp(session->host, live->machine));
}

static int ambiguous(const struct live *live, const struct viewer_session *one, const struct viewer_session *other)
{
	complain("%s: several machines send a session of this name: add /host/%s or /host/%s to the address", live->session,
		 one->host, other->host);
	return -1;
}

/* Return: 1; 0: there is none; -1 after a message. */
static int find(struct live *live, struct viewer_session *found)
{
	struct viewer_session *sessions;
	int nr = viewer_sessions(&live->mirror.viewer, &sessions), i, ret = 0;

	for (i = 0; i < nr && ret >= 0; i++) {
		if (!matches(live, &sessions[i]))
			continue;
		if (ret && strcmp(found->host, sessions[i].host)) {
			ret = ambiguous(live, found, &sessions[i]);
		} else {
			/* The last one is that of the latest connection. */
			if (!ret || sessions[i].id > found->id)
				*found = sessions[i];
			ret = 1;
		}
	}
	if (nr >= 0)
		free(sessions);
	return nr < 0 ? -1 : ret;
}

int live_list(struct live *live)
{
	struct viewer_session *sessions;
	const char *open = strchr(live->host, ':') ? "[" : "", *shut = *open ? "]" : "";
	int nr, i;

	if (viewer_connect(&live->mirror.viewer, live->host, live->port))
		return EXIT_FAILED;
	nr = viewer_sessions(&live->mirror.viewer, &sessions);
	if (nr < 0)
		return EXIT_FAILED;
	for (i = 0; i < nr; i++)
		printf("net://%s%s%s:%s/host/%s/%s%s\n", open, live->host, shut, live->port, sessions[i].host, sessions[i].name,
		       sessions[i].live_us ? "" : " (not live)");
	free(sessions);
	return 0;
}

/* --- Following it ----------------------------------------------------------------- */

static int64_t now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000) + time.tv_nsec / 1000000;
}

static int attach(struct live *live)
{
	int found;

	if (viewer_connect(&live->mirror.viewer, live->host, live->port))
		return -1;
	found = find(live, &live->mirror.session);
	if (!found)
		complain("%s: the collector at %s has no such session; `lttctl view --live net://%s:%s' lists them", live->session,
			 live->mirror.viewer.where, live->host, live->port);
	return found > 0 ? mirror_begin(&live->mirror) : -1;
}

int live_begin(struct live *live, bool (*is_interrupted)(void))
{
	int ret;

	live->mirror.viewer.is_interrupted = is_interrupted;
	/* Those of the copy, and of its reader. */
	lttctl_raise_files();
	ret = attach(live);
	while (!ret && !mirror_is_readable(&live->mirror) && !live_is_over(live) && !is_interrupted()) {
		ret = live_look(live);
		poll(NULL, 0, LOOK_MS);
	}
	if (ret && !is_interrupted())
		return EXIT_FAILED;
	if (mirror_is_readable(&live->mirror))
		return 0;
	return complain("%s: %s before the first event", live->session, live_is_over(live) ? "ended" : "interrupted");
}

/* The session is closed: see whether there is another one. */
static int find_again(struct live *live)
{
	struct viewer_session session;
	int found = find(live, &session);

	live->closed = live->closed ?: now_ms();
	if (found <= 0 || session.id == live->mirror.session.id)
		return found < 0 ? -1 : 0;
	live->closed = 0;
	return mirror_again(&live->mirror, &session);
}

int live_look(struct live *live)
{
	if (mirror_fetch(&live->mirror))
		return EXIT_FAILED;
	return live->mirror.is_closed && !live_is_over(live) && find_again(live) ? EXIT_FAILED : 0;
}

bool live_is_over(const struct live *live)
{
	return live->closed && now_ms() - live->closed > BACK_MS;
}

void live_end(struct live *live)
{
	mirror_end(&live->mirror);
}
