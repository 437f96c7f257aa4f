// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A program with markers, for the tests: prog WHAT [N]...
 * It prints how many events it emitted, where that is not plain.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <ltt/marker.h>
#include <ltt/probe.h>

static volatile bool enough;
static volatile sig_atomic_t told_to_end;

static long number(char **argv, int which, long otherwise)
{
	while (which && *argv)
		argv++, which--;
	return *argv ? atol(*argv) : otherwise;
}

static int count(char **argv)
{
	long n = number(argv, 0, 1000), i;

	for (i = 0; i < n; i++)
		trace_mark(test, count, "i %ld", i);
	return 0;
}

static void on_term(int signal)
{
	(void)signal;
	told_to_end = true;
}

/* Until SIGTERM, or N times; prints a line when it has begun. */
static int forever(char **argv)
{
	long i, pause_us = number(argv, 0, 0), n = number(argv, 1, 0);

	signal(SIGTERM, on_term);
	for (i = 0; !told_to_end && (!n || i < n); i++) {
		trace_mark(test, count, "i %ld", i);
		if (!i) {
			puts("begun");
			fflush(stdout);
		}
		if (pause_us)
			usleep(pause_us);
	}
	return 0;
}

/* Each event has the number of the last: after a line on its input, it ends. */
static int until_told(char **argv)
{
	long i, n = number(argv, 0, 100);
	char line[16];

	puts("begun");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return 1;
	for (i = 0; i < n; i++)
		trace_mark(test, count, "i %ld", i);
	return 0;
}

/* N events, a line, and then it waits for a line. */
static int count_and_wait(char **argv)
{
	char line[16];

	count(argv);
	puts("begun");
	fflush(stdout);
	return !fgets(line, sizeof(line), stdin);
}

/* ---- Threads and signals ---- */

static long handled;	/* by handlers of any thread */

static void on_alarm(int signal)
{
	(void)signal;
	trace_mark(test, handler, "i %ld", __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED));
}

static void *thread(void *n)
{
	long i;

	for (i = 0; i < (long)n; i++)
		trace_mark(test, count, "i %ld", i);
	return NULL;
}

static int threads(char **argv)
{
	const struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = { { 0, 0 }, { 0, 0 } };
	long rounds = number(argv, 0, 20), n = number(argv, 1, 1000), i;
	pthread_t id[4];

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	while (rounds--) {
		for (i = 0; i < 4; i++)
			pthread_create(&id[i], NULL, thread, (void *)n);
		for (i = 0; i < 4; i++)
			pthread_join(id[i], NULL);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%ld\n", __atomic_load_n(&handled, __ATOMIC_RELAXED));
	return 0;
}

static pthread_barrier_t all_there;

static void *one_of_many(void *unused)
{
	trace_mark(test, count, "i %d", 0);
	pthread_barrier_wait(&all_there);
	return unused;
}

/* Each has emitted an event before the first one goes. */
static int many_threads(char **argv)
{
	long n = number(argv, 0, 100), i;
	pthread_t id[n];

	pthread_barrier_init(&all_there, NULL, n);
	for (i = 0; i < n; i++)
		if (pthread_create(&id[i], NULL, one_of_many, NULL))
			return 1;
	for (i = 0; i < n; i++)
		pthread_join(id[i], NULL);
	return 0;
}

/* Threads still emit events while the program's destructors run. */
static __attribute__((destructor(101))) void last_of_all(void)
{
	if (enough)
		usleep(50000);
}

/* In a file that outlives the program: how many events a thread began and finished. */
struct counts {
	long begun;
	long done;
};

static struct counts *map_counts(const char *file, int nr)
{
	int fd = open(file, O_RDWR | O_CREAT, 0600);
	void *counts = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, nr * sizeof(struct counts)))
		counts = mmap(NULL, nr * sizeof(struct counts), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return counts == MAP_FAILED ? NULL : counts;
}

