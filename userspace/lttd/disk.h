/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What the disk has.
 *
 * Layer: lttd.
 */
#ifndef LTTD_DISK_H
#define LTTD_DISK_H

/**
 * disk_sync() - wait until the disk has all of a file
 *
 * Return: 0, also for a file that has no disk behind it, or a server that cannot tell;
 * else an errno.
 */
int disk_sync(int fd);

#endif /* LTTD_DISK_H */
