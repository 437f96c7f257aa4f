/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A bound for waits that another user decides about.  To read the command line or the maps of a process, the
 * kernel takes the lock of its memory (mmap_lock).  The process can hold that for as long as it likes: by mmap() of
 * a file of a file system of its user's (FUSE), which does not answer.  Only SIGKILL ends such a wait.
 *
 * Layer: lttd state.
 */
#ifndef LTTD_STATE_BOUNDED_H
#define LTTD_STATE_BOUNDED_H

#include <stdbool.h>

/* For all waits together, and so for what they can delay the begin of a recording. */
#define BOUNDED_MS	2000

/**
 * bounded_run() - call a function in a thread, which is abandoned when its waits have taken BOUNDED_MS
 * @fn: waits for what another user can delay between bounded_wait_begin() and bounded_wait_end() only
 * @arg: for @fn
 *
 * Once in a process, and the process ends soon afterwards, which ends the abandoned thread.
 *
 * Return: true if @fn has returned; false if the thread is abandoned.  It then never returns from
 * bounded_wait_end(), but may still use whatever it uses before that.
 */
bool bounded_run(void (*fn)(void *arg), void *arg);

void bounded_wait_begin(void);
void bounded_wait_end(void);

#endif /* LTTD_STATE_BOUNDED_H */
