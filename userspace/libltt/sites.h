/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The sites of this program, and their targets: where the events of each site go.
 *
 * A site has a number.  Numbers count up over the arrays of sites that the program and
 * its libraries register, and no number is used twice.
 *
 * Context of all functions: ltt_lock held, unless the function says otherwise.
 */
#ifndef LTT_SITES_H
#define LTT_SITES_H

#include <pthread.h>
#include <stdbool.h>

#include "include/ltt/probe.h"
#include "common/shm.h"
#include "filter.h"
#include "layout.h"
#include "section.h"

/* Guards the library's state, except where a comment names another rule.  ltt_mark_N()
 * never takes it. */
extern pthread_mutex_t ltt_lock;

/* How many calls of fork() the thread is in, of which each but the first is in a handler of a signal or of fork().  The thread
 * has ltt_lock meanwhile, and each handler uses the library as if it had not. */
extern __thread unsigned int ltt_forks __attribute__((tls_model("initial-exec")));

/**
 * enum site_enabled - what &ltt_site.enabled says
 * @SITE_OFF: no target is on
 * @SITE_BY_VALUE: each argument goes by its value
 * @SITE_PACKED: the targets have steps
 */
enum site_enabled { SITE_OFF, SITE_BY_VALUE, SITE_PACKED };

/**
 * enum ltt_target_on - whether a target takes events
 * @TARGET_OFF: it does not
 * @TARGET_USUAL: it does; its records have the context thread id and process id
 * @TARGET_OTHER: it does; its records have another context
 * @TARGET_PROBE: it is a function, which is called
 * @TARGET_FILTERED: it takes those events that its filter passes; its records have any context
 *
 * Targets from TARGET_PROBE on need no payload before their turn: see find_steps().
 */
enum ltt_target_on { TARGET_OFF, TARGET_USUAL, TARGET_OTHER, TARGET_PROBE, TARGET_FILTERED };

/**
 * struct ltt_target - where events of a site go: a channel of an lttd, or a probe
 * @layout: with SITE_BY_VALUE and at most LTT_VALUES_MAX values: of the record with the usual context; first, so that
 *	its address takes no register beside that of the target
 * @next: the next target of the same site
 * @site: the site
 * @shm: the channel's buffers, which others can replace; unused by a probe
 * @id: the id of the event in the channel
 * @on: enum ltt_target_on
 * @enabled: the site's enum site_enabled while the target is on
 * @filter: with TARGET_FILTERED, its filter, which others can replace
 * @step: how to pack the arguments of an event; unused by a probe
 * @probe: the function of a probe
 * @data: its argument
 * @spare: the next target in the list of targets that belong to no site any more
 *
 * Threads walk the list of a site without a lock, at any time.  So a target that was once
 * in a list is never freed, and its @next stays as it was.  A site has one target for each
 * channel that ever recorded it.
 */
struct ltt_target {
	struct ltt_layout layout;
	struct ltt_target *next;
	const struct ltt_site *site;
	const struct ltt_shm *shm;
	uint32_t id;
	uint8_t on;
	uint8_t enabled;
	const struct ltt_filter *filter;
	struct ltt_mark_step step[LTT_MARK_MAX_ARGS];
	ltt_probe_fn *probe;
	void *data;
	struct ltt_target *spare;
};

struct ltt_site_array;

/**
 * ltt_sites_lock() - take ltt_lock in a section that nothing interrupts
 * @before: for ltt_sites_unlock()
 *
 * Context: any thread, ltt_lock not held.
 */
void ltt_sites_lock(struct ltt_section *before);

/**
 * ltt_sites_unlock() - release ltt_lock and end the section
 * @before: as ltt_sites_lock() set it
 */
void ltt_sites_unlock(const struct ltt_section *before);

/**
 * ltt_site_array_new() - describe the sites of a program or library
 * @first: its first site
 * @end: the end of its last site
 * @in_object: the sites lie in an object of the loader, and not in memory that was allocated
 *
 * Context: any thread, ltt_lock not held: with @in_object this asks the loader, which has locks that
 *	constructors are called under.
 * Return: the array, to be inserted or to be freed by free(); NULL if memory is out.
 */
