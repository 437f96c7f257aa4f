// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The tracks of a trace of Perfetto: messages TrackDescriptor.
 *
 * Layer: lttctl export.  A track is described once, before its first event.
 */
#include "perfetto.h"

#include <stdio.h>
#include <string.h>

enum {
	DESCRIPTOR_UUID = 1,
	DESCRIPTOR_NAME = 2,
	DESCRIPTOR_PROCESS = 3,
	DESCRIPTOR_THREAD = 4,
	DESCRIPTOR_PARENT = 5,
	DESCRIPTOR_COUNTER = 8,

	PROCESS_PID = 1,
	PROCESS_NAME = 6,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_NAME = 5,
};

static void put_string(struct proto *to, uint32_t field, const char *text)
{
	proto_text(to, field, text, strlen(text));
}

size_t perfetto_begin_track(struct perfetto *perfetto, int64_t ns, uint64_t track, uint64_t parent, const char *name)
{
	size_t begin;

	perfetto_begin(perfetto, ns);
	begin = proto_begin(&perfetto->packet, PACKET_TRACK_DESCRIPTOR);
	proto_number(&perfetto->packet, DESCRIPTOR_UUID, track);
	if (parent)
		proto_number(&perfetto->packet, DESCRIPTOR_PARENT, parent);
	if (name)
		put_string(&perfetto->packet, DESCRIPTOR_NAME, name);
	return begin;
}

void perfetto_end_track(struct perfetto *perfetto, size_t begin)
{
	proto_end(&perfetto->packet, begin);
	perfetto_write(perfetto);
}

static void describe_thread(struct perfetto *perfetto, int64_t ns, const struct task *task)
{
	const uint64_t track = THREAD_TRACKS + task->number;
	size_t begin, thread;
	char name[24];

	if (!task->tid) {
		snprintf(name, sizeof(name), "CPU %u", task->cpu);
		perfetto_end_track(perfetto, perfetto_begin_track(perfetto, ns, track, 0, name));
		return;
	}
	begin = perfetto_begin_track(perfetto, ns, track, 0, NULL);
	thread = proto_begin(&perfetto->packet, DESCRIPTOR_THREAD);
	proto_number(&perfetto->packet, THREAD_PID, task_process(task));
	proto_number(&perfetto->packet, THREAD_TID, task->tid);
	if (task->comm[0])
		put_string(&perfetto->packet, THREAD_NAME, task->comm);
	proto_end(&perfetto->packet, thread);
	perfetto_end_track(perfetto, begin);
}

uint64_t perfetto_thread_track(struct perfetto *perfetto, int64_t ns, const struct task *task)
{
	struct thread *thread = perfetto_thread(perfetto, task);

	if (thread && !thread->has_track) {
		thread->has_track = true;
		describe_thread(perfetto, ns, task);
	}
	return THREAD_TRACKS + task->number;
}

static uint64_t process_track(struct perfetto *perfetto, int64_t ns, const struct task *task)
{
	const int64_t pid = task ? task_process(task) : 0;
	const struct task *leader;
	size_t begin, process;

	if (pid <= 0 || pid >= PROCESSES_MAX)
		return 0;
	if (!perfetto->processes[pid]) {
		perfetto->processes[pid] = true;
		leader = task_leader(perfetto->recording.tasks, task);
		begin = perfetto_begin_track(perfetto, ns, PROCESS_TRACKS + pid, 0, NULL);
		process = proto_begin(&perfetto->packet, DESCRIPTOR_PROCESS);
		proto_number(&perfetto->packet, PROCESS_PID, pid);
		if (leader->comm[0])
			put_string(&perfetto->packet, PROCESS_NAME, leader->comm);
		proto_end(&perfetto->packet, process);
		perfetto_end_track(perfetto, begin);
	}
	return PROCESS_TRACKS + pid;
}

uint64_t perfetto_stream_track(struct perfetto *perfetto, const struct ltttrace_record *record)
{
	const uint64_t number = record->stream->number;
	bool is_new;
	uint64_t track = track_pools_get(perfetto->tracks, -1 - (int64_t)number, 0, &is_new);

	if (is_new)
		perfetto_end_track(perfetto, perfetto_begin_track(perfetto, record->ns, OTHER_TRACKS + track, 0, record->stream->name));
	return OTHER_TRACKS + track;
}

uint64_t perfetto_other_track(struct perfetto *perfetto, const struct ltttrace_record *record, const struct task *task,
			    const struct marker *marker)
{
	const bool is_counter = marker->kind == MARKER_COUNTER;
	const int64_t pid = task ? task_process(task) : 0;
	bool is_new;
	uint64_t track = is_counter ? track_pools_get(perfetto->tracks, pid, marker->number, &is_new) :
				      track_pools_take(perfetto->tracks, pid, marker->number, &is_new);
	size_t begin;

	perfetto->failed |= !track;
	if (is_new) {
		const uint64_t parent = process_track(perfetto, record->ns, task);

		begin = perfetto_begin_track(perfetto, record->ns, OTHER_TRACKS + track, parent, marker->name);
		if (is_counter)
			proto_end(&perfetto->packet, proto_begin(&perfetto->packet, DESCRIPTOR_COUNTER));
		perfetto_end_track(perfetto, begin);
	}
	return track;
}
