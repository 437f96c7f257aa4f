/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What the library knows of each thread.
 */
#ifndef LTT_THREAD_H
#define LTT_THREAD_H

#include <stdint.h>

/* The thread does not trace. */
#define LTT_CONTEXT_OFF		UINT64_MAX

/**
 * ltt_context - what each of the thread's records begins with
 *
 * Thread id and, above it, process id; 0: not known yet; or LTT_CONTEXT_OFF.  Reached
 * without a call, as handlers of signals need it: the library is loaded with the program.
 */
extern __thread uint64_t ltt_context __attribute__((tls_model("initial-exec")));

/** ltt_thread_forget() - this thread is another, after a fork() */
void ltt_thread_forget(void);

#endif /* LTT_THREAD_H */
