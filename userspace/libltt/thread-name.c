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

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>

#include "common/counter.h"

/* A definition that leaves out the model has the default one, with a call of the loader. */
__thread struct ltt_thread_name ltt_thread_name __attribute__((tls_model("initial-exec")));

/* The order of the thread's stores and loads for its handlers, each of which runs as a whole between two of them.  The
 * other side of each is a handler: its loads in ltt_thread_name_known() and ltt_sequence_named(), or its stores in
 * ltt_thread_name_ask(). */
static inline void barrier(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static uint32_t ask(char *text)
{
	const int saved = errno;

	/* A sandbox may refuse the call. */
	if (prctl(PR_GET_NAME, text))
		*text = '\0';
	errno = saved;
	return strnlen(text, LTT_THREAD_NAME_SIZE - 1) + 1;
}

void ltt_thread_name_forget(void)
{
	/* @asking stays: a handler that forks may have interrupted the question, which then goes on in the child. */
	ltt_thread_name.until = 0;
}

void ltt_thread_name_ask(void)
{
	struct ltt_thread_name *name = &ltt_thread_name;
	uint64_t until = ltt_counter() + ltt_counts_below_ms();

	if (name->asking)
		return;
	name->asking = true;
	/* @asking first, or the stores of a handler that asks would be mixed with these; pairs with its load of @asking. */
	barrier();
	name->until = 0;
	name->generation++;
	/* No name is good while it changes; pairs with a handler's load of @until. */
	barrier();
	name->size = ask(name->text);
	/* Good only when it is whole; pairs with a handler's load of @until, before @size and @text. */
	barrier();
	name->until = until;
	/* @asking last: as the first. */
	barrier();
	name->asking = false;
}

char *ltt_thread_name_known(char *to, uint64_t *until)
{
	struct ltt_thread_name *name = &ltt_thread_name;
	uint32_t generation, size;

	do {
		if (!name->until)
			ltt_thread_name_ask();
		generation = name->generation;
		/* The name after @generation; pairs with a handler's store of @generation in ltt_thread_name_ask(). */
		barrier();
		/* In each round: a handler may have left its question unfinished. */
		if (name->asking) {
			*until = UINT64_MAX;
			return to + ask(to);
		}
		size = name->size;
		*until = name->until;
		memcpy(to, name->text, sizeof(name->text));
		/* And before the next load of @generation: the same pair. */
		barrier();
	} while (generation != name->generation);
	return to + size;
}

char *ltt_thread_name_now(char *to)
{
	uint64_t until;
	char *end = ltt_thread_name_known(to, &until);

	if (ltt_counter() <= until)
		return end;
	ltt_thread_name_ask();
	return ltt_thread_name_known(to, &until);
}
