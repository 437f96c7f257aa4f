/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The recording of programs: lttd --programs.
 *
 * Layer: lttd.
 */
#ifndef LTTD_PROGRAMS_H
#define LTTD_PROGRAMS_H

#include "user.h"

/**
 * struct programs_options - what is asked for
 * @root: the folder that gets user-UID for each user
 * @patterns: group:name with globs; NULL at the end
 * @buffers: how large they are to be
 * @told: a descriptor that is told "ready SOCKET", then "end STORED LOST BYTES", a line
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

/** programs_record() - until a signal.  0; -1: the recording is not complete, as was said */
int programs_record(const struct programs_options *options);

#endif /* LTTD_PROGRAMS_H */
