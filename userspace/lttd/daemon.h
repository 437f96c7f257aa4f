/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Run lttd as a daemon.
 *
 * Layer: lttd.
 */
#ifndef LTTD_DAEMON_H
#define LTTD_DAEMON_H

/**
 * daemon_fork() - fork, and continue in the child
 *
 * The parent exits with status 0 when the child calls daemon_ready(), and with status 1
 * when the child exits before that.
 *
 * Return: in the child, the descriptor for daemon_ready(); -1 with the failure logged.
 */
int daemon_fork(void);

/**
 * daemon_ready() - let the parent exit with status 0, and leave the terminal
 * @parent: the descriptor from daemon_fork(); closed on success
 *
 * Return: 0; -1 with the failure logged.
 */
int daemon_ready(int parent);

#endif /* LTTD_DAEMON_H */
