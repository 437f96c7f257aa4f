/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The directory that `record` leaves behind.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_OUTDIR_H
#define LTTCTL_OUTDIR_H

#include <stdbool.h>

/**
 * struct outdir - where a recording goes
 * @path: the directory; the kernel's trace is to be @path/kernel, those of programs
 *	@path/user-UID
 * @unnamed: nobody has asked for this one
 * @existed: it was there before
 * @fd: locked for as long as we live
 */
struct outdir {
	char path[3072];
	bool unnamed;
	bool existed;
	int fd;
};

/**
 * outdir_choose() - check the directory the user wants, or think of one
 * @wanted: NULL for ltt-<date>-<time> in the current directory
 *
 * Makes nothing yet.
 */
int outdir_choose(struct outdir *outdir, const char *wanted);

/**
 * outdir_make() - make it, if it is not there, for this recording alone
 *
 * Another is made where the one that we thought of is there by now.
 */
int outdir_make(struct outdir *outdir);

/** outdir_remove() - remove what a recording that failed to start has made */
void outdir_remove(const struct outdir *outdir);

#endif /* LTTCTL_OUTDIR_H */
