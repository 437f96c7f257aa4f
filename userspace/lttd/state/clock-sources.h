/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The parts of clock.c: what is sampled beside the time of day.
 *
 * Layer: lttd state.
 */
#ifndef LTTD_STATE_CLOCK_SOURCES_H
#define LTTD_STATE_CLOCK_SOURCES_H

#include "writer.h"

#include <stdbool.h>
#include <time.h>

#define CLOCK_TRIES	5

/* The events, and their ids in the trace. */
enum {
	CLOCK_SAMPLE,
	CLOCK_PTP,
	CLOCK_KVM,
	CLOCK_EVENTS,
};

extern const struct writer_event ptp_event;	/* ptp.c */
extern const struct writer_event kvm_event;	/* kvm.c */

/**
 * struct clock_pair - a time that was read between two values of the clock of the recording
 * @before: the earlier value
 * @after: the later value
 * @ns: the time
 * @boottime: CLOCK_BOOTTIME at the same moment
 */
struct clock_pair {
	uint64_t before;
	uint64_t after;
	uint64_t ns;
	uint64_t boottime;
};

/* Read a clock, the closest of CLOCK_TRIES pairs.  Return: false if it cannot be read. */
bool clock_compare(clockid_t id, struct clock_pair *pair);

/* Write the time of each PTP device that this user may read. */
void ptp_put(struct writer *writer);

/* Write how the counters of virtual machines differ from that of this machine, where debugfs shows it to this user. */
void kvm_put(struct writer *writer);

#endif /* LTTD_STATE_CLOCK_SOURCES_H */
