// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Counting the records of a recording: see count.h.
 *
 * Layer: lttctl stat.
 */
#include "count.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_WORKERS 64

/* The work, which all workers share. */
struct job {
	const struct ltttrace *trace;
	int64_t from_ns;
	int64_t to_ns;
	bool all;
	atomic_uint next;	/* number of the next stream */
};

/* A thread of this program, with its own counts. */
struct worker {
	pthread_t thread;
	bool has_thread;
	struct job *job;
	struct counts counts;
	int err;
};

static int counts_init(struct counts *counts, const struct ltttrace *trace)
{
	counts->classes = calloc(ltttrace_nr_events(trace) + 1, sizeof(*counts->classes));
	counts->streams = calloc(ltttrace_nr_streams(trace) + 1, sizeof(*counts->streams));
	counts->threads = map_new(sizeof(struct count_sum));
	counts->cpus = map_new(sizeof(struct count_sum));
	return counts->classes && counts->streams && counts->threads && counts->cpus ? 0 : -ENOMEM;
}

void count_free(struct counts *counts)
{
	free(counts->classes);
	free(counts->streams);
	map_free(counts->threads);
	map_free(counts->cpus);
	memset(counts, 0, sizeof(*counts));
}

static void count_loss(struct count_stream *stream, const struct ltttrace_record *record)
{
	if (record->kind == LTTTRACE_LOST_EVENTS)
		stream->lost_events += record->count;
	else if (record->kind == LTTTRACE_LOST_PACKETS)
		stream->lost_packets += record->count;
	else
		stream->unreadable++;
}

/**
 * struct place - where the counts of the last event of a stream are
 * @bucket: its part of the window
 * @bucket_end_ns: the end of that
 * @tid: its thread id
 * @thread: the counts of that
 * @cpu: its CPU
 * @of_cpu: the counts of that
 */
struct place {
	unsigned int bucket;
	int64_t bucket_end_ns;
	int64_t tid;
	struct count_sum *thread;
	unsigned int cpu;
	struct count_sum *of_cpu;
};

static int64_t end_of_bucket(const struct job *job, unsigned int bucket)
{
	/* The window has at least one nanosecond. It is divided first, as a product with all of it could overflow. */
	int64_t window_ns = job->to_ns - job->from_ns + 1;

	return job->from_ns + window_ns / COUNT_BUCKETS * (bucket + 1) +
	       window_ns % COUNT_BUCKETS * (bucket + 1) / COUNT_BUCKETS;
}

/* Threads and CPUs of consecutive events are mostly the same.  Return: false if memory is out. */
static bool find_place(struct worker *worker, struct place *place, const struct ltttrace_record *record, int64_t tid)
{
	const unsigned int part = record->event->part->number;

	while (record->ns >= place->bucket_end_ns && place->bucket < COUNT_BUCKETS - 1)
		place->bucket_end_ns = end_of_bucket(worker->job, ++place->bucket);
	if (!place->thread || place->tid != tid) {
		place->thread = map_get(worker->counts.threads, MAP_KEY(part, tid));
		place->tid = tid;
	}
	if (!place->of_cpu || place->cpu != record->cpu) {
		place->of_cpu = map_get(worker->counts.cpus, MAP_KEY(part, record->cpu));
		place->cpu = record->cpu;
	}
	return place->thread && place->of_cpu;
}

static int count_event(struct worker *worker, struct place *place, const struct ltttrace_record *record)
{
	struct count_class *class = &worker->counts.classes[record->event->number];
	const int64_t tid = record->event->tid < 0 ? 0 : ltttrace_integer(record, record->event->tid);

	if ((record->ns >= place->bucket_end_ns || place->tid != tid || place->cpu != record->cpu || !place->thread) &&
	    !find_place(worker, place, record, tid))
		return -ENOMEM;
	class->events++;
	class->bytes += record->size;
	class->buckets[place->bucket]++;
	place->thread->events++;
	place->thread->bytes += record->size;
	place->of_cpu->events++;
	place->of_cpu->bytes += record->size;
	return 0;
}

