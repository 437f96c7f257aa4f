/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A snapshot of a flight recorder of the kernel.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_TAKE_H
#define LTTCTL_TAKE_H

struct lttctl;
struct lttctl_trace;

#define SNAPSHOT_PATH_SIZE 4096

/**
 * struct snapshot_to - where a snapshot goes
 * @served: the directory that an lttd writes the trace to; "" without one
 * @dir: it becomes DIR/snapshot-N; NULL: SERVED-snapshot-N
 * @state: see state_write()
 */
struct snapshot_to {
	const char *served;
	const char *dir;
	const char *state;
};

/**
 * snapshot_take() - write what a flight recorder holds to a directory of its own
 * @ctl: a connected handle
 * @trace: the trace
 * @to: where to
 * @path: receives the directory, in SNAPSHOT_PATH_SIZE bytes
 *
 * Return: 0; EXIT_FAILED after a message, and nothing is left.
 */
int snapshot_take(struct lttctl *ctl, struct lttctl_trace *trace, const struct snapshot_to *to, char *path);

#endif /* LTTCTL_TAKE_H */
