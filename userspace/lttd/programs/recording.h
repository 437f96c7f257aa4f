/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The recording of programs: lttd --programs.
 *
 * Layer: lttd.
 */
#ifndef LTTD_RECORDING_H
#define LTTD_RECORDING_H

#include "common/meet.h"
#include "patterns.h"
#include "program.h"

/**
 * struct programs_options - what is asked for
 * @root: the folder that gets user-UID for each user
 * @patterns: group:name with globs; NULL at the end
 * @buffers: how large they are to be
 * @told: a descriptor that is told "ready SOCKET", then "end STORED LOST BYTES OVERWRITTEN", a line
 *	each; or -1
 * @signals: a signalfd; a signal ends the recording
 * @daemon: for daemon_ready() once programs can connect, or -1
 */
struct programs_options {
	char *root;
	char **patterns;
	struct buffers buffers;
	int told;
	int signals;
	int daemon;
};

/**
 * struct programs - a recording
 * @host: for programs
 * @options: what is asked for
 * @patterns: which events, as it may have been changed
 * @clock: of all traces
 * @users: whose programs have connected, @nr_users of them
 * @nr_users: how many
 * @failed: some could not be recorded
 * @programs: those that are connected, @nr_programs of them
 * @nr_programs: how many
 * @told_too_many: and that more could not be recorded has been said
 * @path: of the socket, "" before there is one
 * @ender: a connection of who has asked for the end; -1: nobody
 * @listening: the socket
 * @epoll: what to wait for
 */
struct programs {
	struct program_host host;
	const struct programs_options *options;
	struct patterns patterns;
	struct clock clock;
	struct user *users;
	unsigned int nr_users;
	bool failed;
	struct program *programs;
	unsigned int nr_programs;
	bool told_too_many;
	char path[MEET_PATH_SIZE];
	int ender;
	int listening;
	int epoll;
};

/** programs_record() - until a signal.  0; -1: the recording is not complete, as was said */
int programs_record(const struct programs_options *options);

/** programs_wait_for() - have the loop wait for a descriptor.  0, or -1 after having said why not */
int programs_wait_for(struct programs *programs, int fd, void *what);

/** programs_now() - in milliseconds, of the monotonic clock */
uint64_t programs_now(void);

#endif /* LTTD_RECORDING_H */
