/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A trace of Perfetto: what the files of lttctl export --perfetto share.
 *
 * Layer: lttctl export.  Source of the numbers of fields: perfetto.dev/docs/reference/trace-packet-proto.
 */
#ifndef LTTCTL_EXPORT_PERFETTO_H
#define LTTCTL_EXPORT_PERFETTO_H

#include "lttctl/model/output-file.h"
#include "lttctl/model/recording.h"
#include "markers.h"
#include "common/proto.h"
#include "track-pools.h"

enum {
	TRACE_PACKET = 1,

	PACKET_FTRACE_EVENTS = 1,
	PACKET_PROCESS_TREE = 2,
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_SYSTEM_INFO = 45,
	PACKET_TRACK_DESCRIPTOR = 60,

	SEQUENCE_CLEARED = 1,
	SEQUENCE_NEEDS_STATE = 2,
	SEQUENCE_ID = 1,
};

/* Numbers of tracks, "uuid". */
#define THREAD_TRACKS	(1ULL << 40)	/* and the number of the task */
#define CALL_TRACKS	(2ULL << 40)
#define OTHER_TRACKS	(3ULL << 40)	/* and a number of track-pools.h */
#define PROCESS_TRACKS	(4ULL << 40)	/* and the process id */

/**
 * struct bundle - events of the kernel on a CPU that have not been written
 * @events: a message FtraceEventBundle without its first fields
 * @nr: number of events
 * @lost: events were lost before them
 */
struct bundle {
	struct proto events;
	unsigned int nr;
	bool lost;
};

/**
 * struct thread - a thread in the trace
 * @pid: the process that it has been described with; TASK_UNKNOWN: it has not been described
 * @has_track: its track has been described
 * @has_calls: its track of system calls has been described
 */
struct thread {
	int64_t pid;
	bool has_track;
	bool has_calls;
};

/**
 * struct class - a class of events in the trace
 * @is_kernel: of a kernel
 * @is_skipped: not exported
 * @native: index in the table of perfetto-ftrace.c; -1: none
 * @call: number of the system call; -1: none
 * @is_call_end: the call ends
 * @fields: numbers of the names of fields, for annotations
 */
struct class {
	bool is_known;
	bool is_kernel;
	bool is_skipped;
	int native;
	int call;
	bool is_call_end;
	uint32_t *fields;
};

struct perfetto {
	struct recording recording;
	struct output_file *out;
	struct markers *markers;
	struct track_pools *tracks;
	struct proto packet;		/* that is being made */
	struct proto interned;		/* for the next packet of the sequence */
	struct bundle *bundles;		/* by CPU */
	size_t nr_bundles;
	struct thread *threads;		/* by the number of the task */
	size_t nr_threads;
	struct class *classes;		/* by the number of the event class */
	char **field_names;		/* the names of annotations; their numbers are from 1 on */
	unsigned int nr_field_names;
	unsigned int nr_interned_names;	/* of markers */
	bool *processes;		/* have a track, by process id */
	bool failed;
};

#define PROCESSES_MAX (1 << 22)

/* Write the packet that is being made. */
void perfetto_write(struct perfetto *perfetto);

/* Begin a packet of the sequence. */
void perfetto_begin(struct perfetto *perfetto, int64_t ns);

/* Return: what is known about a thread; NULL if memory is out. */
struct thread *perfetto_thread(struct perfetto *perfetto, const struct task *task);

/* Add a record of the kernel to the bundle of its CPU: as the event that Perfetto knows, or as one by its name. */
void perfetto_ftrace(struct perfetto *perfetto, const struct ltttrace_record *record, const struct class *class);

/* Find the event of Perfetto for a class.  Return: -1 if there is none. */
int perfetto_native(const struct ltttrace_event *event);

/* Write the events of a CPU. */
void perfetto_flush(struct perfetto *perfetto, unsigned int cpu);

/* Return: the bundle of a CPU; NULL if memory is out. */
struct bundle *perfetto_bundle(struct perfetto *perfetto, unsigned int cpu);

/**
 * perfetto_begin_track() - begin the description of a track, in a packet of its own
 * @perfetto: the trace
 * @ns: its time
 * @track: its number
 * @parent: the number of the track that it belongs to; 0: none
 * @name: its name; NULL: Perfetto names it
 *
 * Return: for perfetto_end_track().
 */
size_t perfetto_begin_track(struct perfetto *perfetto, int64_t ns, uint64_t track, uint64_t parent, const char *name);
void perfetto_end_track(struct perfetto *perfetto, size_t begin);

/* Return: the track of a thread. */
uint64_t perfetto_thread_track(struct perfetto *perfetto, int64_t ns, const struct task *task);

/* Return: the track of the events of a data stream, in a recording without thread ids. */
uint64_t perfetto_stream_track(struct perfetto *perfetto, const struct ltttrace_record *record);

/* Return: the track of a counter, or one for an async slice, without OTHER_TRACKS. */
uint64_t perfetto_other_track(struct perfetto *perfetto, const struct ltttrace_record *record, const struct task *task,
			      const struct marker *marker);

/* Write a marker, or another event with a group, on the track of its thread. */
void perfetto_marker(struct perfetto *perfetto, const struct ltttrace_record *record, struct class *class);

/* Write a system call that has no number, or whose event has its duration. */
void perfetto_call(struct perfetto *perfetto, const struct ltttrace_record *record);

#endif /* LTTCTL_EXPORT_PERFETTO_H */
