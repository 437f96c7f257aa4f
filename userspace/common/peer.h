/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Who is at the other end of a connection, or has a folder.
 */
#ifndef LTT_PEER_H
#define LTT_PEER_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * ltt_is_us() - is it our own user?
 *
 * In a namespace of users those who have no id there all have the same, the "overflow"
 * one, which tells nobody from another.
 */
bool ltt_is_us(uid_t uid);

/**
 * ltt_may_record() - may who is connected have our events?
 *
 * Root may, and our own user; but root alone where we have rights that our user has not:
 * that user may have made the socket.
 */
bool ltt_may_record(int fd);

#endif /* LTT_PEER_H */
