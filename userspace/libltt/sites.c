// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The sites of this program, and their targets.
 */
#include "sites.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "core/mark-format.h"

/* libltt.a has no such function. */
#pragma weak ltt_load_object

pthread_mutex_t ltt_lock = PTHREAD_MUTEX_INITIALIZER;
__thread unsigned int ltt_forks __attribute__((tls_model("initial-exec")));

/**
 * struct ltt_site_array - the sites of the program or of a library
 * @next: the array with the next higher numbers
 * @first: the first site
 * @number: its number
 * @count: how many sites
 * @object: the file of the library; "": the program
 */
struct ltt_site_array {
	struct ltt_site_array *next;
	struct ltt_site *first;
	uint32_t number;
	uint32_t count;
	char object[];
};

static struct ltt_site_array *arrays;	/* guarded by ltt_lock, as is all below */
static uint32_t end_number;

/* Targets that no thread uses any more; new sites reuse them. */
static struct ltt_target *spares;

/* Targets of sites whose destructor has run: their library is being unloaded, or the program
 * exits.  See retire_targets(). */
static struct ltt_target *retired;

/* Targets of channels that have gone.  A thread may still walk through one, so they are never
 * freed; leak checkers find them by this list. */
static struct ltt_target *forgotten;

/* The last LTT_GONE_MAX of @nr_gone libraries that were unloaded, for announcements. */
static struct ltt_site_array *gone[LTT_GONE_MAX];
static uint64_t nr_gone;

uint32_t ltt_sites_end(void)
{
	return end_number;
}

struct ltt_site *ltt_sites_next(uint32_t *number)
{
	struct ltt_site_array *array;

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
	struct ltt_site_array *array;

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
	const struct ltt_site_array *array = gone[nr % LTT_GONE_MAX];

	if (nr_gone - nr > LTT_GONE_MAX)
		return NULL;
	*number = array->number;
	return array->object;
}

/* Takes ownership of @array, so that announcing an unloaded library needs no memory. */
static void remember_gone(struct ltt_site_array *array)
{
	struct ltt_site_array **last = &gone[nr_gone++ % LTT_GONE_MAX];

	free(*last);
	*last = array;
}

static struct ltt_site *find_site(uint32_t number)
{
	uint32_t found = number;
	struct ltt_site *site = ltt_sites_next(&found);

	return found == number ? site : NULL;
}

/* Find the target of a channel, or with @shm NULL that of a probe. */
static struct ltt_target *find_target(const struct ltt_site *site, const struct ltt_shm *shm,
				  ltt_probe_fn *probe, const void *data)
{
	struct ltt_target *target;

	for (target = site->targets; target; target = target->next)
		if (target->shm == shm && target->probe == probe && target->data == data)
			return target;
	return NULL;
}

/* The site loads @enabled and branches.  It is a hint that may be late: threads decide by the
 * @on of each target. */
static void set_enabled(struct ltt_site *site)
{
	struct ltt_target *target;
	uint8_t enabled = SITE_OFF;

	for (target = site->targets; target; target = target->next)
		if (target->on != TARGET_OFF)
			enabled = target->enabled;
	__atomic_store_n(&site->enabled, enabled, __ATOMIC_RELAXED);
}

/* A thread at a removed target finds it off, and finds the next target by its @next. */
static void forget_targets(struct ltt_site *site, const struct ltt_shm *shm)
{
	struct ltt_target **link = &site->targets, *target;

	while ((target = *link)) {
		if (target->shm == shm) {
			__atomic_store_n(&target->on, TARGET_OFF, __ATOMIC_RELAXED);
			__atomic_store_n(link, target->next, __ATOMIC_RELAXED);
			target->spare = forgotten;
			forgotten = target;
		} else {
			link = &target->next;
		}
	}
	set_enabled(site);
}

static struct ltt_target *new_target(void)
{
	struct ltt_target *target = spares;

	if (!target)
		return malloc(sizeof(*target));
	spares = target->spare;
	return target;
}

static uint8_t on_of(const struct ltt_shm *shm)
{
	return shm->context == LTT_CONTEXT_USUAL ? TARGET_USUAL : TARGET_OTHER;
}

