// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A tracer made of plain files, for tests of lttctl: preloaded, it acts on what
 * is written to control files below LTT_DEBUGFS, before write() returns, as the
 * kernel would.
 *
 *   FAKE_DATA     file that every buffer holds once a trace is started
 *   FAKE_REFUSED  number of events that the statistics show as refused
 *   FAKE_HALTED   why the tracer has stopped the trace by itself
 *   FAKE_FAIL     end of the name of a control file that refuses all writes
 *   FAKE_MEMORY   the machine's memory for each CPU, in bytes
 *   FAKE_CALL_NS  how long getppid() takes by the monotonic clock, which then does not move otherwise
 *   FAKE_CLOCK    the monotonic clock is so many times slower
 *
 * Each write is noted in LTT_DEBUGFS/log.
 *
 * Layer: tests.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static ssize_t real_write(int fd, const void *buf, size_t len)
{
	ssize_t (*next)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");

	return next(fd, buf, len);
}

/* Put formatted text in a file, after what is there (mode "a") or alone ("w"). */
__attribute__((format(printf, 3, 4)))
static void put(const char *path, const char *mode, const char *fmt, ...)
{
	char text[4096];
	va_list args;
	int fd;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	fd = open(path, O_WRONLY | O_CREAT |
		  (*mode == 'a' ? O_APPEND : O_TRUNC), 0644);
	if (fd < 0 || real_write(fd, text, strlen(text)) < 0)
		abort();
	close(fd);
}

static void path_in(char *path, const char *dir, const char *name)
{
	snprintf(path, PATH_MAX, "%s/%s", dir, name);
}

