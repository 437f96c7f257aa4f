// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The name of a thread (userspace/libltt/thread-name.h), when a handler of a signal comes after each instruction of
 * the functions that ask for it and copy it.  The ring is played here; test-shm and test-kill have the real one.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "../../userspace/common/counter.h"
#include "../../userspace/libltt/thread-name.h"
#include "../unit/unit.h"

#ifdef __x86_64__

static const char *const names[] = { "ab", "a-longer-name" };

/* The deed of the handler, once; and the first fault that it or the thread has seen. */
static void (*handler)(void);
static volatile unsigned int steps, interrupt_at;
static const char *volatile wrong;

/* Is this one of the names, whole?  @end: behind its NUL */
static bool is_whole(const char *name, const char *end)
{
	return (!strcmp(name, names[0]) || !strcmp(name, names[1])) && end == name + strlen(name) + 1;
}

/* As an event does: first in the ring, which reads the structure itself, and else by a copy. */
static void emit(void)
{
	char copy[LTT_THREAD_NAME_SIZE];
	uint64_t until;
	char *end;

	if (ltt_counter() <= ltt_thread_name.until &&
	    !is_whole(ltt_thread_name.text, ltt_thread_name.text + ltt_thread_name.size))
		wrong = "the name in the ring";
	end = ltt_thread_name_known(copy, &until);
	if (!is_whole(copy, end))
		wrong = "a copy of the name";
	if (ltt_counter() > until) {
		ltt_thread_name_ask();
		end = ltt_thread_name_known(copy, &until);
		if (!is_whole(copy, end))
			wrong = "a copy of the new name";
	}
}

static void rename_thread(void)
{
	static unsigned int nr;

	prctl(PR_SET_NAME, names[nr++ % 2]);
}

static void emit_renamed(void)
{
	rename_thread();
	ltt_thread_name_ask();
	emit();
}

/* As the child of a fork() in the handler, in which the thread goes on. */
static void emit_forked(void)
{
	rename_thread();
	ltt_thread_name_forget();
	emit();
}

#define TRAP_AFTER_EACH	__asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" : : : "memory", "cc")
#define TRAP_NO_MORE	__asm__ volatile("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" : : : "memory", "cc")

/* The processor traps after each instruction (flag TF). */
static void on_step(int signal)
{
	(void)signal;
	if (++steps == interrupt_at)
		handler();
}

static __attribute__((noinline)) void stepped(void)
{
	char copy[LTT_THREAD_NAME_SIZE];
	uint64_t until;
	char *end;

	TRAP_AFTER_EACH;
	ltt_thread_name_ask();
	end = ltt_thread_name_known(copy, &until);
	TRAP_NO_MORE;
	if (!is_whole(copy, end))
		wrong = "the name that the interrupted thread copies";
}

/* @from: the name before; @until: as in struct ltt_thread_name */
static void at_each_instruction(void (*what)(void), const char *from, const char *to, uint64_t until)
{
	unsigned int most = 0;

	handler = what;
	wrong = NULL;
	signal(SIGTRAP, on_step);
	interrupt_at = 0;
	do {
		interrupt_at++;
		steps = 0;
		prctl(PR_SET_NAME, from);
		ltt_thread_name_ask();
		ltt_thread_name.until = until;
		prctl(PR_SET_NAME, to);
		stepped();
		/* After the handler. */
		emit();
		if (wrong)
			printf("# after instruction %u: %s is not whole\n", interrupt_at, wrong);
		CU_ASSERT_PTR_NULL_FATAL(wrong);
		most = steps > most ? steps : most;
	} while (steps >= interrupt_at);
	CU_ASSERT(most > 20);
	signal(SIGTRAP, SIG_DFL);
}

static void with_each_name(void (*what)(void))
{
	at_each_instruction(what, names[0], names[1], 0);
	at_each_instruction(what, names[1], names[0], 0);
	at_each_instruction(what, names[0], names[1], 1);
	at_each_instruction(what, names[1], names[0], 1);
	/* Not too old yet. */
	at_each_instruction(what, names[0], names[1], UINT64_MAX);
}

static void a_handler_that_emits_while_the_thread_asks(void)
{
	with_each_name(emit);
}

static void a_handler_that_asks_while_the_thread_asks(void)
{
	with_each_name(emit_renamed);
}

static void a_handler_that_forks_while_the_thread_asks(void)
{
	with_each_name(emit_forked);
}

/* ---- A handler of the handler, which leaves the question ---- */

static sigjmp_buf left;
static volatile unsigned int inner_steps, leave_at;
static volatile enum { OUTSIDE, ASKING, LEFT, ENDED } state;

static __attribute__((noinline)) void ask_and_be_left(const char *to)
{
	if (!sigsetjmp(left, 1)) {
		prctl(PR_SET_NAME, to);
		inner_steps = 0;
		state = ASKING;
		TRAP_AFTER_EACH;
		ltt_thread_name_ask();
	}
	TRAP_NO_MORE;
	if (state == ASKING)
		state = ENDED;
}

static const char *new_name;

static void on_nested_step(int signal)
{
	(void)signal;
	if (state == ASKING && ++inner_steps == leave_at) {
		state = LEFT;
		siglongjmp(left, 1);
	}
	if (state == OUTSIDE && ++steps == interrupt_at)
		ask_and_be_left(new_name);
}

static __attribute__((noinline)) char *copied(char *to)
{
	uint64_t until;
	char *end;

	TRAP_AFTER_EACH;
	end = ltt_thread_name_known(to, &until);
	TRAP_NO_MORE;
	return end;
}

/* Return: whether the copy lasts until the handler comes, and its question until it is left. */
static bool leave_once(const char *from)
{
	char copy[LTT_THREAD_NAME_SIZE], *end;

	ltt_thread_name.asking = false;
	prctl(PR_SET_NAME, from);
	ltt_thread_name_ask();
	state = OUTSIDE;
	steps = 0;
	end = copied(copy);
	if (state == LEFT && !is_whole(copy, end)) {
		wrong = "the copy";
		printf("# left after instructions %u and %u: it is not whole\n", interrupt_at, leave_at);
	}
	return state == LEFT;
}

static void a_handler_that_leaves_its_question_while_the_thread_copies(void)
{
	struct sigaction action = { .sa_handler = on_nested_step, .sa_flags = SA_NODEFER };
	unsigned int from, nr = 0;

	wrong = NULL;
	sigaction(SIGTRAP, &action, NULL);
	for (from = 0; from < 2; from++) {
		new_name = names[!from];
		for (interrupt_at = 1, leave_at = 2; leave_at > 1; interrupt_at++)
			for (leave_at = 1; leave_once(names[from]); leave_at++)
				nr++;
	}
	CU_ASSERT_PTR_NULL(wrong);
	CU_ASSERT(nr > 400);
	ltt_thread_name.asking = false;
	signal(SIGTRAP, SIG_DFL);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(a_handler_that_emits_while_the_thread_asks),
		UNIT_TEST(a_handler_that_asks_while_the_thread_asks),
		UNIT_TEST(a_handler_that_forks_while_the_thread_asks),
		UNIT_TEST(a_handler_that_leaves_its_question_while_the_thread_copies),
		{ NULL, NULL }
	};

	return unit_main(argv[0], tests);
}

#else

int main(void)
{
	puts("ok name # SKIP this machine has no flag that makes it trap after each instruction");
	return 0;
}

#endif
