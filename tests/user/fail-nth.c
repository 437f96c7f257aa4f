// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * What a program asks the C library for fails once: preloaded, it lets one of the
 * calls below fail that the program itself makes until it ends, those of libraries
 * and of its children apart.
 *
 *   FAIL_IN    name of the program
 *   FAIL_NTH   number of the call, from 1
 *   FAIL_DONE  file that is made when it fails, with the name of the function
 *
 * Layer: tests.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/fcntl.h>	/* that of the C library declares open64() otherwise */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned long calls;
static pid_t counted;
static int ended;

static void end(void)
{
	ended = 1;
}

static int is_counted(void)
{
	if (!counted) {
		counted = getpid();
		atexit(end);
	}
	return counted == getpid() && !ended;
}

static int is_of_program(const void *caller)
{
	Dl_info of, program;

	return dladdr(caller, &of) && dladdr((void *)getauxval(AT_ENTRY), &program) &&
	       of.dli_fbase == program.dli_fbase;
}

/* Whether this call is the one. */
static int fails(const char *function, const void *caller)
{
	const char *in = getenv("FAIL_IN"), *nth = getenv("FAIL_NTH"), *done = getenv("FAIL_DONE");
	int fd;

	if (!in || !nth || !done || strcmp(in, program_invocation_short_name) || !is_of_program(caller) ||
	    !is_counted() || ++calls != strtoul(nth, NULL, 10))
		return 0;
	fd = syscall(SYS_openat, AT_FDCWD, done, O_WRONLY | O_CREAT | O_EXCL, 0644);
	if (fd >= 0) {
		syscall(SYS_write, fd, function, strlen(function));
		syscall(SYS_close, fd);
	}
	return 1;
}

#define CALL(type, failed, error, name, params, ...)					\
	type name params								\
	{										\
		static type (*next) params;						\
											\
		if (fails(#name, __builtin_return_address(0))) {			\
			errno = error;							\
			return failed;							\
		}									\
		if (!next)								\
			next = (type (*) params)dlsym(RTLD_NEXT, #name);		\
		return next(__VA_ARGS__);						\
	}

/* dlsym() itself allocates. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

#define ALLOCATION(name, params, real)							\
	void *name params								\
	{										\
		if (fails(#name, __builtin_return_address(0))) {			\
			errno = ENOMEM;							\
			return NULL;							\
		}									\
		return real;								\
	}

ALLOCATION(malloc, (size_t size), __libc_malloc(size))
ALLOCATION(calloc, (size_t count, size_t size), __libc_calloc(count, size))
ALLOCATION(realloc, (void *old, size_t size), __libc_realloc(old, size))
ALLOCATION(reallocarray, (void *old, size_t count, size_t size), __libc_realloc(old, count * size))

CALL(char *, NULL, ENOMEM, strndup, (const char *text, size_t len), text, len)
CALL(char *, NULL, ENOMEM, strdup, (const char *text), text)
CALL(FILE *, NULL, ENOMEM, open_memstream, (char **text, size_t *len), text, len)
CALL(int, -1, ENFILE, open64, (const char *path, int flags, mode_t mode), path, flags, mode)
CALL(int, -1, ENFILE, openat64, (int dir, const char *path, int flags, mode_t mode), dir, path, flags, mode)
CALL(void *, NULL, ENFILE, fdopendir, (int fd), fd)
CALL(void *, NULL, ENFILE, opendir, (const char *path), path)
CALL(ssize_t, -1, EIO, read, (int fd, void *to, size_t len), fd, to, len)
CALL(ssize_t, -1, EIO, pread64, (int fd, void *to, size_t len, off_t at), fd, to, len, at)
CALL(ssize_t, -1, EIO, write, (int fd, const void *from, size_t len), fd, from, len)
CALL(ssize_t, -1, EIO, pwrite64, (int fd, const void *from, size_t len, off_t at), fd, from, len, at)
CALL(int, -1, EIO, ftruncate64, (int fd, off_t len), fd, len)
CALL(int, -1, EIO, fdatasync, (int fd), fd)
CALL(int, -1, ENOSPC, mkdir, (const char *path, mode_t mode), path, mode)
CALL(int, -1, ENFILE, pipe2, (int fds[2], int flags), fds, flags)
CALL(int, -1, EMFILE, inotify_init1, (int flags), flags)
CALL(int, -1, ENOSPC, inotify_add_watch, (int fd, const char *path, unsigned int mask), fd, path, mask)
CALL(int, -1, ENFILE, epoll_create1, (int flags), flags)
CALL(int, -1, ENOSPC, epoll_ctl, (int fd, int op, int of, void *event), fd, op, of, event)
CALL(int, -1, ENFILE, signalfd, (int fd, const void *set, int flags), fd, set, flags)
CALL(int, -1, ENFILE, timerfd_create, (int clock, int flags), clock, flags)
CALL(pid_t, -1, EAGAIN, fork, (void))
