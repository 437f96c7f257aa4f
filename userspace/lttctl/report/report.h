/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The kinds of reports.
 *
 * A kind says which events it needs and which functions take them; report.c opens the recording, checks the needs, adds the
 * functions, reads, and prints the tables that the kind has made at the end.  report_release() frees
 * whatever report_map() and report_table() have allocated.
 *
 * A kind collects by thread (the number of struct task), and groups threads at the end: by then more is known about their names and
 * processes.
 *
 * Layer: lttctl report, above lttctl/model.
 */
#ifndef LTTCTL_REPORT_REPORT_H
#define LTTCTL_REPORT_REPORT_H

#include "lttctl/model/devices.h"
#include "lttctl/model/interrupts.h"
#include "lttctl/model/recording.h"
#include "map.h"
#include "table.h"

/**
 * enum report_by - what a row stands for
 * @BY_PROCESS: a process
 * @BY_THREAD: a thread
 * @BY_NAME: all threads of a name
 * @BY_CPU: a CPU
 * @BY_CALL: a system call
 * @BY_IRQ: an interrupt
 * @BY_DEVICE: a block or network device
 */
enum report_by {
	BY_PROCESS,
	BY_THREAD,
	BY_NAME,
	BY_CPU,
	BY_CALL,
	BY_IRQ,
	BY_DEVICE,
	BY_KINDS,
};

struct report;

/**
 * struct report_event - an event that a kind takes
 * @event: its name, see dispatch_on()
 * @fields: its fields, see dispatch_on()
 * @pattern: what to record for it; NULL: the event may be missing
 * @fn: the function; its data is the struct report; NULL: the model takes it
 */
struct report_event {
	const char *event;
	const char *const *fields;
	const char *pattern;
	dispatch_fn *fn;
};

/**
 * struct report_kind - a kind of reports
 * @name: NAME of `lttctl report NAME`
 * @summary: for people
 * @takes_thread: it takes a thread id before the directories
 * @by: the groups that --by takes, a bit for each; 0: --by is an error
 * @default_by: the group without --by
 * @events: the events, and one without a name after the last
 * @size: bytes of report->data
 * @prepare: called before reading; NULL: nothing to do; returns 0, or an exit status after a message
 * @interval: NULL, or see struct sched_listener; and so on; the data is the struct report
 * @wake: as @interval
 * @migration: as @interval
 * @call: NULL, or see calls_listen()
 * @interrupt: NULL, or see interrupts_listen()
 * @finish: makes the tables, by report_table()
 */
struct report_kind {
	const char *name;
	const char *summary;
	bool takes_thread;
	unsigned int by;
	enum report_by default_by;
	const struct report_event *events;
	size_t size;
	int (*prepare)(struct report *report);
	void (*interval)(const struct sched_interval *interval, void *data);
	void (*wake)(const struct sched_wake *wake, void *data);
	void (*migration)(const struct sched_migration *migration, void *data);
	call_fn *call;
	interrupt_fn *interrupt;
	void (*finish)(struct report *report);
};

#define REPORT_TABLES	4
#define REPORT_MAPS	8

/**
 * struct report - a report that is made
 * @kind: its kind
 * @recording: the recording
 * @devices: the names of devices
 * @by: --by
 * @top: --top; 0: all rows
 * @tid: the thread id, if the kind takes one; else -1
 * @chain: --chain of `report wakers`; -1 without
 * @data: @kind->size bytes, zero at first
 * @tables: the tables
 * @out_of_memory: something is not counted
 */
struct report {
	const struct report_kind *kind;
	struct recording recording;
	struct devices *devices;
	enum report_by by;
	size_t top;
	int64_t tid;
	int64_t chain;
	void *data;
	struct table *tables[REPORT_TABLES];
	size_t nr_tables;
	struct map *maps[REPORT_MAPS];
	size_t nr_maps;
	struct sched_listener listener;
	struct interrupts *interrupts;
	bool out_of_memory;
};

extern const struct report_kind report_cpu, report_sched, report_syscalls, report_irq, report_block, report_net,
	report_faults, report_wakers, report_timeline;

/* Return: the kind of a name; NULL if there is none. */
const struct report_kind *report_find(const char *name);

/* Return: kind @n, from 0 on; NULL after the last. */
const struct report_kind *report_kind_at(size_t n);

