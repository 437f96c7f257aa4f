// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Handlers of signals that fork, while the same thread is in a function of libltt that holds its lock: as part of
 * fork(), and of exit(). Prints how many children there were.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ltt/marker.h>

static volatile sig_atomic_t handled;
static volatile sig_atomic_t forks, exits;	/* what the main thread does */

static void on_signal(int sig)
{
	pid_t pid = fork();

	(void)sig;
	if (!pid)
		_exit(0);
	if (pid > 0 && waitpid(pid, NULL, 0) == pid)
		handled++;
}

/* Registered before that of libltt, so it runs after that, which takes the lock. */
static void amid_fork(void)
{
	if (forks) {
		forks = 0;
		raise(SIGUSR1);
	}
}

static __attribute__((constructor(101))) void first_of_all(void)
{
	pthread_atfork(amid_fork, NULL, NULL);
}

/* The last call of libltt's handler of exit(). */
int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	static int (*next)(pthread_mutex_t *mutex);

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
	if (exits && getpid() == gettid()) {
		exits = 0;
		raise(SIGUSR1);
	}
	return next(mutex);
}

/* As _exit() is, this is not called before libltt's handler. */
static __attribute__((destructor(101))) void last_of_all(void)
{
	printf("%d handled\n", (int)handled);
}

static void begin_exit(void)
{
	exits = 1;
}

int main(void)
{
	pid_t pid;

	signal(SIGUSR1, on_signal);
	trace_mark(test, parent, "");
	forks = 1;
	pid = fork();
	if (!pid) {
		trace_mark(test, child, "");
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	trace_mark(test, handled, "handled %d", (int)handled);
	atexit(begin_exit);
	return 0;
}
