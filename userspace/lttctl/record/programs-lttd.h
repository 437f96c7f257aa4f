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
 * struct programs_wanted - what is to be recorded
 * @patterns: group:name with globs; NULL at the end
 * @size: of a sub-buffer
 * @count: of sub-buffers for each CPU
 * @overwrite: keep the newest events
 * @lossless_ms: wait so long for room, at most; 0: do not
 * @context: what each event has, as lttd's --context; NULL: as lttd will
 */
struct programs_wanted {
	const char *const *patterns;
	uint64_t size;
	uint64_t count;
	bool overwrite;
	uint64_t lossless_ms;
	const char *context;
};

/**
 * struct programs - the lttd, and what it has told
 * @pid: its process; 0 before programs_start(), and once it has ended
 * @failed: it has ended with an error
 * @told: where it tells
 * @stored: events, once programs_end() has returned, as the others
 * @lost: events
 * @bytes: on disk
 * @overwritten: sub-buffers of a flight recorder
 */
struct programs {
	pid_t pid;
	bool failed;
	int told;
	uint64_t stored;
	uint64_t lost;
	uint64_t bytes;
	uint64_t overwritten;
};

/**
 * programs_start() - run lttd until programs can connect
 *
 * Commands that are started from now on wait for it, so that all their events are
 * recorded.
 */
int programs_start(struct programs *programs, const struct programs_wanted *wanted,
		   const char *dir);

/** programs_reap() - has it ended?  Does not wait. */
bool programs_reap(struct programs *programs);

/** programs_stop() - tell lttd to write what there is, and end */
void programs_stop(struct programs *programs);

/**
 * programs_end() - take what lttd has told
 *
 * Waits for its end unless that was given up: then @pid is still there.
 *
 * Return: 0, or a status after having said what is wrong.
 */
int programs_end(struct programs *programs, const char *dir);

#endif /* LTTCTL_PROGRAMS_LTTD_H */