static void *count_for_ever(void *arg)
{
	volatile struct counts *counts = arg;
	long i;

	for (i = 0; !told_to_end; i++) {
		counts->begun = i + 1;
		trace_mark(test, count, "i %ld", i);
		counts->done = i + 1;
		if (i % 16 == 0)
			usleep(20);
	}
	return NULL;
}

/* count-in FILE: until SIGTERM. */
static int count_in(char **argv)
{
	struct counts *counts = map_counts(argv[0], 1);

	if (!counts)
		return 1;
	signal(SIGTERM, on_term);
	count_for_ever(counts);
	return 0;
}

static struct counts *handler_counts;

static void count_at_exit(void)
{
	volatile struct counts *counts = handler_counts;
	long i;

	for (i = 0; i < 500; i++) {
		counts->begun = i + 1;
		trace_mark(test, count, "i %ld", i);
		counts->done = i + 1;
	}
}

/* exit-counting FILE HOW: three threads emit events until the process is gone, and so do
 * handlers of exit() and quick_exit(). */
static int exit_counting(char **argv)
{
	struct counts *counts = map_counts(argv[0], 4);
	const char *how = argv[1];
	pthread_t id;
	int i;

	if (!counts)
		return 1;
	handler_counts = &counts[3];
	atexit(count_at_exit);
	for (i = 0; i < 3; i++)
		pthread_create(&id, NULL, count_for_ever, &counts[i]);
	usleep(20000);
	enough = true;
	if (!strcmp(how, "_exit"))
		_exit(0);
	if (!strcmp(how, "exec"))
		execl("/bin/true", "true", NULL);
	if (!strcmp(how, "abort"))
		abort();
#ifdef __GLIBC__
	if (!strcmp(how, "quick_exit")) {
		at_quick_exit(count_at_exit);
		quick_exit(0);
	}
#endif
	return 0;
}

/* ---- Storms ---- */

#define STORM_MAX	4096

/* In a file that outlives the processes: how many events each thread began and finished. */
struct storm {
	long nr;
	struct counts counts[STORM_MAX];
};

static struct storm *storm;

static void *storm_on(void *unused)
{
	long nr = __atomic_fetch_add(&storm->nr, 1, __ATOMIC_RELAXED), i;
	volatile struct counts *counts = &storm->counts[nr];

	if (nr >= STORM_MAX)
		abort();
	for (i = 0;; i++) {
		counts->begun = i + 1;
		trace_mark(test, count, "i %ld", i);
		counts->done = i + 1;
		if (i % 16 == 0)
			usleep(20);
	}
	return unused;
}

static void start_two(void)
{
	pthread_t id;
	int i;

	for (i = 0; i < 2; i++)
		pthread_create(&id, NULL, storm_on, NULL);
}

