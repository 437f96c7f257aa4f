// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The costs of libltttrace:
 *
 *   read count DIR	count the events of each class, stream by stream
 *   read merged DIR	take all events in the order of time, and the first field of each
 *   read seek DIR	go to 1000 times, and take the first record of each
 *   read open DIR	open it, and take the first 100 records
 *   read make DIR BYTES	write a data file of this size into a copy of a part: packets of 256 KiB without records
 *
 * Prints the number of events, seeks or opens, and the CPU seconds.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <ltt/ltttrace.h>

#include "core/ctf.h"

#define PACKET	(256UL << 10)

static struct ltttrace *trace;

static void fail(const char *why)
{
	fprintf(stderr, "read: %s\n", why);
	exit(1);
}

static struct ltttrace_cursor *begin(const struct ltttrace_stream *stream)
{
	struct ltttrace_cursor *cursor;

	if (stream ? ltttrace_read(trace, stream, &cursor) : ltttrace_merge(trace, NULL, NULL, &cursor))
		fail("out of memory");
	return cursor;
}

static unsigned long count(void)
{
	unsigned long *counts = calloc(ltttrace_nr_events(trace) + 1, sizeof(*counts)), events = 0;
	const struct ltttrace_record *record;
	struct ltttrace_cursor *cursor;
	size_t i;

	for (i = 0; i < ltttrace_nr_streams(trace); i++) {
		cursor = begin(ltttrace_stream(trace, i));
		while (ltttrace_next(cursor, &record) > 0)
			if (record->event)
				counts[record->event->number]++;
		ltttrace_cursor_free(cursor);
	}
	for (i = 0; i < ltttrace_nr_events(trace); i++)
		events += counts[i];
	free(counts);
	return events;
}

static unsigned long merged(void)
{
	struct ltttrace_cursor *cursor = begin(NULL);
	const struct ltttrace_record *record;
	static volatile uint64_t sum;
	unsigned long events = 0;

	while (ltttrace_next(cursor, &record) > 0)
		if (record->event) {
			if (record->event->payload < record->event->nr_fields)
				sum += ltttrace_value(record, record->event->payload).u;
			events++;
		}
	ltttrace_cursor_free(cursor);
	return events;
}

static unsigned long seek(void)
{
	struct ltttrace_cursor *cursor = begin(NULL);
	const struct ltttrace_record *record;
	unsigned long i, found = 0;
	int64_t first, last;

	if (!ltttrace_span(trace, &first, &last))
		fail("there are no events");
	for (i = 0; i < 1000; i++)
		found += !ltttrace_seek(cursor, first + (last - first) / 1000 * (i * 7919 % 1000)) &&
			 ltttrace_next(cursor, &record) > 0;
	ltttrace_cursor_free(cursor);
	return found;
}

static unsigned long first_screen(void)
{
	struct ltttrace_cursor *cursor = begin(NULL);
	const struct ltttrace_record *record;
	unsigned int i;

	for (i = 0; i < 100 && ltttrace_next(cursor, &record) > 0; i++)
		;
	ltttrace_cursor_free(cursor);
	return 1;
}

/* The file is sparse: of each packet, only the page of its header is on disk. */
static void make(const char *path, unsigned long bytes)
{
	struct ltt_ctf_packet header = { 0 };
	char name[4096];
	unsigned long at;
	int from, to;

	snprintf(name, sizeof(name), "%s/events_0", path);
	from = open(name, O_RDONLY);
	if (from < 0 || read(from, &header, sizeof(header)) != sizeof(header))
		fail("cannot read events_0");
	close(from);
	to = open(name, O_WRONLY | O_TRUNC);
	if (to < 0)
		fail("cannot write events_0");
	header.packet_size = PACKET * 8;
	header.content_size = sizeof(header) * 8;
	header.timestamp_end = header.timestamp_begin;
	for (at = 0; at + PACKET <= bytes; at += PACKET) {
		if (pwrite(to, &header, sizeof(header), at) != sizeof(header))
			fail("cannot write events_0");
		header.packet_seq_num++;
	}
	if (ftruncate(to, at))
		fail("cannot write events_0");
	close(to);
}

int main(int argc, char **argv)
{
	static const struct { const char *name; unsigned long (*run)(void); } runs[] = {
		{ "count", count }, { "merged", merged }, { "seek", seek }, { "open", first_screen },
	};
	struct ltttrace_error error;
	struct timespec began, ended;
	unsigned long n;
	size_t i;

	if (argc == 4 && !strcmp(argv[1], "make")) {
		make(argv[2], strtoul(argv[3], NULL, 0));
		return 0;
	}
	if (argc != 3)
		fail("usage: read count|merged|seek|open DIR");
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
	if (ltttrace_open((const char *const *)argv + 2, 1, 0, &trace, &error))
		fail(error.text);
	for (i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		if (!strcmp(runs[i].name, argv[1])) {
			n = runs[i].run();
			clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
			printf("%lu %.6f\n", n, ended.tv_sec - began.tv_sec + (ended.tv_nsec - began.tv_nsec) * 1e-9);
			ltttrace_close(trace);
			return 0;
		}
	fail("no such measurement");
}
