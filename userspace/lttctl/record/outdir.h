/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The directory of a recording.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_OUTDIR_H
#define LTTCTL_OUTDIR_H

#include <stdbool.h>

/**
 * struct outdir - the directory of a recording
 * @path: the directory; the trace of the kernel is in @path/kernel, those of programs are
 *	in @path/user-UID
 * @pieces: the recording is in pieces, which the directory may contain already
 * @unnamed: the user has not named it
 * @existed: it existed before this recording
 * @first: number of the first piece of this recording, if it is in pieces
 * @spool: it was made for this recording, which is sent elsewhere
 * @fd: the directory, open and locked until the process exits
 */
struct outdir {
	char path[3072];
	bool pieces;
	bool unnamed;
	bool existed;
	unsigned int first;
	bool spool;
	int fd;
};

/**
 * outdir_choose() - check the directory that the user named, or choose a name
 * @outdir: receives the name
 * @pieces: the recording is in pieces
 * @wanted: the value of -o; NULL for ltt-<date>-<time> in the current directory
 *
 * Creates nothing.
 *
 * Return: 0; EXIT_USAGE or EXIT_FAILED after a message.
 */
int outdir_choose(struct outdir *outdir, bool pieces, const char *wanted);

/**
 * outdir_make() - create the directory if it does not exist, and lock it
 * @outdir: of outdir_choose(); gets another name if it is unnamed and exists by now
 *
 * Return: 0; EXIT_USAGE or EXIT_FAILED after a message.
 */
int outdir_make(struct outdir *outdir);

/** outdir_has_events() - return true if the trace in the folder @name has events */
bool outdir_has_events(const struct outdir *outdir, const char *name);

/** outdir_remove() - remove the files and directories of a recording that failed to start */
void outdir_remove(const struct outdir *outdir);

#endif /* LTTCTL_OUTDIR_H */