static int count_stream(struct worker *worker, const struct ltttrace_stream *stream)
{
	struct count_stream *sum = &worker->counts.streams[stream->number];
	struct place place = { .bucket_end_ns = end_of_bucket(worker->job, 0) };
	const struct ltttrace_record *record;
	struct ltttrace_cursor *cursor;
	int err = ltttrace_read(worker->job->trace, stream, &cursor);

	if (err)
		return err;
	if (!worker->job->all && worker->job->from_ns > stream->first_ns)
		err = ltttrace_seek(cursor, worker->job->from_ns);
	while (!err && (err = ltttrace_next(cursor, &record)) > 0 &&
	       (worker->job->all || record->ns <= worker->job->to_ns)) {
		err = 0;
		if (record->kind != LTTTRACE_EVENT) {
			count_loss(sum, record);
			continue;
		}
		sum->events++;
		sum->bytes += record->size;
		err = count_event(worker, &place, record);
	}
	ltttrace_cursor_free(cursor);
	return err < 0 ? err : 0;
}

static void *work(void *data)
{
	struct worker *worker = data;
	const struct ltttrace *trace = worker->job->trace;
	unsigned int number;

	while (!worker->err && (number = atomic_fetch_add(&worker->job->next, 1)) < ltttrace_nr_streams(trace))
		if (!ltttrace_stream(trace, number)->part->is_state)
			worker->err = count_stream(worker, ltttrace_stream(trace, number));
	return NULL;
}

static int add_sums(struct map *to, const struct map *from)
{
	const struct count_sum *more;
	struct count_sum *sum;
	struct map_key key;
	size_t i;

	for (i = 0; i < map_nr(from); i++) {
		more = map_at(from, i, &key);
		sum = map_get(to, key);
		if (!sum)
			return -ENOMEM;
		sum->events += more->events;
		sum->bytes += more->bytes;
	}
	return 0;
}

static int add_counts_of(struct counts *to, const struct counts *from, const struct ltttrace *trace)
{
	size_t i, bucket;
	int err;

	for (i = 0; i < ltttrace_nr_events(trace); i++) {
		to->classes[i].events += from->classes[i].events;
		to->classes[i].bytes += from->classes[i].bytes;
		for (bucket = 0; bucket < COUNT_BUCKETS; bucket++)
			to->classes[i].buckets[bucket] += from->classes[i].buckets[bucket];
	}
	/* One worker has counted a stream. */
	for (i = 0; i < ltttrace_nr_streams(trace); i++)
		if (from->streams[i].events || from->streams[i].lost_events || from->streams[i].lost_packets ||
		    from->streams[i].unreadable)
			to->streams[i] = from->streams[i];
	err = add_sums(to->threads, from->threads);
	return err ? err : add_sums(to->cpus, from->cpus);
}

static unsigned int nr_workers(const struct ltttrace *trace)
{
	long nr = sysconf(_SC_NPROCESSORS_ONLN);

	if (nr > (long)ltttrace_nr_streams(trace))
		nr = ltttrace_nr_streams(trace);
	return nr < 1 ? 1 : nr > MAX_WORKERS ? MAX_WORKERS : nr;
}

int count_records(const struct ltttrace *trace, int64_t from_ns, int64_t to_ns, bool all, struct counts *counts)
{
	struct job job = { .trace = trace, .from_ns = from_ns, .to_ns = to_ns, .all = all };
	unsigned int i, started, nr = nr_workers(trace);
	struct worker workers[MAX_WORKERS] = { 0 };
	int err = counts_init(counts, trace);

	for (started = 0; !err && started < nr; started++) {
		workers[started].job = &job;
		err = counts_init(&workers[started].counts, trace);
		/* The first one is this thread.  If another one does not start, the others do its work. */
		if (!err && started)
			workers[started].has_thread = !pthread_create(&workers[started].thread, NULL, work, &workers[started]);
	}
	if (!err)
		work(&workers[0]);
	for (i = 0; i < started; i++) {
		if (workers[i].has_thread)
			pthread_join(workers[i].thread, NULL);
		if (!err)
			err = workers[i].err;
		if (!err)
			err = add_counts_of(counts, &workers[i].counts, trace);
		count_free(&workers[i].counts);
	}
	return err;
}
