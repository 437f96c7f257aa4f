/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * From a recording to the content of a page.
 *
 * Layer: lttctl html, above the model.
 */
#ifndef LTTCTL_HTML_COLLECT_H
#define LTTCTL_HTML_COLLECT_H

#include "html.h"

#include "lttctl/model/recording.h"

/* The row of a track of points whose owner is a CPU.  The page knows this number. */
#define POINT_OF_CPU 0x80000000U

#define IRQ_NAMES 1024

struct slices;
struct interrupts;

/**
 * struct thread - what is known of a thread so far
 * @end: of its last state, in nanoseconds since the begin, + 1; 0: there was none
 * @run: nanoseconds on a CPU
 */
struct thread {
	uint64_t end;
	uint64_t run;
};

/**
 * struct collector - a page that is being filled
 * @page: the page
 * @recording: the recording, open
 * @interrupts: model of the interrupts
 * @slices: pairs of events, see pairs.h
 * @owners: tables of CPUs and processes, see owners.c
 * @threads: by the number of a task
 * @nr_threads: number of @threads
 * @roles: by the number of the event class: its role + 1, see records.c; 0: not known yet
 * @nr_roles: number of @roles
 * @counters: tracks whose last value lasts; see records.c
 * @nr_counters: number of @counters
 * @irq_names: by the number of an interrupt: its name + 1; 0: not known
 * @err: the first failure: -ENOMEM
 */
struct collector {
	struct page *page;
	struct recording *recording;
	struct interrupts *interrupts;
	struct slices *slices;
	struct owners *owners;
	struct thread *threads;
	size_t nr_threads;
	unsigned char *roles;
	size_t nr_roles;
	struct open_counter *counters;
	size_t nr_counters;
	uint32_t irq_names[IRQ_NAMES];
	int err;
};

/**
 * page_collect() - read recordings
 * @page: receives the content, to be freed by page_free(); also after a failure
 * @recording: open; it has to stay open as long as the page is used
 *
 * Return: an exit status, after a message if it is not 0.
 */
int page_collect(struct page *page, struct recording *recording);

/* --- For the files of this layer ---------------------------------------- */

/* Remember a failure of memory. */
void collector_check(struct collector *collector, int err);

/* Return: nanoseconds since the begin of the page; a time before that is the begin. */
uint64_t since_begin(const struct collector *collector, int64_t ns);

/* Append an item to a track, cut to the window. */
void collect_item(struct collector *collector, struct track *track, int64_t from_ns, int64_t to_ns, uint32_t value, int64_t extra);

/* As track_get(), which remembers a failure. */
struct track *collect_track(struct collector *collector, enum track_kind kind, uint32_t owner, uint32_t row, uint32_t name);
/* As name_number(), which remembers a failure, and then returns 0. */
uint32_t collect_name(struct collector *collector, const char *text);

/* owners.c: the numbers of processes and CPUs in the page; they are added when they are not there. */
uint32_t page_process_number(struct collector *collector, const struct task *task);
uint32_t page_cpu_number(struct collector *collector, const struct host *host, unsigned int cpu);
/* Fill in the threads, and the names of all owners. */
void owners_finish(struct collector *collector);
void owners_free(struct collector *collector);

/* records.c: all records; data is the collector. */
void collect_record(const struct ltttrace_record *record, void *data);
void records_finish(struct collector *collector);
void records_free(struct collector *collector);

#endif /* LTTCTL_HTML_COLLECT_H */
