// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The sites of this program, and who listens to them.
 */
#include "sites.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "listener.h"
#include "load.h"
#include "own.h"
#include "probe.h"
#include "session.h"

/* libltt.a has it not. */
#pragma weak ltt_load_object

pthread_mutex_t ltt_lock = PTHREAD_MUTEX_INITIALIZER;

/* Those of a program or library.  In the order of their numbers. */
struct array {
	struct array *next;
	struct ltt_site *first;
	uint32_t number;
	uint32_t count;
	char object[];		/* "": the program */
};

static struct array *arrays;
static uint32_t end_number;

/* Those of sites that have gone. */
static struct ltt_sink *spares;

/* Those of lttds that have gone, so that tools that look for leaks find them: threads may be
 * on their way through them for ever. */
static struct ltt_sink *forgotten;

/* Libraries that were unloaded, @nr_gone in all; the last of them are there to be told of. */
static struct array *gone[LTT_GONE_MAX];
static uint64_t nr_gone;

uint32_t ltt_sites_end(void)
{
	return end_number;
}

struct ltt_site *ltt_sites_next(uint32_t *number)
{
	struct array *array;

	for (array = arrays; array; array = array->next) {
		if (*number < array->number)
			*number = array->number;
		if (*number < array->number + array->count)
			return &array->first[*number - array->number];
	}
	return NULL;
}

const char *ltt_sites_object(uint32_t number)
{
	struct array *array;

	for (array = arrays; array; array = array->next)
		if (array->number == number && *array->object)
			return array->object;
	return NULL;
}

uint64_t ltt_sites_gone(void)
{
	return nr_gone;
}

const char *ltt_sites_get_gone(uint64_t nr, uint32_t *number)
{
	const struct array *array = gone[nr % LTT_GONE_MAX];

	if (nr_gone - nr > LTT_GONE_MAX)
		return NULL;
	*number = array->number;
	return array->object;
}

/* Takes it: to be told of something that is there no more needs no memory. */
static void remember_gone(struct array *array)
{
	struct array **last = &gone[nr_gone++ % LTT_GONE_MAX];

	free(*last);
	*last = array;
}

static struct ltt_site *find_site(uint32_t number)
{
	uint32_t found = number;
	struct ltt_site *site = ltt_sites_next(&found);

	return found == number ? site : NULL;
}

/* Of buffers, or (without) of a probe. */
static struct ltt_sink *find_sink(const struct ltt_site *site, const struct ltt_shm *shm,
				  ltt_probe_fn *probe, const void *data)
{
	struct ltt_sink *sink;

	for (sink = site->sinks; sink; sink = sink->next)
		if (sink->shm == shm && sink->probe == probe && sink->data == data)
			return sink;
	return NULL;
}

/* Load and branch of the site; what it says may be late, never wrong: see sinks' @on. */
static void set_enabled(struct ltt_site *site)
{
	struct ltt_sink *sink;
	bool on = false;

	for (sink = site->sinks; sink; sink = sink->next)
		on |= sink->on != SINK_OFF;
	__atomic_store_n(&site->enabled, on, __ATOMIC_RELAXED);
}

/* Threads that are at a sink find the way on, and that it is off. */
static void forget_sinks(struct ltt_site *site, const struct ltt_shm *shm)
{
	struct ltt_sink **link = &site->sinks, *sink;

	while ((sink = *link)) {
		if (sink->shm == shm) {
			__atomic_store_n(&sink->on, SINK_OFF, __ATOMIC_RELAXED);
			__atomic_store_n(link, sink->next, __ATOMIC_RELAXED);
			sink->spare = forgotten;
			forgotten = sink;
		} else {
			link = &sink->next;
		}
	}
	set_enabled(site);
}

static struct ltt_sink *new_sink(void)
{
	struct ltt_sink *sink = spares;

	if (!sink)
		return malloc(sizeof(*sink));
	spares = sink->spare;
	return sink;
}

static uint8_t on_of(const struct ltt_shm *shm, bool on)
{
	if (!on)
		return SINK_OFF;
	return shm->context == LTT_CONTEXT_USUAL ? SINK_USUAL : SINK_OTHER;
}

/* As @new says; turned on once threads can see it. */
static int add_sink(struct ltt_site *site, struct ltt_sink new, uint8_t on)
{
	struct ltt_sink *sink = new_sink();

	if (!sink)
		return -ENOMEM;
	new.next = site->sinks;
	*sink = new;
	/* A(sinks:S): the sink's members before it is seen; pairs with A(sinks:R). */
	__atomic_store_n(&site->sinks, sink, __ATOMIC_RELEASE);
	__atomic_store_n(&sink->on, on, __ATOMIC_RELAXED);
	set_enabled(site);
	return 0;
}

