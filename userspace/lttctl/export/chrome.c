// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl export --chrome: the JSON of Chrome's tracing, which many viewers open.
 *
 * Layer: lttctl export.  Source: "Trace Event Format" of the Chromium project.  Times are microseconds since the begin of what is
 * exported, because a number of JSON has no room for nanoseconds since the Unix epoch.
 */
#include "export.h"
#include "json-text.h"
#include "markers.h"
#include "value.h"
#include "lttctl/command.h"
#include "lttctl/model/output-file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Processes that there are not: the CPUs, and the data streams whose events have no thread. */
#define CPUS	0
#define STREAMS	(-1)

struct chrome {
	struct recording recording;
	struct output_file out;
	struct markers *markers;
	bool *seen;		/* threads, by number, and processes, that need a name */
	size_t nr_seen;
	uint64_t events;
	bool failed;
};

/* Where an event is shown. */
struct place {
	int64_t pid;
	int64_t tid;
	size_t thread;		/* for markers_begin() */
};

static struct place place_of(struct chrome *chrome, const struct ltttrace_record *record)
{
	const struct task *task = task_of(chrome->recording.tasks, record);
	bool *more;
	size_t nr;

	if (!task)
		return (struct place){ STREAMS, record->stream->number, 2 * (size_t)record->stream->number + 1 };
	if (task->number >= chrome->nr_seen) {
		nr = task->number * 2 + 64;
		more = realloc(chrome->seen, nr);
		if (!more) {
			chrome->failed = true;
			return (struct place){ 0 };
		}
		memset(more + chrome->nr_seen, 0, nr - chrome->nr_seen);
		chrome->seen = more;
		chrome->nr_seen = nr;
	}
	chrome->seen[task->number] = true;
	if (!task->tid)
		return (struct place){ CPUS, task->cpu, 2 * (size_t)task->number };
	return (struct place){ task_process(task), task->tid, 2 * (size_t)task->number };
}

/* --- Events ------------------------------------------------------------------------- */

/* Begin an event, up to its time.  The caller ends it with a brace. */
static FILE *begin(struct chrome *chrome, const char *phase, int64_t pid, int64_t tid, int64_t ns)
{
	FILE *to = chrome->out.stream;
	const int64_t since = ns - chrome->recording.from_ns;

	fprintf(to, "%s\n{\"ph\":\"%s\",\"pid\":%" PRId64 ",\"tid\":%" PRId64, chrome->events++ ? "," : "", phase, pid, tid);
	fprintf(to, ",\"ts\":%s%" PRId64 ".%03" PRId64, since < 0 ? "-" : "", (since < 0 ? -since : since) / 1000,
		(since < 0 ? -since : since) % 1000);
	return to;
}

static void put_name(FILE *to, const char *name)
{
	const char *colon = strchr(name, ':');

	fputs(",\"name\":", to);
	json_text(to, name, strlen(name));
	fputs(",\"cat\":", to);
	json_text(to, name, colon ? (size_t)(colon - name) : strlen(name));
}

static void put_args(FILE *to, const struct ltttrace_record *record)
{
	const struct ltttrace_event *event = record->event;
	const char *comma = "";
	unsigned int i;

	fputs(",\"args\":{", to);
	for (i = event->own; i < event->nr_fields; i++) {
		const struct ltttrace_value value = ltttrace_value(record, i);

		if (event->fields[i].is_length)
			continue;
		fputs(comma, to);
		json_text(to, event->fields[i].name, strlen(event->fields[i].name));
		fputc(':', to);
		json_value(to, &event->fields[i], &value);
		comma = ",";
	}
	fputc('}', to);
}

static void put_full(struct chrome *chrome, const char *phase, const struct place *place,
		     const struct ltttrace_record *record, const char *name)
{
	FILE *to = begin(chrome, phase, place->pid, place->tid, record->ns);

	put_name(to, name);
	if (*phase == 'i')
		fputs(",\"s\":\"t\"", to);
	put_args(to, record);
	fputc('}', to);
}

