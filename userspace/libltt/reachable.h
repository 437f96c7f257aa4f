/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Memory of a running thread, for leak checkers.
 */
#ifndef LTT_REACHABLE_H
#define LTT_REACHABLE_H

#include <pthread.h>

/**
 * ltt_keep_reachable() - keep a pointer to the memory that glibc allocated for a thread
 * @thread: a thread that exists
 *
 * glibc itself keeps a pointer to the inside of the block only, so leak checkers would report
 * the block as possibly lost when the program ends while the thread runs.
 *
 * Context: ltt_lock held.
 */
void ltt_keep_reachable(pthread_t thread);

#endif /* LTT_REACHABLE_H */
