// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The tables of `lttctl stat`: see tables.h.
 *
 * Layer: lttctl stat.
 */
#include "tables.h"

#include "spark.h"

#include "lttctl/command.h"

#include <stdlib.h>
#include <string.h>

#define SPARK_WIDTH 20	/* of a row */

static double per_second(const struct stat *stat, uint64_t count)
{
	const int64_t length = stat->recording.to_ns - stat->recording.from_ns;

	return length > 0 ? count * 1e9 / length : 0;
}

/* Three cells: number, rate, bytes. */
static void set_counts(const struct stat *stat, struct cell *cells, uint64_t events, uint64_t bytes)
{
	cell_number(&cells[0], events);
	cell_real(&cells[1], per_second(stat, events));
	cell_number(&cells[2], bytes);
}

#define COUNT_COLUMNS \
	{ "Events", "events", COLUMN_NUMBER }, { "Rate", "rate", COLUMN_RATE }, { "Bytes", "bytes", COLUMN_NUMBER }

/* --- By event ----------------------------------------------------------------- */

static void add_class(struct count_class *sum, const struct count_class *more)
{
	size_t i;

	sum->events += more->events;
	sum->bytes += more->bytes;
	for (i = 0; i < COUNT_BUCKETS; i++)
		sum->buckets[i] += more->buckets[i];
}

/* Return: the number of the first class of the same name. */
static size_t first_of_name(const struct ltttrace *trace, size_t number)
{
	const char *name = ltttrace_event(trace, number)->name;
	size_t i;

	for (i = 0; i < number; i++)
		if (!strcmp(ltttrace_event(trace, i)->name, name))
			return i;
	return number;
}

/* Classes of one name, of several parts or with other contexts, have one row. */
static struct table *events_table(struct stat *stat)
{
	static const struct column columns[] = {
		{ "Event", "event", COLUMN_TEXT }, COUNT_COLUMNS, { "Over time", "over_time", COLUMN_TEXT }, { 0 }
	};
	const struct ltttrace *trace = stat->recording.trace;
	struct count_class *classes = stat->counts.classes;
	struct table *table = table_new("by_event", "Events", columns);
	struct cell *row;
	size_t i, first;

	for (i = 0; table && i < ltttrace_nr_events(trace); i++) {
		first = classes[i].events ? first_of_name(trace, i) : i;
		if (first != i) {
			add_class(&classes[first], &classes[i]);
			classes[i].events = 0;
		}
	}
	for (i = 0; table && i < ltttrace_nr_events(trace); i++) {
		row = classes[i].events ? table_add(table) : NULL;
		if (!row)
			continue;
		cell_text(&row[0], "%s", ltttrace_event(trace, i)->name);
		set_counts(stat, &row[1], classes[i].events, classes[i].bytes);
		cell_take(&row[4], spark_text(classes[i].buckets, COUNT_BUCKETS, SPARK_WIDTH));
	}
	return table;
}

/* --- By CPU, process and thread ------------------------------------------------ */

/* Add up what is under a key in @from under another one, which @key makes. */
static struct map *regroup(const struct stat *stat, const struct map *from,
			   struct map_key (*key_of)(const struct stat *stat, const struct map_key *key))
{
	struct map *to = map_new(sizeof(struct count_sum));
	const struct count_sum *more;
	struct count_sum *sum;
	struct map_key key;
	size_t i;

	for (i = 0; to && i < map_nr(from); i++) {
		more = map_at(from, i, &key);
		sum = map_get(to, key_of(stat, &key));
		if (!sum)
			continue;
		sum->events += more->events;
		sum->bytes += more->bytes;
	}
	return to;
}

static const struct host *host_of(const struct stat *stat, const struct map_key *key)
{
	return tasks_host_of(stat->recording.tasks, ltttrace_part(stat->recording.trace, key->number[0]));
}

static struct map_key cpu_key(const struct stat *stat, const struct map_key *key)
{
	return MAP_KEY(host_of(stat, key)->number, key->number[1]);
}

