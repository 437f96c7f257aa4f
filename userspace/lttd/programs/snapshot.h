/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Snapshots of a flight recorder of programs.
 *
 * Layer: lttd.
 */
#ifndef LTTD_SNAPSHOT_H
#define LTTD_SNAPSHOT_H

#include "state.h"

/**
 * snapshot_write() - write all that the buffers hold to a new directory
 * @programs: a recording that overwrites its oldest sub-buffers
 * @path: receives the directory, ROOT-snapshot-N with the first N that is free
 * @size: bytes of @path
 *
 * The directory has a whole trace, user-UID, for each user.  The buffers keep their content.
 *
 * Return: 0; -1 with the failure logged and the directory removed.
 */
int snapshot_write(const struct programs *programs, char *path, size_t size);

#endif /* LTTD_SNAPSHOT_H */
