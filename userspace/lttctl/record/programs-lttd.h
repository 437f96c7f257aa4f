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
 * @size: size of a sub-buffer in bytes
 * @count: number of sub-buffers for each CPU
 * @overwrite: overwrite the oldest events when the buffers are full
 * @lossless_ms: longest wait for room in milliseconds; 0 to lose events instead
 * @context: the context fields, as for lttd's --context; NULL for lttd's default
 * @buffers: whose buffers, as for lttd's --buffers; NULL for lttd's default
 * @memory: limit of a user's buffers, as for lttd's --memory; NULL for lttd's default
 */
struct programs_wanted {
	const char *const *patterns;
	uint64_t size;
	uint64_t count;
	bool overwrite;
	uint64_t lossless_ms;
	const char *context;
	const char *buffers;
	const char *memory;
};

/**
 * struct programs - an lttd that records programs, and its result
 * @pid: its process; 0 before programs_start() and after it has exited
 * @failed: it has exited with an error
 * @told: pipe from lttd
 * @stored: number of events stored; this and the following are set by programs_end()
 * @lost: number of events lost
 * @bytes: number of bytes on disk
 * @overwritten: number of sub-buffers that a flight recorder has overwritten
 * @rejected: number of markers that matched a pattern and could not be recorded
 * @unmatched: number of patterns that matched no marker of any program
 */
struct programs {
	pid_t pid;
	bool failed;
	int told;
	uint64_t stored;
	uint64_t lost;
	uint64_t bytes;
	uint64_t overwritten;
	unsigned int rejected;
	unsigned int unmatched;
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
