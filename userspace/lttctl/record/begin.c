// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Begin a recording: everything from the directory to the start.
 *
 * Layer: lttctl record.
 */
#include "recording.h"
#include "lttctl/command.h"
#include "lttctl/record/piece-options.h"
#include "lttctl/record/progress.h"
#include "lttctl/record/state-child.h"
#include "lttctl/record/triggers.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* Without -e: scheduling, interrupts, signals, tasks and system calls. */
static const char *const default_patterns[] = {
	"sched:*", "irq:*", "raw_syscalls:*", "signal:*", "task:*", NULL
};

/* Start lttd for the trace, with a control connection if the trace is private. */
static int start_lttd(struct recording *recording)
{
	int connection = -1, status;

	if (lttctl_is_private(recording->ctl)) {
		connection = lttctl_private_fd(recording->ctl);
		if (connection < 0)
			return tracer_status(recording->ctl, connection);
	}
	status = lttd_start(&recording->lttd, connection, recording->outdir.path,
			    recording->name);
	if (connection >= 0)
		close(connection);
	return status ? status : lttd_wait_ready(&recording->lttd);
}

/* Start the lttd of the programs, whose trace has the clock of the kernel's. */
static int begin_programs(struct recording *recording)
{
	char *clock = NULL;
	int status = 0;

	if (recording->kernel)
		status = tracer_status(recording->ctl, lttctl_trace_clock(recording->trace, &clock));
	if (!status)
		status = programs_start(&recording->programs, &recording->wanted, clock,
					recording->outdir.path);
	free(clock);
	return status;
}

/* Undo begin_kernel(). */
static void cancel_kernel(struct recording *recording)
{
	if (!recording->attached)
		lttctl_trace_destroy(recording->trace);
	else if (recording->lttd.pid)
		kill(recording->lttd.pid, SIGTERM);
	lttctl_trace_close(recording->trace);
	recording_wait_for_lttd(recording);
}

/* Find the trace that is to be recorded, or create it. */
static int find_trace(struct recording *recording)
{
	int err = -ENOENT;

	if (recording->attaches)
		err = lttctl_trace_open(recording->ctl, recording->name, &recording->trace);
	recording->attached = !err;
	if (err != -ENOENT)
		return tracer_status(recording->ctl, err);
	return trace_options_create(recording->ctl, recording->name, default_patterns,
				    !trace_options_overwrite() || !pieces_wanted(), &recording->trace);
}

/* Prepare the trace of the kernel up to its start. */
static int begin_kernel(struct recording *recording)
{
	int status = find_trace(recording);

	if (status)
		return status;
	status = triggers_apply(recording->ctl, recording->trace, recording->outdir.path, trace_options_state());
	if (!status)
		status = start_lttd(recording);
	if (status)
		cancel_kernel(recording);
	return status;
}

/* Return: 0, or a status after an error message. */
static int start_trace(struct recording *recording)
{
	int err = triggers_start(recording->trace, progress_wanted(recording->has_workload));

	if (err == -EALREADY && recording->attached)
		return 0;
	return tracer_status(recording->ctl, err);
}

/* Do everything up to the start; on failure leave nothing behind. */
int recording_begin(struct recording *recording)
{
	int status = outdir_make(&recording->outdir);
	pid_t state;

	if (status)
		return status;
	if (recording->kernel)
		status = begin_kernel(recording);
	if (status)
		goto err_outdir;
	/* Before the start, so that the trace does not record how the state is read.  A recording
	 * without a state is whole. */
	state = state_start(recording->outdir.path, trace_options_state());
	if (recording->has_programs)
		status = begin_programs(recording);
	state_wait(state);
	if (status)
		goto err_kernel;
	if (recording->has_workload)
		status = workload_prepare(&recording->workload);
	if (!status && recording->follows && recording->kernel)
		status = tracer_status(recording->ctl,
				       trace_options_follow(recording->trace, recording->workload.pid));
	if (!status && recording->kernel)
		status = start_trace(recording);
	if (status)
		goto err_programs;
	recording->started = recording_now();
	if (recording->kernel && lttctl_is_private(recording->ctl))
		announce_begin(&recording->announcement);
	return 0;

err_programs:
	if (recording->has_workload)
		workload_cancel(&recording->workload);
	if (recording->has_programs)
		recording_end_programs(recording);
err_kernel:
	if (recording->kernel)
		cancel_kernel(recording);
	/* The events that lttd has taken out of the buffers of a running trace are only there. */
	if (recording->attached && (recording->outdir.pieces || outdir_has_events(&recording->outdir, "kernel")))
		return status;
err_outdir:
	outdir_remove(&recording->outdir);
	return status;
}
