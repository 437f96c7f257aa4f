// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The walk along frames (userspace/libltt/stack.c): its addresses, what it asks the kernel, and frame
 * pointers that are none.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "../unit/unit.h"

static unsigned long calls;
static bool denied;

/* process_vm_readv(), as nothing else is called. */
static long counted_syscall(long nr, long pid, void *to, unsigned long nr_to, const void *from, unsigned long nr_from,
			    unsigned long flags)
{
	calls++;
	return denied ? -1 : syscall(nr, pid, to, nr_to, from, nr_from, flags);
}

#define ltt_stack stack_under_test
#define syscall counted_syscall
#include "../../userspace/libltt/stack.c"
#undef syscall

#define NOINLINE	__attribute__((noinline, optimize("no-optimize-sibling-calls")))
#define BETWEEN()	__asm__ volatile("")
#define STACK_SIZE	65536

static struct {
	uint16_t nr;
	uint64_t address[LTT_STACK_DEPTH_MAX];
} got;

/* Where the functions of a chain return to, from the innermost on. */
static uint64_t expected[LTT_STACK_DEPTH_MAX + 8];

static NOINLINE void take(unsigned int depth)
{
	char buf[LTT_STACK_SIZE(LTT_STACK_DEPTH_MAX)];
	char *end = stack_under_test(buf, depth, LTT_ORIGIN());

	expected[0] = (uintptr_t)__builtin_return_address(0);
	memcpy(&got.nr, buf, sizeof(got.nr));
	memcpy(got.address, buf + sizeof(got.nr), got.nr * sizeof(got.address[0]));
	CU_ASSERT_FATAL(got.nr >= 1 && got.nr <= depth);
	CU_ASSERT_EQUAL((size_t)(end - buf), LTT_STACK_SIZE(got.nr));
	BETWEEN();
}

static NOINLINE void nest(unsigned int more, unsigned int depth)
{
	volatile char room[256];

	room[0] = 0;
	expected[more] = (uintptr_t)__builtin_return_address(0);
	if (more > 1)
		nest(more - 1, depth);
	else
		take(depth);
	room[1] = room[0];
}

/* expected[] counts from the other side: nest(n) has n functions around take(). */
static void check_nested(unsigned int nested, unsigned int depth)
{
	unsigned int i, want = nested + 1 < depth ? nested + 1 : depth;

	nest(nested, depth);
	CU_ASSERT(got.nr >= want);
	CU_ASSERT_EQUAL(got.address[0], expected[0]);
	for (i = 1; i < want && i < got.nr; i++)
		CU_ASSERT_EQUAL(got.address[i], expected[i]);
}

static void each_caller_is_found(void)
{
	unsigned int nested, depth;

	for (nested = 1; nested < 20; nested++)
		for (depth = 1; depth <= LTT_STACK_DEPTH_MAX; depth *= 2)
			check_nested(nested, depth);
	check_nested(LTT_STACK_DEPTH_MAX + 4, LTT_STACK_DEPTH_MAX);
	CU_ASSERT_EQUAL(got.nr, LTT_STACK_DEPTH_MAX);
}

static NOINLINE void grow(unsigned int pages)
{
	volatile char room[PAGE];

	room[0] = 0;
	if (pages)
		grow(pages - 1);
	else
		check_nested(3, 8);
	room[1] = room[0];
}

/* Once for each new page, and for a part of the stack that is used again, never. */
static void the_kernel_is_asked_once(void)
{
	unsigned long before;

	grow(300);
	before = calls;
	grow(300);
	grow(0);
	grow(200);
	CU_ASSERT_EQUAL(calls, before);
	grow(301);
	CU_ASSERT(calls > before && calls <= before + 3);
}

static void *in_thread(void *unused)
{
	the_kernel_is_asked_once();
	each_caller_is_found();
	return unused;
}

static void threads_have_their_own(void)
{
	pthread_t thread;

	CU_ASSERT_FATAL(!pthread_create(&thread, NULL, in_thread, NULL));
	pthread_join(thread, NULL);
}

static void on_signal(int signal)
{
	unsigned long before = calls;

	(void)signal;
	check_nested(5, 6);
	CU_ASSERT(calls > before);
	/* Without the kernel's help there is the first address only. */
	denied = true;
	nest(5, 6);
	denied = false;
	CU_ASSERT_EQUAL(got.nr, 1);
	CU_ASSERT_EQUAL(got.address[0], expected[0]);
}

static void frames_elsewhere_are_copied(void)
{
	stack_t other = { .ss_sp = mmap(NULL, 4 * STACK_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), .ss_size = STACK_SIZE };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	const stack_t none = { .ss_flags = SS_DISABLE };

	other.ss_sp = (char *)other.ss_sp + STACK_SIZE;
	CU_ASSERT_FATAL(!mprotect(other.ss_sp, other.ss_size, PROT_READ | PROT_WRITE));
	CU_ASSERT_FATAL(!sigaltstack(&other, NULL) && !sigaction(SIGUSR1, &action, NULL));
	raise(SIGUSR1);
	raise(SIGUSR1);
	CU_ASSERT_FATAL(!sigaltstack(&none, NULL));
	/* Nothing of it is known as the thread's own. */
	CU_ASSERT(!munmap((char *)other.ss_sp - STACK_SIZE, 4 * STACK_SIZE));
	check_nested(3, 8);
}

/* Each can be in a frame pointer. */
static void wrong_frames_end_the_walk(void)
{
	char *none = mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t frames[8] __attribute__((aligned(16))) = { 0 }, here = (uintptr_t)frames;
	const uint64_t wrong[] = {
		0, 1, 8, PAGE, -16ULL, -1ULL, 1ULL << 63, 1ULL << 47, (uintptr_t)none, (uintptr_t)none + PAGE - 16, here - 16,
		here + 8, here + 1, load(&own.low) - 16, load(&own.high) - 8, load(&own.high), load(&own.high) + 4096,
	};
	struct walk walk;
	size_t i;

	grow(1);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		frames[0] = wrong[i];
		frames[1] = 1234;
		walk = (struct walk){ .at = here, .floor = here };
		CU_ASSERT_EQUAL(step(&walk), 1234);
		CU_ASSERT_EQUAL(step(&walk), 0);
		walk = (struct walk){ .at = wrong[i], .floor = here, .elsewhere = true };
		CU_ASSERT(step(&walk) == 0 || (wrong[i] >= load(&own.low) && wrong[i] < load(&own.high)) ||
			  wrong[i] == load(&own.high) || wrong[i] == load(&own.high) + 4096);
	}
	/* In a circle, and downwards. */
	frames[0] = here;
	walk = (struct walk){ .at = here, .floor = here };
	CU_ASSERT_EQUAL(step(&walk), 1234);
	CU_ASSERT_EQUAL(step(&walk), 0);
	munmap(none, 2 * PAGE);
}

static const struct unit_test tests[] = {
	UNIT_TEST(each_caller_is_found),
	UNIT_TEST(the_kernel_is_asked_once),
	UNIT_TEST(threads_have_their_own),
	UNIT_TEST(frames_elsewhere_are_copied),
	UNIT_TEST(wrong_frames_end_the_walk),
	{ NULL, NULL }
};

int main(int argc, char **argv)
{
	(void)argc;
	return unit_main(argv[0], tests);
}
