/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Copies of the files of a trace that are a trace of their own: they have another UUID.
 *
 * Layer: common.
 *
 * By CTF, a UUID stands for one trace: readers take files with the same UUID for parts of one,
 * and babeltrace2 joins them.  The clock keeps its UUID, by which readers order the events of
 * both traces.
 */
#ifndef LTT_COMMON_COPY_H
#define LTT_COMMON_COPY_H

#include <stdint.h>
#include <sys/types.h>

#include "core/ctf.h"

/**
 * copy_new_uuid() - make the UUID of a copy
 * @uuid: receives 16 bytes
 *
 * Return: 0; -1 with errno set.
 */
int copy_new_uuid(uint8_t *uuid);

/**
 * copy_read() - read the next packet of a file or buffer
 * @from: the descriptor, at the beginning of a packet
 * @packet: receives the whole packet, to be freed; not changed unless one is returned
 *
 * Return: the bytes of the packet; 0 if no whole packet follows; -1 with errno set: EBADMSG if
 * what follows is not a packet.
 */
ssize_t copy_read(int from, struct ltt_ctf_packet **packet);

/**
 * copy_write() - append a packet to a copy
 * @to: the copy
 * @packet: the packet; its UUID is changed
 * @uuid: of the copy
 *
 * Return: 0; -1 with errno set.
 */
int copy_write(int to, struct ltt_ctf_packet *packet, const uint8_t *uuid);

/**
 * copy_packets() - copy packets
 * @from: the descriptor, at the beginning of a packet
 * @to: the copy
 * @uuid: of the copy
 * @before: end before the first packet that has this sequence number or a higher one
 *
 * Return: 0; -1 with errno set, as copy_read() does.
 */
int copy_packets(int from, int to, const uint8_t *uuid, uint64_t before);

/**
 * copy_metadata() - copy the metadata
 * @from: the metadata, at its beginning
 * @to: the copy
 * @uuid: of the copy
 *
 * Return: 0; -1 with errno set: EBADMSG if there is no UUID of a trace.
 */
int copy_metadata(int from, int to, const uint8_t *uuid);

#endif /* LTT_COMMON_COPY_H */
