// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl export --perfetto: a trace that ui.perfetto.dev and trace_processor open.
 *
 * Layer: lttctl export.  All times are nanoseconds since the Unix epoch.  Perfetto takes them for those of its clock BOOTTIME, and
 * sorts the events by them: packets can come in any order.  The memory that this takes does not grow with the recording.
 */
#include "export.h"
#include "perfetto.h"
#include "value.h"
#include "lttctl/command.h"
#include "lttctl/model/call-numbers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

enum {
	TREE_PROCESSES = 1,
	TREE_THREADS = 2,
	TREE_PID = 1,
	TREE_PPID = 2,
	TREE_CMDLINE = 3,
	TREE_TID = 1,
	TREE_NAME = 2,
	TREE_TGID = 3,

	SNAPSHOT_CLOCKS = 1,
	SNAPSHOT_PRIMARY = 2,
	CLOCK_ID = 1,
	CLOCK_TIMESTAMP = 2,
	PERFETTO_REALTIME = 1,
	PERFETTO_MONOTONIC = 3,
	PERFETTO_BOOTTIME = 6,

	INFO_UTSNAME = 1,
	UTSNAME_SYSNAME = 1,
	UTSNAME_VERSION = 2,
	UTSNAME_RELEASE = 3,
	UTSNAME_MACHINE = 4,
};

static void put_string(struct proto *to, uint32_t field, const char *text)
{
	proto_text(to, field, text, strlen(text));
}

/* --- Packets -------------------------------------------------------------------- */

void perfetto_write(struct perfetto *perfetto)
{
	struct proto head = { 0 };

	perfetto->failed |= perfetto->packet.failed;
	if (!perfetto->failed) {
		/* The tag and the length, before the packet. */
		proto_number(&head, TRACE_PACKET, perfetto->packet.len);
		if (head.failed) {
			perfetto->failed = true;
		} else {
			head.data[0] = TRACE_PACKET << 3 | 2;
			fwrite(head.data, 1, head.len, perfetto->out->stream);
			fwrite(perfetto->packet.data, 1, perfetto->packet.len, perfetto->out->stream);
		}
		free(head.data);
	}
	perfetto->packet.len = 0;
}

void perfetto_begin(struct perfetto *perfetto, int64_t ns)
{
	size_t begin;

	proto_number(&perfetto->packet, PACKET_TIMESTAMP, ns);
	proto_number(&perfetto->packet, PACKET_SEQUENCE, SEQUENCE_ID);
	proto_number(&perfetto->packet, PACKET_SEQUENCE_FLAGS, SEQUENCE_NEEDS_STATE);
	if (perfetto->interned.len) {
		begin = proto_begin(&perfetto->packet, PACKET_INTERNED_DATA);
		proto_append(&perfetto->packet, &perfetto->interned);
		proto_end(&perfetto->packet, begin);
		perfetto->interned.len = 0;
	}
}

static void put_clocks(struct perfetto *perfetto, int64_t ns)
{
	static const unsigned int clocks[] = { PERFETTO_BOOTTIME, PERFETTO_MONOTONIC, PERFETTO_REALTIME };
	struct proto *to = &perfetto->packet;
	size_t snapshot, clock, i;

	proto_number(to, PACKET_TIMESTAMP, ns);
	proto_number(to, PACKET_SEQUENCE, SEQUENCE_ID);
	proto_number(to, PACKET_SEQUENCE_FLAGS, SEQUENCE_CLEARED);
	snapshot = proto_begin(to, PACKET_CLOCK_SNAPSHOT);
	for (i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		clock = proto_begin(to, SNAPSHOT_CLOCKS);
		proto_number(to, CLOCK_ID, clocks[i]);
		proto_number(to, CLOCK_TIMESTAMP, ns);
		proto_end(to, clock);
	}
	proto_number(to, SNAPSHOT_PRIMARY, PERFETTO_BOOTTIME);
	proto_end(to, snapshot);
	perfetto_write(perfetto);
}

