/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Announce an lttd to the running programs.
 *
 * Layer: common.
 */
#ifndef LTT_COMMON_CALL_H
#define LTT_COMMON_CALL_H

#include <glob.h>
#include <sys/types.h>

typedef void call_fn(pid_t pid, void *arg);

/**
 * call_programs() - make running programs look for sockets of lttds
 * @called: called with the process id of each program, as in the program's namespace of
 *	process ids; or NULL
 * @arg: passed to @called
 *
 * Call the programs of this user; root calls the programs of all users.  Remove the
 * sockets that killed programs and lttds left in the folders.
 *
 * Return: 0; -EMFILE, -ENFILE, -ENOMEM or -ENOBUFS: some programs were not called.
 */
int call_programs(call_fn *called, void *arg);

/**
 * call_folders_of_users() - list the folders that ltt_folder() gives to users other than root
 * @folders: receives them, to be freed with globfree(); links among them are not to be followed
 *
 * Return: 0; -ENOMEM: some are left out.
 */
int call_folders_of_users(glob_t *folders);

#endif /* LTT_COMMON_CALL_H */
