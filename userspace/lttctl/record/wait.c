// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Wait for the end of a recording.
 *
 * Layer: lttctl record.
 */
#include "recording.h"
#include "lttctl/record/progress.h"
#include "lttctl/record/triggers.h"

#include <stdio.h>

#define PROGRESS_MS 500

/* One wait of poll(), whose time is an int of milliseconds. */
#define WAIT_MAX_SECONDS 86400

static void progress(struct recording *recording)
{
	struct lttctl_stats stats;

	if (!recording->kernel) {
		progress_draw(recording_now() - recording->started, NULL);
		return;
	}
	if (lttctl_trace_stats(recording->trace, &stats))
		return;
	progress_draw(recording_now() - recording->started, &stats.total);
	lttctl_stats_free(&stats);
}

/* Return: milliseconds until the recording ends by itself, rounded up, -1 if it does not. */
static int time_left(const struct recording *recording)
{
	double left = recording->started + recording->duration - recording_now();

	if (!recording->duration || triggers_armed())
		return -1;
	return left <= 0 ? 0 : left > WAIT_MAX_SECONDS ? WAIT_MAX_SECONDS * 1000 : left * 1000 + 1;
}

static int sooner(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* The duration counts from the event that the recording begins with. */
static void look_at_triggers(struct recording *recording)
{
	bool armed = triggers_armed();

	recording->stopped = triggers_look();
	if (armed && !triggers_armed())
		recording->started = recording_now();
}

/* Wait until the command ends, the time is over, a signal asks to end, a trigger stops the trace, or lttd has failed. */
void recording_wait(struct recording *recording)
{
	bool draw = progress_wanted(recording->has_workload);
	int left;

	if (draw)
		fprintf(stderr, "recording to %s; ^C ends it\n",
			recording->outdir.path);
	while (!recording->signalled && !recording->programs_failed && !recording->stopped &&
	       (!recording->kernel || recording->lttd.pid) &&
	       (!recording->has_workload || recording->workload.pid)) {
		left = time_left(recording);
		if (!left)
			break;
		left = sooner(left, triggers_wait_ms());
		recording_handle_signals_or(recording, sooner(left, draw ? PROGRESS_MS : -1), triggers_fd());
		look_at_triggers(recording);
		if (draw && !recording->signalled)
			progress(recording);
	}
	if (draw)
		progress_clear();
}
