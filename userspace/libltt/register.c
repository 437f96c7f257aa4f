// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The constructor and the destructor of a program or library with markers: its sites
 * become known to the library, to probes, and to each lttd that records the program.
 *
 * A high layer of libltt: only event.c and libltt-objects.so call it.
 */
#include "register.h"
#include "listener.h"
#include "objects.h"
#include "own.h"
#include "probe.h"
#include "recorder.h"
#include "sites.h"
#include "thread.h"

#include <errno.h>
#include <stdlib.h>

/* ltt_lock is held.  @array: NULL if memory is out; it is freed if the sites are known. */
static bool insert(const struct ltt_sites *sites, struct ltt_site_array *array)
{
	if (ltt_sites_are_known(sites->first)) {
		free(array);
		return false;
	}
	if (array) {
		ltt_site_array_insert(array);
		ltt_probes_attach(sites->first, sites->end - sites->first);
		ltt_own_prepare();
	} else {
		ltt_recorders_set_error_for_good(ENOMEM);
	}
	return true;
}

/* Sites of a header that this library does not know: recordings are not complete.  Return: is it the first
 * time? */
static bool refuse_layout(void)
{
	struct ltt_section before;
	bool is_new;

	ltt_sites_lock(&before);
	is_new = ltt_recorders_set_error_for_good(ELIBBAD);
	ltt_sites_unlock(&before);
	return is_new;
}

static void add_all(const struct ltt_sites *sites, unsigned int nr, bool in_object)
{
	struct ltt_site_array *array;
	bool added = false;
	struct ltt_section before;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (sites[i].first == sites[i].end)
			continue;
		if (sites[i].first->version != LTT_SITE_VERSION) {
			added |= refuse_layout();
			continue;
		}
		array = ltt_site_array_new(sites[i].first, sites[i].end, in_object);
		ltt_sites_lock(&before);
		added |= insert(&sites[i], array);
		ltt_sites_unlock(&before);
	}
	if (!added)
		return;
	ltt_sites_lock(&before);
	ltt_objects_changed();
	ltt_listener_announce();
	ltt_sites_unlock(&before);
	ltt_listener_wait();
}

void ltt_sites_add_all(const struct ltt_sites *sites, unsigned int nr)
{
	add_all(sites, nr, true);
}

void ltt_sites_add_described(struct ltt_site *site)
{
	const struct ltt_sites sites = { site, site + 1 };

	add_all(&sites, 1, false);
}

/**
 * ltt_sites_add() - register the sites of a program or library
 * @first: its first site
 * @end: the end of its last site
 *
 * Called by the constructor that <ltt/marker.h> defines.  Sites that are registered already are ignored.  So
 * are sites of another layout than LTT_SITE_VERSION, which lttds report.  Waits until the
 * lttds that are there record the sites: see ltt_listener_wait().
 *
 * Context: any thread, ltt_lock not held.
 */
void ltt_sites_add(struct ltt_site *first, struct ltt_site *end)
{
	const struct ltt_sites sites = { first, end };

	ltt_sites_add_all(&sites, 1);
}

/**
 * ltt_sites_remove() - forget the sites of a program or library
 * @first: its first site
 *
 * Called by the destructor that <ltt/marker.h> defines: no thread of a library that is
 * unloaded is in its code; at exit() other threads may be.
 *
 * Context: any thread, ltt_lock not held.
 */
void ltt_sites_remove(struct ltt_site *first)
{
	struct ltt_section before;

	ltt_sites_lock(&before);
	if (ltt_site_array_remove(first))
		ltt_listener_announce();
	ltt_sites_unlock(&before);
}

void ltt_objects_note(void)
{
	struct ltt_section before;

	if (!ltt_objects_are_wanted() || ltt_context == LTT_CONTEXT_OFF)
		return;
	ltt_objects_changed();
	ltt_sites_lock(&before);
	ltt_listener_announce();
	ltt_sites_unlock(&before);
	ltt_listener_wait();
}
