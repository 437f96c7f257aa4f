/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The library's thread: it finds lttds and talks to them, for as long as the program lives.
 */
#ifndef LTT_LISTENER_H
#define LTT_LISTENER_H

/**
 * ltt_listener_announce() - have the thread announce new sites to all lttds
 *
 * Starts the thread if it does not run.  Also looks for lttds, which ltt_listener_wait()
 * then waits for.
 *
 * Context: ltt_lock held, in a section.
 */
void ltt_listener_announce(void);

/**
 * ltt_listener_wait() - wait until all lttds that are there know all sites, and, if they want to,
 *	all objects
 *
 * So their recordings have the program, or the library that it loads, from its first event
 * on.  The wait ends after two seconds for the lttd that LTT_START names, which is that of
 * `lttctl record -- PROGRAM`, and after 0.3 seconds for the others.  An lttd that has not
 * answered then learns that it lacks events, and is not waited for until it has caught up.
 *
 * Context: any thread, ltt_lock not held.
 */
void ltt_listener_wait(void);

#endif /* LTT_LISTENER_H */
