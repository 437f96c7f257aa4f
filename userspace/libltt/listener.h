/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The thread that talks to lttd, for as long as the program lives.
 */
#ifndef LTT_LISTENER_H
#define LTT_LISTENER_H

/**
 * ltt_listener_tell() - there are more sites: tell all lttds
 *
 * Starts the thread if need be.
 *
 * Context: ltt_lock held, signals blocked.
 */
void ltt_listener_tell(void);

/**
 * ltt_listener_load() - call a function that loads libraries
 *
 * In a thread with a stack as programs have, for their constructors.  Nobody waits for
 * this thread meanwhile.
 *
 * Context: the listener; ltt_lock held, but given back for the time.
 */
void ltt_listener_load(void (*fn)(void *arg), void *arg);

/**
 * ltt_listener_wait() - if LTT_START names the socket of an lttd, wait until that has dealt
 *	with all sites; two seconds, once, if it does not answer
 *
 * `lttctl record -- PROGRAM` wants all events from the first on, and has an lttd that is
 * there; if that has gone, the program goes on without.
 */
void ltt_listener_wait(void);

#endif /* LTT_LISTENER_H */