struct ltt_site_array *ltt_site_array_new(struct ltt_site *first, struct ltt_site *end, bool in_object);

/**
 * ltt_site_array_insert() - give sites their numbers
 * @array: as ltt_site_array_new() returned it; owned by the library from then on
 */
void ltt_site_array_insert(struct ltt_site_array *array);

/**
 * ltt_site_array_remove() - forget the sites of a program or library
 * @first: its first site, which need not be known
 *
 * Return: true if lttds should learn that a library was unloaded.
 */
bool ltt_site_array_remove(struct ltt_site *first);

/**
 * ltt_sites_are_known() - find an array of sites
 * @first: its first site
 *
 * Return: true if the array was inserted.
 */
bool ltt_sites_are_known(const struct ltt_site *first);

/**
 * ltt_sites_end() - get the number that the next site will have
 * Return: the number.
 */
uint32_t ltt_sites_end(void);

/**
 * ltt_sites_next() - find the first site from a number on
 * @number: set to the number of the site, if there is one
 * Return: the site, or NULL.
 */
struct ltt_site *ltt_sites_next(uint32_t *number);

/**
 * ltt_sites_object() - get the library whose first site has a number
 * @number: the number
 * Return: its file; NULL if no library's first site has this number.
 */
const char *ltt_sites_object(uint32_t number);

/**
 * ltt_sites_gone() - count the libraries that were unloaded
 * Return: how many, from the start of the program on.
 */
uint64_t ltt_sites_gone(void);

/* So many unloaded libraries are remembered. */
#define LTT_GONE_MAX	64

/**
 * ltt_sites_get_gone() - look at a library that was unloaded
 * @nr: its place in the order of unloading, from 0 on
 * @number: set to the number of its first site
 * Return: its file; NULL if it is not remembered.
 */
const char *ltt_sites_get_gone(uint64_t nr, uint32_t *number);

/**
 * ltt_site_args() - describe the arguments of a site
 * @site: the site
 * @args: receives LTT_MARK_MAX_ARGS at most
 *
 * Context: any thread.
 * Return: how many.
 */
unsigned int ltt_site_args(const struct ltt_site *site, struct ltt_mark_arg *args);

/**
 * ltt_site_listen() - have a channel record a site, or not
 * @number: of the site
 * @shm: the channel's buffers
 * @id: of the event in the channel; unused if @on is false
 * @on: record it
 * @code: record only the events that this filter passes; NULL for all
 *
 * After an error the site is not recorded.  A filter is replaced by another in one step: each event is
 * judged by one of the two.
 *
 * Return: 0; -ENOMEM; -ENOENT if the site's library was unloaded; -EINVAL if its format is
 *	malformed, which lttd rejects; an error of ltt_filter_get().
 */
int ltt_site_listen(uint32_t number, const struct ltt_shm *shm, uint32_t id, bool on,
		    const struct ltt_filter_code *code);

/**
 * ltt_site_probe() - have a probe called at a site, or not
 * @site: the site
 * @probe: the function
 * @data: its argument
 * @on: call it
 *
 * Return: 0 or -ENOMEM.
 */
int ltt_site_probe(struct ltt_site *site, ltt_probe_fn *probe, void *data, bool on);

/**
 * ltt_site_is_recorded() - find out if an lttd records a site
 * @site: the site
 * Return: true if a channel is on.
 */
bool ltt_site_is_recorded(const struct ltt_site *site);

/**
 * ltt_sites_move() - have a channel's events written to other buffers
 * @from: the channel's former buffers
 * @to: its buffers from now on
 */
void ltt_sites_move(const struct ltt_shm *from, const struct ltt_shm *to);

/**
 * ltt_sites_forget() - switch a channel off at all sites
 * @shm: the channel's buffers
 */
void ltt_sites_forget(const struct ltt_shm *shm);

#endif /* LTT_SITES_H */