/* Add a copy of @new, and switch it on once threads can see it. */
static int add_target(struct ltt_site *site, struct ltt_target new, uint8_t on)
{
	struct ltt_target *target = new_target();

	if (!target)
		return -ENOMEM;
	new.next = site->targets;
	new.site = site;
	*target = new;
	/* A(targets:S): store the target's members before its address; pairs with A(targets:R). */
	__atomic_store_n(&site->targets, target, __ATOMIC_RELEASE);
	__atomic_store_n(&target->on, on, __ATOMIC_RELAXED);
	set_enabled(site);
	return 0;
}

/* Change whether a target is on; @filter is for TARGET_FILTERED. */
static void switch_target(struct ltt_site *site, struct ltt_target *target, uint8_t on,
			  const struct ltt_filter *filter)
{
	/* A(filter:S): store the filter before its address, and that before @on; pairs with A(filter:R).  The
	 * address stays when @on changes back, for threads that have loaded @on before. */
	if (filter)
		__atomic_store_n(&target->filter, filter, __ATOMIC_RELEASE);
	__atomic_store_n(&target->on, on, __ATOMIC_RELEASE);
	set_enabled(site);
}

unsigned int ltt_site_args(const struct ltt_site *site, struct ltt_mark_arg *args)
{
	unsigned int i, nr = site->nr_args < LTT_MARK_MAX_ARGS ? site->nr_args : LTT_MARK_MAX_ARGS;

	for (i = 0; i < nr; i++)
		args[i] = (struct ltt_mark_arg){
			site->args[i], site->args[i] >> 8, site->args[i] >> 16 & 1, site->args[i] >> 24,
		};
	return nr;
}

/* Compute how events are packed, the same each time. */
static int plan(const struct ltt_site *site, struct ltt_target *target, struct ltt_mark_fields *fields)
{
	struct ltt_mark_arg args[LTT_MARK_MAX_ARGS];
	unsigned int nr = ltt_site_args(site, args);
	const char *where;

	target->enabled = SITE_PACKED;
	if (ltt_mark_parse(site->format, args, nr, fields, &where))
		return -EINVAL;
	if (fields->by_value) {
		target->enabled = SITE_BY_VALUE;
		target->layout = ltt_layout_of(target->id, fields->step, nr);
	}
	memcpy(target->step, fields->step, nr * sizeof(fields->step[0]));
	return 0;
}

/* Record a site.  @target: the one that the channel has there, or NULL. */
static int switch_on(struct ltt_site *site, struct ltt_target *target, struct ltt_target new,
		     const struct ltt_filter_code *code)
{
	uint8_t on = code ? TARGET_FILTERED : on_of(new.shm);
	struct ltt_mark_fields fields;
	int err = 0;

	if (!target || code)
		err = plan(site, &new, &fields);
	if (!err && code)
		new.filter = ltt_filter_get(code, &fields, &err);
	if (!err && target)
		switch_target(site, target, on, new.filter);
	else if (!err)
		err = add_target(site, new, on);
	else if (target)
		switch_target(site, target, TARGET_OFF, NULL);
	return err;
}

int ltt_site_listen(uint32_t number, const struct ltt_shm *shm, uint32_t id, bool on,
		    const struct ltt_filter_code *code)
{
	struct ltt_site *site = find_site(number);
	struct ltt_target *target;

	if (!site)
		return -ENOENT;
	target = find_target(site, shm, NULL, NULL);
	if (target && on && target->id != id) {
		forget_targets(site, shm);
		target = NULL;
	}
	if (on)
		return switch_on(site, target, (struct ltt_target){ .shm = shm, .id = id }, code);
	if (target)
		switch_target(site, target, TARGET_OFF, NULL);
	return 0;
}

int ltt_site_probe(struct ltt_site *site, ltt_probe_fn *probe, void *data, bool on)
{
	struct ltt_target *target = find_target(site, NULL, probe, data);
	struct ltt_target new = { .probe = probe, .data = data };
	struct ltt_mark_fields fields;

	if (target) {
		switch_target(site, target, on ? TARGET_PROBE : TARGET_OFF, NULL);
	} else if (on) {
		/* A probe gets the arguments as they are, also of a format that cannot be packed. */
		plan(site, &new, &fields);
		return add_target(site, new, TARGET_PROBE);
	}
	return 0;
}

