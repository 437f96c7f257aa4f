/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Becoming a daemon.
 *
 * Layer: lttd.
 */
#ifndef LTTD_DAEMON_H
#define LTTD_DAEMON_H

/**
 * daemon_fork() - go on in a child
 *
 * The parent exits with status 0 when the child calls daemon_ready(), 1 when it ends
 * before.
 *
 * Return: in the child, the descriptor for daemon_ready(); -1 after having said why not.
 */
int daemon_fork(void);

/**
 * daemon_ready() - all has gone well so far: leave the terminal
 * @parent: what daemon_fork() returned
 *
 * Return: 0; -1 after having said why not.
 */
int daemon_ready(int parent);

#endif /* LTTD_DAEMON_H */