/* storm FILE: three threads emit events in each of four processes, until they are killed. */
static int storm_and_fork(char **argv)
{
	int fd = open(argv[0], O_RDWR | O_CREAT, 0600), i;

	if (fd < 0 || ftruncate(fd, sizeof(*storm)))
		return 1;
	storm = mmap(NULL, sizeof(*storm), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (storm == MAP_FAILED)
		return 1;
	puts("begun");
	fflush(stdout);
	start_two();
	for (i = 0; i < 2; i++) {
		usleep(2000);
		if (!fork())
			start_two();
	}
	return storm_on(NULL) != NULL;
}

static void *for_ever(void *unused)
{
	for (;;)
		trace_mark(test, count, "i %d", 1);
	return unused;
}

static int exit_amid_threads(char **argv)
{
	pthread_t id;
	int i;

	(void)argv;
	for (i = 0; i < 3; i++)
		pthread_create(&id, NULL, for_ever, NULL);
	usleep(20000);
	enough = true;
	return 0;
}

/* ---- Processes ---- */

/* Says that it has begun, and waits for a line. */
static int wait_for_line(void)
{
	char line[16];

	puts("begun");
	fflush(stdout);
	return !fgets(line, sizeof(line), stdin);
}

static int forks(char **argv)
{
	long n = number(argv, 0, 10), i;

	trace_mark(test, parent, "pid %d", getpid());
	for (i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid) {
			trace_mark(test, child, "pid %d i %ld", getpid(), i);
			exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	trace_mark(test, parent, "pid %d", getpid());
	return 0;
}

/* The process that emits the numbers outlives its parent and grandparent. */
static int orphan(char **argv)
{
	long n = number(argv, 0, 10), i;

	trace_mark(test, parent, "pid %d", getpid());
	if (wait_for_line())
		return 1;
	if (fork())
		return 0;
	if (fork())
		_exit(0);
	while (getppid() != 1)
		usleep(1000);
	if (wait_for_line())
		return 1;
	for (i = 0; i < n; i++)
		trace_mark(test, count, "i %ld", i);
	return 0;
}

/* leave-a-child N: the child emits N events, of which the first are sent to its parent's buffers,
 * prints a line, and waits for one; the parent ends at once. */
static int leave_a_child(char **argv)
{
	trace_mark(test, parent, "pid %d", getpid());
	if (fork())
		_exit(0);
	return count_and_wait(argv);
}

/* ---- Another namespace of process ids, without exec() ---- */

static int to_parent[2], to_child[2];

static void *emit_in_turns(void *nr)
{
	long i, n = (long)nr;
	char byte = 0;

	for (i = 0; i < 2 * n; i++) {
		if (i == n && (write(to_parent[1], &byte, 1) != 1 || read(to_child[0], &byte, 1) != 1))
			_exit(1);
		trace_mark(test, count, "i %ld", i);
	}
	return NULL;
}

/* The first process of the new namespace: a thread of it gets the id @tid there. */
static int emit_as(pid_t tid, long n)
{
	FILE *last = fopen("/proc/sys/kernel/ns_last_pid", "w");
	pthread_t id;

	if (!last || fprintf(last, "%d", tid - 1) < 0 || fclose(last))
		return 1;
	return pthread_create(&id, NULL, emit_in_turns, (void *)n) || pthread_join(id, NULL);
}

/* enter-namespace N: a thread of the child emits 2 N events, and the parent N amid them.
 * No thread of the parent's namespace has the id that the child's thread has in its own. */
static int enter_namespace(char **argv)
{
	long n = number(argv, 0, 10);
	pid_t tid = 20000, child;
	char byte = 0;
	int status;

	while (!kill(tid, 0) || errno != ESRCH)
		tid++;
	if (pipe(to_parent) || pipe(to_child) || unshare(CLONE_NEWPID))
		return 77;
	child = fork();
	if (!child) {
		close(to_child[1]);
		exit(emit_as(tid, n));
	}
	close(to_parent[1]);
	if (read(to_parent[0], &byte, 1) != 1)
		return 1;
	thread((void *)n);
	if (write(to_child[1], &byte, 1) != 1)
		return 1;
	return waitpid(child, &status, 0) != child || status;
}

static int vforks(char **argv)
{
	long n = number(argv, 0, 100);
	volatile long i;
	int status;

	for (i = 0; i < n; i++) {
		pid_t pid = vfork();

		if (!pid) {
			trace_mark(test, child, "i %ld", i);
			_exit(7);
		}
		trace_mark(test, parent, "i %ld", i);
		waitpid(pid, &status, 0);
		if (WEXITSTATUS(status) != 7)
			return 1;
	}
	return 0;
}

/* Children that exit right after the fork: the odd ones emit an event before. */
static int forks_exit(char **argv)
{
	long n = number(argv, 0, 10), i;
	pid_t child;

	for (i = 0; i < n; i++) {
		child = fork();
		if (!child) {
			if (i % 2)
				trace_mark(test, child, "i %ld", i);
			exit(3);
		}
		if (waitpid(child, NULL, 0) < 0)
			return 1;
	}
	return 0;
}

static int exec_self(char **argv)
{
	trace_mark(test, before, "pid %d", getpid());
	execl("/proc/self/exe", "prog", "count", argv[0] ? argv[0] : "10", NULL);
	return 1;
}

/* Becomes a daemon: closes all descriptors; those it opens then are its own. */
static int daemonize(char **argv)
{
	long n = number(argv, 0, 1000), i;
	int fd, fds[2];
	char byte;

	trace_mark(test, before, "pid %d", getpid());
	for (fd = 3; fd < 4096; fd++)
		close(fd);
	if (pipe(fds) || write(fds[1], "x", 1) != 1)
		return 1;
	for (i = 0; i < n; i++)
		trace_mark(test, count, "i %ld", i);
	usleep(100000);
	/* No library has taken it. */
	return read(fds[0], &byte, 1) != 1;
}

/* Becomes user @argv[0] in a way, or hides its memory, prints a line and waits. */
static int act_for(char **argv)
{
	uid_t user = number(argv, 0, 0);

	trace_mark(test, before, "pid %d", getpid());
	if (argv[1] && !strcmp(argv[1], "for-ever") && (setresgid(user, user, user) || setresuid(user, user, user)))
		return 1;
	if (argv[1] && !strcmp(argv[1], "for-a-while") && seteuid(user))
		return 1;
	if (argv[1] && !strcmp(argv[1], "hidden"))
		prctl(PR_SET_DUMPABLE, 0);
	if (wait_for_line())
		return 1;
	trace_mark(test, after, "pid %d", getpid());
	return 0;
}

/* Rename the main thread as other processes do. */
static void *rename_main(void *name)
{
	FILE *comm;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/comm", getpid());
	comm = fopen(path, "w");
	if (comm) {
		fputs(name, comm);
		fclose(comm);
	}
	return NULL;
}

/* Each event is more than a millisecond after its rename. */
static int names(char **argv)
{
	pthread_t thread;

	(void)argv;
	trace_mark(test, name, "");
	prctl(PR_SET_NAME, "another");
	usleep(2000);
	trace_mark(test, name, "");
	prctl(PR_SET_NAME, "a-name-of-15-characters");
	usleep(2000);
	trace_mark(test, name, "");
	if (pthread_create(&thread, NULL, rename_main, "by-a-thread") || pthread_join(thread, NULL))
		return 1;
	usleep(2000);
	trace_mark(test, name, "");
	if (!fork()) {
		prctl(PR_SET_NAME, "child");
		usleep(2000);
		trace_mark(test, name, "");
		_exit(0);
	}
	return wait(NULL) < 0;
}

static unsigned long us_since(const struct timespec *began)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - began->tv_sec) * 1000000L + (now.tv_nsec - began->tv_nsec) / 1000;
}