/* Begin and end have the number of the slice, which is the same for no other that is open. */
static void put_with_id(struct chrome *chrome, const char *phase, const struct place *place,
			const struct ltttrace_record *record, const struct marker *marker, uint64_t id)
{
	FILE *to = begin(chrome, phase, place->pid, place->tid, record->ns);

	put_name(to, marker->name);
	fprintf(to, ",\"id\":\"0x%" PRIx64 "\"", id);
	if (*phase == 'f')
		fputs(",\"bp\":\"e\"", to);
	put_args(to, record);
	fputc('}', to);
}

static void put_end(struct chrome *chrome, const struct place *place, const struct ltttrace_record *record,
		    const struct marker *marker)
{
	bool is_sure = true;
	size_t slices = markers_end(chrome->markers, place->thread, record, &is_sure);
	FILE *to;

	if (!slices) {
		put_full(chrome, "i", place, record, marker->name);
		return;
	}
	/* Those that began within it and have no end. */
	for (; slices > 1; slices--)
		fputc('}', begin(chrome, "E", place->pid, place->tid, record->ns));
	to = begin(chrome, "E", place->pid, place->tid, record->ns);
	put_args(to, record);
	fputc('}', to);
}

static void put_async(struct chrome *chrome, const struct place *place, const struct ltttrace_record *record,
		      const struct marker *marker)
{
	struct slice *slice;
	bool is_sure;

	if (marker->kind == MARKER_ASYNC_BEGIN) {
		slice = markers_async_begin(chrome->markers, record);
		chrome->failed |= !slice;
		if (!slice)
			return;
		slice->place = chrome->events;
		put_with_id(chrome, "b", place, record, marker, slice->place);
		return;
	}
	slice = markers_async_end(chrome->markers, record, &is_sure);
	if (slice)
		put_with_id(chrome, "e", place, record, marker, slice->place);
	else
		put_full(chrome, "i", place, record, marker->name);
	free(slice);
}

static void put_counter(struct chrome *chrome, const struct place *place, const struct ltttrace_record *record,
			const struct marker *marker)
{
	const struct ltttrace_value value = ltttrace_value(record, marker->field);
	FILE *to = begin(chrome, "C", place->pid, place->tid, record->ns);

	put_name(to, marker->name);
	fputs(",\"args\":{\"value\":", to);
	json_value(to, &record->event->fields[marker->field], &value);
	fputs("}}", to);
}

static void put_marker(struct chrome *chrome, const struct ltttrace_record *record)
{
	static const char *const flows[] = { [MARKER_FLOW_BEGIN] = "s", [MARKER_FLOW_STEP] = "t", [MARKER_FLOW_END] = "f" };
	const struct marker *marker = markers_of(chrome->markers, record->event);
	const struct place place = place_of(chrome, record);

	if (!marker || chrome->failed) {
		chrome->failed = true;
		return;
	}
	switch (marker->kind) {
	case MARKER_BEGIN:
		chrome->failed |= !markers_begin(chrome->markers, place.thread, record);
		put_full(chrome, "B", &place, record, marker->name);
		break;
	case MARKER_END:
		put_end(chrome, &place, record, marker);
		break;
	case MARKER_ASYNC_BEGIN:
	case MARKER_ASYNC_END:
		put_async(chrome, &place, record, marker);
		break;
	case MARKER_FLOW_BEGIN:
	case MARKER_FLOW_STEP:
	case MARKER_FLOW_END:
		put_with_id(chrome, flows[marker->kind], &place, record, marker, ltttrace_value(record, marker->field).u);
		break;
	case MARKER_COUNTER:
		put_counter(chrome, &place, record, marker);
		break;
	case MARKER_POINT:
		put_full(chrome, "i", &place, record, marker->name);
		break;
	}
}

static void put_record(const struct ltttrace_record *record, void *data)
{
	struct chrome *chrome = data;

	if (record->kind != LTTTRACE_EVENT)
		markers_lose(chrome->markers, record->stream->part);
	else if (strchr(record->event->name, ':') && !event_is_own(record->event) && !record->stream->is_state)
		put_marker(chrome, record);
}

