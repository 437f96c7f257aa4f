/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The thread that talks to lttd, for as long as the program lives.
 */
#ifndef LTT_LISTENER_H
#define LTT_LISTENER_H

#include <stdint.h>

/**
 * ltt_listener_tell() - there are more sites: tell all lttds
 *
 * Starts the thread if need be.  If LTT_START names the socket of an lttd, waits until
 * that has answered, or two seconds have passed once.
 *
 * Context: ltt_lock held; let go of while it waits.
 */
void ltt_listener_tell(void);

/**
 * ltt_listener_tell_gone() - sites go
 * @number: of the first
 * @count: how many
 *
 * Context: ltt_lock held.
 */
void ltt_listener_tell_gone(uint32_t number, uint32_t count);

#endif /* LTT_LISTENER_H */