/* Events without a pause, with the name that the thread has and the microseconds since then. */
static int names_without_pause(char **argv)
{
	struct timespec began;
	unsigned long us;
	char name[24];
	int i;

	(void)argv;
	for (i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "name-%d", i);
		prctl(PR_SET_NAME, name);
		clock_gettime(CLOCK_MONOTONIC, &began);
		do {
			us = us_since(&began);
			trace_mark(test, renamed, "want %s us %lu", name, us);
		} while (us < 3000);
	}
	return 0;
}

/* Characters that a viewer must not pass to a terminal as they are. */
static int texts(char **argv)
{
	(void)argv;
	trace_mark(test, text, "s %s", "a \"quote\", a \\, \033[2J and \t");
	trace_mark(test, bases, "x %x o %o d %d", 0xbeefU, 0755U, -1);
	return 0;
}

static int fork_when_told(char **argv)
{
	long i;

	(void)argv;
	trace_mark(test, count, "i %ld", -1L);
	if (wait_for_line())
		return 1;
	if (!fork()) {
		for (i = 0; i < 1000; i++) {
			trace_mark(test, count, "i %ld", i);
			usleep(100);
		}
		_exit(0);
	}
	return wait(NULL) < 0;
}

#define MANY_1(i)	trace_mark(many, m##i, "");
#define MANY_10(i)	MANY_1(i##0) MANY_1(i##1) MANY_1(i##2) MANY_1(i##3) MANY_1(i##4) \
			MANY_1(i##5) MANY_1(i##6) MANY_1(i##7) MANY_1(i##8) MANY_1(i##9)
#define MANY_100(i)	MANY_10(i##0) MANY_10(i##1) MANY_10(i##2) MANY_10(i##3) MANY_10(i##4) \
			MANY_10(i##5) MANY_10(i##6) MANY_10(i##7) MANY_10(i##8) MANY_10(i##9)

static int many(char **argv)
{
	(void)argv;
	MANY_100(0)
	MANY_100(1)
	return wait_for_line();
}

#define REFUSED_1(i)	trace_mark(wrong, refused##i, "twice %d twice %d", 1, 2);
#define REFUSED_10(i)	REFUSED_1(i##0) REFUSED_1(i##1) REFUSED_1(i##2) REFUSED_1(i##3) REFUSED_1(i##4) \
			REFUSED_1(i##5) REFUSED_1(i##6) REFUSED_1(i##7) REFUSED_1(i##8) REFUSED_1(i##9)

/* 22 markers with a format that cannot be recorded, and one that can. */
static int refused(char **argv)
{
	(void)argv;
	REFUSED_10(0)
	REFUSED_10(1)
	REFUSED_1(20)
	REFUSED_1(21)
	trace_mark(wrong, right, "i %d", 0);
	return wait_for_line();
}

/* ---- Probes ---- */

static long calls[2];

static void probe(void *data, const struct ltt_site *site, const unsigned long long *args, unsigned int nr)
{
	long *called = data;

	if (strcmp(site->group, "test") || nr != 1 || (long)args[0] != -7)
		abort();
	++*called;
	/* Recorded, but calls nothing. */
	trace_mark(test, within, "i %ld", -7L);
}

static void expect(int line, long first, long second)
{
	trace_mark(test, probed, "i %ld", -7L);
	if (calls[0] != first || calls[1] != second) {
		printf("line %d: %ld and %ld calls\n", line, calls[0], calls[1]);
		exit(1);
	}
}

#define EXPECT(...)	expect(__LINE__, __VA_ARGS__)

static int probes(char **argv)
{
	(void)argv;
	EXPECT(0, 0);
	if (ltt_probe_connect("test:prob*", probe, &calls[0]) || ltt_probe_connect("probed", probe, &calls[0]) ||
	    ltt_probe_connect("nosuch", probe, &calls[1]))
		return 1;
	EXPECT(1, 0);
	if (ltt_probe_connect("probed", probe, &calls[0]) != -EEXIST)
		return 2;
	if (ltt_probe_connect("test:*", probe, &calls[1]))
		return 3;
	EXPECT(2, 1);
	/* The other pattern is for it still. */
	if (ltt_probe_disconnect("probed", probe, &calls[0]))
		return 4;
	EXPECT(3, 2);
	if (ltt_probe_disconnect("test:prob*", probe, &calls[0]))
		return 5;
	EXPECT(3, 3);
	if (ltt_probe_disconnect("test:prob*", probe, &calls[0]) != -ENOENT)
		return 6;
	if (ltt_probe_connect("test:prob*", probe, &calls[0]))
		return 7;
	EXPECT(4, 4);
	return 0;
}

/* ---- Libraries ---- */

static int plugin_until_told(char **argv)
{
	return !dlopen(argv[0], RTLD_NOW) || wait_for_line();
}

static int plugin(char **argv)
{
	long rounds = number(argv, 1, 10);

	while (rounds--) {
		void *handle = dlopen(argv[0], RTLD_NOW);
		void (*work)(void) = handle ? (void (*)(void))dlsym(handle, "plugin_work") : NULL;

		if (!work) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		work();
		dlclose(handle);
	}
	return 0;
}

static int plugin_when_told(char **argv)
{
	return wait_for_line() || plugin(argv);
}

/* ---- Hostile ---- */

/* Write over all that there is of the buffers. */
/* Find the buffers, which lttd has mapped for us.  Return: their size. */
static size_t find_buffers(char **start)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long from, to;
	char line[512];

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "memfd:ltt") && sscanf(line, "%lx-%lx", &from, &to) == 2) {
			fclose(maps);
			*start = (char *)from;
			return to - from;
		}
	return 0;
}