/**
 * report_make() - make a report
 * @report: with kind, by, top, tid and chain set, and all else zero; receives the tables
 * @dirs: the recordings, and NULL after the last
 * @from: NULL, or the begin of the window
 * @to: NULL, or its end
 *
 * Return: 0, or an exit status after a message.  In both cases report_release() is due.
 */
int report_make(struct report *report, const char *const *dirs, const char *from, const char *to);

/* Return: true if the recording has what the kind needs; no message is printed. */
bool report_is_possible(const struct report_kind *kind, const struct recording *recording);

void report_release(struct report *report);

/* --- For kinds --------------------------------------------------------------- */

/* Return: a map of values of @size bytes; NULL if memory is out. */
struct map *report_map(struct report *report, size_t size);

/* As map_get(); remembers that memory was out. */
void *report_get(struct report *report, struct map *map, struct map_key key);

/* Return: a table as table_new() makes it, which is printed at the end; NULL if memory is out. */
struct table *report_table(struct report *report, const char *name, const char *title, const struct column *columns);

/* Return: true if a moment is in the window. */
static inline bool report_has(const struct report *report, int64_t ns)
{
	return ns >= report->recording.from_ns && ns <= report->recording.to_ns;
}

/* --- Rows (group.c) ----------------------------------------------------------- */

/**
 * report_key() - make the key under which a kind collects figures
 * @report: the report
 * @task: the thread; NULL if it is not known
 * @host: the machine
 * @cpu: the CPU
 * @more: a number of the kind's own
 *
 * Return: with --by cpu, a key of the CPU; else one of the thread.
 */
struct map_key report_key(const struct report *report, const struct task *task, const struct host *host, unsigned int cpu,
			  uint64_t more);

#define REPORT_NO_TASK UINT64_MAX	/* in a key: a thread that is not known */

/**
 * report_group() - find the group of a thread, of a process or name
 * @report: the report
 * @names: a map of uint64_t that the calls of one report share
 * @number: the number of the task, or REPORT_NO_TASK
 *
 * Return: the number of the task that stands for the group.
 */
uint64_t report_group(struct report *report, struct map *names, uint64_t number);

/**
 * report_fold() - add up the figures of all threads that share a row
 * @report: the report
 * @from: a map with keys of report_key()
 * @size: bytes of its values
 * @sum: adds the value @more to @sum, which is zero at first
 *
 * Return: a map with a key for each row; NULL if memory is out.
 */
struct map *report_fold(struct report *report, const struct map *from, size_t size,
			void (*sum)(void *sum, const void *more));

/* The columns of the name of a row by process, thread, name or CPU. */
#define GROUP_COLUMNS \
	{ "Name", "name", COLUMN_TEXT }, { "PID", "pid", COLUMN_NUMBER }, { "TID", "tid", COLUMN_NUMBER }, \
	{ "CPU", "cpu", COLUMN_NUMBER }, { "Host", "host", COLUMN_TEXT }
#define NR_GROUP_COLUMNS 5

/* Set these columns to the name of a row of report_fold(). */
void report_name_row(const struct report *report, struct cell *row, const struct map_key *key);

/* Set the first three and the last one to the name of a thread, and of its process. */
void report_name_task(const struct report *report, struct cell *row, const struct task *task);

/* Return: the word of --by. */
const char *report_by_text(enum report_by by);

/* --- Figures ------------------------------------------------------------------ */

/**
 * struct figures - how long something took
 * @count: how often
 * @total_ns: sum
 * @max_ns: the longest
 * @max_at_ns: the moment of the longest
 */
struct figures {
	uint64_t count;
	int64_t total_ns;
	int64_t max_ns;
	int64_t max_at_ns;
};

void figures_add(struct figures *figures, int64_t ns, int64_t at_ns);
void figures_sum(struct figures *sum, const struct figures *more);

/* Columns of figures: how often, the sum, the average, the longest and its moment. */
#define FIGURES_COLUMNS(count, member) \
	{ count, member "count", COLUMN_NUMBER }, { "Total", member "total_ns", COLUMN_MS }, \
	{ "Average", member "average_ns", COLUMN_US }, { "Longest", member "max_ns", COLUMN_US }, \
	{ "At", member "max_at_ns", COLUMN_MOMENT }
#define NR_FIGURES_COLUMNS 5

/* Set the five columns; without a count, only that one. */
void figures_cells(struct cell *cells, const struct figures *figures);

#endif /* LTTCTL_REPORT_REPORT_H */
