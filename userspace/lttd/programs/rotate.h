/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A recording of programs in pieces: from one to the next.
 *
 * Layer: lttd.
 */
#ifndef LTTD_PROGRAMS_ROTATE_H
#define LTTD_PROGRAMS_ROTATE_H

#include "state.h"

/**
 * programs_rotate() - continue in the next piece, between two packets
 * @programs: the recording
 *
 * Return: 0; -1 with the failure logged.
 */
int programs_rotate(struct programs *programs);

/**
 * programs_rotate_in_time() - open the next piece if lttctl asks for it, or time is over
 * @programs: the recording
 *
 * Return: 0; -1 with the failure logged.
 */
int programs_rotate_in_time(struct programs *programs);

/**
 * programs_before_packet() - see &ring_trace.before_packet
 * @programs: the recording
 * @bytes: size of the packet
 *
 * Return: 0; -1 with the failure logged.
 */
int programs_before_packet(void *programs, size_t bytes);

#endif /* LTTD_PROGRAMS_ROTATE_H */
