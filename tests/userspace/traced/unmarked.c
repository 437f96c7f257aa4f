// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A program without markers, for the tests of preloaded libraries: unmarked WHAT [N]...
 * It knows how often it calls them, and prints what the tests cannot know.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#define THREADS	4

/* ---- Memory ---- */

static volatile sig_atomic_t handled;

static void on_alarm(int signal)
{
	(void)signal;
	handled++;
}

/* The sizes tell the events apart from those of the C library. */
static void allocate(long n)
{
	void *blocks[8];
	long i;
	int j;

	for (i = 0; i < n; i++) {
		blocks[0] = malloc(10001);
		blocks[1] = calloc(2, 5001);
		blocks[2] = realloc(malloc(10003), 20003);
		blocks[3] = reallocarray(NULL, 2, 5002);
		blocks[4] = aligned_alloc(64, 10048);
		if (posix_memalign(&blocks[5], 128, 10005))
			abort();
		blocks[6] = memalign(32, 10006);
		blocks[7] = valloc(10007);
		for (j = 0; j < 8; j++) {
			memset(blocks[j], j, 10001);
			free(blocks[j]);
		}
	}
}

static void *allocating(void *n)
{
	allocate(*(long *)n);
	return NULL;
}

static int memory(long n)
{
	const struct itimerval often = { .it_interval.tv_usec = 500, .it_value.tv_usec = 500 };
	const struct itimerval never = { 0 };
	pthread_t threads[THREADS];
	volatile size_t huge = -4096;
	int i;

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, allocating, &n);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (i = 0; i < THREADS; i++) {
		if (!fork()) {
			allocate(n);
			_exit(0);
		}
	}
	while (wait(NULL) > 0 || errno == EINTR)
		;
	setitimer(ITIMER_REAL, &never, NULL);
	errno = 0;
	if (malloc(huge) || errno != ENOMEM || reallocarray(NULL, huge, 2) || errno != ENOMEM)
		abort();
	return 0;
}

/* The child allocates in its parent's memory, as shells do before exec(). */
static int vforks(long n)
{
	volatile long left;

	for (left = n; left > 0; left--) {
		free(malloc(10008));
		if (!vfork()) {
			free(malloc(10009));
			_exit(0);
		}
	}
	return 0;
}

/* ---- Locks ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int ready[2];

static long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static struct timespec in_ms(clockid_t clock, long ms)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	ts.tv_nsec += ms * 1000000;
	ts.tv_sec += ts.tv_nsec / 1000000000;
	ts.tv_nsec %= 1000000000;
	return ts;
}

static void *holding(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mutex);
	pthread_rwlock_wrlock(&rwlock);
	if (write(ready[1], "", 1) != 1)
		abort();
	usleep(50000);
	pthread_mutex_unlock(&mutex);
	usleep(50000);
	pthread_rwlock_unlock(&rwlock);
	return NULL;
}

/* Prints how long it has waited, in nanoseconds, as it sees it. */
static int wait_for_locks(long n)
{
	pthread_t thread;
	long long began;
	char byte;

	(void)n;
	if (pipe(ready))
		abort();
	pthread_create(&thread, NULL, holding, NULL);
	if (read(ready[0], &byte, 1) != 1)
		abort();
	began = now_ns();
	pthread_mutex_lock(&mutex);
	printf("%lld ", now_ns() - began);
	pthread_mutex_unlock(&mutex);
	began = now_ns();
	pthread_rwlock_rdlock(&rwlock);
	printf("%lld\n", now_ns() - began);
	pthread_rwlock_unlock(&rwlock);
	pthread_join(thread, NULL);
	return 0;
}

static void *dying(void *robust)
{
	pthread_mutex_lock(robust);
	return NULL;
}

static void set_type(pthread_mutex_t *lock, int type, int robust)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, type);
	pthread_mutexattr_setrobust(&attr, robust);
	pthread_mutex_init(lock, &attr);
}

