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
 * The LTT_CONTEXT_USUAL_SIZE bytes of LTT_CONTEXT_USUAL, and above them 0.  0: not known
 * yet.  Or LTT_CONTEXT_OFF.  The TLS model makes the access async-signal-safe; it requires
 * that the library is loaded with the program.  LTT's preloaded libraries use it, too.
 */
extern __thread uint64_t ltt_context __attribute__((tls_model("initial-exec")));

/**
 * ltt_process_active - 0 in a forked child before its first event, its first library with
 *	markers, or the time-out of its library thread, which sleeps on this futex
 */
extern uint32_t ltt_process_active;

/**
 * ltt_set_process_active() - have the library's thread of a forked child begin
 *
 * Context: any thread, and its signal handlers.
 */
void ltt_set_process_active(void);

/**
 * ltt_thread_forget() - reset the state of the thread
 *
 * Context: the child, right after fork().
 */
void ltt_thread_forget(void);

#endif /* LTT_THREAD_H */
