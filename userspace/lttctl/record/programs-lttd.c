// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The lttd that records programs, as `record` runs it.
 *
 * Layer: lttctl.  lttd writes "ready SOCKET" to a pipe when programs can connect, and
 * "end STORED LOST BYTES OVERWRITTEN REJECTED UNMATCHED" before it exits.
 */
#include "programs-lttd.h"
#include "lttctl/command.h"
#include "lttctl/view/view.h"
#include "common/options.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Read a line; its newline is removed.  Return: false at the end of the file. */
static bool read_line(int fd, char *line, size_t size)
{
	size_t len = 0;
	ssize_t got;

	while (len < size - 1) {
		got = read(fd, line + len, 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		if (line[len] == '\n')
			break;
		len++;
	}
	line[len] = '\0';
	return true;
}

/* Each pattern takes two words; the other options take less than the rest. */
_Static_assert(LTTD_WORDS >= 2 * OPTIONS_PATTERNS_MAX + 20, "the words of an lttd's command line");

static int start(struct programs *programs, struct command_line *line)
{
	int told[2];

	if (pipe2(told, O_CLOEXEC))
		return complain("cannot make a pipe: %s", strerror(errno));
	lttd_add_fd(line, "--told", told[1]);
	programs->pid = lttd_spawn(line);
	programs->told = told[0];
	close(told[1]);
	if (programs->pid >= 0)
		return 0;
	programs->pid = 0;
	close(told[0]);
	return EXIT_FAILED;
}

int programs_start(struct programs *programs, const struct programs_wanted *wanted,
		   const char *clock, const char *dir)
{
	struct command_line line = { .words = { "lttd", "-o", dir }, .nr = 3 };
	char size[32], count[32], lossless[32], ready[256];
	const char *const *pattern;
	int status;

	for (pattern = wanted->patterns; *pattern; pattern++) {
		lttd_add(&line, "--programs");
		lttd_add(&line, *pattern);
	}
	snprintf(size, sizeof(size), "%llu", (unsigned long long)wanted->size);
	snprintf(count, sizeof(count), "%llu", (unsigned long long)wanted->count);
	snprintf(lossless, sizeof(lossless), "%llu", (unsigned long long)wanted->lossless_ms);
	lttd_add(&line, "--size");
	lttd_add(&line, size);
	lttd_add(&line, "--count");
	lttd_add(&line, count);
	if (wanted->overwrite)
		lttd_add(&line, "--overwrite");
	if (wanted->lossless_ms) {
		lttd_add(&line, "--lossless");
		lttd_add(&line, lossless);
	}
	if (clock) {
		lttd_add(&line, "--clock");
		lttd_add(&line, clock);
	}
	if (wanted->context) {
		lttd_add(&line, "--context");
		lttd_add(&line, wanted->context);
	}
	if (wanted->buffers) {
		lttd_add(&line, "--buffers");
		lttd_add(&line, wanted->buffers);
	}
	if (wanted->memory) {
		lttd_add(&line, "--memory");
		lttd_add(&line, wanted->memory);
	}
	status = start(programs, &line);
	if (status)
		return status;
	if (read_line(programs->told, ready, sizeof(ready)) && !strncmp(ready, "ready ", 6))
		return setenv("LTT_START", ready + 6, 1) ? complain("out of memory") : 0;
	/* lttd has reported a failure of its own.  If it still runs, the pipe failed. */
	if (!kill(programs->pid, SIGTERM))
		complain("cannot read from lttd whether programs can connect");
	child_reap(programs->pid, 0, &status);
	programs->pid = 0;
	close(programs->told);
	return EXIT_FAILED;
}

bool programs_reap(struct programs *programs)
{
	int status;

	if (!programs->pid || !child_reap(programs->pid, WNOHANG, &status))
		return false;
	programs->pid = 0;
	programs->failed = lttd_ended(status);
	return true;
}

void programs_stop(struct programs *programs)
{
	if (programs->pid)
		kill(programs->pid, SIGTERM);
}

/* Add the size of the files of a user's trace. */
static void add_sizes(struct programs *programs, const char *path)
{
	struct dirent *entry;
	DIR *files = opendir(path);
	struct stat st;

	while (files && (entry = readdir(files)))
		if (!fstatat(dirfd(files), entry->d_name, &st, 0) && S_ISREG(st.st_mode))
			programs->bytes += st.st_size;
	if (files)
		closedir(files);
}

/* lttd was killed: count what it had written. */
static void count_on_disk(struct programs *programs, const char *dir)
{
	struct dirent *entry;
	DIR *users = opendir(dir);
	uint64_t events, lost;
	char path[4096];

	while (users && (entry = readdir(users))) {
		if (strncmp(entry->d_name, "user-", 5) ||
		    snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name) >= (int)sizeof(path))
			continue;
		add_sizes(programs, path);
		count_events(path, &events, &lost);
		programs->stored += events;
		programs->lost += lost;
	}
	if (users)
		closedir(users);
}

int programs_end(struct programs *programs, const char *dir)
{
	unsigned long long stored, lost, bytes, overwritten;
	unsigned int rejected, unmatched;
	bool told = false;
	char line[256];

	while (!programs->pid && read_line(programs->told, line, sizeof(line))) {
		if (sscanf(line, "end %llu %llu %llu %llu %u %u", &stored, &lost, &bytes, &overwritten,
			   &rejected, &unmatched) != 6)
			continue;
		told = true;
		programs->stored = stored;
		programs->lost = lost;
		programs->bytes = bytes;
		programs->overwritten = overwritten;
		programs->rejected = rejected;
		programs->unmatched = unmatched;
	}
	close(programs->told);
	if (programs->pid)
		return complain("lttd (pid %d) still writes %s", programs->pid, dir);
	if (!told)
		count_on_disk(programs, dir);
	if (programs->failed)
		return complain("lttd failed: the traces of programs in %s are not complete", dir);
	if (!told)
		return complain("lttd exited without reporting what it wrote to %s", dir);
	return 0;
}