/* All threads 0 are one. */
static struct map_key thread_key(const struct stat *stat, const struct map_key *key)
{
	return MAP_KEY(host_of(stat, key)->number, key->number[1]);
}

static struct map_key process_key(const struct stat *stat, const struct map_key *key)
{
	const struct host *host = host_of(stat, key);
	const struct task *task = task_find(stat->recording.tasks, host, key->number[1], 0);

	return MAP_KEY(host->number, task ? (uint64_t)task_process(task) : key->number[1]);
}

static void name_host(const struct stat *stat, struct cell *cell, uint64_t host)
{
	if (tasks_nr_hosts(stat->recording.tasks) > 1)
		cell_text(cell, "%s", tasks_host(stat->recording.tasks, host)->name);
}

static void name_task(const struct stat *stat, struct cell *cell, uint64_t host, int64_t tid)
{
	const struct task *task = task_find(stat->recording.tasks, tasks_host(stat->recording.tasks, host), tid, 0);
	char name[24];

	if (!tid)
		cell_text(cell, "(idle)");
	else if (task)
		cell_text(cell, "%s", task_name(task, name));
}

/* A table by a number of a machine, of which @named names the thread. */
static struct table *numbers_table(struct stat *stat, struct table *table, struct map *sums, bool named)
{
	const struct count_sum *sum;
	struct map_key key;
	struct cell *row;
	size_t i;

	for (i = 0; table && sums && i < map_nr(sums); i++) {
		sum = map_at(sums, i, &key);
		row = table_add(table);
		if (!row)
			break;
		name_host(stat, &row[0], key.number[0]);
		if (named)
			name_task(stat, &row[1], key.number[0], key.number[1]);
		cell_number(&row[2], key.number[1]);
		set_counts(stat, &row[3], sum->events, sum->bytes);
	}
	map_free(sums);
	return table;
}

static struct table *cpus_table(struct stat *stat)
{
	static const struct column columns[] = {
		{ "Host", "host", COLUMN_TEXT }, { "Name", "name", COLUMN_TEXT }, { "CPU", "cpu", COLUMN_NUMBER },
		COUNT_COLUMNS, { 0 }
	};

	return numbers_table(stat, table_new("by_cpu", "CPUs", columns), regroup(stat, stat->counts.cpus, cpu_key), false);
}

static struct table *threads_table(struct stat *stat)
{
	static const struct column columns[] = {
		{ "Host", "host", COLUMN_TEXT }, { "Name", "name", COLUMN_TEXT }, { "TID", "tid", COLUMN_NUMBER },
		COUNT_COLUMNS, { 0 }
	};

	return numbers_table(stat, table_new("by_thread", "Threads that recorded events", columns),
			     regroup(stat, stat->counts.threads, thread_key), true);
}

static struct table *processes_table(struct stat *stat)
{
	static const struct column columns[] = {
		{ "Host", "host", COLUMN_TEXT }, { "Name", "name", COLUMN_TEXT }, { "PID", "pid", COLUMN_NUMBER },
		COUNT_COLUMNS, { 0 }
	};

	return numbers_table(stat, table_new("by_process", "Processes that recorded events", columns),
			     regroup(stat, stat->counts.threads, process_key), true);
}

/* --- By stream ------------------------------------------------------------------ */

static struct table *streams_table(struct stat *stat)
{
	static const struct column columns[] = {
		{ "Stream", "stream", COLUMN_TEXT }, { "CPU", "cpu", COLUMN_NUMBER }, COUNT_COLUMNS,
		{ "On disk", "disk_bytes", COLUMN_NUMBER }, { "Packets", "packets", COLUMN_NUMBER },
		{ "Lost events", "lost_events", COLUMN_NUMBER }, { "Overwritten packets", "lost_packets", COLUMN_NUMBER },
		{ "Unreadable", "unreadable", COLUMN_NUMBER }, { 0 }
	};
	const struct ltttrace *trace = stat->recording.trace;
	struct table *table = table_new("by_stream", "Streams", columns);
	const struct ltttrace_stream *stream;
	const struct count_stream *count;
	struct cell *row;
	size_t i;

