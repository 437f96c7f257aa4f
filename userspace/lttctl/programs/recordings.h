/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The running recordings of programs, each made by an lttd: requests to them.
 *
 * Layer: lttctl.  The recordings are those of this user.  The name of a recording is
 * "programs-PID", with the process id of its lttd.  Functions that return int return 0, or
 * EXIT_FAILED or EXIT_USAGE after a message.
 */
#ifndef LTTCTL_RECORDINGS_H
#define LTTCTL_RECORDINGS_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/protocol.h"

#define RECORDINGS_NAME "programs-"

struct json_object;

/**
 * struct recording_status - the state that the lttd of a recording reports
 * @pid: the process id of lttd
 * @dir: the directory of the recording
 * @lines: the lines of LTT_PROGRAM_STATUS after the directory
 */
struct recording_status {
	pid_t pid;
	char *dir;
	char *lines;
};

/* Return: 0 or an exit status. */
typedef int recording_fn(const struct recording_status *status, void *arg);

/**
 * recordings_is_name() - check for the name of a recording of programs
 * @name: the name, or NULL
 * @pid: receives the process id of its lttd
 *
 * Return: true if @name is "programs-PID"; there need not be such a recording.
 */
bool recordings_is_name(const char *name, pid_t *pid);

/** recordings_pattern() - return the part of @pattern behind "user:", NULL without it */
const char *recordings_pattern(const char *pattern);

/** recordings_look() - call @fn with the state of the recording of lttd @pid */
int recordings_look(pid_t pid, recording_fn *fn, void *arg);

/** recordings_for_each() - call @fn with the state of each running recording */
int recordings_for_each(recording_fn *fn, void *arg);

/**
 * recordings_show() - print one running recording, or all
 * @name: the name of the recording; NULL for all
 * @counts: include its patterns, users and counts
 * @to: JSON array that gets an object for each; NULL to print text
 * @nr: receives the number of recordings shown
 */
int recordings_show(const char *name, bool counts, struct json_object *to, unsigned int *nr);

/**
 * recordings_set() - add a pattern of events to recordings, or remove it
 * @name: the name of the recording; NULL for all
 * @pattern: the pattern without "user:"
 * @on: true to record the events, false to stop that
 */
int recordings_set(const char *name, const char *pattern, bool on);

/**
 * recordings_filter() - set or remove the filter of a pattern of a recording
 * @name: the name of the recording
 * @pattern: the pattern without "user:"
 * @expression: the filter; NULL to remove the one that the pattern has
 */
int recordings_filter(const char *name, const char *pattern, const char *expression);

/** typedef recordings_filter_fn - called for the filter of a pattern with "user:".  Return: 0 or an exit status. */
typedef int recordings_filter_fn(const char *pattern, const char *expression, void *arg);

/** recordings_for_each_filter() - call @fn with each filter of the recording @name, the newest first */
int recordings_for_each_filter(const char *name, recordings_filter_fn *fn, void *arg);

/**
 * recordings_snapshot() - have lttd write what the buffers hold, before this returns
 * @name: of the recording, valid
 * @state: the value of --state; NULL for the default
 *
 * Prints the name of a flight recorder's snapshot, which gets the state of the system.
 *
 * Return: 0, or EXIT_FAILED after a message.
 */
int recordings_snapshot(const char *name, const char *state);

/** recordings_destroy() - end a recording, and wait until its data is on disk */
int recordings_destroy(const char *name);

#endif /* LTTCTL_RECORDINGS_H */