static void mutex_results(void)
{
	struct timespec soon = in_ms(CLOCK_REALTIME, 20);
	pthread_mutex_t lock;
	pthread_t thread;

	set_type(&lock, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
	printf("%d ", pthread_mutex_lock(&lock));
	printf("%d ", pthread_mutex_lock(&lock));
	printf("%d ", pthread_mutex_timedlock(&lock, &soon));
	printf("%d ", pthread_mutex_trylock(&lock));
	printf("%d ", pthread_mutex_unlock(&lock));
	printf("%d ", pthread_mutex_unlock(&lock));
	printf("%d\n", pthread_mutex_clocklock(&lock, 99, &soon));
	set_type(&lock, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
	printf("%d ", pthread_mutex_lock(&lock));
	printf("%d ", pthread_mutex_lock(&lock));
	printf("%d ", pthread_mutex_unlock(&lock));
	printf("%d\n", pthread_mutex_unlock(&lock));
	set_type(&lock, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
	pthread_create(&thread, NULL, dying, &lock);
	pthread_join(thread, NULL);
	printf("%d ", pthread_mutex_lock(&lock));
	printf("%d ", pthread_mutex_unlock(&lock));
	printf("%d\n", pthread_mutex_lock(&lock));
	pthread_mutex_lock(&mutex);
	soon = in_ms(CLOCK_MONOTONIC, 20);
	printf("%d\n", pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon));
	pthread_mutex_unlock(&mutex);
}

static void rwlock_results(void)
{
	struct timespec soon = in_ms(CLOCK_REALTIME, 20), wrong = { 0, -1 };

	printf("%d ", pthread_rwlock_timedrdlock(&rwlock, &wrong));
	printf("%d ", pthread_rwlock_timedwrlock(&rwlock, &wrong));
	printf("%d ", pthread_rwlock_clockrdlock(&rwlock, 99, &soon));
	printf("%d ", pthread_rwlock_rdlock(&rwlock));
	printf("%d ", pthread_rwlock_tryrdlock(&rwlock));
	printf("%d ", pthread_rwlock_trywrlock(&rwlock));
	printf("%d ", pthread_rwlock_timedwrlock(&rwlock, &soon));
	printf("%d ", pthread_rwlock_unlock(&rwlock));
	printf("%d ", pthread_rwlock_unlock(&rwlock));
	printf("%d ", pthread_rwlock_wrlock(&rwlock));
	printf("%d ", pthread_rwlock_wrlock(&rwlock));
	printf("%d\n", pthread_rwlock_unlock(&rwlock));
}

static void unlock(void *lock)
{
	pthread_mutex_unlock(lock);
}

static void *cancelled(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, &mutex);
	while (1)
		pthread_cond_wait(&cond, &mutex);
	pthread_cleanup_pop(1);
	return NULL;
}

static void *at_barrier(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&barrier);
	return NULL;
}

static void cond_results(void)
{
	struct timespec soon = in_ms(CLOCK_REALTIME, 20);
	pthread_t thread;
	void *result;

	pthread_mutex_lock(&mutex);
	printf("%d ", pthread_cond_timedwait(&cond, &mutex, &soon));
	soon = in_ms(CLOCK_MONOTONIC, 20);
	printf("%d ", pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &soon));
	printf("%d ", pthread_cond_signal(&cond));
	printf("%d\n", pthread_cond_broadcast(&cond));
	pthread_mutex_unlock(&mutex);
	pthread_create(&thread, NULL, cancelled, NULL);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	pthread_mutex_lock(&mutex);
	printf("%d\n", result == PTHREAD_CANCELED);
	pthread_mutex_unlock(&mutex);
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, at_barrier, NULL);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
}

/* Prints the result of each call. */
static int results(long n)
{
	(void)n;
	mutex_results();
	rwlock_results();
	cond_results();
	return 0;
}

/* ---- Texts ---- */

static void with_list(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	va_start(args, format);
	vdprintf(STDERR_FILENO, format, args);
	va_end(args);
	va_start(args, format);
	vsyslog(LOG_ERR, format, args);
	va_end(args);
}