	for (i = 0; table && i < ltttrace_nr_streams(trace); i++) {
		stream = ltttrace_stream(trace, i);
		count = &stat->counts.streams[i];
		row = stream->part->is_state ? NULL : table_add(table);
		if (!row)
			continue;
		cell_text(&row[0], "%s/%s", stream->part->name, stream->name);
		cell_number(&row[1], stream->cpu);
		set_counts(stat, &row[2], count->events, count->bytes);
		cell_number(&row[5], stream->bytes);
		cell_number(&row[6], stream->packets);
		cell_number(&row[7], count->lost_events);
		cell_number(&row[8], count->lost_packets);
		cell_number(&row[9], count->unreadable);
	}
	return table;
}

/* --- All ------------------------------------------------------------------------- */

static void sum_up(struct stat *stat)
{
	const struct ltttrace *trace = stat->recording.trace;
	const struct count_stream *stream;
	size_t i;

	for (i = 0; i < ltttrace_nr_events(trace); i++)
		add_class(&stat->total, &stat->counts.classes[i]);
	for (i = 0; i < ltttrace_nr_streams(trace); i++) {
		stream = &stat->counts.streams[i];
		stat->losses.lost_events += stream->lost_events;
		stat->losses.lost_packets += stream->lost_packets;
		stat->losses.unreadable += stream->unreadable;
		if (!ltttrace_stream(trace, i)->part->is_state)
			stat->disk_bytes += ltttrace_stream(trace, i)->bytes;
	}
	stat->spark = spark_text(stat->total.buckets, COUNT_BUCKETS, COUNT_BUCKETS);
}

static bool is_state_channel(const struct ltttrace_stream *stream, void *data)
{
	(void)data;
	return stream->is_state && !stream->part->is_state;
}

int stat_make(struct stat *stat, const char *const *dirs, const char *from, const char *to, size_t top)
{
	static struct table *(*const make[STAT_TABLES])(struct stat *stat) = {
		events_table, cpus_table, processes_table, threads_table, streams_table,
	};
	static const size_t order[STAT_TABLES] = { 1, 3, 3, 3, 7 };
	int err, status;
	size_t i;

	memset(stat, 0, sizeof(*stat));
	status = recording_open(&stat->recording, dirs, from, to);
	/* Threads that begin or get a name later. */
	if (!status)
		status = recording_read_streams(&stat->recording, is_state_channel, NULL);
	if (status)
		return status;
	/* The list of threads is written before the begin of the other channels. */
	err = count_records(stat->recording.trace, stat->recording.from_ns, stat->recording.to_ns, !from && !to,
			    &stat->counts);
	if (err)
		return complain("cannot read the recording: %s", strerror(-err));
	sum_up(stat);
	for (i = 0; i < STAT_TABLES; i++) {
		stat->tables[i] = make[i](stat);
		if (!stat->tables[i])
			return complain("out of memory");
		table_sort(stat->tables[i], order[i]);
		table_cut(stat->tables[i], top);
	}
	return 0;
}

void stat_release(struct stat *stat)
{
	size_t i;

	for (i = 0; i < STAT_TABLES; i++)
		table_free(stat->tables[i]);
	free(stat->spark);
	count_free(&stat->counts);
	recording_close(&stat->recording);
}

double stat_peak(const struct stat *stat)
{
	uint64_t most = 0;
	size_t i;

	for (i = 0; i < COUNT_BUCKETS; i++)
		if (stat->total.buckets[i] > most)
			most = stat->total.buckets[i];
	return per_second(stat, most) * COUNT_BUCKETS;
}

/* Streams are shown if something is missing, and threads on request. */
bool stat_is_shown(const struct stat *stat, enum stat_table table)
{
	if (table == STAT_STREAMS)
		return stat->losses.lost_events || stat->losses.lost_packets || stat->losses.unreadable;
	return table != STAT_THREADS;
}
