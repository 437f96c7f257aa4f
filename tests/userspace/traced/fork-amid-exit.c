// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A handler of a signal forks, as one does that restarts children, while its thread is in libltt's part of exit(), where
 * that holds its lock. Prints how many children there were before the program's own destructors.
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
static volatile sig_atomic_t exits;	/* libltt's part of exit() comes next */

static void on_signal(int sig)
{
	pid_t pid = fork();

	(void)sig;
	if (!pid)
		_exit(0);
	if (pid > 0 && waitpid(pid, NULL, 0) == pid)
		handled++;
}

/* libltt calls this while it holds the lock. */
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

/* exit() calls destructors after all handlers, and this one before that of the markers. */
static __attribute__((destructor)) void after_handlers(void)
{
	exits = 0;
	printf("%d handled\n", (int)handled);
}

static void begin_exit(void)
{
	exits = 1;
}

int main(void)
{
	signal(SIGUSR1, on_signal);
	trace_mark(test, parent, "");
	atexit(begin_exit);
	return 0;
}
