/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Calling the programs that run: here is an lttd.
 *
 * Layer: common.
 */
#ifndef LTT_COMMON_CALL_H
#define LTT_COMMON_CALL_H

#include <sys/types.h>

typedef void call_fn(pid_t pid, void *arg);

/**
 * call_programs() - have all programs look for sockets of lttds
 *
 * Those of this user; root's lttd calls those of all.  What programs and lttds that were
 * killed have left in the folders is removed.
 *
 * @called: told the process id of each that is there, as it is in the program's namespace;
 *	or NULL
 * @arg: for it
 *
 * Return: 0; -errno if we had not what it takes to call each.
 */
int call_programs(call_fn *called, void *arg);

#endif /* LTT_COMMON_CALL_H */