static int texts(long n)
{
	FILE *other = fopen("/dev/null", "w");
	char *many = malloc(1001);
	volatile size_t size = 2;

	errno = ENOENT;
	printf("printf %ld %m\n", n);
	fprintf(stderr, "fprintf %s\n", "text");
	dprintf(STDOUT_FILENO, "dprintf %d\n", 3);
	with_list("list %d %s\n", 4, "x");
	puts("puts");
	fputs("fputs\n", stderr);
	fputs_unlocked("unlocked\n", stdout);
	fwrite("fwrite\n", 1, 7, stdout);
	/* A constant size would make it a macro. */
	fwrite_unlocked("nul\0nul\n", size, 8 / size, stderr);
	putchar('a');
	putc('b', stdout);
	fputc('\n', stdout);
	memset(many, 'x', 1000);
	many[1000] = '\0';
	printf("%s", many);
	fputs(many, stderr);
	printf("%s", "");
	fprintf(other, "nowhere %d\n", 5);
	fputs("nowhere", other);
	fwrite("nowhere", 7, 1, other);
	fputc('n', other);
	dprintf(fileno(other), "nowhere %d\n", 6);
	syslog(LOG_DAEMON | LOG_WARNING, "syslog %d", 7);
	free(many);
	fclose(other);
	return 0;
}

/* ---- Functions: compiled with -finstrument-functions ---- */

__attribute__((noinline)) void inner_function(long i)
{
	__asm__ volatile("" : : "r" (i) : "memory");
}

__attribute__((noinline)) void outer_function(long n)
{
	for (; n > 0; n--)
		inner_function(n);
}

static int calls(long n)
{
	outer_function(n);
	return 0;
}

static int functions(long n)
{
	outer_function(n);
	if (!fork()) {
		outer_function(1);
		_exit(0);
	}
	wait(NULL);
	return 0;
}

/* Call N functions after each line of input but "end". */
static int until_told(long n)
{
	char line[16];

	puts("begun");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) && strcmp(line, "end\n")) {
		outer_function(n);
		puts("done");
		fflush(stdout);
	}
	return 0;
}

/* Load each of two libraries N times, in turn: the second can take the place of the first. */
static int libraries(char **files, long n)
{
	void (*work)(void);
	void *library;
	long i;

	for (i = 0; i < 2 * n; i++) {
		library = dlopen(files[i % 2], RTLD_NOW);
		if (!library) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		work = (void (*)(void))dlsym(library, "library_function");
		work();
		dlclose(library);
	}
	return 0;
}

#define STACK_SIZE	(256 << 10)
#define UNUSED		0xa5

static void *print(void *text)
{
	printf("%s\n", (const char *)text);
	return NULL;
}

/* Prints how much of its stack a thread uses that prints a text of @n bytes. */
static int stack_use(long n)
{
	unsigned char *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *text = calloc(1, n + 1);
	pthread_attr_t attr;
	pthread_t thread;
	size_t unused = 0;

	memset(stack, UNUSED, STACK_SIZE);
	memset(text, 'x', n);
	pthread_attr_init(&attr);
	if (pthread_attr_setstack(&attr, stack, STACK_SIZE) || pthread_create(&thread, &attr, print, text) ||
	    pthread_join(thread, NULL))
		return 1;
	while (stack[unused] == UNUSED)
		unused++;
	printf("used %zu\n", STACK_SIZE - unused);
	free(text);
	return 0;
}

/* The C library ends a fortified program here, before anything is stored. */
static int print_count(long n)
{
	static int stored;
	char format[] = "counted%n\n";

	(void)n;
	printf(format, &stored);
	return stored;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(long n);
	} table[] = {
		{ "memory", memory }, { "vforks", vforks }, { "wait", wait_for_locks }, { "results", results }, { "texts", texts },
		{ "calls", calls }, { "functions", functions }, { "until-told", until_told },
		{ "stack-use", stack_use }, { "print-count", print_count },
	};
	long n = argc > 2 ? atol(argv[2]) : 0;
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(table) / sizeof(table[0]); i++)
		if (!strcmp(argv[1], table[i].name))
			return table[i].run(n);
	if (argc == 5 && !strcmp(argv[1], "libraries"))
		return libraries(argv + 3, n);
	return 2;
}