/* A thread has run on a CPU. */
static void put_interval(const struct sched_interval *interval, void *data)
{
	struct chrome *chrome = data;
	int64_t from = interval->from_ns, to = interval->to_ns;
	char name[24];
	FILE *file;

	if (interval->state != SCHED_RUNNING || !interval->task->tid || !recording_clip(&chrome->recording, &from, &to))
		return;
	file = begin(chrome, "X", CPUS, interval->cpu, from);
	fprintf(file, ",\"dur\":%" PRId64 ".%03" PRId64 ",\"name\":", (to - from) / 1000, (to - from) % 1000);
	task_name(interval->task, name);
	json_text(file, name, strlen(name));
	fprintf(file, ",\"cat\":\"sched\",\"args\":{\"tid\":%" PRId64 ",\"pid\":%" PRId64 ",\"whole\":%s}}", interval->task->tid,
		task_process(interval->task), interval->whole && from == interval->from_ns && to == interval->to_ns ? "true" : "false");
}

/* --- Names ----------------------------------------------------------------------------- */

static void put_title(struct chrome *chrome, const char *what, int64_t pid, int64_t tid, const char *name)
{
	FILE *to = begin(chrome, "M", pid, tid, chrome->recording.from_ns);

	fprintf(to, ",\"name\":\"%s\",\"args\":{\"name\":", what);
	json_text(to, name, strlen(name));
	fputs("}}", to);
}

static void put_titles(struct chrome *chrome)
{
	struct tasks *tasks = chrome->recording.tasks;
	const struct task *task, *leader;
	char name[24];
	size_t i;

	put_title(chrome, "process_name", CPUS, 0, "CPUs");
	for (i = 0; i < chrome->nr_seen && i < tasks_nr(tasks); i++) {
		task = tasks_at(tasks, i);
		if (!chrome->seen[i] || !task->tid)
			continue;
		leader = task_leader(tasks, task);
		put_title(chrome, "process_name", task_process(task), leader->tid, task_name(leader, name));
		put_title(chrome, "thread_name", task_process(task), task->tid, task_name(task, name));
	}
}

static int write_trace(struct chrome *chrome)
{
	const char *host = ltttrace_part(chrome->recording.trace, 0)->host;
	int status;

	fprintf(chrome->out.stream, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"begin_ns\":\"%" PRId64 "\",\"host\":",
		chrome->recording.from_ns);
	json_text(chrome->out.stream, host, strlen(host));
	fputs("},\"traceEvents\":[", chrome->out.stream);
	status = recording_read(&chrome->recording);
	put_titles(chrome);
	fputs("\n]}\n", chrome->out.stream);
	if (!status && chrome->failed)
		status = complain("out of memory");
	return status;
}

int export_chrome(const char *const *dirs, const struct export_options *options)
{
	struct chrome chrome = { 0 };
	const struct sched_listener listener = { .interval = put_interval, .data = &chrome };
	int status = recording_open(&chrome.recording, dirs, options->from, options->to);
	struct sched *sched;

	if (status)
		return status;
	sched = recording_sched(&chrome.recording);
	chrome.markers = markers_new(chrome.recording.trace);
	if (tasks_nr_hosts(chrome.recording.tasks) > 1)
		status = complain("the recordings are of several boots or machines, whose threads would be mixed: export them one by one");
	else if (!sched || !chrome.markers || sched_listen(sched, &listener) ||
		 dispatch_on_all(chrome.recording.dispatch, DISPATCH_REPORT, put_record, &chrome))
		status = complain("out of memory");
	if (!status)
		status = output_file_open(&chrome.out, options->output, dirs);
	if (!status) {
		status = write_trace(&chrome);
		if (status)
			output_file_drop(&chrome.out);
		else
			status = output_file_commit(&chrome.out);
	}
	if (!status)
		recording_warn(&chrome.recording, false);
	free(chrome.seen);
	markers_free(chrome.markers);
	recording_close(&chrome.recording);
	return status;
}
