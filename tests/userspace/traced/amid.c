// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Signals and cancellations that come at the worst moment, while the same thread has libltt's lock:
 *
 *	amid exit	in libltt's part of exit(), a handler of a signal forks, as one does that restarts children
 *	amid fork	in libltt's part of fork(), a handler of a signal exits, and a handler of exit() forks
 *	amid nested	in libltt's part of fork(), a handler of a signal forks
 *	amid create	a thread that creates an event has been cancelled, before the program forks
 *
 * Prints a line when that has happened, and ends with status 0.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ltt/event.h>
#include <ltt/marker.h>

static volatile sig_atomic_t exits, forks;	/* libltt's part of it comes next */

/* ---- exit() ---- */

static void fork_and_wait(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	if (pid > 0 && waitpid(pid, NULL, 0) == pid)
		puts("forked");
}

static void fork_in_handler(int sig)
{
	(void)sig;
	fork_and_wait();
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
}

static void begin_exit(void)
{
	exits = 1;
}

/* ---- fork() ---- */

static void exit_in_handler(int sig)
{
	(void)sig;
	exit(0);
}

/* Registered before libltt's, so that it runs when libltt has the lock. */
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

/* ---- Cancellation ---- */

static void *create(void *unused)
{
	/* It is pending at each point where the thread can be cancelled. */
	pthread_cancel(pthread_self());
	ltt_event_create("test", "created", NULL, 0);
	pthread_testcancel();
	return unused;
}

static int cancel_amid_create(void)
{
	void *result = NULL;
	pthread_t thread;

	if (pthread_create(&thread, NULL, create, NULL) || pthread_join(thread, &result))
		return 1;
	if (result == PTHREAD_CANCELED)
		puts("cancelled");
	if (!fork())
		_exit(0);
	wait(NULL);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	trace_mark(test, parent, "");
	if (!strcmp(what, "create"))
		return cancel_amid_create();
	if (!strcmp(what, "exit")) {
		signal(SIGUSR1, fork_in_handler);
		atexit(begin_exit);
		return 0;
	}
	forks = 1;
	if (!strcmp(what, "nested")) {
		signal(SIGUSR1, fork_in_handler);
		if (!fork())
			_exit(0);
		wait(NULL);
		return 0;
	}
	signal(SIGUSR1, exit_in_handler);
	atexit(fork_and_wait);
	fork();
	return 1;
}
