/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The lttd that records programs, as `record` runs it.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_PROGRAMS_LTTD_H
#define LTTCTL_PROGRAMS_LTTD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct programs_wanted - the options of a recording of programs
 * @patterns: group:name with globs; NULL at the end
 * @filters: as for lttd's --filter; NULL at the end, or NULL
 * @pid: a process, to record it and its descendants only; 0: all programs
 * @size: size of a sub-buffer in bytes
 * @count: number of sub-buffers for each CPU
 * @overwrite: overwrite the oldest events when the buffers are full
 * @lossless_ms: longest wait for room in milliseconds; 0 to lose events instead
 * @context: the context fields, as for lttd's --context; NULL for lttd's default
 * @buffers: whose buffers, as for lttd's --buffers; NULL for lttd's default
 * @memory: limit of a user's buffers, as for lttd's --memory; NULL for lttd's default
 * @objects: record where programs and libraries are in memory
 */
struct programs_wanted {
	const char *const *patterns;
	const char *const *filters;
	pid_t pid;
	uint64_t size;
	uint64_t count;
	bool overwrite;
	uint64_t lossless_ms;
	const char *context;
	const char *buffers;
	const char *memory;
	bool objects;
};

/**
 * struct late_program - a program that was recorded only from some moment on
 * @pid: its process id
 * @ms: that moment, in milliseconds from the begin of the recording on
 * @name: its name
 */
struct late_program {
	pid_t pid;
	unsigned long long ms;
	char name[24];
};

/* lttd names so many of them, and of rejected markers. */
#define PROGRAMS_LATE_MAX	20
#define PROGRAMS_REJECTED_MAX	20

/**
 * struct programs - an lttd that records programs, and its result
 * @pid: its process; 0 before programs_start() and after it has exited
 * @failed: it has exited with an error
 * @report: pipe from lttd, for its lines "ready" and "end"
 * @stored: number of events stored; this and the following are set by programs_end()
 * @lost: number of events lost
 * @filtered: number of events that filters have dropped
 * @bytes: number of bytes on disk
 * @overwritten: number of sub-buffers that a flight recorder has overwritten
 * @rejected: number of markers that matched a pattern and could not be recorded; from
 *	USER_TRACE_REJECTED_MAX on, there may be more
 * @unmatched: number of patterns that matched no marker of any program
 * @unknown: number of filters of which no event had all names
 * @late: number of programs that were recorded only from some moment on
 * @late_program: the first of them
 * @nr_late_programs: number of @late_program
 * @rejected_marker: the first rejected markers, each with its format and the reason
 * @nr_rejected_markers: number of @rejected_marker
 */
struct programs {
	pid_t pid;
	bool failed;
	int report;
	uint64_t stored;
	uint64_t lost;
	uint64_t filtered;
	uint64_t bytes;
	uint64_t overwritten;
	unsigned int rejected;
	unsigned int unmatched;
	unsigned int unknown;
	unsigned int late;
	struct late_program late_program[PROGRAMS_LATE_MAX];
	unsigned int nr_late_programs;
	char rejected_marker[PROGRAMS_REJECTED_MAX][640];
	unsigned int nr_rejected_markers;
};

/**
 * programs_start() - run lttd until programs can connect
 *
 * @programs: zeroed; describes the lttd afterwards
 * @wanted: the options
 * @clock: clock of the kernel's trace in the same recording, as lttctl_trace_clock() shows
 *	it; NULL without such a trace
 * @dir: the directory of the recording
 *
 * Sets LTT_START in the environment, so that commands started later wait for lttd and
 * all their events are recorded.
 *
 * Return: 0, or EXIT_FAILED after a message.
 */
int programs_start(struct programs *programs, const struct programs_wanted *wanted,
		   const char *clock, const char *dir);

/** programs_reap() - check, without waiting, whether lttd has exited */
bool programs_reap(struct programs *programs);

/** programs_stop() - request that lttd writes what the buffers hold, and exits */
void programs_stop(struct programs *programs);

/**
 * programs_end() - read the result that lttd has reported
 *
 * If lttd was killed, counts what it had written.
 *
 * @programs: of programs_start(); @pid is not 0 if the caller gave up waiting for lttd
 * @dir: the directory of the recording, for messages
 *
 * Return: 0, or EXIT_FAILED after a message.
 */
int programs_end(struct programs *programs, const char *dir);

#endif /* LTTCTL_PROGRAMS_LTTD_H */
