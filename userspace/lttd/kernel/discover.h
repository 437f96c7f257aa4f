/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The buffers of a trace: finding them as they appear, and opening them.
 *
 * Layer: lttd.
 */
#ifndef LTTD_DISCOVER_H
#define LTTD_DISCOVER_H

#include "consumer.h"

/**
 * consumer_watch_fd() - have the loop of a consumer wait for a descriptor
 * @consumer: the consumer
 * @fd: the descriptor; a regular file is always ready, and is not waited for
 * @what: identifies it in the events of @consumer's epoll
 *
 * Return: 0; -1 with the failure logged.
 */
int consumer_watch_fd(struct consumer *consumer, int fd, void *what);

/**
 * consumer_discover() - open the buffers that the trace has got, and report how many are held
 * @consumer: the consumer; its @files grow, and its @cut_short is set if the trace was removed before
 *	its buffers could be opened
 *
 * Return: 0; -1 with the failure logged.
 */
int consumer_discover(struct consumer *consumer);

#endif /* LTTD_DISCOVER_H */
