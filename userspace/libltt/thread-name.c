// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The name of the calling thread, remembered for a millisecond.
 *
 * A thread's name can change at any time: by prctl(), by pthread_setname_np(), or when another
 * thread writes to a file in /proc.  Nothing tells the library of it, and a system call for
 * each event costs as much as 25 events.  So a thread asks the kernel once a millisecond.  The
 * time of the record shows when that is over: reading the counter costs half as much as an event.
 */
#include "thread-name.h"

#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>

#include "common/counter.h"

/**
 * struct name - what the kernel answered
 * @asked: when, by the counter
 * @generation: incremented before each question.  A handler of the thread may ask while the
 *	thread asks or reads, which both then repeat
 * @size: of @text with its NUL; 0: not known
 * @text: the name
 */
struct name {
	uint64_t asked;
	uint32_t generation;
	uint32_t size;
	char text[LTT_THREAD_NAME_SIZE];
};

static __thread struct name name __attribute__((tls_model("initial-exec")));

void ltt_thread_name_forget(void)
{
	name.size = 0;
}

void ltt_thread_name_ask(void)
{
	uint64_t now = ltt_counter();
	uint32_t generation;

	do {
		generation = ++name.generation;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		prctl(PR_GET_NAME, name.text);
		name.size = strnlen(name.text, sizeof(name.text) - 1) + 1;
		name.asked = now;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
	} while (name.generation != generation);
}

char *ltt_thread_name_known(char *to, uint64_t *until)
{
	uint32_t generation, size;

	if (!name.size)
		ltt_thread_name_ask();
	do {
		generation = name.generation;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		size = name.size;
		*until = name.asked + ltt_counts_below_ms();
		memcpy(to, name.text, sizeof(name.text));
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
	} while (generation != name.generation);
	return to + size;
}

char *ltt_thread_name(char *to)
{
	uint64_t until;
	char *end = ltt_thread_name_known(to, &until);

	if (ltt_counter() <= until)
		return end;
	ltt_thread_name_ask();
	return ltt_thread_name_known(to, &until);
}
