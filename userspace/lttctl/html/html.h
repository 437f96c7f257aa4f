/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * lttctl html: what the page of a recording contains.
 *
 * Layer: lttctl html.  The files, from the recording to the page:
 *
 *	collect.c, pairs.c, ...	read the recording, and fill a struct page
 *	track.c, events.c, names.c	keep what they are given in bounded memory
 *	write.c, levels.c, encode.c	write the page, with levels of detail
 *	embed.S, page/			the page's own sources
 */
#ifndef LTTCTL_HTML_HTML_H
#define LTTCTL_HTML_HTML_H

#include "events.h"
#include "names.h"
#include "track.h"

#include <ltt/ltttrace.h>

/* Losses that the table of the page has; more are counted together. */
#define LOSSES_MAX 1000

/**
 * struct page_thread - a thread
 * @tid: its id
 * @process: its process
 * @name: its name
 * @run: nanoseconds on a CPU
 */
struct page_thread {
	int32_t tid;
	uint32_t process;
	uint32_t name;
	uint64_t run;
};

/**
 * struct page_process - a process
 * @pid: its id; -1: threads whose process is not known
 * @name: its name
 * @is_kernel: it has threads of the kernel
 * @host: number of the machine, from 0 on
 */
struct page_process {
	int32_t pid;
	uint32_t name;
	bool is_kernel;
	uint32_t host;
};

/**
 * struct page_cpu - a CPU
 * @cpu: its number on its machine
 * @host: number of the machine
 */
struct page_cpu {
	uint32_t cpu;
	uint32_t host;
};

/**
 * struct page_loss - what is missing of a stream
 * @stream: the stream
 * @kind: events, packets, bytes that cannot be read, or a file that is cut
 * @start: nanoseconds since the begin of the page
 * @length: nanoseconds
 * @count: events, packets or bytes
 * @why: of bytes that cannot be read, a clause; a name
 */
struct page_loss {
	const struct ltttrace_stream *stream;
	enum ltttrace_record_kind kind;
	uint64_t start;
	uint64_t length;
	uint64_t count;
	uint32_t why;
};

/**
 * struct page - the content of a page
 * @paths: the directories, as the user named them
 * @nr_paths: number of @paths
 * @begin: nanoseconds since the Unix epoch
 * @span: nanoseconds
 * @nr_records: events of the recording
 * @names: all texts
 * @tracks: all rows
 * @events: fields of events
 * @hosts: names of machines; numbers in @names
 * @nr_hosts: number of @hosts
 * @cpus: CPUs: owners of tracks
 * @nr_cpus: number of @cpus
 * @threads: threads: owners of tracks
 * @nr_threads: number of @threads
 * @processes: processes
 * @nr_processes: number of @processes
 * @losses: the first LOSSES_MAX losses
 * @nr_losses: number of @losses
 * @more_losses: number of those beyond
 * @lost: sums, by enum ltttrace_record_kind
 */
struct page {
	const char *const *paths;
	size_t nr_paths;
	int64_t begin;
	uint64_t span;
	uint64_t nr_records;
	struct names names;
	struct tracks tracks;
	struct events events;
	uint32_t *hosts;
	size_t nr_hosts;
	struct page_cpu *cpus;
	size_t nr_cpus;
	struct page_thread *threads;
	size_t nr_threads;
	struct page_process *processes;
	size_t nr_processes;
	struct page_loss *losses;
	size_t nr_losses;
	uint64_t more_losses;
	uint64_t lost[LTTTRACE_CUT + 1];
};

/**
 * page_write() - write the page
 * @page: its content
 * @file: a file that is open for writing
 *
 * Return: 0; -ENOMEM; -errno of writing.
 */
int page_write(const struct page *page, FILE *file);

void page_free(struct page *page);

#endif /* LTTCTL_HTML_HTML_H */
