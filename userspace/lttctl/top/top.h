/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * lttctl top: what a running system does, once an interval.
 *
 *	recorder.c   a private flight recorder, and a snapshot of it for each interval
 *	sample.c     what happened in an interval, by the model of the system
 *	print.c      a sample as text or JSON
 *	screen.c     the terminal: keys, and its size
 *
 * Layer: lttctl, on model/ and snapshot/.  Functions that return int return an exit status, after a message.
 */
#ifndef LTTCTL_TOP_H
#define LTTCTL_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "lttctl/record/event-patterns.h"

/* --- The recorder (recorder.c) ----------------------------------------------- */

struct lttctl;
struct lttctl_trace;

/**
 * struct recorder - a flight recorder that ends with this process
 * @ctl: the control connection
 * @trace: the private trace
 * @patterns: the events that the user names
 * @dir: a directory in memory, or in TMPDIR, for snapshots; "": there is none
 */
struct recorder {
	struct lttctl *ctl;
	struct lttctl_trace *trace;
	struct event_patterns patterns;
	char dir[256];
};

/**
 * recorder_start() - begin to record
 * @recorder: zeroed; describes the recorder afterwards; recorder_stop() ends it, also after a failure
 * @lists: patterns that must match events, see event_patterns_parse(); NULL: @defaults
 * @defaults: patterns, and NULL after the last
 */
int recorder_start(struct recorder *recorder, const char *const *lists, const char *const *defaults);

/**
 * recorder_snapshot() - write what the recorder holds
 * @recorder: the recorder
 * @path: receives the directory, in SNAPSHOT_PATH_SIZE bytes; the caller removes it
 */
int recorder_snapshot(struct recorder *recorder, char *path);
void recorder_stop(struct recorder *recorder);

/* --- Samples (sample.c) -------------------------------------------------------- */

/**
 * struct top_event - an event of a sample
 * @name: its name
 * @count: how often it was recorded
 */
struct top_event {
	char *name;
	uint64_t count;
};

/**
 * struct top_call - a system call of a sample
 * @name: its name
 * @count: calls that ended
 * @errors: those of them that failed
 * @total_ns: the time of those whose begin is known
 */
struct top_call {
	char *name;
	uint64_t count;
	uint64_t errors;
	int64_t total_ns;
};

/**
 * struct top_process - a process of a sample
 * @pid: the process
 * @name: the name of its first thread
 * @cpu_ns: the time that its threads ran
 * @switches: how often a thread of it was given a CPU
 * @wakes: wake-ups whose latency is known
 * @wake_ns: the sum of these latencies
 * @wake_max_ns: the longest of them
 * @calls: system calls that ended
 */
struct top_process {
	int64_t pid;
	char name[24];
	int64_t cpu_ns;
	uint64_t switches;
	uint64_t wakes;
	int64_t wake_ns;
	int64_t wake_max_ns;
	uint64_t calls;
};

/**
 * struct sample - what happened in an interval
 * @from_ns: its begin
 * @to_ns: its end
 * @covered_ns: the part at its end for which the buffers of all CPUs have the events
 * @cpus: CPUs that recorded something
 * @idle_ns: the time that idle threads ran
 * @nr_lost: events that were lost
 * @event: the events
 * @call: the system calls
 * @process: the processes, without the idle threads
 */
struct sample {
	int64_t from_ns;
	int64_t to_ns;
	int64_t covered_ns;
	unsigned int cpus;
	int64_t idle_ns;
	uint64_t nr_lost;
	struct top_event *event;
	size_t nr_events;
	struct top_call *call;
	size_t nr_calls;
	struct top_process *process;
	size_t nr_processes;
};

/**
 * sample_read() - read a snapshot
 * @sample: receives the sample, to be freed by sample_free() also after a failure
 * @path: the snapshot
 * @from_ns: the end of the last sample; INT64_MIN: the begin of the snapshot
 */
int sample_read(struct sample *sample, const char *path, int64_t from_ns);
void sample_free(struct sample *sample);

/**
 * enum top_order - how processes are sorted
 * @TOP_CPU: by the time on CPUs
 * @TOP_LATENCY: by the longest wake-up latency
 * @TOP_CALLS: by system calls
 * @TOP_SWITCHES: by switches
 */
enum top_order { TOP_CPU, TOP_LATENCY, TOP_CALLS, TOP_SWITCHES, TOP_ORDERS };

/* The names of the orders, for --sort and for people. */
extern const char *const top_orders[TOP_ORDERS];

/* Sort the processes; events and system calls are sorted by their numbers. */
void sample_sort(struct sample *sample, enum top_order order);

/* --- Text (print.c) ------------------------------------------------------------ */

/**
 * sample_print() - print a sample for people
 * @to: where to
 * @sample: the sample, sorted
 * @order: the column that is marked
 * @lines: how many lines there is room for; 0: any number
 * @columns: how long lines may be; 0: any length
 */
void sample_print(FILE *to, const struct sample *sample, enum top_order order, unsigned int lines, unsigned int columns);

/* Print a sample as one line of JSON. */
void sample_print_json(const struct sample *sample);

/* --- The terminal (screen.c) --------------------------------------------------- */

/**
 * enum key - what the user wants
 * @KEY_NONE: the time is over
 * @KEY_SORT: another order, in screen.order
 * @KEY_RECORD: begin or end a recording
 * @KEY_HELP: show or hide the keys
 * @KEY_QUIT: end; also a signal
 */
enum key { KEY_NONE, KEY_SORT, KEY_RECORD, KEY_HELP, KEY_QUIT };

/**
 * struct screen - the terminal
 * @is_terminal: keys are read, and samples replace each other; else both are false
 * @order: how to sort
 * @lines: of the terminal
 * @columns: of the terminal
 * @signals: signalfd
 */
struct screen {
	bool is_terminal;
	enum top_order order;
	unsigned int lines;
	unsigned int columns;
	int signals;
};

/* @uses_terminal: false with --once or --json.  screen_close() ends it, also after a failure. */
int screen_open(struct screen *screen, bool uses_terminal);
void screen_close(struct screen *screen);

/* Wait for a key until a time of the monotonic clock in milliseconds; one that is there is taken also after it. */
enum key screen_wait(struct screen *screen, int64_t until_ms);
int64_t screen_now_ms(void);

#endif /* LTTCTL_TOP_H */
