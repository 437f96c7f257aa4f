/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Triggers of `record`, between their files: triggers.c has the options and the trace, trigger-fire.c what a trigger
 * does when it fires.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_TRIGGER_H
#define LTTCTL_TRIGGER_H

#include "triggers.h"

#include <stddef.h>

#define SNAPSHOTS_DEFAULT 10
#define SNAPSHOTS_MAX 1000000

enum trigger_kind {
	UNTIL = 'u',
	START_ON = 's',
	SNAPSHOT_ON = 'p',
	NOTIFY = 'n',
	RUN = 'r',
};

/**
 * struct trigger - an option
 * @kind: which
 * @text: its argument
 * @event: group:name, the first word of it
 * @condition: the rest; "" for none
 * @run: the command of --run, or NULL
 * @pid: its process; 0: it does not run
 * @slot: in which the tracer reports it; not for START_ON
 * @fired: how often it has fired
 */
struct trigger {
	enum trigger_kind kind;
	char *text;
	char *event;
	const char *condition;
	char *run;
	pid_t pid;
	unsigned int slot;
	unsigned int fired;
};

/**
 * struct triggers - those of the command line, and what has become of them
 * @trigger: the triggers
 * @nr: number of @trigger
 * @orphan: a --run without a trigger before it, or NULL
 * @no_memory: there was no memory for one
 * @most_text: the argument of --snapshots, or NULL
 * @most: how many snapshots to take at most
 * @ctl: the handle, from triggers_apply() on, as all that follows
 * @trace: the trace
 * @dir: the directory of the recording
 * @state: for snapshots, see state_write()
 * @draws: there is a progress line
 * @fd: reports what has happened, or -1
 * @reports_all: @fd reports everything
 * @armed: the trace waits for the event that it begins with
 * @snapshots: the directories of the snapshots
 * @nr_snapshots: number of @snapshots
 * @skipped: how often a trigger fired and there was no snapshot
 * @failed: number of snapshots that failed
 * @last: when the last one was taken, in seconds of the monotonic clock; 0: there is none
 */
struct triggers {
	struct trigger *trigger;
	size_t nr;
	char *orphan;
	bool no_memory;
	char *most_text;
	int most;
	struct lttctl *ctl;
	struct lttctl_trace *trace;
	const char *dir;
	const char *state;
	bool draws;
	int fd;
	bool reports_all;
	bool armed;
	char **snapshots;
	unsigned int nr_snapshots;
	unsigned int skipped;
	unsigned int failed;
	double last;
};

extern struct triggers triggers;

/* Return: the name of the option. */
const char *trigger_option(const struct trigger *trigger);

/**
 * trigger_fire() - do what a trigger asks for
 * @trigger: the trigger
 * @fired: how often it has fired so far
 */
void trigger_fire(struct trigger *trigger, unsigned int fired);

/* Run the command of a trigger, if it has one.  @snapshot: the directory of a snapshot, or "". */
void trigger_run(struct trigger *trigger, const char *snapshot);

#endif /* LTTCTL_TRIGGER_H */
