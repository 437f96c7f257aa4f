/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Beacons: times before which all records of the trace are in files.
 *
 * Layer: lttd.  A reader of a recording that is being written, as the sender to a collector, learns from a beacon
 * that a buffer without new packets has no earlier record.
 */
#ifndef LTTD_BEACON_H
#define LTTD_BEACON_H

struct consumer;

/* Find out if lttd can read the clock of the trace. */
void beacon_begin(struct consumer *consumer);

/**
 * beacon_look() - write a beacon into the open piece
 * @consumer: a consumer that is about to flush, and has copied all packets that it knows of
 *
 * The beacon is the time of the flush before, after which all buffers have been drained.  A writer reads the clock
 * and reserves its record with preemption off, so it would have to stand still for the time between two flushes
 * to be later than that.
 */
void beacon_look(struct consumer *consumer);

#endif /* LTTD_BEACON_H */
