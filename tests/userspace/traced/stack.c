// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A program with markers, for the tests of call stacks: stack WHAT [N].
 * Its functions have frame pointers, and are called as their names say.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <ltt/event.h>
#include <ltt/marker.h>
#include <ltt/text.h>

#define NOINLINE	__attribute__((noinline))
#define STACK_SIZE	65536
#define BETWEEN()	__asm__ volatile("")	/* no call before this is a jump */

/* ---- A chain of calls, and one event of each kind at its end ---- */

static struct ltt_event *described;

static NOINLINE void inner_function(long n)
{
	trace_mark(stack, none, "");
	trace_mark(stack, value, "n %ld", n);
	trace_mark(stack, many, "a %ld b %d c %d d %d e %d f %d", n, 1, 2, 3, 4, 5);
	trace_mark(stack, text, "n %ld text %s", n, "some text");
	trace_printf(stack, info, "line %ld", n);
	ltt_event_write(described, &(struct ltt_event_value){ .s = n });
	BETWEEN();
}

static NOINLINE void middle_function(long n)
{
	inner_function(n);
	BETWEEN();
}

static NOINLINE void outer_function(long n)
{
	middle_function(n);
	BETWEEN();
}

static int chain(long n)
{
	for (; n; n--)
		outer_function(n);
	return 0;
}

static NOINLINE void recursive_function(long n)
{
	volatile char room[4096];

	room[0] = 0;
	if (n)
		recursive_function(n - 1);
	else
		inner_function(room[0]);
	BETWEEN();
}

static int deep(long n)
{
	recursive_function(n);
	return 0;
}

static NOINLINE void *thread_function(void *n)
{
	outer_function((long)n);
	BETWEEN();
	return NULL;
}

static int threads(long n)
{
	pthread_t thread;

	for (; n; n--)
		if (pthread_create(&thread, NULL, thread_function, (void *)n) || pthread_join(thread, NULL))
			return 1;
	return 0;
}

/* Children that end before they can connect to an lttd, but for the last. */
static int forks(long n)
{
	pid_t child;

	for (; n; n--) {
		child = fork();
		if (!child) {
			outer_function(n);
			if (n == 1)
				exit(0);
			_exit(0);
		}
		if (waitpid(child, NULL, 0) != child)
			return 1;
	}
	return 0;
}

/* ---- Other stacks ---- */

/* The next signal comes after this one has been handled: on a slow machine, too, the program gets on. */
static const struct itimerspec soon = { .it_value = { .tv_nsec = 50000 } };
static timer_t timer;
static volatile bool has_timer;

static void handler_function(int signal)
{
	inner_function(signal);
	if (has_timer)
		timer_settime(timer, 0, &soon, NULL);
	BETWEEN();
}

static NOINLINE void interrupted_function(void)
{
	raise(SIGUSR1);
	BETWEEN();
}

static int handle(bool on_own)
{
	static char stack[STACK_SIZE];
	const stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_handler = handler_function, .sa_flags = on_own ? 0 : SA_ONSTACK };

	if (sigaltstack(&other, NULL) || sigaction(SIGUSR1, &action, NULL))
		return 1;
	interrupted_function();
	return 0;
}

static int handler(long n)
{
	(void)n;
	return handle(true);
}

static int handler_elsewhere(long n)
{
	(void)n;
	return handle(false);
}

/* Of all threads, at any instruction. */
static int handlers(long n)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };

	if (handle(n & 1) || timer_create(CLOCK_MONOTONIC, &event, &timer))
		return 1;
	has_timer = true;
	if (timer_settime(timer, 0, &soon, NULL))
		return 1;
	return chain(n) || threads(n / 100);
}

static ucontext_t here, there;

static void coroutine_function(void)
{
	outer_function(0);
	BETWEEN();
}

