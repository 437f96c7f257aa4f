/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The top of libltt: libraries that come and go.
 */
#ifndef LTT_REGISTER_H
#define LTT_REGISTER_H

struct ltt_site;

/**
 * struct ltt_sites - the sites of a program or library
 * @first: the first one
 * @end: the end of the last one; @first if there are none
 */
struct ltt_sites {
	struct ltt_site *first;
	struct ltt_site *end;
};

/**
 * ltt_sites_add_all() - register the sites of several libraries, and wait once
 * @sites: the sites; those that are registered already are ignored
 * @nr: number of @sites
 *
 * As ltt_sites_add() for each.  libltt-objects.so calls this, too.
 *
 * Context: a constructor, ltt_lock not held.
 */
void ltt_sites_add_all(const struct ltt_sites *sites, unsigned int nr);

/**
 * ltt_sites_add_described() - register the site of an event that the program has described
 * @site: the site, in memory that was allocated
 *
 * As ltt_sites_add(), but without the locks of the loader, which the caller may not wait for: another thread may run a
 * constructor that waits for the caller.
 *
 * Context: any thread, ltt_lock not held.
 */
void ltt_sites_add_described(struct ltt_site *site);

/**
 * ltt_objects_note() - wait until all lttds that want it know where the objects are
 *
 * Called before a library is unloaded, and after it.  Does nothing if no lttd records code
 * addresses, and in a thread that does not trace.  The wait is that of ltt_listener_wait().
 * libltt-objects.so calls this, too.
 *
 * Context: any thread, ltt_lock not held.
 */
void ltt_objects_note(void);

#endif /* LTT_REGISTER_H */
