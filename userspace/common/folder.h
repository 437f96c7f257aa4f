/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Where programs and lttd meet.
 */
#ifndef LTT_FOLDER_H
#define LTT_FOLDER_H

#include <stddef.h>

#define LTT_FOLDER_SIZE	96	/* with a socket's name it fits struct sockaddr_un */

/**
 * ltt_folder() - the folder of this user's lttds
 * @path: told of it, LTT_FOLDER_SIZE bytes
 *
 * With LTT_RUN_DIR it is lttd in there; else root's is /run/lttd.  Anybody else's is lttd
 * in $XDG_RUNTIME_DIR, in /run/user/UID where that is there, or /tmp/lttd-UID.  It is made
 * if it is not there.
 *
 * Return: 0 or -errno; -EPERM: it is another user's, or others can write to it.
 */
int ltt_folder(char *path);

/** ltt_folder_find() - the same, which is not made; -ENOENT: there is none */
int ltt_folder_find(char *path);

#endif /* LTT_FOLDER_H */