static int scribble(char **argv)
{
	unsigned int seed = number(argv, 0, 1);
	uint64_t *at;
	size_t size;
	char *from;
	long i;

	count((char *[]){ "1000", NULL });
	size = find_buffers(&from);
	for (i = 0; size && i < 200000; i++) {
		at = (uint64_t *)(from + rand_r(&seed) % size / 8 * 8);
		/* Mostly where it hurts: the heads and what is around them. */
		if (i % 4)
			at = (uint64_t *)(from + rand_r(&seed) % 8192 / 8 * 8);
		*at = i % 3 ? (uint64_t)rand_r(&seed) << rand_r(&seed) % 64 : *at + rand_r(&seed) % 64;
		if (i % 100 == 0)
			trace_mark(test, count, "i %ld", i);
	}
	puts("scribbled");
	return 0;
}

/* damage-heads N M: N events, wrong values for the heads of four CPUs, M events. */
static int damage_heads(char **argv)
{
	long n = number(argv, 0, 1000), m = number(argv, 1, 1000), i;
	char *from;
	size_t size = find_buffers(&from);

	for (i = 0; i < n; i++)
		trace_mark(test, count, "i %ld", i);
	puts("begun");
	fflush(stdout);
	/* The sizes of the test: 8 sub-buffers of 4 KiB. */
	for (i = 0; size && i < 4; i++)
		*(volatile uint64_t *)(from + i * (4096 + 8 * 4096)) += 0x123456789;
	for (i = 0; i < m; i++)
		trace_mark(test, count, "i %ld", n + i);
	return 0;
}

