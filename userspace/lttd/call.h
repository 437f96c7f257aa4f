/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Calling the programs that run: here is an lttd.
 *
 * Layer: lttd.
 */
#ifndef LTTD_CALL_H
#define LTTD_CALL_H

/**
 * call_programs() - have all programs look for sockets of lttds
 *
 * Those of this user; root's lttd calls those of all.  What programs and lttds that were
 * killed have left in the folders is removed.
 *
 * Return: how many programs were called.
 */
unsigned int call_programs(void);

#endif /* LTTD_CALL_H */
