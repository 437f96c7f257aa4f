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
 * meet_open() - open a socket in the rendezvous folder
 * @path: receives the socket's name, or on failure the name that failed; MEET_PATH_SIZE bytes
 * @kind: prefix of the process id in the name; "" for a recording
 *
 * New programs connect by themselves.  call_programs() makes running ones connect.
 * The caller closes the socket and unlinks @path.
 *
 * Return: the socket, non-blocking; -errno.
 */
int meet_open(char *path, const char *kind);

/**
 * meet_error() - name the reason for which meet_open() failed
 * @err: what it returned
 *
 * Return: a text that follows "cannot create PATH: ".
 */
const char *meet_error(int err);

#endif /* LTT_COMMON_MEET_H */
