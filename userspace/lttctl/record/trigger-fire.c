// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The work of a trigger that has fired: a line, a snapshot, a command.
 *
 * Layer: lttctl.
 */
#include "trigger.h"
#include "lttctl/command.h"
#include "lttctl/record/progress.h"
#include "lttctl/snapshot/take.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A flight recorder that is written out again and again would fill the disk. */
#define SNAPSHOT_SECONDS 1

/* ---- Commands ---- */

static void child(const struct trigger *trigger, const char *snapshot)
{
	char fired[16];
	sigset_t none;

	snprintf(fired, sizeof(fired), "%u", trigger->fired);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (!setenv("LTT_EVENT", trigger->event, 1) && !setenv("LTT_FIRED", fired, 1) &&
	    !setenv("LTT_SNAPSHOT", snapshot, 1))
		execl("/bin/sh", "sh", "-c", trigger->run, NULL);
	_exit(127);
}

/* A command that still runs is not run again: its next run has the new number. */
void trigger_run(struct trigger *trigger, const char *snapshot)
{
	if (!trigger->run || trigger->pid)
		return;
	trigger->pid = fork();
	if (!trigger->pid)
		child(trigger, snapshot);
	if (trigger->pid > 0)
		return;
	trigger->pid = 0;
	complain("cannot run `%s`: %s", trigger->run, strerror(errno));
}

/* ---- Snapshots ---- */

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Return: the directory; "" if there is none: it is too soon, there are enough, or it failed after a message. */
static const char *take_snapshot(unsigned int times)
{
	const struct snapshot_to to = { triggers.dir, NULL, triggers.state };
	bool too_soon = triggers.last && now() < triggers.last + SNAPSHOT_SECONDS;
	char path[SNAPSHOT_PATH_SIZE];
	char **grown;
	int failed;

	triggers.skipped += times;
	if (too_soon || triggers.nr_snapshots >= (unsigned int)triggers.most)
		return "";
	grown = reallocarray(triggers.snapshots, triggers.nr_snapshots + 1, sizeof(*grown));
	if (!grown) {
		complain("out of memory");
		return "";
	}
	triggers.snapshots = grown;
	failed = snapshot_take(triggers.ctl, triggers.trace, &to, path);
	/* One that has failed counts, too: the disk may be full. */
	triggers.last = now();
	triggers.failed += failed != 0;
	if (failed)
		return "";
	grown[triggers.nr_snapshots] = strdup(path);
	if (!grown[triggers.nr_snapshots])
		return "";
	triggers.skipped--;
	return grown[triggers.nr_snapshots++];
}

/* ---- The whole ---- */

/* Print a line in place of the progress line. */
__attribute__((format(printf, 1, 2)))
static void print_line(const char *format, ...)
{
	va_list args;

	if (triggers.draws)
		progress_clear();
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
}

void trigger_fire(struct trigger *trigger, unsigned int fired)
{
	const char *snapshot = "";
	unsigned int times = fired - trigger->fired;

	trigger->fired = fired;
	if (trigger->kind == SNAPSHOT_ON) {
		snapshot = take_snapshot(times);
		if (!*snapshot)
			return;
		print_line("%s: snapshot %s\n", trigger->event, snapshot);
	} else if (trigger->kind == NOTIFY && times == 1) {
		print_line("%s: %s\n", trigger->event, trigger->condition);
	} else if (trigger->kind == NOTIFY) {
		print_line("%s: %s (%u times)\n", trigger->event, trigger->condition, times);
	}
	if (trigger->kind != UNTIL)
		trigger_run(trigger, snapshot);
}
