// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * End a recording, and find out what is in it.
 *
 * Layer: lttctl record.
 */
#include "recording.h"
#include "lttctl/command.h"
#include "lttctl/record/piece-options.h"
#include "lttctl/record/triggers.h"
#include "lttctl/view/count.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* After a second signal this returns while lttd goes on by itself. */
void recording_wait_for_lttd(struct recording *recording)
{
	recording_reap_lttd(recording);
	while (recording->lttd.pid && recording->signalled < 2)
		recording_handle_signals(recording, -1);
}

int recording_end_programs(struct recording *recording)
{
	programs_stop(&recording->programs);
	programs_reap(&recording->programs);
	while (recording->programs.pid && recording->signalled < 2)
		recording_handle_signals(recording, -1);
	return programs_end(&recording->programs, recording->outdir.path);
}

/* Note an event that waits for its filter: lttd has found that this does not fit it. */
static int note_waiting(const struct lttctl_filter *filter, void *arg)
{
	struct summary *summary = arg;
	char **grown;

	if (!filter->event || !filter->expression)
		return 0;
	grown = reallocarray(summary->waiting, summary->nr_waiting + 1, sizeof(*grown));
	if (!grown)
		return complain("out of memory");
	summary->waiting = grown;
	grown[summary->nr_waiting] = strdup(filter->event);
	if (!grown[summary->nr_waiting])
		return complain("out of memory");
	summary->nr_waiting++;
	return 0;
}

/* Has lttd ended before the recording? */
static bool is_deserted(struct recording *recording)
{
	recording_reap_lttd(recording);
	return recording->attaches && !recording->signalled && !recording->lttd.pid;
}

/* Leave the trace as it is: nothing else has the events in its buffers.  --attach goes on with it. */
static int leave_kernel(struct recording *recording, struct summary *summary)
{
	int status = tracer_status(recording->ctl, lttctl_trace_stats(recording->trace, &summary->stats));

	if (!status)
		status = tracer_status(recording->ctl,
				       lttctl_channel_get(recording->trace, "events", &summary->channel));
	lttctl_trace_close(recording->trace);
	summary->kernel_cut = true;
	if (status)
		return status;
	return complain("lttd gave up: %s ends early; trace %s runs on: `lttctl record --attach --name %s` goes on with it",
			recording->outdir.path, recording->name, recording->name);
}

/*
 * Stop, take the counts, destroy, and have lttd write the rest.  The trace is
 * destroyed whatever fails, unless another recording can go on with it.
 */
static int end_kernel(struct recording *recording, struct summary *summary)
{
	enum lttctl_state state;
	int status, failed, err;

	status = tracer_status(recording->ctl,
			       lttctl_trace_state(recording->trace, &state));
	if (!status && is_deserted(recording))
		return leave_kernel(recording, summary);
	if (!status && state == LTTCTL_RUNNING) {
		err = lttctl_trace_stop(recording->trace);
		/* The tracer may just have stopped it; the reason is printed below. */
		if (err != -EALREADY)
			status = tracer_status(recording->ctl, err);
	}
	if (!status)
		status = tracer_status(recording->ctl,
				       lttctl_trace_stats(recording->trace,
							  &summary->stats));
	if (!status)
		status = tracer_status(recording->ctl,
				       lttctl_for_each_filter(recording->trace, note_waiting, summary));
	if (!status)
		status = tracer_status(recording->ctl,
				       lttctl_channel_get(recording->trace, "events",
							  &summary->channel));
	triggers_end();
	if (!status && summary->stats.halted[0])
		status = complain("the tracer stopped the trace before its end: %s",
				  summary->stats.halted);
	failed = lttd_wait_held(&recording->lttd, recording->ctl, recording->trace);
	status = status ? status : failed;
	summary->kernel_cut = failed;
	/* An lttd that ended before the trace has failed, whatever its status. */
	recording_reap_lttd(recording);
	if (!recording->lttd.pid)
		recording->lttd_failed = true;
	failed = tracer_status(recording->ctl,
			       lttctl_trace_destroy(recording->trace));
	lttctl_trace_close(recording->trace);
	if (!failed)
		recording_wait_for_lttd(recording);
	if (recording->lttd.pid)
		status = complain("lttd (pid %d) still writes %s",
				  recording->lttd.pid, recording->outdir.path);
	else if (recording->lttd_failed)
		status = complain("lttd gave up: %s ends early",
				  recording->outdir.path);
	summary->kernel_cut |= recording->lttd.pid || recording->lttd_failed;
	return status ? status : failed;
}

/* lttd has not written everything: count what it has written. */
static int64_t count_written(const struct recording *recording)
{
	uint64_t events, lost;
	char path[4096];

	if (recording->lttd.pid || /* it still writes */
	    pieces_wanted() ||
	    snprintf(path, sizeof(path), "%s/kernel", recording->outdir.path) >= (int)sizeof(path) ||
	    count_events(path, &events, &lost))
		return -1;
	return events;
}

int recording_end(struct recording *recording, struct summary *summary)
{
	int status = 0, failed = 0;

	summary->seconds = recording_now() - recording->started;
	announce_end(&recording->announcement);
	if (recording->kernel)
		status = end_kernel(recording, summary);
	if (summary->kernel_cut)
		summary->written = count_written(recording);
	if (recording->has_programs)
		failed = recording_end_programs(recording);
	summary->programs_cut = failed;
	return status ? status : failed;
}
