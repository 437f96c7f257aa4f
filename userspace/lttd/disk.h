/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Wait until a file's data is on the disk.
 *
 * Layer: lttd.
 */
#ifndef LTTD_DISK_H
#define LTTD_DISK_H

/**
 * disk_sync() - wait until all data of a file is on the disk
 * @fd: the file
 *
 * Return: 0, also for a file system that does not support this; else a positive errno of
 * fdatasync().
 */
int disk_sync(int fd);

#endif /* LTTD_DISK_H */
