/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Shared by the programs that read data files: system calls whose
 * results are compared, and a child that waits in read().
 */
#ifndef READER_H
#define READER_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

#define PAGE		4096
#define MUCH		(64 * PAGE)
#define DEADLINE_S	20

/* The folder of the data files; what was read last. */
static const char *dir;
static unsigned char buf[MUCH];

/* The result of a system call, or the errno as a negative number. */
static inline long sys(long ret)
{
	return ret < 0 ? -errno : ret;
}

static inline _Noreturn void die(const char *what)
{
	printf("not ok %s: %s\n", what, strerror(errno));
	exit(1);
}

static inline const char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static inline int open_data(const char *name, int flags)
{
	int fd = open(path_of(name), O_RDONLY | O_CLOEXEC | flags);

	if (fd < 0)
		die(name);
	return fd;
}

static inline void put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(file);
	close(fd);
}

/* Read all; the last read, which finds nothing, frees the last packet. */
static inline void drain(int fd)
{
	long ret;

	while ((ret = sys(read(fd, buf, sizeof(buf)))) > 0)
		;
	if (ret != -EAGAIN)
		check("a read of all ends with EAGAIN", -EAGAIN, ret);
}

static inline short polled(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) < 0 ? -1 : p.revents;
}

static inline void make_pipe(int pipefd[2])
{
	if (pipe2(pipefd, O_CLOEXEC | O_NONBLOCK))
		die("pipe");
}

static inline void close_pipe(int pipefd[2])
{
	close(pipefd[0]);
	close(pipefd[1]);
}

/* All that is in a pipe or socket. */
static inline size_t read_all(int fd, unsigned char *to, size_t room)
{
	size_t len = 0;
	ssize_t ret;

	while (len < room && (ret = read(fd, to + len, room - len)) > 0)
		len += ret;
	return len;
}

static inline bool expired(time_t since)
{
	return time(NULL) - since > DEADLINE_S;
}

static inline void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
}

/* Is the process, or thread, asleep in this system call? */
static inline bool is_in_call(pid_t pid, long number)
{
	char path[64], text[128] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	f = fopen(path, "r");
	if (f) {
		if (!fgets(text, sizeof(text), f))
			text[0] = '\0';
		fclose(f);
	}
	return text[0] >= '0' && text[0] <= '9' && atol(text) == number;
}

static inline void on_signal(int number)
{
	(void)number;
}

/* A child that reads once, and ends with 0 for end of file, 1 for a whole packet
 * (or any bytes of a trace), 2 for EINTR, 3 for anything else. */
static inline pid_t reading_child(int fd)
{
	const struct sigaction action = { .sa_handler = on_signal };
	time_t since = time(NULL);
	pid_t pid;
	long ret;

	/* Without SA_RESTART, and before the child is there to be signalled. */
	sigaction(SIGUSR1, &action, NULL);
	pid = fork();
	if (!pid) {
		ret = sys(read(fd, buf, sizeof(buf)));
		_exit(ret > 0 ? 1 : !ret ? 0 : ret == -EINTR ? 2 : 3);
	}
	while (!is_in_call(pid, SYS_read))
		if (expired(since))
			die("a blocking read sleeps");
		else
			nap();
	return pid;
}

/* Its status, or -1 when it does not end. */
static inline int end_of(pid_t pid)
{
	time_t since = time(NULL);
	int status;

	while (!waitpid(pid, &status, WNOHANG)) {
		if (expired(since)) {
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
			return -1;
		}
		nap();
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif /* READER_H */
