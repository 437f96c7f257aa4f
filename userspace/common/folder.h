/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The rendezvous folder, which holds the sockets of programs and lttds.
 */
#ifndef LTT_FOLDER_H
#define LTT_FOLDER_H

#include <stddef.h>

#define LTT_FOLDER_SIZE	96	/* with a socket's name it fits struct sockaddr_un */

/**
 * ltt_folder() - find or make the rendezvous folder of this user
 * @path: receives its name, LTT_FOLDER_SIZE bytes
 *
 * The folder is the first of: $LTT_RUN_DIR/lttd; /run/lttd for root; $XDG_RUNTIME_DIR/lttd;
 * /run/user/UID/lttd if /run/user/UID exists; /run/ltt/user-UID if root has made it for the user;
 * /tmp/lttd-UID, which another user may have made first: -EPERM.
 *
 * Return: 0; -EPERM: it belongs to another user, or others can write to it;
 * -ENAMETOOLONG; the error of mkdir(), chmod() or lstat().
 */
int ltt_folder(char *path);

/**
 * ltt_folder_find() - find the rendezvous folder of this user, without making it
 * @path: receives its name, LTT_FOLDER_SIZE bytes
 *
 * Return: as ltt_folder(); -ENOENT: it does not exist.
 */
int ltt_folder_find(char *path);

#endif /* LTT_FOLDER_H */
