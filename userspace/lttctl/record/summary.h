/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The summary of `record`.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_SUMMARY_H
#define LTTCTL_SUMMARY_H

#include "lttctl/command.h"
#include "programs-lttd.h"

/**
 * struct summary - of a recording
 * @dir: where it is
 * @to: the URL that it was sent to; NULL: none
 * @spooled: it is there only, and @dir was removed or has the rest
 * @seconds: how long it ran
 * @kernel: events of the kernel were recorded
 * @stats: the counts of the kernel's trace after its stop
 * @channel: the options of its channel for events
 * @programs: what there is of programs, or NULL: they were not recorded
 * @kernel_cut: lttd has not written all that the kernel's trace stored
 * @written: if @kernel_cut: number of events of the kernel that lttd has written, without those
 *	of the channel state; -1: unknown
 * @programs_cut: nor, the other, all that programs stored
 * @waiting: events that were not recorded at the end, because their filter does not fit them
 * @nr_waiting: number of @waiting
 * @complete: nothing has failed, no event waited for its filter, no event was lost or overwritten, no marker was rejected,
 *	no program was late, and each pattern has matched, unless --allow-missing was given
 * @status: exit status of the command; -1 without a command
 */
struct summary {
	const char *dir;
	const char *to;
	bool spooled;
	double seconds;
	bool kernel;
	struct lttctl_stats stats;
	struct lttctl_channel channel;
	const struct programs *programs;
	char **waiting;
	size_t nr_waiting;
	bool kernel_cut;
	int64_t written;
	bool programs_cut;
	bool complete;
	int status;
};

/* For people, to stderr. */
void summary_print(const struct summary *summary);

/* For programs, to stdout. */
void summary_print_json(const struct summary *summary);

#endif /* LTTCTL_SUMMARY_H */
