// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Preload this library: the program then changes its user while libltt binds its first socket, or with
 * LATE=sleep when libltt's thread is about to sleep.  A daemon of root that gives up its rights at once
 * can do so, too.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define DEADLINE_MS 30000
/* The change may wait for the sleep. */
#define SLEEP_MS 1000

static volatile bool asked, there;

static bool is_about(const char *what)
{
	const char *late = getenv("LATE");

	return !strcmp(what, late ? late : "bind");
}

int setresuid(uid_t real, uid_t effective, uid_t saved)
{
	int (*next)(uid_t, uid_t, uid_t) = dlsym(RTLD_NEXT, "setresuid");
	int ms;

	asked = true;
	for (ms = 0; !there && ms < DEADLINE_MS; ms++)
		usleep(1000);
	/* Without that call the test has shown nothing. */
	if (!there)
		_exit(3);
	return next(real, effective, saved);
}

struct thread {
	void *(*routine)(void *);
	void *argument;
};

/* While libltt's thread binds, the program cannot come to its change: it has to be there before. */
static void *start_late(void *argument)
{
	struct thread thread = *(struct thread *)argument;
	int ms;

	free(argument);
	for (ms = 0; !asked && ms < DEADLINE_MS; ms++)
		usleep(1000);
	return thread.routine(thread.argument);
}

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
	struct thread *thread;

	if (!is_about("bind"))
		return next(id, attributes, routine, argument);
	thread = malloc(sizeof(*thread));
	*thread = (struct thread){ routine, argument };
	return next(id, attributes, start_late, thread);
}

static void await_change(int most_ms)
{
	int ms;

	there = true;
	for (ms = 0; !geteuid() && ms < most_ms; ms++)
		usleep(1000);
}

int bind(int fd, const struct sockaddr *address, socklen_t len)
{
	int (*next)(int, const struct sockaddr *, socklen_t) = dlsym(RTLD_NEXT, "bind");

	if (is_about("bind"))
		await_change(DEADLINE_MS);
	return next(fd, address, len);
}

int poll(struct pollfd *polls, nfds_t nr, int timeout)
{
	int (*next)(struct pollfd *, nfds_t, int) = dlsym(RTLD_NEXT, "poll");

	if (is_about("sleep"))
		await_change(SLEEP_MS);
	return next(polls, nr, timeout);
}

int ppoll(struct pollfd *polls, nfds_t nr, const struct timespec *timeout, const sigset_t *mask)
{
	int (*next)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *) = dlsym(RTLD_NEXT, "ppoll");

	if (is_about("sleep"))
		await_change(SLEEP_MS);
	return next(polls, nr, timeout, mask);
}
