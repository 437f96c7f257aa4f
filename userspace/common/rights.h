/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Messages that carry a descriptor.
 */
#ifndef LTT_RIGHTS_H
#define LTT_RIGHTS_H

#include <stddef.h>
#include <sys/types.h>

/**
 * rights_send() - send a message and a descriptor, without waiting
 * @socket: the socket
 * @message: the message
 * @size: its size in bytes, not 0
 * @fd: the descriptor
 *
 * Return: as send().
 */
ssize_t rights_send(int socket, const void *message, size_t size, int fd);

/**
 * rights_receive() - receive a message of one byte and a descriptor, without waiting
 * @socket: the socket
 *
 * Return: the descriptor, which exec() closes; -errno, -EMFILE also if the kernel dropped the
 * descriptor because the table is full.
 */
int rights_receive(int socket);

#endif /* LTT_RIGHTS_H */