/* By the release and machine, Perfetto knows the states of threads and the numbers of system calls. */
static void put_system(struct perfetto *perfetto)
{
	const struct ltttrace_part *part = ltttrace_part(perfetto->recording.trace, 0);
	const char *names[] = { ltttrace_env(part, "sysname"), ltttrace_env(part, "kernel_version"),
				ltttrace_env(part, "kernel_release"), NULL };
	struct proto *to = &perfetto->packet;
	struct utsname here;
	size_t info, name;
	uint32_t i;

	if (!uname(&here))
		names[UTSNAME_MACHINE - 1] = here.machine;
	info = proto_begin(to, PACKET_SYSTEM_INFO);
	name = proto_begin(to, INFO_UTSNAME);
	for (i = 0; i < UTSNAME_MACHINE; i++)
		if (names[i])
			put_string(to, i + 1, names[i]);
	proto_end(to, name);
	proto_end(to, info);
	perfetto_write(perfetto);
}

/* --- Processes -------------------------------------------------------------------- */

struct thread *perfetto_thread(struct perfetto *perfetto, const struct task *task)
{
	struct thread *more;
	size_t nr;

	if (task->number >= perfetto->nr_threads) {
		nr = task->number + task->number / 2 + 64;
		more = reallocarray(perfetto->threads, nr, sizeof(*more));
		if (!more) {
			perfetto->failed = true;
			return NULL;
		}
		for (; perfetto->nr_threads < nr; perfetto->nr_threads++)
			more[perfetto->nr_threads] = (struct thread){ .pid = TASK_UNKNOWN };
		perfetto->threads = more;
	}
	return &perfetto->threads[task->number];
}

/* Describe a thread, and its process, as soon as that is known. */
static void put_task(struct perfetto *perfetto, const struct task *task, int64_t ns)
{
	struct thread *thread = perfetto_thread(perfetto, task);
	const struct task *leader;
	struct proto *to = &perfetto->packet;
	size_t tree, entry;

	if (!thread || !task->tid || task->pid == TASK_UNKNOWN || thread->pid == task->pid)
		return;
	thread->pid = task->pid;
	leader = task_leader(perfetto->recording.tasks, task);
	proto_number(to, PACKET_TIMESTAMP, ns);
	tree = proto_begin(to, PACKET_PROCESS_TREE);
	entry = proto_begin(to, TREE_PROCESSES);
	proto_number(to, TREE_PID, task->pid);
	if (leader->ppid != TASK_UNKNOWN)
		proto_number(to, TREE_PPID, leader->ppid);
	if (leader->comm[0])
		put_string(to, TREE_CMDLINE, leader->comm);
	proto_end(to, entry);
	entry = proto_begin(to, TREE_THREADS);
	proto_number(to, TREE_TID, task->tid);
	if (task->comm[0])
		put_string(to, TREE_NAME, task->comm);
	proto_number(to, TREE_TGID, task->pid);
	proto_end(to, entry);
	proto_end(to, tree);
	perfetto_write(perfetto);
}

static void put_tasks(struct perfetto *perfetto, int64_t ns)
{
	size_t i;

	for (i = 0; i < tasks_nr(perfetto->recording.tasks); i++)
		if (!tasks_at(perfetto->recording.tasks, i)->exited)
			put_task(perfetto, tasks_at(perfetto->recording.tasks, i), ns);
}

/* --- Records ------------------------------------------------------------------------ */

/* The number of a call by its name; -1 if it has none. */
static int call_number(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < call_numbers_nr; i++)
		if (call_numbers[i] && !strncmp(call_numbers[i], name, len) && !call_numbers[i][len])
			return i;
	return -1;
}

static struct class *class_of(struct perfetto *perfetto, const struct ltttrace_event *event)
{
	static const char call[] = "syscall:", exit[] = "_exit";
	struct class *class = &perfetto->classes[event->number];
	size_t len = strlen(event->name);

	if (class->is_known)
		return class;
	*class = (struct class){ .is_known = true, .is_kernel = part_is_kernel(event->part), .native = -1, .call = -1,
				 .is_skipped = event_is_own(event) };
	if (!class->is_kernel || event->tid < 0)
		return class;
	class->native = perfetto_native(event);
	if (!strncmp(event->name, call, strlen(call))) {
		class->is_call_end = len > strlen(exit) && !strcmp(event->name + len - strlen(exit), exit);
		class->call = call_number(event->name + strlen(call),
					  len - strlen(call) - (class->is_call_end ? strlen(exit) : 0));
	}
	return class;
}

