/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The state of each thread: the context of its records.
 */
#ifndef LTT_THREAD_H
#define LTT_THREAD_H

#include <stdint.h>

/* The thread does not trace. */
#define LTT_CONTEXT_OFF		UINT64_MAX

/**
 * ltt_context - the usual context of the thread's records
 *
 * Bits 0-31 are the thread id, bits 32-63 the process id.  0: not known yet.  Or
 * LTT_CONTEXT_OFF.  The TLS model makes the access async-signal-safe; it requires that the
 * library is loaded with the program.  LTT's preloaded libraries use it, too.
 */
extern __thread uint64_t ltt_context __attribute__((tls_model("initial-exec")));

/**
 * ltt_thread_forget() - reset the state of the thread
 *
 * Context: the child, right after fork().
 */
void ltt_thread_forget(void);

#endif /* LTT_THREAD_H */