static void switch_sink(struct ltt_site *site, struct ltt_sink *sink, uint8_t on)
{
	__atomic_store_n(&sink->on, on, __ATOMIC_RELAXED);
	set_enabled(site);
}

int ltt_site_listen(uint32_t number, const struct ltt_shm *shm, uint32_t id, bool on)
{
	struct ltt_site *site = find_site(number);
	struct ltt_sink *sink;

	if (!site)
		return -ENOENT;
	sink = find_sink(site, shm, NULL, NULL);
	if (sink && on && sink->id != id) {
		forget_sinks(site, shm);
		sink = NULL;
	}
	if (sink)
		switch_sink(site, sink, on_of(shm, on));
	else if (on)
		return add_sink(site, (struct ltt_sink){ .shm = shm, .id = id }, on_of(shm, on));
	return 0;
}

int ltt_site_probe(struct ltt_site *site, ltt_probe_fn *probe, void *data, bool on)
{
	struct ltt_sink *sink = find_sink(site, NULL, probe, data);

	if (sink)
		switch_sink(site, sink, on ? SINK_PROBE : SINK_OFF);
	else if (on)
		return add_sink(site, (struct ltt_sink){ .probe = probe, .data = data }, SINK_PROBE);
	return 0;
}

bool ltt_site_is_recorded(const struct ltt_site *site)
{
	const struct ltt_sink *sink;

	for (sink = site->sinks; sink; sink = sink->next)
		if (sink->shm && sink->on != SINK_OFF)
			return true;
	return false;
}

void ltt_sites_forget(const struct ltt_shm *shm)
{
	struct ltt_site *site;
	uint32_t number;

	for (number = 0; (site = ltt_sites_next(&number)); number++)
		forget_sinks(site, shm);
}

static bool is_known(const struct ltt_site *first)
{
	struct array *array;

	for (array = arrays; array; array = array->next)
		if (array->first == first)
			return true;
	return false;
}

/* A handler of a signal that exits, or forks, would wait for its own thread. */
void ltt_sites_lock(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
	pthread_mutex_lock(&ltt_lock);
}

void ltt_sites_unlock(const sigset_t *before)
{
	pthread_mutex_unlock(&ltt_lock);
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* By its address: that it is in the loader's list, its constructors running, is all that
 * is needed. */
static struct array *new_array(struct ltt_site *first, struct ltt_site *end)
{
	const char *object = ltt_load_object ? ltt_load_object(first) : NULL;
	size_t len = object ? strlen(object) : 0;
	struct array *array = malloc(sizeof(*array) + len + 1);

	if (!array)
		return NULL;
	*array = (struct array){ .first = first, .count = end - first };
	memcpy(array->object, object ? object : "", len);
	array->object[len] = '\0';
	return array;
}

static void append(struct array *array)
{
	struct array **link;

	array->number = end_number;
	end_number += array->count;
	for (link = &arrays; *link; link = &(*link)->next)
		;
	*link = array;
	ltt_probes_attach(array->first, array->count);
	ltt_own_prepare();
}

void ltt_sites_add(struct ltt_site *first, struct ltt_site *end)
{
	struct array *array;
	sigset_t before;

	if (first == end || first->version != LTT_SITE_VERSION)
		return;
	array = new_array(first, end);
	ltt_sites_lock(&before);
	if (is_known(first)) {
		ltt_sites_unlock(&before);
		free(array);
		return;
	}
	if (array)
		append(array);
	else
		ltt_sessions_unable_for_good(ENOMEM);
	ltt_listener_tell();
	ltt_sites_unlock(&before);
	ltt_listener_wait();
}

/* Nobody is in the code around sites that are unloaded; but at exit() other threads are.
 * What they find is off, and stays a sink. */
static void retire_sinks(struct array *array)
{
	struct ltt_sink *sink;
	uint32_t i;

	for (i = 0; i < array->count; i++) {
		__atomic_store_n(&array->first[i].enabled, 0, __ATOMIC_RELAXED);
		while ((sink = array->first[i].sinks)) {
			__atomic_store_n(&sink->on, SINK_OFF, __ATOMIC_RELAXED);
			__atomic_store_n(&array->first[i].sinks, sink->next, __ATOMIC_RELAXED);
			sink->spare = spares;
			spares = sink;
		}
	}
}

void ltt_sites_remove(struct ltt_site *first)
{
	struct array *array, **link;
	sigset_t before;

	ltt_sites_lock(&before);
	for (link = &arrays; (array = *link); link = &array->next)
		if (array->first == first)
			break;
	if (array) {
		*link = array->next;
		retire_sinks(array);
		if (*array->object) {
			remember_gone(array);
			ltt_listener_tell();
		} else {
			free(array);
		}
	}
	ltt_sites_unlock(&before);
}
