// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A flight recorder of the kernel that ends with this process.
 *
 * Layer: lttctl top.  The buffers hold the newest events, so that nothing is written to disk while the
 * screen waits.  A snapshot is read, and removed at once.
 */
#include "top.h"
#include "common/folders.h"
#include "lttctl/command.h"
#include "lttctl/record/event-patterns.h"
#include "lttctl/snapshot/take.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define CHANNEL		"events"
#define STATE_CHANNEL	"state"
#define SUBBUF_SIZE	(256 << 10)
#define SUBBUF_COUNT	16		/* 4 MiB for each CPU: some 200,000 events */

/* Snapshots are as large as the buffers: keep them off the disk where there is a file system in memory. */
static int make_directory(struct recorder *recorder)
{
	const char *tmp = getenv("TMPDIR");
	const char *base = tmp && *tmp ? tmp : !access("/dev/shm", W_OK) ? "/dev/shm" : "/tmp";

	snprintf(recorder->dir, sizeof(recorder->dir), "%.200s/lttctl-top-XXXXXX", base);
	if (mkdtemp(recorder->dir))
		return 0;
	recorder->dir[0] = '\0';
	return complain("cannot create a directory in %s: %s", base, strerror(errno));
}

static int configure(struct recorder *recorder, const char *const *patterns)
{
	struct lttctl_trace *trace = recorder->trace;
	int err = lttctl_channel_set(trace, STATE_CHANNEL, LTTCTL_OVERWRITE, true);

	if (!err)
		err = lttctl_channel_set(trace, CHANNEL, LTTCTL_SUBBUF_SIZE, SUBBUF_SIZE);
	if (!err)
		err = lttctl_channel_set(trace, CHANNEL, LTTCTL_SUBBUF_COUNT, SUBBUF_COUNT);
	if (!err)
		err = lttctl_channel_set(trace, CHANNEL, LTTCTL_OVERWRITE, true);
	for (; !err && *patterns; patterns++)
		err = lttctl_event_enable(trace, *patterns);
	return tracer_status(recorder->ctl, err ?: lttctl_trace_start(trace));
}

static int parse_patterns(struct recorder *recorder, const char *const *lists)
{
	struct event_patterns *patterns = &recorder->patterns;
	int status = event_patterns_parse(patterns, "-e ", lists);

	patterns->only_present = true;
	if (!status && (patterns->nr_programs || patterns->nr_probes))
		status = misused("-e %s: only events of the kernel that exist can be watched",
				 patterns->nr_programs ? patterns->programs[0] : patterns->probes[0]);
	return status;
}

int recorder_start(struct recorder *recorder, const char *const *lists, const char *const *defaults)
{
	char name[32];
	int status;

	status = parse_patterns(recorder, lists) ?: make_directory(recorder);
	if (status)
		return status;
	lttctl_raise_files();
	recorder->ctl = tracer_connect_private();
	if (!recorder->ctl)
		return EXIT_FAILED;
	if (lists)
		status = event_patterns_check_known(recorder->ctl, "-e ", &recorder->patterns, NULL);
	if (status)
		return status;
	snprintf(name, sizeof(name), "top-%d", getpid());
	status = tracer_status(recorder->ctl, lttctl_trace_create(recorder->ctl, name, &recorder->trace));
	return status ?: configure(recorder, lists ? (const char *const *)recorder->patterns.kernel : defaults);
}

int recorder_snapshot(struct recorder *recorder, char *path)
{
	/* Names come from the list of threads that each snapshot begins with. */
	const struct snapshot_to to = { .served = "", .dir = recorder->dir, .state = "none" };

	return snapshot_take(recorder->ctl, recorder->trace, &to, path);
}

void recorder_stop(struct recorder *recorder)
{
	if (recorder->trace) {
		lttctl_trace_destroy(recorder->trace);
		lttctl_trace_close(recorder->trace);
	}
	if (recorder->ctl)
		lttctl_free(recorder->ctl);
	if (*recorder->dir)
		folder_remove(AT_FDCWD, recorder->dir);
	event_patterns_free(&recorder->patterns);
}