static void create(const char *traces, const char *name)
{
	static const struct {
		const char *file;
		const char *text;
	} files[] = {
		{ "state", "configuring\n" },
		{ "events", "" },
		{ "filters", "" },
		{ "stats", "trace x\nstate configuring\n" },
		{ "clock", "tsc 01234567-89ab-cdef-0123-456789abcdef 1000000000 5 6\n" },
		{ "metadata", "/* CTF 1.8 */\ntrace { uuid = \"01234567-89ab-cdef-0123-000000000001\"; };\n"
			      "clock { uuid = \"01234567-89ab-cdef-0123-456789abcdef\"; };\n" },
		{ "tasks", "" },
		{ "flush", "" },
		{ "pid", "0\n" },
		{ "channels/events/subbuf_size", "4096\n" },
		{ "channels/events/subbuf_count", "4\n" },
		{ "channels/events/overwrite", "0\n" },
		{ "channels/events/lossless_ms", "0\n" },
		{ "channels/state/subbuf_size", "4096\n" },
		{ "channels/state/subbuf_count", "4\n" },
		{ "channels/state/overwrite", "0\n" },
		{ "channels/state/lossless_ms", "0\n" },
	};
	static const char *const folders[] = {
		"", "channels", "channels/events", "channels/state",
	};
	char dir[PATH_MAX], path[PATH_MAX + 64];
	size_t i;

	path_in(dir, traces, name);
	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, folders[i]);
		mkdir(path, 0755);
	}
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i].file);
		put(path, "w", "%s", files[i].text);
	}
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* The data appears as one: a reader never sees half a file. */
static void start(const char *dir)
{
	static const char *const buffers[] = { "events_0", "events_1", "state_0" };
	const char *refused = getenv("FAKE_REFUSED");
	const char *halted = getenv("FAKE_HALTED");
	const char *data = getenv("FAKE_DATA");
	unsigned long lost = refused ? strtoul(refused, NULL, 10) : 0;
	char path[PATH_MAX + 64];
	size_t i;

	for (i = 0; data && i < sizeof(buffers) / sizeof(buffers[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, buffers[i]);
		if (link(data, path) && errno != EEXIST)
			abort();
		snprintf(path, sizeof(path), "%s/%s.snapshot", dir, buffers[i]);
		if (link(data, path) && errno != EEXIST)
			abort();
	}
	snprintf(path, sizeof(path), "%s/stats", dir);
	put(path, "w", "trace x\nstate running\n"
	    "state 0 emitted 100 stored 100 refused 0 overwritten 0 bytes 4096 full 0 big 0 nested 0 unread 2048\n"
	    "events 0 emitted 1000 stored 1000 refused 0 overwritten 0 bytes 8192 full 0 big 0 nested 0 unread 2048\n"
	    "events 1 emitted %lu stored 1 refused %lu overwritten 0 bytes 4096 full %lu big 0 nested 0 unread 4096\n"
	    "total emitted %lu stored 1101 refused %lu overwritten 0 bytes 16384\n",
	    lost + 1, lost, lost, lost + 1101, lost);
	if (halted)
		put(path, "a", "halted %s\n", halted);
	if (lost)
		put(path, "a", "event sched:sched_switch refused %lu full %lu big 0 nested 0\n",
		    lost, lost);
}

static int is_running(const char *path)
{
	char state[16] = "";
	int fd = open(path, O_RDONLY);

	if (fd < 0 || read(fd, state, sizeof(state) - 1) < 0)
		abort();
	close(fd);
	return !strcmp(state, "running\n");
}

static int act(const char *path, const char *text)
{
	char dir[PATH_MAX], target[PATH_MAX];
	const char *file;

	snprintf(dir, sizeof(dir), "%s", path);
	file = strrchr(path, '/') + 1;
	dir[file - path - 1] = '\0';
	if (!strcmp(file, "create")) {
		path_in(target, dir, text);
		if (!access(target, F_OK))
			return EEXIST;
		create(dir, text);
	} else if (!strcmp(file, "remove")) {
		path_in(target, dir, text);
		nftw(target, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	} else if (!strcmp(file, "state")) {
		if (!strcmp(text, "start") && is_running(path))
			return EALREADY;
		if (!strcmp(text, "start"))
			start(dir);
		put(path, "w", "%s\n", strcmp(text, "start") ? "stopped"
							     : "running");
	} else if (!strcmp(file, "events")) {
		if (strstr(text, "nothing"))
			put(path, "a", "? %s\n", text);
		else
			put(path, "a", "+ %s events\n", text);
	} else {
		put(path, "w", "%s\n", text);
	}
	return 0;
}

static int refuses(const char *path)
{
	const char *fail = getenv("FAKE_FAIL");
	size_t len = strlen(path);

	return fail && *fail && len >= strlen(fail) &&
	       !strcmp(path + len - strlen(fail), fail);
}

ssize_t write(int fd, const void *buf, size_t len)
{
	const char *root = getenv("LTT_DEBUGFS");
	char link[64], path[PATH_MAX], other[PATH_MAX], text[4096];
	ssize_t got;
	int err;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	got = readlink(link, path, sizeof(path) - 1);
	path[got > 0 ? got : 0] = '\0';
	if (!root || strncmp(path, root, strlen(root)) || len >= sizeof(text))
		return real_write(fd, buf, len);
	memcpy(text, buf, len);
	text[len] = '\0';
	path_in(other, root, "log");
	put(other, "a", "%s %s\n", path + strlen(root) + 1, text);
	err = refuses(path) ? EINVAL : act(path, text);
	if (!err)
		return len;
	path_in(other, root, "last_error");
	put(other, "w", "the fake refuses \"%s\"\n", text);
	errno = err;
	return -1;
}

long sysconf(int name)
{
	long (*next)(int) = dlsym(RTLD_NEXT, "sysconf");
	const char *memory = getenv("FAKE_MEMORY");

	if (name != _SC_PHYS_PAGES || !memory)
		return next(name);
	return atol(memory) / next(_SC_PAGESIZE) * next(_SC_NPROCESSORS_ONLN);
}

static long calls;

pid_t getppid(void)
{
	calls++;
	return syscall(SYS_getppid);
}

/* A busy machine is not to change what a test measures. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
	const char *call_ns = getenv("FAKE_CALL_NS"), *slowness = getenv("FAKE_CLOCK");
	int (*next)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
	int error = next(clock, time);
	long long ns;

	if (error || clock != CLOCK_MONOTONIC || (!call_ns && !slowness))
		return error;
	if (call_ns)
		ns = calls * atoll(call_ns);
	else
		ns = (time->tv_sec * 1000000000LL + time->tv_nsec) / atoll(slowness);
	*time = (struct timespec){ ns / 1000000000, ns % 1000000000 };
	return 0;
}
