/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The name of the calling thread, remembered for a millisecond.
 */
#ifndef LTT_THREAD_NAME_H
#define LTT_THREAD_NAME_H

#include <stdbool.h>
#include <stdint.h>

#define LTT_THREAD_NAME_SIZE	16	/* with its NUL */

/**
 * struct ltt_thread_name - the answer of the kernel
 * @until: the last count of the CPU counter at which the name is not too old; 0: it is not known, or the thread asks.
 *	Where it is not 0, @size and @text belong together: it is the last to be set and the first to be cleared
 * @size: of @text with its NUL
 * @generation: incremented by each question, so that a thread copies the name again after a handler has asked
 * @text: the name
 * @asking: a handler that finds it set has interrupted the question.  It leaves all members as they are
 */
struct ltt_thread_name {
	uint64_t until;
	uint32_t size;
	uint32_t generation;
	char text[LTT_THREAD_NAME_SIZE];
	bool asking;
};

/* Of the calling thread.  All but ltt_sequence_named() use the functions below. */
extern __thread struct ltt_thread_name ltt_thread_name
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/**
 * ltt_thread_name_now() - copy the name of the calling thread
 * @to: receives the name and its NUL; all LTT_THREAD_NAME_SIZE bytes may be written
 *
 * The name is at most a millisecond old.
 *
 * Context: any thread, and its signal handlers.
 * Return: the end of the name, after its NUL.
 */
char *ltt_thread_name_now(char *to);

/**
 * ltt_thread_name_known() - copy the name of the calling thread as it was when it was last asked for
 * @to: as for ltt_thread_name_now()
 * @until: set to the count of the CPU counter after which the name is too old: see ltt_thread_name_ask(); UINT64_MAX in a
 *	handler that has interrupted this, for which the kernel is asked
 *
 * Context: any thread, and its signal handlers.
 * Return: the end of the name, after its NUL.
 */
char *ltt_thread_name_known(char *to, uint64_t *until);

/**
 * ltt_thread_name_ask() - ask the kernel for the name
 *
 * A handler that does not return to this function, as by siglongjmp(), leaves each later event of the thread to ask, which
 * costs a system call.
 *
 * Context: any thread, and its signal handlers.
 */
void ltt_thread_name_ask(void);

/**
 * ltt_thread_name_forget() - ask the kernel for the name the next time
 *
 * Context: the child, right after fork().
 */
void ltt_thread_name_forget(void);

#endif /* LTT_THREAD_NAME_H */
