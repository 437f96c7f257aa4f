/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What the library knows of each thread.
 */
#ifndef LTT_THREAD_H
#define LTT_THREAD_H

/** ltt_thread_forget() - this thread is another, after a fork() */
void ltt_thread_forget(void);

#endif /* LTT_THREAD_H */
