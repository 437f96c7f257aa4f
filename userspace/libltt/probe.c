// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Probes: functions that the library calls at sites.
 *
 * A probe is a target of a site, as is a channel of an lttd.
 */
#include "probe.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/ltt/probe.h"
#include "load.h"
#include "common/protocol.h"

/* libltt.a has no such functions. */
#pragma weak ltt_load
#pragma weak ltt_load_find

#define TEXTS_MAX	3
#define EVENT_SIZE	256

/**
 * struct connection - a probe that is connected to a pattern
 * @next: the next connection
 * @probe: the function
 * @data: its argument
 * @pattern: group:name, or name, with globs
 */
struct connection {
	struct connection *next;
	ltt_probe_fn *probe;
	void *data;
	char pattern[];
};

static struct connection *connections;		/* guarded by ltt_lock */

/* Texts that lttctl gave as arguments of probes.  A probe may keep its argument, so they are
 * never freed.  Guarded by ltt_lock. */
static char **copies;
static size_t nr_copies;

static __thread bool is_in_probe __attribute__((tls_model("initial-exec")));

void ltt_probe_call(const struct ltt_target *target, const struct ltt_site *site, const uint64_t *words,
		    unsigned int nr)
{
	unsigned long long args[LTT_MARK_MAX_ARGS];
	int saved = errno;
	unsigned int i;

	if (is_in_probe)
		return;
	for (i = 0; i < nr; i++)
		args[i] = words[i];
	is_in_probe = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	target->probe(target->data, site, args, nr);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	is_in_probe = false;
	errno = saved;
}

/* ---- Connections ---- */

static bool matches(const char *pattern, const struct ltt_site *site)
{
	char event[EVENT_SIZE];

	if (!strchr(pattern, ':'))
		return !fnmatch(pattern, site->name, 0);
	return snprintf(event, sizeof(event), "%s:%s", site->group, site->name) < EVENT_SIZE &&
	       !fnmatch(pattern, event, 0);
}

static bool is_wanted(const struct ltt_site *site, ltt_probe_fn *probe, const void *data)
{
	const struct connection *connection;

	for (connection = connections; connection; connection = connection->next)
		if (connection->probe == probe && connection->data == data &&
		    matches(connection->pattern, site))
			return true;
	return false;
}

/* Switch a probe on at each site that a connection of it matches, and off at all others.
 * Return: 0; -ENOMEM if it could not be switched on everywhere. */
static int update(ltt_probe_fn *probe, void *data)
{
	struct ltt_site *site;
	uint32_t number;
	int err, ret = 0;

	for (number = 0; (site = ltt_sites_next(&number)); number++) {
		err = ltt_site_probe(site, probe, data, is_wanted(site, probe, data));
		ret = ret ? ret : err;
	}
	return ret;
}

void ltt_probes_attach(struct ltt_site *first, uint32_t count)
{
	const struct connection *connection;
	uint32_t i;

	for (connection = connections; connection; connection = connection->next)
		for (i = 0; i < count; i++)
			if (matches(connection->pattern, &first[i]))
				ltt_site_probe(&first[i], connection->probe, connection->data, true);
}

static struct connection **find(const char *pattern, ltt_probe_fn *probe, const void *data)
{
	struct connection **link;

	for (link = &connections; *link; link = &(*link)->next)
		if ((*link)->probe == probe && (*link)->data == data && !strcmp((*link)->pattern, pattern))
			break;
	return link;
}

static int add(const char *pattern, ltt_probe_fn *probe, void *data)
{
	struct connection *new;

	if (*find(pattern, probe, data))
		return -EEXIST;
	new = malloc(sizeof(*new) + strlen(pattern) + 1);
	if (!new)
		return -ENOMEM;
	*new = (struct connection){ connections, probe, data };
	strcpy(new->pattern, pattern);
	connections = new;
	return update(probe, data);
}

static int drop(const char *pattern, ltt_probe_fn *probe, void *data)
{
	struct connection **link = find(pattern, probe, data), *connection = *link;

	if (!connection)
		return -ENOENT;
	*link = connection->next;
	update(probe, data);
	free(connection);
	return 0;
}

int ltt_probe_connect(const char *pattern, ltt_probe_fn *probe, void *data)
{
	struct ltt_section before;
	int err;

	ltt_sites_lock(&before);
	err = add(pattern, probe, data);
	if (err == -ENOMEM)
		drop(pattern, probe, data);
	ltt_sites_unlock(&before);
	return err;
}

int ltt_probe_disconnect(const char *pattern, ltt_probe_fn *probe, void *data)
{
	struct ltt_section before;
	int err;

	ltt_sites_lock(&before);
	err = drop(pattern, probe, data);
	ltt_sites_unlock(&before);
	return err;
}

/* ---- Requests of lttctl ---- */

/* Return: a copy that lives as long as the program, one for equal texts; NULL if memory is
 * out. */
static char *copy_of(const char *data)
{
	char **more;
	size_t i;

	for (i = 0; i < nr_copies; i++)
		if (!strcmp(copies[i], data))
			return copies[i];
	more = reallocarray(copies, nr_copies + 1, sizeof(*more));
	if (!more)
		return NULL;
	copies = more;
	copies[nr_copies] = strdup(data);
	return copies[nr_copies] ? copies[nr_copies++] : NULL;
}

/* Split @texts at their NULs.  Return: true if there are @nr texts. */
static bool split(const char *texts, size_t size, const char **text, unsigned int nr)
{
	const char *end = texts + size;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		text[i] = texts;
		texts = texts < end ? memchr(texts, '\0', end - texts) : NULL;
		if (!texts++)
			return false;
	}
	return true;
}

int ltt_probe_ask(uint32_t what, const char *texts, size_t size, char *answer)
{
	const char *text[TEXTS_MAX];
	ltt_probe_fn *probe;
	struct ltt_section before;
	char *data;

	*answer = '\0';
	if (!split(texts, size, text, what == LTT_PROGRAM_PROBE_LOAD ? 1 : TEXTS_MAX))
		return -EINVAL;
	if (!ltt_load)
		return -ENOSYS;
	if (what == LTT_PROGRAM_PROBE_LOAD)
		return ltt_load(text[0], answer, LTT_PROBE_ANSWER);
	probe = (ltt_probe_fn *)ltt_load_find(text[1], answer, LTT_PROBE_ANSWER);
	if (!probe)
		return -ENOENT;
	ltt_sites_lock(&before);
	data = copy_of(text[2]);
	ltt_sites_unlock(&before);
	if (!data)
		return -ENOMEM;
	if (what == LTT_PROGRAM_PROBE_CONNECT)
		return ltt_probe_connect(text[0], probe, data);
	return what == LTT_PROGRAM_PROBE_DISCONNECT ? ltt_probe_disconnect(text[0], probe, data) : -EINVAL;
}
