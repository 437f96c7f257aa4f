/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The recordings of programs that run, each an lttd: asking them for things.
 *
 * Layer: lttctl.  Those of this user are found.  A recording's name is "programs-PID",
 * with the process id of its lttd.
 */
#ifndef LTTCTL_RECORDINGS_H
#define LTTCTL_RECORDINGS_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/protocol.h"

#define RECORDINGS_NAME "programs-"

struct json_object;

/**
 * struct recording_status - what a recording says of itself
 * @pid: its lttd
 * @dir: where it is written to
 * @lines: the rest: see LTT_PROGRAM_STATUS
 */
struct recording_status {
	pid_t pid;
	char *dir;
	char *lines;
};

/* Returns 0 or a status. */
typedef int recording_fn(const struct recording_status *status, void *arg);

/** recordings_is_name() - is it how a recording of programs is called?  *pid: its lttd's */
bool recordings_is_name(const char *name, pid_t *pid);

/** recordings_pattern() - is it about programs?  Return: what comes after "user:", or NULL */
const char *recordings_pattern(const char *pattern);

/** recordings_look() - have a look at one.  0, or a status after having said what is wrong */
int recordings_look(pid_t pid, recording_fn *fn, void *arg);

/** recordings_for_each() - have a look at each that runs.  As recordings_look() */
int recordings_for_each(recording_fn *fn, void *arg);

/**
 * recordings_show() - print one, or all that run
 * @name: NULL: all
 * @counts: and what it records, and has
 * @to: as JSON, an object in this array; NULL: as text
 * @nr: told how many there are
 */
int recordings_show(const char *name, bool counts, struct json_object *to, unsigned int *nr);

/**
 * recordings_set() - have events recorded, or no longer
 * @name: of the recording; NULL: all that run
 */
int recordings_set(const char *name, const char *pattern, bool on);

/** recordings_snapshot() - have what the buffers hold written; it is when this returns */
int recordings_snapshot(const char *name);

/** recordings_destroy() - end one; all is on disk when this returns */
int recordings_destroy(const char *name);

#endif /* LTTCTL_RECORDINGS_H */
