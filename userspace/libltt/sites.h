/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The sites of this program, and who listens to them.
 *
 * Context: ltt_lock held, if nothing else is said.
 */
#ifndef LTT_SITES_H
#define LTT_SITES_H

#include <pthread.h>
#include <signal.h>

#include "include/ltt/probe.h"
#include "common/shm.h"

/* Guards all that the library knows, but for what a comment says otherwise.  It is never
 * taken by ltt_mark_N(). */
extern pthread_mutex_t ltt_lock;

/**
 * struct ltt_sink - who listens to a site: a channel
 * @next: of the same site
 * @shm: the channel's buffers
 * @id: of the event there
 * @on: does it, at the moment; %SINK_USUAL: its records have the usual context
 * @probe: with @on %SINK_PROBE, what is called, and there are no buffers
 * @data: for it
 * @spare: of sites that are no more, and of those that are in no list any more, the next
 *
 * Threads walk the list with no lock, at any time; so what has been in it is never freed,
 * and its @next stays what it was.  A site has one for each channel that ever listened.
 */
struct ltt_sink {
	struct ltt_sink *next;
	const struct ltt_shm *shm;
	uint32_t id;
	uint8_t on;
	ltt_probe_fn *probe;
	void *data;
	struct ltt_sink *spare;
};

enum { SINK_OFF, SINK_USUAL, SINK_OTHER, SINK_PROBE };

/** ltt_sites_lock() - take ltt_lock, with all signals blocked.  Context: any thread, without it */
void ltt_sites_lock(sigset_t *before);

/** ltt_sites_unlock() - give it back */
void ltt_sites_unlock(const sigset_t *before);


/** ltt_sites_end() - one more than the highest number of any site */
uint32_t ltt_sites_end(void);

/**
 * ltt_sites_next() - the first site from a number on
 * @number: told its number
 * Return: the site, or NULL.
 */
struct ltt_site *ltt_sites_next(uint32_t *number);

/**
 * ltt_sites_object() - the library whose first site has this number, or NULL
 */
const char *ltt_sites_object(uint32_t number);

/** ltt_sites_gone() - how many libraries were unloaded up to now */
uint64_t ltt_sites_gone(void);

/**
 * ltt_sites_get_gone() - of the last LTT_GONE_MAX, the @nr-th of all
 * @number: told the number of its first site
 * Return: its file; NULL: it is forgotten.
 */
const char *ltt_sites_get_gone(uint64_t nr, uint32_t *number);

#define LTT_GONE_MAX	64

/**
 * ltt_site_listen() - a channel listens to a site, or no longer
 * @id: of the event, if @on
 * Return: 0, -ENOMEM, or -ENOENT when the site has gone.
 */
int ltt_site_listen(uint32_t number, const struct ltt_shm *shm, uint32_t id, bool on);

/** ltt_site_probe() - a probe is called at a site, or no longer.  Return: 0 or -ENOMEM. */
int ltt_site_probe(struct ltt_site *site, ltt_probe_fn *probe, void *data, bool on);

/** ltt_site_is_recorded() - does an lttd listen to it? */
bool ltt_site_is_recorded(const struct ltt_site *site);

/** ltt_sites_forget() - a channel listens to nothing any more */
void ltt_sites_forget(const struct ltt_shm *shm);

#endif /* LTT_SITES_H */
