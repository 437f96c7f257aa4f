/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The socket that programs connect to.
 *
 * Layer: common.
 */
#ifndef LTT_COMMON_MEET_H
#define LTT_COMMON_MEET_H

#include <sys/un.h>

#define MEET_PATH_SIZE	sizeof(((struct sockaddr_un *)0)->sun_path)

/**
 * meet_open() - a socket where programs look for them
 * @path: told its name, also when it cannot be made; MEET_PATH_SIZE bytes
 * @kind: what its name has before our process id, nothing for a recording
 *
 * Programs that run already do not look before they are called: see call.h.
 *
 * Return: the socket, which does not block, or -errno.
 */
int meet_open(char *path, const char *kind);

#endif /* LTT_COMMON_MEET_H */
