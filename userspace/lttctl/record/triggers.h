/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Triggers of `record`: --until, --start-on, --snapshot-on and --notify.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_TRIGGERS_H
#define LTTCTL_TRIGGERS_H

#include <popt.h>
#include <stdbool.h>
#include <sys/types.h>

struct json_object;
struct lttctl;
struct lttctl_trace;

/* The options, for a table of popt. */
#define OPTIONS_TRIGGERS { NULL, 0, POPT_ARG_INCLUDE_TABLE, (struct poptOption *)triggers_table, 0, \
			   "Triggers, each 'EVENT [EXPRESSION]':", NULL }
extern const struct poptOption triggers_table[];

/**
 * triggers_check() - check the options
 * @overwrites: the recording is a flight recorder
 *
 * Return: 0; EXIT_USAGE or EXIT_FAILED after a message.
 */
int triggers_check(bool overwrites);

/* Return: true if there is one. */
bool triggers_any(void);

/* Return: true if a snapshot has failed. */
bool triggers_failed(void);

/**
 * triggers_apply() - give a trace its triggers, and begin to watch them
 * @ctl: a connected handle; it and @trace must outlive triggers_end()
 * @trace: the trace, whose events are enabled
 * @dir: the directory of the recording
 * @state: for the snapshots, see state_write()
 *
 * Return: 0; EXIT_FAILED after a message.
 */
int triggers_apply(struct lttctl *ctl, struct lttctl_trace *trace, const char *dir, const char *state);

/**
 * triggers_start() - start the trace, or arm it
 * @trace: the trace
 * @draws: there is a progress line
 *
 * Return: as lttctl_trace_start().
 */
int triggers_start(struct lttctl_trace *trace, bool draws);

/* Return: a descriptor that is readable when triggers_look() is due; -1 for none. */
int triggers_fd(void);

/* Return: the milliseconds until triggers_look() is due also if the descriptor is not readable; -1: any. */
int triggers_wait_ms(void);

/**
 * triggers_look() - do what the triggers that have fired ask for
 *
 * Return: true if one of them has stopped the trace.
 */
bool triggers_look(void);

/* Return: true if the trace waits for the event that it begins with. */
bool triggers_armed(void);

/* Send a signal to the commands of --run. */
void triggers_signal(int signo);

/* A child has ended: it may be a command of --run. */
void triggers_reap(void);

/* Return: true if a command of --run runs. */
bool triggers_run(void);

/* Look a last time, after the trace has been stopped. */
void triggers_end(void);

/* Run the commands of --until, when the recording is on disk. */
void triggers_written(void);
/* Print what has fired, for people. */
void triggers_print(void);

/* Add what has fired to the summary. */
void triggers_json(struct json_object *summary);

void triggers_free(void);

#endif /* LTTCTL_TRIGGERS_H */