bool ltt_site_is_recorded(const struct ltt_site *site)
{
	const struct ltt_target *target;

	for (target = site->targets; target; target = target->next)
		if (target->shm && target->on != TARGET_OFF)
			return true;
	return false;
}

void ltt_sites_move(const struct ltt_shm *from, const struct ltt_shm *to)
{
	struct ltt_target *target;
	struct ltt_site *site;
	uint32_t number;

	for (number = 0; (site = ltt_sites_next(&number)); number++)
		for (target = site->targets; target; target = target->next)
			/* A(shm:S): store the buffers' description before its address; pairs with
			 * A(shm:R). */
			if (target->shm == from)
				__atomic_store_n(&target->shm, to, __ATOMIC_RELEASE);
}

void ltt_sites_forget(const struct ltt_shm *shm)
{
	struct ltt_site *site;
	uint32_t number;

	for (number = 0; (site = ltt_sites_next(&number)); number++)
		forget_targets(site, shm);
}

bool ltt_sites_are_known(const struct ltt_site *first)
{
	struct ltt_site_array *array;

	for (array = arrays; array; array = array->next)
		if (array->first == first)
			return true;
	return false;
}

void ltt_sites_lock(struct ltt_section *before)
{
	ltt_section_begin(before);
	if (!ltt_forks)
		pthread_mutex_lock(&ltt_lock);
}

void ltt_sites_unlock(const struct ltt_section *before)
{
	if (!ltt_forks)
		pthread_mutex_unlock(&ltt_lock);
	ltt_section_end(before);
}

/* The loader finds the library by an address in it, also while its constructors run. */
struct ltt_site_array *ltt_site_array_new(struct ltt_site *first, struct ltt_site *end, bool in_object)
{
	const char *object = in_object && ltt_load_object ? ltt_load_object(first) : NULL;
	size_t len = object ? strlen(object) : 0;
	struct ltt_site_array *array = malloc(sizeof(*array) + len + 1);

	if (!array)
		return NULL;
	*array = (struct ltt_site_array){ .first = first, .count = end - first };
	memcpy(array->object, object ? object : "", len);
	array->object[len] = '\0';
	return array;
}

/* A library is loaded, so the loader has finished unloading those before. */
static void reuse_retired(void)
{
	struct ltt_target *target;

	while ((target = retired)) {
		retired = target->spare;
		__atomic_store_n(&target->on, TARGET_OFF, __ATOMIC_RELAXED);
		target->spare = spares;
		spares = target;
	}
}

void ltt_site_array_insert(struct ltt_site_array *array)
{
	struct ltt_site_array **link;

	/* Other sites come at any time, also while a library is being unloaded. */
	if (*array->object)
		reuse_retired();
	array->number = end_number;
	end_number += array->count;
	for (link = &arrays; *link; link = &(*link)->next)
		;
	*link = array;
}

/* Nothing shows whether a library is being unloaded or the program exits.  In the first case
 * no thread is in the code around the sites.  In the second case other threads are, until the
 * process is gone, and their events are still recorded.  So the targets stay as they are, but
 * for those of probes, whose library may have run its destructors. */
static void retire_targets(struct ltt_site_array *array)
{
	struct ltt_target *target;
	uint32_t i;

	for (i = 0; i < array->count; i++) {
		for (target = array->first[i].targets; target; target = target->next) {
			if (target->probe)
				__atomic_store_n(&target->on, TARGET_OFF, __ATOMIC_RELAXED);
			/* The program itself is never unloaded. */
			if (!*array->object)
				continue;
			target->spare = retired;
			retired = target;
		}
	}
}

bool ltt_site_array_remove(struct ltt_site *first)
{
	struct ltt_site_array *array, **link;

	for (link = &arrays; (array = *link); link = &array->next)
		if (array->first == first)
			break;
	if (!array)
		return false;
	*link = array->next;
	retire_targets(array);
	if (*array->object) {
		remember_gone(array);
		return true;
	}
	free(array);
	return false;
}
