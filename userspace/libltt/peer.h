/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Who is at the other end of a connection, and what he may have this program do.
 */
#ifndef LTT_PEER_H
#define LTT_PEER_H

#include <stdbool.h>

/**
 * ltt_may_record() - may he have our events?
 *
 * Root may, and our own user; but root alone where we have rights that our user has not.
 */
bool ltt_may_record(int fd);

/**
 * ltt_may_probe() - may he have us run code?
 *
 * Who could do so with a debugger: root; and our own user, if there is nothing that we
 * have, or could have again, that he has not, and neither the program (PR_SET_DUMPABLE)
 * nor the system (Yama) keeps its memory from him.
 */
bool ltt_may_probe(int fd);

#endif /* LTT_PEER_H */
