/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The state of a recording of programs, which its parts share.
 *
 * Layer: lttd.
 */
#ifndef LTTD_STATE_H
#define LTTD_STATE_H

#include "common/meet.h"
#include "family.h"
#include "patterns.h"
#include "program.h"
#include "lttd/pieces/pieces.h"

struct sampler;

/**
 * struct programs_options - options of a recording of programs
 * @root: output directory, which receives user-UID for each user
 * @patterns: group:name with globs; NULL at the end
 * @filters: "PATTERN EXPRESSION" each; NULL at the end, or NULL
 * @family: the processes to record
 * @clock: clock of the kernel's trace in the same recording, or NULL
 * @buffers: layout and use of buffers
 * @pieces: the options about pieces
 * @flush_ms: how often sub-buffers that are not full are written, in milliseconds; 0: never
 * @report: descriptor for the lines "ready SOCKET", "late PID MS PROGRAM", "rejected MARKER: REASON"
 *	and "end STORED LOST BYTES OVERWRITTEN REJECTED UNMATCHED LATE FILTERED UNKNOWN", or -1
 * @signals: a signalfd; a signal ends the recording
 * @daemon: passed to daemon_ready() once programs can connect; or -1
 */
struct programs_options {
	char *root;
	char **patterns;
	char **filters;
	struct family family;
	const struct clock *clock;
	struct buffers buffers;
	const struct options_pieces *pieces;
	unsigned int flush_ms;
	int report;
	int signals;
	int daemon;
};

#define PROGRAM_PIDS	4096

/**
 * struct programs - a recording of programs
 * @host: callbacks for programs
 * @options: its options
 * @pieces: its pieces
 * @rotate: SIGUSR1 has asked for the next piece
 * @patterns: the patterns, which lttctl may change
 * @clock: clock of all its traces
 * @sampler: samples of @clock; NULL: none yet, or none are taken
 * @is_sampled: @sampler has been tried, or the lttd of the kernel's trace samples the same clock
 * @users: users whose programs have connected
 * @nr_users: number of @users
 * @bells: wake the loop when sub-buffers are full
 * @looked: when programs that were killed before they rang, or are gone, were last looked for
 * @flushed: when sub-buffers that are not full were last written; see programs_now()
 * @marked: a clock value before the last slots_pass(); 0: there was none
 * @settled: a clock value before the one before that; 0: there was none
 * @begun: when the programs that ran before had joined, or took too long; 0: not yet; see
 *	programs_now()
 * @nr_joined: number of the programs that ran before, and have joined or were not wanted
 * @nr_late: number of programs that were recorded only from some moment on
 * @failed: the recording is not complete
 * @programs: connected programs
 * @pids: the same by hashes of their process ids
 * @pending: those that have not sent HELLO, lttctls, and those that have closed their connection
 * @removed: programs to be freed; events of the same round may still point to them
 * @nr_programs: number of @programs
 * @path: name of the socket; "" before it exists
 * @ender: connection of the lttctl that has sent END; -1: none
 * @listening: the socket
 * @epoll: waits for @listening, programs, users and signals
 */
struct programs {
	struct program_host host;
	const struct programs_options *options;
	struct pieces pieces;
	bool rotate;
	struct patterns patterns;
	struct filters filters;
	struct clock clock;
	struct sampler *sampler;
	bool is_sampled;
	struct user *users;
	unsigned int nr_users;
	struct bells bells;
	uint64_t looked;
	uint64_t flushed;
	uint64_t marked;
	uint64_t settled;
	uint64_t begun;
	unsigned int nr_joined;
	unsigned int nr_late;
	bool failed;
	struct program_list programs;
	struct program_list pids[PROGRAM_PIDS];
	struct program_list pending;
	struct program_list removed;
	unsigned int nr_programs;
	char path[MEET_PATH_SIZE];
	int ender;
	int listening;
	int epoll;
};

/**
 * programs_wait_for() - make the loop wait for a descriptor
 * @programs: the recording
 * @fd: the descriptor
 * @what: identifies it to the loop
 *
 * Return: 0; -1 with the failure logged.
 */
int programs_wait_for(struct programs *programs, int fd, void *what);

/* Take a sample of the clock, if it is time for one.  A recording without events has none. */
void programs_sample(struct programs *programs);

/** programs_now() - return the time in milliseconds of the monotonic clock */
uint64_t programs_now(void);

#endif /* LTTD_STATE_H */
