/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The whole packets of a data file, which may grow.
 *
 * Layer: relay.
 */
#ifndef LTT_RELAY_PACKETS_H
#define LTT_RELAY_PACKETS_H

#include "common/packet.h"

/**
 * packets_next() - look at the packet at a position
 * @fd: the file
 * @at: the position
 * @size: of the file
 * @header: receives the header of the packet
 *
 * Return: true if the packet is there, whole.
 */
bool packets_next(int fd, off_t at, off_t size, struct ltt_ctf_packet *header);

#endif /* LTT_RELAY_PACKETS_H */
