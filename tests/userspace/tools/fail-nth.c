// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Calls of the C library that fail once: preloaded, it lets one of the calls
 * below fail that the program itself makes until it ends, those of libraries and of its
 * children apart. A call is identified by the chain of its callers, so
 * that one in a loop is one, and one that is reached in two ways is two.
 *
 *   FAIL_IN     name of the program
 *   FAIL_OF     beginning of the name of a library's file: its calls, not the program's
 *   FAIL_NTH    number of the call, from 1
 *   FAIL_EINTR  if set, only those calls are counted that a signal can end, and so they fail
 *   FAIL_DONE   file that is made when it fails, with the name of the function
 *
 * Layer: tests.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <linux/fcntl.h>	/* that of the C library declares open64() otherwise */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_CALLERS	24
#define MAX_CHAINS	8192

/* By hash(): the chains that calls came from up to now. Guarded by chains_lock. */
static unsigned long chains[MAX_CHAINS];
static unsigned long chain_count;
static int chains_lock;
static pid_t counted;
static int ended;
static __thread int is_within;	/* backtrace() may call what is below */

/* The first time it loads a library. */
__attribute__((constructor)) static void prepare(void)
{
	void *caller;

	is_within = 1;
	backtrace(&caller, 1);
	is_within = 0;
}

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

/* Whether the caller is of the program, whose own name the loader does not have, or of the
 * library that FAIL_OF names.  Without the loader's locks, which who loads a library has. */
static int is_asked_for(const void *caller)
{
	const char *library = getenv("FAIL_OF"), *name, *slash;
	struct dl_find_object of;

	if (_dl_find_object((void *)caller, &of))
		return 0;
	name = of.dlfo_link_map->l_name;
	if (!library)
		return !*name;
	slash = strrchr(name, '/');
	return !strncmp(slash ? slash + 1 : name, library, strlen(library));
}

static unsigned long hash(const char *function)
{
	void *callers[MAX_CALLERS];
	int count = backtrace(callers, MAX_CALLERS);
	unsigned long sum = 5381;

	for (int i = 0; i < count; i++)
		sum = sum * 33 + (unsigned long)callers[i];
	while (*function)
		sum = sum * 33 + *function++;
	return sum;
}

/* The number of the chain if a call comes from it for the first time, or 0. */
static unsigned long number_of(unsigned long chain)
{
	unsigned long number = 0;

	while (__atomic_exchange_n(&chains_lock, 1, __ATOMIC_ACQUIRE))
		;
	for (unsigned long i = 0; i < chain_count && !number; i++)
		if (chains[i] == chain)
			number = i + 1;
	if (number) {
		number = 0;
	} else if (chain_count < MAX_CHAINS) {
		chains[chain_count++] = chain;
		number = chain_count;
	}
	__atomic_store_n(&chains_lock, 0, __ATOMIC_RELEASE);
	return number;
}

static void tell(const char *done, const char *function)
{
	int fd = syscall(SYS_openat, AT_FDCWD, done, O_WRONLY | O_CREAT | O_EXCL, 0644);

	if (fd >= 0) {
		syscall(SYS_write, fd, function, strlen(function));
		syscall(SYS_close, fd);
	}
}

/* Whether this call, which may be one that can be interrupted, is the one. */
static int fails(const char *function, const void *caller, int may_be_interrupted)
{
	const char *in = getenv("FAIL_IN"), *nth = getenv("FAIL_NTH"), *done = getenv("FAIL_DONE");
	int is_the_one = 0;

	if (is_within || !in || !nth || !done || strcmp(in, program_invocation_short_name) ||
	    (getenv("FAIL_EINTR") && !may_be_interrupted))
		return 0;
	is_within = 1;
	if (is_asked_for(caller) && is_counted() && number_of(hash(function)) == strtoul(nth, NULL, 10)) {
		tell(done, function);
		is_the_one = 1;
	}
	is_within = 0;
	return is_the_one;
}

#define DONT_WAIT	0x40	/* MSG_DONTWAIT; <sys/socket.h> declares otherwise what is below */

static int may_wait(int fd, int flags)
{
	return !(flags & DONT_WAIT) && !(syscall(SYS_fcntl, fd, F_GETFL) & O_NONBLOCK);
}

