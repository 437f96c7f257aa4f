// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Does to a program, at the worst moment, what another user or a busy machine could: preloaded, it exchanges a
 * file of a folder as soon as the program has made it or looked at it, or delays the program's threads or reads.
 *
 *   SWAP_IN     folder
 *   SWAP_NAME   pattern of the file's name
 *   SWAP_LINK   the file becomes a symbolic link to this
 *   SWAP_MOVE   or this is moved there
 *   NEVER_READ  path of a file of which no read() returns
 *   NO_TMPFILE  the file system has no files without a name
 *   LATE_START  seconds after which a thread that the program makes begins
 *   PAGES       the kernel has pages of this size: memory is shared from such an address on and moved to such an
 *               address only, and of memory that is given back, the end is rounded up
 *   NICED_WAIT  milliseconds that each pread() of a thread of niceness 19 takes, as if others kept the CPUs busy
 *   SLOW_SYNC   milliseconds that each fsync() takes, as on a slow disk
 *
 * Layer: tests.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void swap(const char *path)
{
	const char *in = getenv("SWAP_IN"), *pattern = getenv("SWAP_NAME"), *link = getenv("SWAP_LINK");
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	char from[4096], to[4096 + 8];
	static bool done;

	if (done || !in || fnmatch(pattern, name, 0))
		return;
	done = true;
	snprintf(from, sizeof(from), "%s/%s", in, name);
	snprintf(to, sizeof(to), "%s.away", from);
	if (rename(from, to) || (link ? symlink(link, from) : rename(getenv("SWAP_MOVE"), from)))
		abort();
}

int mkdirat(int dir, const char *path, mode_t mode)
{
	int (*next)(int, const char *, mode_t) = dlsym(RTLD_NEXT, "mkdirat");
	int ret = next(dir, path, mode);

	swap(path);
	return ret;
}

int fstatat64(int dir, const char *path, struct stat64 *st, int flags)
{
	int (*next)(int, const char *, struct stat64 *, int) = dlsym(RTLD_NEXT, "fstatat64");
	int ret = next(dir, path, st, flags);

	swap(path);
	return ret;
}

/* With O_PATH, it is only looked at. */
int openat64(int dir, const char *path, int flags, ...)
{
	int (*next)(int, const char *, int, ...) = dlsym(RTLD_NEXT, "openat64");
	va_list list;
	mode_t mode;
	int ret;

	va_start(list, flags);
	mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
	va_end(list);
	ret = next(dir, path, flags, mode);
	if (flags & O_PATH)
		swap(path);
	return ret;
}

int open64(const char *path, int flags, ...)
{
	int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, "open64");
	va_list list;
	mode_t mode;

	va_start(list, flags);
	mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
	va_end(list);
	if (getenv("NO_TMPFILE") && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return next(path, flags, mode);
}

ssize_t read(int fd, void *to, size_t len)
{
	ssize_t (*next)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
	const char *never = getenv("NEVER_READ");
	char link[32], path[4096];
	ssize_t size = 0;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (never)
		size = readlink(link, path, sizeof(path));
	while (size > 0 && (size_t)size == strlen(never) && !memcmp(path, never, size))
		pause();
	return next(fd, to, len);
}

ssize_t pread64(int fd, void *to, size_t len, off_t at)
{
	ssize_t (*next)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, "pread64");
	const char *wait = getenv("NICED_WAIT");

	if (wait && getpriority(PRIO_PROCESS, 0) == 19)
		usleep(1000 * atoi(wait));
	return next(fd, to, len, at);
}

int fsync(int fd)
{
	int (*next)(int) = dlsym(RTLD_NEXT, "fsync");
	const char *wait = getenv("SLOW_SYNC");

	if (wait)
		usleep(1000 * atoi(wait));
	return next(fd);
}

static size_t pages(void)
{
	const char *size = getenv("PAGES");

	return size ? atoi(size) : getpagesize();
}

long sysconf(int name)
{
	long (*next)(int) = dlsym(RTLD_NEXT, "sysconf");

	return name == _SC_PAGESIZE ? (long)pages() : next(name);
}

/* lttd maps a file at its own address later with MAP_FIXED. */
void *mmap64(void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
	void *(*next)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap64");
	uintptr_t room;

	if (at || !(flags & MAP_SHARED) || !getenv("PAGES"))
		return next(at, size, prot, flags, fd, offset);
	room = (uintptr_t)next(NULL, size + pages(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return next((void *)((room + pages() - 1) & ~(pages() - 1)), size, prot, flags | MAP_FIXED, fd, offset);
}

void *mremap(void *from, size_t old_size, size_t size, int flags, ...)
{
	void *(*next)(void *, size_t, size_t, int, ...) = dlsym(RTLD_NEXT, "mremap");
	va_list arguments;
	void *to;

	if (!(flags & MREMAP_FIXED))
		return next(from, old_size, size, flags);
	va_start(arguments, flags);
	to = va_arg(arguments, void *);
	va_end(arguments);
	if ((uintptr_t)to & (pages() - 1)) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	return next(from, old_size, size, flags, to);
}

int madvise(void *at, size_t size, int advice)
{
	int (*next)(void *, size_t, int) = dlsym(RTLD_NEXT, "madvise");

	if ((uintptr_t)at & (pages() - 1)) {
		errno = EINVAL;
		return -1;
	}
	return next(at, (size + pages() - 1) & ~(pages() - 1), advice);
}

struct start {
	void *(*fn)(void *arg);
	void *arg;
};

static void *start_late(void *arg)
{
	struct start start = *(struct start *)arg;

	free(arg);
	sleep(atoi(getenv("LATE_START")));
	return start.fn(start.arg);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *arg), void *arg)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
	struct start *start = malloc(sizeof(*start));

	if (!start || !getenv("LATE_START")) {
		free(start);
		return next(thread, attr, fn, arg);
	}
	*start = (struct start){ fn, arg };
	return next(thread, attr, start_late, start);
}