static bool is_timed_or_named_call(const char *name)
{
	return !strncmp(name, "syscall:", 8) || !strncmp(name, "syscall_time:", 13);
}

static void put_event(struct perfetto *perfetto, const struct ltttrace_record *record)
{
	struct class *class = class_of(perfetto, record->event);
	const struct task *task;

	if (class->is_skipped || record->stream->is_state)
		return;
	task = task_of(perfetto->recording.tasks, record);
	if (task)
		put_task(perfetto, task, record->ns);
	if (class->is_kernel && record->event->tid >= 0 && (class->call >= 0 || !strchr(record->event->name, ':')))
		perfetto_ftrace(perfetto, record, class);
	else if (class->is_kernel && is_timed_or_named_call(record->event->name))
		perfetto_call(perfetto, record);
	else
		perfetto_marker(perfetto, record, class);
}

static void put_record(const struct ltttrace_record *record, void *data)
{
	struct perfetto *perfetto = data;
	struct bundle *bundle;

	if (record->kind == LTTTRACE_EVENT) {
		put_event(perfetto, record);
		return;
	}
	markers_lose(perfetto->markers, record->stream->part);
	if (part_is_kernel(record->stream->part)) {
		bundle = perfetto_bundle(perfetto, record->cpu);
		if (bundle) {
			perfetto_flush(perfetto, record->cpu);
			bundle->lost = true;
		}
	}
}

static int write_trace(struct perfetto *perfetto)
{
	size_t cpu;
	int status;

	put_clocks(perfetto, perfetto->recording.from_ns);
	put_system(perfetto);
	put_tasks(perfetto, perfetto->recording.from_ns);
	status = recording_read(&perfetto->recording);
	for (cpu = 0; cpu < perfetto->nr_bundles; cpu++)
		perfetto_flush(perfetto, cpu);
	put_tasks(perfetto, perfetto->recording.now_ns);
	if (!status && perfetto->failed)
		status = complain("out of memory");
	return status;
}

static void forget(struct perfetto *perfetto)
{
	size_t i;

	for (i = 0; i < perfetto->nr_bundles; i++)
		free(perfetto->bundles[i].events.data);
	for (i = 0; perfetto->classes && i < ltttrace_nr_events(perfetto->recording.trace); i++)
		free(perfetto->classes[i].fields);
	for (i = 0; i < perfetto->nr_field_names; i++)
		free(perfetto->field_names[i]);
	free(perfetto->bundles);
	free(perfetto->classes);
	free(perfetto->field_names);
	free(perfetto->threads);
	free(perfetto->processes);
	free(perfetto->packet.data);
	free(perfetto->interned.data);
	markers_free(perfetto->markers);
	track_pools_free(perfetto->tracks);
	recording_close(&perfetto->recording);
}

int export_perfetto(const char *const *dirs, const struct export_options *options)
{
	struct perfetto perfetto = { 0 };
	struct output_file out;
	int status = recording_open(&perfetto.recording, dirs, options->from, options->to);

	if (status)
		return status;
	perfetto.markers = markers_new(perfetto.recording.trace);
	perfetto.tracks = track_pools_new();
	perfetto.classes = calloc(ltttrace_nr_events(perfetto.recording.trace) + 1, sizeof(*perfetto.classes));
	perfetto.processes = calloc(PROCESSES_MAX, sizeof(*perfetto.processes));
	if (tasks_nr_hosts(perfetto.recording.tasks) > 1)
		status = complain("the recordings are of several boots or machines, whose threads Perfetto would mix: export them one by one");
	else if (!perfetto.markers || !perfetto.tracks || !perfetto.classes || !perfetto.processes ||
		 dispatch_on_all(perfetto.recording.dispatch, DISPATCH_REPORT, put_record, &perfetto))
		status = complain("out of memory");
	if (!status)
		status = output_file_open(&out, options->output, dirs);
	if (!status) {
		perfetto.out = &out;
		status = write_trace(&perfetto);
		if (status)
			output_file_drop(&out);
		else
			status = output_file_commit(&out);
	}
	if (!status)
		recording_warn(&perfetto.recording, false);
	forget(&perfetto);
	return status;
}
