/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The process of lttd that sends the recording to a collector.
 *
 * Layer: lttd.  A process of its own: whatever happens to the network, the recording goes on.
 */
#ifndef LTTD_SENDER_H
#define LTTD_SENDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/piece-options.h"

/**
 * struct sender - the process that sends the recording
 * @pid: its process; 0: the recording is not sent
 * @goes_on: the write end of a pipe, which is open as long as the recording goes on
 */
struct sender {
	pid_t pid;
	int goes_on;
};

/**
 * sender_check() - check --to, and have the recording be in pieces
 * @url: the value of --to, or NULL
 * @pieces: the options about pieces, before piece_options_check()
 *
 * Return: 0; -1 with the failure logged.
 */
int sender_check(const char *url, struct options_pieces *pieces);

/**
 * sender_begin() - start to send the recording
 * @sender: receives the process; sender_end() is to be called, also after a failure
 * @url: the value of --to, or NULL
 * @dir: the directory of the recording
 * @daemon: lttd is a daemon
 *
 * Context: after the fork of --daemon, and before the first lock and thread.
 *
 * Return: 0; -1 with the failure logged.
 */
int sender_begin(struct sender *sender, const char *url, const char *dir, bool daemon);

/**
 * sender_end() - wait until the collector has everything
 * @sender: the process
 * @signals: a descriptor for signals, of which one ends the wait
 *
 * Return: 0; -1: the collector does not have everything, with the failure logged.
 */
int sender_end(struct sender *sender, int signals);

#endif /* LTTD_SENDER_H */
