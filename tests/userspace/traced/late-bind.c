// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Preload this library: the program then changes its user while libltt binds its first socket.
 * A daemon of root that gives up its rights at once can do so, too.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#define DEADLINE_MS 10000

static volatile bool binding;

int setresuid(uid_t real, uid_t effective, uid_t saved)
{
	int (*next)(uid_t, uid_t, uid_t) = dlsym(RTLD_NEXT, "setresuid");
	int ms;

	for (ms = 0; !binding && ms < DEADLINE_MS; ms++)
		usleep(1000);
	/* Without a bind() the test has shown nothing. */
	if (!binding)
		_exit(3);
	return next(real, effective, saved);
}

int bind(int fd, const struct sockaddr *address, socklen_t len)
{
	int (*next)(int, const struct sockaddr *, socklen_t) = dlsym(RTLD_NEXT, "bind");
	int ms;

	binding = true;
	for (ms = 0; !geteuid() && ms < DEADLINE_MS; ms++)
		usleep(1000);
	return next(fd, address, len);
}
