// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The lttd that records programs, as `record` runs it.
 *
 * Layer: lttctl.  lttd writes "ready SOCKET" to a pipe when programs can connect, "late PID MS
 * NAME" for a program that it records only from some moment on, and before it exits "rejected
 * MARKER: REASON" and "end STORED LOST BYTES OVERWRITTEN REJECTED UNMATCHED LATE FILTERED UNKNOWN".
 */
#include "programs-lttd.h"
#include "piece-options.h"
#include "lttctl/command.h"
#include "lttctl/view/count.h"
#include "common/options.h"
#include "common/pieces.h"
#include "common/user-trace.h"

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

/* Each pattern and each filter takes two words; the other options take less than the rest. */
_Static_assert(LTTD_WORDS >= 2 * (OPTIONS_PATTERNS_MAX + OPTIONS_FILTERS_MAX) + 24 + PIECES_WORDS, "the words of an lttd's command line");

static int start(struct programs *programs, struct command_line *line)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return complain("cannot create a pipe: %s", strerror(errno));
	lttd_add_fd(line, "--report", ends[1]);
	programs->pid = lttd_spawn(line);
	programs->report = ends[0];
	close(ends[1]);
	if (programs->pid >= 0)
		return 0;
	programs->pid = 0;
	close(ends[0]);
	return EXIT_FAILED;
}

int programs_start(struct programs *programs, const struct programs_wanted *wanted,
		   const char *clock, const char *dir)
{
	struct command_line line = { .words = { "lttd", "-o", dir }, .nr = 3 };
	char pid[16], size[32], count[32], lossless[32], ready[256];
	const char *const *pattern, *const *filter;
	int status;

	for (pattern = wanted->patterns; *pattern; pattern++) {
		lttd_add(&line, "--programs");
		lttd_add(&line, *pattern);
	}
	for (filter = wanted->filters; filter && *filter; filter++) {
		lttd_add(&line, "--filter");
		lttd_add(&line, *filter);
	}
	snprintf(size, sizeof(size), "%llu", (unsigned long long)wanted->size);
	snprintf(count, sizeof(count), "%llu", (unsigned long long)wanted->count);
	snprintf(lossless, sizeof(lossless), "%llu", (unsigned long long)wanted->lossless_ms);
	lttd_add(&line, "--size");
	lttd_add(&line, size);
	lttd_add(&line, "--count");
	lttd_add(&line, count);
	if (wanted->pid) {
		snprintf(pid, sizeof(pid), "%d", wanted->pid);
		lttd_add(&line, "--pid");
		lttd_add(&line, pid);
	}
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
	if (wanted->objects)
		lttd_add(&line, "--objects");
	pieces_add_words(&line);
	status = start(programs, &line);
	if (status)
		return status;
	if (read_line(programs->report, ready, sizeof(ready)) && !strncmp(ready, "ready ", 6))
		return setenv("LTT_START", ready + 6, 1) ? complain("out of memory") : 0;
	/* lttd has reported a failure of its own.  If it still runs, the pipe failed. */
	if (!kill(programs->pid, SIGTERM))
		complain("cannot read from lttd whether programs can connect");
	child_reap(programs->pid, 0, &status);
	programs->pid = 0;
	close(programs->report);
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
		if (snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name) >= (int)sizeof(path))
			continue;
		if (piece_number(entry->d_name))
			count_on_disk(programs, path);
		if (!user_trace_is(entry->d_name))
			continue;
		add_sizes(programs, path);
		count_events(path, &events, &lost);
		programs->stored += events;
		programs->lost += lost;
	}
	if (users)
		closedir(users);
}

static void take_late(struct programs *programs, const char *line)
{
	struct late_program late = { 0 };

	if (programs->nr_late_programs < PROGRAMS_LATE_MAX &&
	    sscanf(line, "late %d %llu %23[^\n]", &late.pid, &late.ms, late.name) == 3)
		programs->late_program[programs->nr_late_programs++] = late;
}

static void take_rejected(struct programs *programs, const char *line)
{
	static const char word[] = "rejected ";
	unsigned int nr = programs->nr_rejected_markers;

	if (nr == PROGRAMS_REJECTED_MAX || strncmp(line, word, strlen(word)))
		return;
	snprintf(programs->rejected_marker[nr], sizeof(programs->rejected_marker[nr]), "%.*s",
		 (int)sizeof(programs->rejected_marker[nr]) - 1, line + strlen(word));
	programs->nr_rejected_markers++;
}

/* Return: true if @line is the last one. */
static bool take_end(struct programs *programs, const char *line)
{
	unsigned long long stored, lost, bytes, overwritten, filtered;
	unsigned int rejected, unmatched, late, unknown;

	if (sscanf(line, "end %llu %llu %llu %llu %u %u %u %llu %u", &stored, &lost, &bytes, &overwritten,
		   &rejected, &unmatched, &late, &filtered, &unknown) != 9)
		return false;
	programs->stored = stored;
	programs->lost = lost;
	programs->bytes = bytes;
	programs->overwritten = overwritten;
	programs->rejected = rejected;
	programs->unmatched = unmatched;
	programs->late = late;
	programs->filtered = filtered;
	programs->unknown = unknown;
	return true;
}

int programs_end(struct programs *programs, const char *dir)
{
	bool reported = false;
	char line[1024];

	while (!programs->pid && read_line(programs->report, line, sizeof(line))) {
		take_late(programs, line);
		take_rejected(programs, line);
		reported |= take_end(programs, line);
	}
	close(programs->report);
	if (programs->pid)
		return complain("lttd (pid %d) still writes %s", programs->pid, dir);
	if (!reported) {
		programs->late = programs->nr_late_programs;
		count_on_disk(programs, dir);
	}
	if (programs->failed)
		return complain("lttd failed: the traces of programs in %s are not complete", dir);
	if (!reported)
		return complain("lttd exited without reporting what it wrote to %s", dir);
	return 0;
}
