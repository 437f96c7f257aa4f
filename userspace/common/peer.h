/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Check the user at the other end of a connection, or the owner of a folder.
 */
#ifndef LTT_PEER_H
#define LTT_PEER_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * ltt_is_us() - is @uid our own user?
 * @uid: user id, as our user namespace has it
 *
 * In a user namespace, all users that it does not map share the overflow id.  So that id
 * never matches there.
 *
 * Return: true if @uid is our effective user id.
 */
bool ltt_is_us(uid_t uid);

/**
 * ltt_may_record() - may the peer of a connection record our events?
 * @fd: a connected socket
 *
 * Root may, and our own user.  In a process that has more rights than its user (set-user-ID),
 * only root may, because that user may have made the socket.
 *
 * Return: true if the peer may record.
 */
bool ltt_may_record(int fd);

#endif /* LTT_PEER_H */
