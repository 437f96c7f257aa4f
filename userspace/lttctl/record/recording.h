/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A recording that runs, and its life:
 *
 *	commands/record.c  the command line, and the order of the steps
 *	begin.c            up to the start
 *	wait.c             until the command ends, the time is over, or a signal or trigger ends it
 *	end.c              from the stop to the summary
 *	signals.c          signals, ends of children, and questions of other processes, in all steps
 *
 * Layer: lttctl record.  Functions that return int return 0, or a status after a message.
 */
#ifndef LTTCTL_RECORD_RECORDING_H
#define LTTCTL_RECORD_RECORDING_H

#include "lttctl/record/announce.h"
#include "lttctl/record/outdir.h"
#include "lttctl/record/programs-lttd.h"
#include "lttctl/record/summary.h"
#include "lttctl/record/workload.h"

/**
 * struct recording - the state of one recording
 * @named: the name of its trace, which other processes can use; NULL: the trace is private
 * @attaches: a trace of that name that is there is recorded
 * @attached: it was there, and stays if the recording does not begin
 * @kernel: it records events of the kernel, with @ctl, @trace and @lttd
 * @has_programs: it records events of programs, with @wanted and @programs
 * @programs_failed: the lttd of the programs ended before the recording
 * @lttd_failed: lttd ended with an error, or before the trace
 * @signalled: how many signals asked it to end; from the second on, it waits for
 *	nothing
 * @last_signal: the last of them
 * @signalled_at: when it came, in seconds of the monotonic clock
 * @started: when it began, in seconds of the monotonic clock
 * @follows: it records the command and its descendants only
 * @duration: how long it records at most, in seconds; 0: without a limit
 * @stopped: a trigger has stopped the trace
 * @announcement: shows a private recording to other processes
 */
struct recording {
	const char *named;
	bool attaches;
	bool attached;
	bool kernel;
	bool has_programs;
	struct programs_wanted wanted;
	struct programs programs;
	bool programs_failed;
	struct lttctl *ctl;
	struct lttctl_trace *trace;
	char name[LTTCTL_NAME_SIZE];
	struct outdir outdir;
	struct workload workload;
	bool has_workload;
	int signals;
	struct lttd lttd;
	bool lttd_failed;
	int signalled;
	int last_signal;
	double signalled_at;
	double started;
	bool follows;
	double duration;
	bool stopped;
	struct announcement announcement;
};

/* Return: seconds of the monotonic clock. */
double recording_now(void);

/* Block the signals that end a recording, and have a descriptor report them. */
int recording_open_signals(struct recording *recording);

/* Handle signals that have come, and those of the next @ms milliseconds up to the first; -1: of any time. */
void recording_handle_signals(struct recording *recording, int ms);

/* The same, which ends, too, when @other can be read; -1: there is none. */
void recording_handle_signals_or(struct recording *recording, int ms, int other);

/* Note that lttd has ended, if it has. */
void recording_reap_lttd(struct recording *recording);

/* Do everything up to the start; on failure leave nothing behind. */
int recording_begin(struct recording *recording);

/* Wait until the command ends, the time is over, a signal asks to end, a trigger stops the trace, or lttd has failed. */
void recording_wait(struct recording *recording);

/* Wait for the end of lttd; after a second signal this returns while lttd goes on by itself. */
void recording_wait_for_lttd(struct recording *recording);

/* Stop everything but the command, and fill in the counts of the summary. */
int recording_end(struct recording *recording, struct summary *summary);

/* Stop the lttd of the programs, and take its counts. */
int recording_end_programs(struct recording *recording);

#endif /* LTTCTL_RECORD_RECORDING_H */
