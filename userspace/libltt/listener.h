/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The library's thread: it finds lttds and talks to them, for as long as the program lives.
 */
#ifndef LTT_LISTENER_H
#define LTT_LISTENER_H

/**
 * ltt_listener_announce() - have the thread announce new sites to all lttds
 *
 * Starts the thread if it does not run.
 *
 * Context: ltt_lock held, signals blocked.
 */
void ltt_listener_announce(void);

/**
 * ltt_listener_wait() - wait until the lttd that LTT_START names knows all sites
 *
 * `lttctl record -- PROGRAM` records a program from its first event on.  Its lttd is there
 * before the program; if the lttd has gone, or does not answer for two seconds, the
 * program goes on without it.  Later calls return at once then.
 *
 * Context: any thread, ltt_lock not held.
 */
void ltt_listener_wait(void);

#endif /* LTT_LISTENER_H */