#define CALL_OR(type, failed, error, interrupted, name, params, ...)			\
	static type (*next_##name) params;						\
											\
	/* The loader's lock is taken for it. */					\
	__attribute__((constructor)) static void find_##name(void)			\
	{										\
		next_##name = (type (*) params)dlsym(RTLD_NEXT, #name);		\
	}										\
											\
	type name params								\
	{										\
		if (fails(#name, __builtin_return_address(0), interrupted)) {		\
			errno = interrupted && getenv("FAIL_EINTR") ? EINTR : error;	\
			return failed;							\
		}									\
		if (!next_##name)							\
			find_##name();							\
		return next_##name(__VA_ARGS__);					\
	}

#define CALL(type, failed, error, ...)	CALL_OR(type, failed, error, 0, __VA_ARGS__)
/* One that a signal can end. */
#define WAIT(type, failed, error, ...)	CALL_OR(type, failed, error, 1, __VA_ARGS__)
/* One that a signal can end unless it need not wait. */
#define WAIT_FD(type, failed, error, flags, ...)	CALL_OR(type, failed, error, may_wait(fd, flags), __VA_ARGS__)
/* One that returns its error: errno means nothing to the caller. */
#define RETURNS(type, error, ...)	CALL_OR(type, error, error, 0, __VA_ARGS__)

/* dlsym() itself allocates. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

#define ALLOCATION(name, params, real)							\
	void *name params								\
	{										\
		if (fails(#name, __builtin_return_address(0), 0)) {			\
			errno = ENOMEM;							\
			return NULL;							\
		}									\
		return real;								\
	}

ALLOCATION(malloc, (size_t size), __libc_malloc(size))
ALLOCATION(calloc, (size_t count, size_t size), __libc_calloc(count, size))
ALLOCATION(realloc, (void *old, size_t size), __libc_realloc(old, size))
ALLOCATION(reallocarray, (void *old, size_t count, size_t size), __libc_realloc(old, count * size))

/* Memory, and what takes some */
CALL(char *, NULL, ENOMEM, strndup, (const char *text, size_t len), text, len)
CALL(char *, NULL, ENOMEM, strdup, (const char *text), text)
CALL(FILE *, NULL, ENOMEM, open_memstream, (char **text, size_t *len), text, len)
CALL(void *, NULL, ENOMEM, tsearch, (const void *key, void **root, int (*compare)(const void *, const void *)),
     key, root, compare)
CALL(int, -1, ENOMEM, scandirat64, (int dir, const char *path, void *list, void *filter, void *compare),
     dir, path, list, filter, compare)
CALL(int, 1, ENOMEM, glob64, (const char *pattern, int flags, void *errfunc, void *to), pattern, flags, errfunc, to)
CALL(void *, (void *)-1, ENOMEM, mmap64, (void *at, size_t len, int prot, int flags, int fd, off_t from),
     at, len, prot, flags, fd, from)
CALL(int, -1, ENOMEM, mprotect, (void *at, size_t len, int prot), at, len, prot)
CALL(void *, (void *)-1, ENOMEM, mremap, (void *at, size_t old, size_t len, int flags, void *to), at, old, len, flags, to)
CALL(int, -1, ENFILE, memfd_create, (const char *name, unsigned int flags), name, flags)

int asprintf(char **text, const char *format, ...)
{
	va_list args;
	int len;

	if (fails("asprintf", __builtin_return_address(0), 0)) {
		errno = ENOMEM;
		return -1;
	}
	va_start(args, format);
	len = vasprintf(text, format, args);
	va_end(args);
	return len;
}

/* Files */
CALL(int, -1, ENFILE, open64, (const char *path, int flags, mode_t mode), path, flags, mode)
CALL(int, -1, ENFILE, openat64, (int dir, const char *path, int flags, mode_t mode), dir, path, flags, mode)
CALL(FILE *, NULL, ENFILE, fopen64, (const char *path, const char *mode), path, mode)
CALL(void *, NULL, ENFILE, fdopendir, (int fd), fd)
CALL(void *, NULL, ENFILE, opendir, (const char *path), path)
WAIT_FD(ssize_t, -1, EIO, 0, read, (int fd, void *to, size_t len), fd, to, len)
WAIT_FD(ssize_t, -1, EIO, 0, write, (int fd, const void *from, size_t len), fd, from, len)
CALL(ssize_t, -1, EIO, pread64, (int fd, void *to, size_t len, off_t at), fd, to, len, at)
CALL(ssize_t, -1, EIO, pwrite64, (int fd, const void *from, size_t len, off_t at), fd, from, len, at)
WAIT(ssize_t, -1, EIO, splice, (int from, off_t *at, int to, off_t *to_at, size_t len, unsigned int flags),
     from, at, to, to_at, len, flags)
CALL(off_t, -1, EIO, lseek64, (int fd, off_t to, int whence), fd, to, whence)
CALL(int, -1, EIO, ftruncate64, (int fd, off_t len), fd, len)
CALL(int, -1, EIO, fdatasync, (int fd), fd)
CALL(int, -1, EIO, sync_file_range, (int fd, off_t at, off_t len, unsigned int flags), fd, at, len, flags)
RETURNS(int, EIO, posix_fadvise64, (int fd, off_t at, off_t len, int advice), fd, at, len, advice)

/* The stream is closed all the same. */
int fclose(FILE *file)
{
	static int (*next)(FILE *file);
	int is_the_one = fails("fclose", __builtin_return_address(0), 0);
	int err;

	if (!next)
		next = (int (*)(FILE *))dlsym(RTLD_NEXT, "fclose");
	err = next(file);
	if (!is_the_one)
		return err;
	errno = ENOSPC;
	return EOF;
}

CALL(int, EOF, ENOSPC, fflush, (FILE *file), file)
CALL(int, -1, EIO, fstat64, (int fd, void *to), fd, to)
CALL(int, -1, EIO, stat64, (const char *path, void *to), path, to)
CALL(int, -1, EIO, lstat64, (const char *path, void *to), path, to)
CALL(int, -1, EIO, fstatat64, (int dir, const char *path, void *to, int flags), dir, path, to, flags)
CALL(int, -1, EIO, statfs64, (const char *path, void *to), path, to)
CALL(int, -1, EIO, access, (const char *path, int mode), path, mode)
CALL(ssize_t, -1, EIO, readlink, (const char *path, char *to, size_t len), path, to, len)
CALL(char *, NULL, ENOMEM, realpath, (const char *path, char *to), path, to)
CALL(int, -1, ENOSPC, mkdir, (const char *path, mode_t mode), path, mode)
CALL(int, -1, EIO, rename, (const char *from, const char *to), from, to)
CALL(int, -1, EIO, unlink, (const char *path), path)
CALL(int, -1, EIO, chmod, (const char *path, mode_t mode), path, mode)
CALL(int, -1, ENFILE, pipe2, (int fds[2], int flags), fds, flags)
CALL(int, -1, EMFILE, fcntl64, (int fd, int command, long arg), fd, command, arg)
CALL(int, -1, EMFILE, dup, (int fd), fd)
CALL(int, -1, EBUSY, dup2, (int from, int to), from, to)

/* Descriptors to wait for, and waiting */
CALL(int, -1, EMFILE, inotify_init1, (int flags), flags)
CALL(int, -1, ENOSPC, inotify_add_watch, (int fd, const char *path, unsigned int mask), fd, path, mask)
CALL(int, -1, ENFILE, epoll_create1, (int flags), flags)
CALL(int, -1, ENOSPC, epoll_ctl, (int fd, int op, int of, void *event), fd, op, of, event)
WAIT(int, -1, ENOMEM, epoll_wait, (int fd, void *events, int max, int timeout), fd, events, max, timeout)
CALL(int, -1, ENFILE, signalfd, (int fd, const void *set, int flags), fd, set, flags)
CALL(int, -1, ENFILE, timerfd_create, (int clock, int flags), clock, flags)
CALL(int, -1, ENFILE, timerfd_settime, (int fd, int flags, const void *to, void *old), fd, flags, to, old)
CALL(int, -1, ENFILE, eventfd, (unsigned int count, int flags), count, flags)
WAIT(int, -1, ENOMEM, poll, (void *fds, unsigned long count, int timeout), fds, count, timeout)
WAIT(int, -1, ENOMEM, ppoll, (void *fds, unsigned long count, const void *timeout, const void *mask), fds, count, timeout, mask)

/* Sockets */
CALL(int, -1, ENFILE, socket, (int domain, int type, int protocol), domain, type, protocol)
CALL(int, -1, EADDRINUSE, bind, (int fd, const void *to, unsigned int len), fd, to, len)
CALL(int, -1, EADDRINUSE, listen, (int fd, int backlog), fd, backlog)
CALL(int, -1, ENOMEM, connect, (int fd, const void *to, unsigned int len), fd, to, len)
CALL(int, -1, ENOTCONN, shutdown, (int fd, int how), fd, how)
WAIT_FD(int, -1, ENFILE, 0, accept4, (int fd, void *from, unsigned int *len, int flags), fd, from, len, flags)
WAIT_FD(ssize_t, -1, ENOBUFS, flags, send, (int fd, const void *from, size_t len, int flags), fd, from, len, flags)
WAIT_FD(ssize_t, -1, ENOBUFS, flags, sendto, (int fd, const void *from, size_t len, int flags, const void *to, unsigned int to_len),
     fd, from, len, flags, to, to_len)
WAIT_FD(ssize_t, -1, ENOBUFS, flags, sendmsg, (int fd, const void *message, int flags), fd, message, flags)
WAIT_FD(ssize_t, -1, ENOMEM, flags, recv, (int fd, void *to, size_t len, int flags), fd, to, len, flags)
WAIT_FD(ssize_t, -1, ENOMEM, flags, recvmsg, (int fd, void *message, int flags), fd, message, flags)
CALL(int, -1, ENOBUFS, getsockopt, (int fd, int level, int name, void *to, unsigned int *len), fd, level, name, to, len)
CALL(int, -1, ENOBUFS, setsockopt, (int fd, int level, int name, const void *to, unsigned int len),
     fd, level, name, to, len)
CALL(int, -1, ENOBUFS, getsockname, (int fd, void *to, unsigned int *len), fd, to, len)

/* Processes and threads */
CALL(pid_t, -1, EAGAIN, fork, (void))

/* Another caller got the status of a child that ended; one that runs is still there. */
pid_t waitpid(pid_t pid, int *status, int options)
{
	static pid_t (*next)(pid_t pid, int *status, int options);
	int may_be_interrupted = !(options & WNOHANG);
	int is_the_one = fails("waitpid", __builtin_return_address(0), may_be_interrupted);
	int ended;

	if (is_the_one && getenv("FAIL_EINTR")) {
		errno = EINTR;
		return -1;
	}
	if (!next)
		next = (pid_t (*)(pid_t, int *, int))dlsym(RTLD_NEXT, "waitpid");
	pid = next(pid, is_the_one ? &ended : status, options);
	if (!is_the_one || pid <= 0)
		return pid;
	errno = ECHILD;
	return -1;
}

RETURNS(int, EAGAIN, posix_spawn, (pid_t *pid, const char *path, const void *actions, const void *attr, char *const argv[],
				   char *const envp[]), pid, path, actions, attr, argv, envp)
RETURNS(int, EAGAIN, posix_spawnp, (pid_t *pid, const char *path, const void *actions, const void *attr, char *const argv[],
				    char *const envp[]), pid, path, actions, attr, argv, envp)
RETURNS(int, ENOMEM, posix_spawn_file_actions_init, (void *actions), actions)
RETURNS(int, ENOMEM, posix_spawn_file_actions_adddup2, (void *actions, int fd, int as), actions, fd, as)
RETURNS(int, EAGAIN, pthread_create, (void *thread, const void *attr, void *(*body)(void *), void *arg),
	thread, attr, body, arg)
RETURNS(int, EAGAIN, pthread_key_create, (void *key, void (*destroy)(void *)), key, destroy)
CALL(int, -1, EPERM, unshare, (int flags), flags)
CALL(ssize_t, -1, EPERM, process_vm_readv, (pid_t pid, const void *to, unsigned long to_count, const void *from,
					    unsigned long count, unsigned long flags), pid, to, to_count, from, count, flags)

static long (*next_syscall)(long number, ...);

__attribute__((constructor)) static void find_syscall(void)
{
	next_syscall = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
}

/* <unistd.h> declares syscall() with three dots. */
long any_syscall(long number, long a, long b, long c, long d, long e, long f) __asm__("syscall");

long any_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	if (fails("syscall", __builtin_return_address(0), 0)) {
		errno = ENOSYS;
		return -1;
	}
	if (!next_syscall)
		find_syscall();
	return next_syscall(number, a, b, c, d, e, f);
}
