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
 * @existed: it was there before
 */
struct outdir {
	char path[3072];
	bool existed;
};

/**
 * outdir_choose() - check the directory the user wants, or think of one
 * @wanted: NULL for ltt-<date>-<time> in the current directory
 *
 * Makes nothing yet: lttd does.
 */
int outdir_choose(struct outdir *outdir, const char *wanted);

/** outdir_remove() - remove what a recording that failed to start has made */
void outdir_remove(const struct outdir *outdir);

#endif /* LTTCTL_OUTDIR_H */