/* On a stack of a coroutine that then is gone, and on one that is smaller and in its place. */
static NOINLINE int run_coroutine(char *place, size_t size)
{
	char *stack = mmap(place, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	if (stack == MAP_FAILED || getcontext(&there))
		return 1;
	there.uc_stack = (stack_t){ .ss_sp = stack, .ss_size = size };
	there.uc_link = &here;
	makecontext(&there, coroutine_function, 0);
	return swapcontext(&here, &there) || munmap(place, STACK_SIZE);
}

static int coroutines(long n)
{
	char *place = mmap(NULL, STACK_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (; n; n--)
		if (run_coroutine(place, n & 1 ? STACK_SIZE : STACK_SIZE / 2))
			return 1;
	return 0;
}

/* ---- A frame pointer that is none ---- */

/* Called with any frame pointer, which it passes on. */
__attribute__((noinline, used, optimize("omit-frame-pointer"))) void mark_without_frame(void)
{
	trace_mark(stack, wrong, "");
	BETWEEN();
}

/* Call it with a frame pointer. */
void call_with(uint64_t frame_pointer);

__asm__(".text\n.globl call_with\n.type call_with, %function\ncall_with:\n"
#if defined(__x86_64__)
	"pushq %rbp\nmovq %rdi, %rbp\ncall mark_without_frame\npopq %rbp\nret\n"
#elif defined(__aarch64__)
	"stp x29, x30, [sp, #-16]!\nmov x29, x0\nbl mark_without_frame\nldp x29, x30, [sp], #16\nret\n"
#endif
	".size call_with, .-call_with\n");

/* Pointers to nothing, to other memory than frames, and to frames that lead to nothing. */
static void try_all(void)
{
	char *none = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *last = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t frames[8] __attribute__((aligned(16))) = { 0 };
	uint64_t here = (uintptr_t)frames, wrong[] = {
		0, 1, 8, 16, 4096, -16ULL, -1ULL, 1ULL << 63, 1ULL << 47, (uintptr_t)none, (uintptr_t)last + 4080,
		(uintptr_t)last + 4088, (uintptr_t)stdout, (uintptr_t)try_all & -16ULL, here - 4096, here - (1 << 20),
		here + (1 << 20), here + (1 << 30), (uintptr_t)__builtin_thread_pointer() - 16,
		(uintptr_t)__builtin_thread_pointer(), here + 1, here + 8,
	};
	size_t i;

	munmap(last + 4096, 4096);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		call_with(wrong[i]);
		/* A frame whose caller's is there. */
		frames[0] = wrong[i];
		frames[1] = (uintptr_t)try_all;
		call_with(here);
	}
	/* Frames in a circle, and from top to bottom. */
	frames[0] = here;
	call_with(here);
	frames[0] = here + 16;
	frames[2] = here;
	frames[3] = (uintptr_t)try_all;
	call_with(here);
	call_with(here + 16);
	for (i = 0; i < 20000; i++)
		call_with(here + (rand() % 4096 - 2048) * 16L);
	munmap(none, 4096);
	munmap(last, 4096);
}

static void *try_in_thread(void *unused)
{
	(void)unused;
	try_all();
	return NULL;
}

static void try_in_handler(int signal)
{
	(void)signal;
	try_all();
}

static int wrong(long n)
{
	struct sigaction action = { .sa_handler = try_in_handler, .sa_flags = SA_ONSTACK };
	const stack_t other = { .ss_sp = malloc(STACK_SIZE), .ss_size = STACK_SIZE };
	pthread_t thread;

	(void)n;
	try_all();
	if (pthread_create(&thread, NULL, try_in_thread, NULL) || pthread_join(thread, NULL))
		return 1;
	return sigaltstack(&other, NULL) || sigaction(SIGUSR2, &action, NULL) || raise(SIGUSR2);
}

/* ---- Libraries without markers ---- */

/* The libraries call this. */
void called_back(void);

NOINLINE void called_back(void)
{
	inner_function(0);
	BETWEEN();
}

/* With a third word, after a line of input. */
static int libraries(char **path, long n)
{
	void (*call)(void (*fn)(void));
	void *library;
	char line[16];

	if (path[2]) {
		puts("begun");
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			return 1;
	}
	for (; n; n--) {
		library = dlopen(path[n & 1], RTLD_NOW);
		*(void **)&call = library ? dlsym(library, "calling_function") : NULL;
		if (!call)
			return 1;
		call(called_back);
		dlclose(library);
	}
	return 0;
}

/* ---- What it costs ---- */

static NOINLINE long measured_function(long depth, long n)
{
	struct timespec from, to;
	long i;

	if (depth > 1) {
		i = measured_function(depth - 1, n);
		BETWEEN();
		return i;
	}
	clock_gettime(CLOCK_MONOTONIC, &from);
	for (i = 0; i < n; i++)
		trace_mark(stack, cost, "a %d b %d", 1, 2);
	clock_gettime(CLOCK_MONOTONIC, &to);
	return ((to.tv_sec - from.tv_sec) * 1000000000L + to.tv_nsec - from.tv_nsec) * 100 / n;
}

/* Hundredths of a nanosecond for an event, the best of a hundred. */
static int cost(long depth)
{
	long best = measured_function(depth, 20000), again, i;

	for (i = 0; i < 100; i++) {
		again = measured_function(depth, 20000);
		best = again < best ? again : best;
	}
	printf("%ld\n", best);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*fn)(long n);
	} what[] = {
		{ "chain", chain }, { "deep", deep }, { "threads", threads }, { "forks", forks }, { "handler", handler },
		{ "handler-elsewhere", handler_elsewhere }, { "handlers", handlers }, { "coroutines", coroutines },
		{ "wrong", wrong }, { "cost", cost },
	};
	long n = argc > 2 ? atol(argv[2]) : 1;
	size_t i;

	described = ltt_event_create("stack", "described", &(struct ltt_event_field){ "n", NULL, LTT_EVENT_S64, 0 }, 1);
	if (argc >= 5 && !strcmp(argv[1], "libraries"))
		return libraries(argv + 3, n);
	for (i = 0; argc > 1 && i < sizeof(what) / sizeof(what[0]); i++)
		if (!strcmp(argv[1], what[i].name))
			return what[i].fn(n);
	fprintf(stderr, "stack: what?\n");
	return 2;
}
