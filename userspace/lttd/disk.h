/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Wait until the data of files is on the disk.
 *
 * Layer: lttd.
 */
#ifndef LTTD_DISK_H
#define LTTD_DISK_H

/**
 * disk_sync() - wait until all data of a file is on the disk
 * @fd: the file
 *
 * Return: 0, also for a file system that does not support this; else a positive errno.
 */
int disk_sync(int fd);

/**
 * disk_write() - wait until all data of a file has been written, perhaps only to the disk's cache
 * @fd: the file
 *
 * For many files, this and disk_sync_all() is faster than disk_sync(), which flushes the cache for
 * each.
 *
 * Return: as disk_sync().
 */
int disk_write(int fd);

/**
 * disk_sync_all() - wait until the disk has all that was written
 * @dir: a directory of the file system
 *
 * Return: as disk_sync().
 */
int disk_sync_all(int dir);

#endif /* LTTD_DISK_H */
