/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The lttd that writes the state of the system into a recording.
 *
 * Layer: lttctl.  A process of its own: whatever it meets in /proc, the recording goes on.
 */
#ifndef LTTCTL_STATE_CHILD_H
#define LTTCTL_STATE_CHILD_H

#include <sys/types.h>

#include "common/state.h"

/* For a table of options. */
#define OPTIONS_STATE(text) { "state", 0, POPT_ARG_STRING, text, 0, \
	"parts of the state of the system to write: " STATE_FORM, "LIST" }

/* Check the value of --state, which may be NULL.  Return: 0, or EXIT_USAGE after a message. */
int state_check(const char *list);

/**
 * state_start() - run an lttd that writes the state
 * @dir: the directory of the recording
 * @list: the value of --state, valid; NULL for the default
 *
 * Return: its process id, for state_wait(); 0 if there is nothing to write; -1 after a message.
 */
pid_t state_start(const char *dir, const char *list);

/**
 * state_wait() - wait until the state is on disk
 * @pid: from state_start()
 *
 * An lttd that takes too long, as when a file system does not answer, is killed.
 *
 * Return: 0, or EXIT_FAILED after a message.
 */
int state_wait(pid_t pid);

/* Both of the above. */
int state_write(const char *dir, const char *list);

#endif /* LTTCTL_STATE_CHILD_H */