/* scribble-on WHERE N: events, and after each of them random words all over the buffers of four
 * CPUs, or in their headers only, or in their records only, N rounds of 1000. */
static int scribble_on(char **argv)
{
	size_t size, stride, header = 4096, at;
	long rounds = number(argv, 1, 100), i;
	char where = *argv[0], *from;
	unsigned int seed = 1;

	count((char *[]){ "1000", NULL });
	size = find_buffers(&from);
	if (!size)
		return 1;
	puts("begun");
	fflush(stdout);
	/* The sizes of the test: 8 sub-buffers of 64 KiB. */
	stride = header + 8 * 65536;
	for (i = 0; i < rounds * 1000; i++) {
		trace_mark(test, scribbled, "i %ld", i);
		at = rand_r(&seed) % 4 * stride;
		if (where == 'h')
			at += rand_r(&seed) % 512;
		else if (where == 'r')
			at += header + rand_r(&seed) % (stride - header);
		else
			at += rand_r(&seed) % stride;
		*(volatile uint64_t *)(from + at / 8 * 8) = (uint64_t)rand_r(&seed) << rand_r(&seed) % 64;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*fn)(char **argv);
	} what[] = {
		{ "count", count }, { "forever", forever }, { "until-told", until_told },
		{ "threads", threads }, { "many-threads", many_threads },
		{ "exit-amid-threads", exit_amid_threads }, { "exit-counting", exit_counting }, { "count-in", count_in },
		{ "forks", forks }, { "forks-exit", forks_exit }, { "vforks", vforks }, { "enter-namespace", enter_namespace }, { "orphan", orphan },
		{ "exec", exec_self }, { "daemonize", daemonize }, { "plugin", plugin },
		{ "scribble", scribble }, { "scribble-on", scribble_on }, { "damage-heads", damage_heads }, { "count-and-wait", count_and_wait },
		{ "storm", storm_and_fork }, { "leave-a-child", leave_a_child }, { "fork-when-told", fork_when_told },
		{ "probes", probes }, { "plugin-when-told", plugin_when_told },
		{ "names", names }, { "names-without-pause", names_without_pause },
		{ "act-for", act_for }, { "many", many }, { "refused", refused },
		{ "plugin-until-told", plugin_until_told }, { "texts", texts },
	};
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(what) / sizeof(what[0]); i++)
		if (!strcmp(argv[1], what[i].name))
			return what[i].fn(argv + 2);
	fprintf(stderr, "prog: what?\n");
	return 2;
}
