/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A trace in pieces: from one to the next.
 *
 * Layer: lttd.
 */
#ifndef LTTD_ROTATE_H
#define LTTD_ROTATE_H

#include "consumer.h"

/**
 * consumer_rotate() - continue in the next piece, between two packets
 * @consumer: the consumer
 *
 * Return: 0; -1 with the failure logged.
 */
int consumer_rotate(struct consumer *consumer);

/**
 * consumer_skip_known() - do not copy the packets that a piece has that an earlier lttd left open
 * @consumer: the consumer
 * @file: a buffer, before its first buffer_file_peek()
 */
void consumer_skip_known(const struct consumer *consumer, struct buffer_file *file);

#endif /* LTTD_ROTATE_H */
