/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The vault: a thread with a descriptor table of its own, for the memory of buffer sets.
 *
 * Layer: lttd.  The limit of open files holds for each table.  So each program needs one descriptor of
 * the loop's table, for its connection, and one of the vault's.
 */
#ifndef LTTD_VAULT_H
#define LTTD_VAULT_H

/** vault_begin() - start the thread.  Return: 0; -1 with the failure logged. */
int vault_begin(void);

/** vault_end() - close what is in the vault, and stop the thread, if it was started */
void vault_end(void);

/**
 * vault_keep() - move a descriptor to the vault
 * @fd: the descriptor; closed on success
 *
 * Return: its number there; -errno.
 */
int vault_keep(int fd);

/**
 * vault_run() - call a function in the thread of the vault, and wait for it
 * @fn: the function
 * @arg: its argument
 */
void vault_run(void (*fn)(void *arg), void *arg);

#endif /* LTTD_VAULT_H */
