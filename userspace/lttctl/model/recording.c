// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A recording that is read once: see recording.h.
 *
 * Layer: lttctl model.
 */
#include "recording.h"

#include "lttctl/command.h"
#include "lttctl/hosts/hosts.h"
#include "moment.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int out_of_memory(void)
{
	return complain("out of memory");
}

static bool is_list(const struct ltttrace_stream *stream, void *data)
{
	(void)data;
	return stream->is_state || stream->part->is_state;
}

/* The events of a state channel, such as forks, come again in the order of time. */
static bool is_data(const struct ltttrace_stream *stream, void *data)
{
	(void)data;
	return !stream->part->is_state;
}

static int read_failed(int err)
{
	return complain("cannot read the recording: %s", strerror(-err));
}

static int read_lists(struct recording *recording)
{
	const struct ltttrace_record *record;
	struct ltttrace_cursor *cursor;
	int err = ltttrace_merge(recording->trace, is_list, NULL, &cursor);

	if (err)
		return read_failed(err);
	while ((err = ltttrace_next(cursor, &record)) > 0)
		tasks_learn(recording->tasks, record);
	ltttrace_cursor_free(cursor);
	return err ? read_failed(err) : 0;
}

static int set_window(struct recording *recording, const char *from, const char *to)
{
	const char *why;

	recording->from_ns = recording->first_ns;
	recording->to_ns = recording->last_ns;
	why = from ? moment_parse(from, recording->first_ns, recording->last_ns, &recording->from_ns) : NULL;
	if (why)
		return misused("--from %s: %s", from, why);
	why = to ? moment_parse(to, recording->first_ns, recording->last_ns, &recording->to_ns) : NULL;
	if (why)
		return misused("--to %s: %s", to, why);
	if (recording->from_ns > recording->to_ns)
		return misused("--from %s is after --to %s", from ? from : "(the begin)", to ? to : "(the end)");
	return 0;
}

static int make_model(struct recording *recording)
{
	recording->dispatch = dispatch_new(recording->trace);
	recording->tasks = recording->dispatch ? tasks_new(recording->trace, recording->dispatch) : NULL;
	return recording->tasks ? read_lists(recording) : out_of_memory();
}

int recording_open_some(struct recording *recording, const char *const *dirs, const char *from, const char *to, bool *has_events)
{
	struct ltttrace_error error;
	size_t nr = 0;
	int status;

	memset(recording, 0, sizeof(*recording));
	while (dirs[nr])
		nr++;
	if (open_directories(dirs, nr, LTTTRACE_WITH_STATES, &recording->trace, &error))
		return complain("%s", error.text);
	status = hosts_correct(recording->trace, HOSTS_AUTO);
	*has_events = ltttrace_span(recording->trace, &recording->first_ns, &recording->last_ns);
	if (!status && *has_events)
		status = set_window(recording, from, to);
	if (!status && *has_events)
		status = make_model(recording);
	if (status || !*has_events)
		recording_close(recording);
	return status;
}

int recording_open(struct recording *recording, const char *const *dirs, const char *from, const char *to)
{
	bool has_events;
	int status = recording_open_some(recording, dirs, from, to, &has_events);

	return status || has_events ? status : complain("%s: the recording has no events", dirs[0]);
}

struct sched *recording_sched(struct recording *recording)
{
	if (!recording->sched)
		recording->sched = sched_new(recording->trace, recording->dispatch, recording->tasks);
	if (!recording->sched)
		out_of_memory();
	return recording->sched;
}

struct calls *recording_calls(struct recording *recording)
{
	if (!recording->calls)
		recording->calls = calls_new(recording->trace, recording->dispatch, recording->tasks);
	if (!recording->calls)
		out_of_memory();
	return recording->calls;
}

/* The events and fields of a copy that `lttctl export --ctf-lttng` made have the names that Trace Compass expects. */
static const char *advice_for(const struct ltttrace_event *class)
{
	return ltttrace_payload_field(class, "prev_tid") >= 0 || ltttrace_payload_field(class, "tid") >= 0 ?
	       " (a copy by `lttctl export --ctf-lttng`? Take the recording itself)" : "";
}

/* Return: a directory with events, rather than one with a state of the system. */
static const char *path_of(const struct ltttrace *trace)
{
	unsigned int nr = ltttrace_nr_parts(trace), i;

	for (i = 0; i + 1 < nr && ltttrace_part(trace, i)->is_state; i++)
		;
	return ltttrace_part(trace, i)->path;
}

int recording_need(const struct recording *recording, const char *event, const char *const *fields, const char *pattern)
{
	const struct ltttrace_event *class;
	const char *field = dispatch_missing(recording->dispatch, event, fields, &class);

	if (!class)
		return complain("%s: no event %s was recorded; `lttctl record -e '%s'` does",
				path_of(recording->trace), event, pattern);
	if (field)
		return complain("%s: the event %s has no field %s%s", class->part->path, class->name, field,
				advice_for(class));
	return 0;
}

static void count_loss(struct recording *recording, const struct ltttrace_record *record)
{
	switch (record->kind) {
	case LTTTRACE_LOST_EVENTS:
		recording->nr_lost_events += record->count;
		break;
	case LTTTRACE_LOST_PACKETS:
		recording->nr_lost_packets += record->count;
		break;
	case LTTTRACE_DAMAGE:
	case LTTTRACE_CUT:
		recording->nr_damages++;
		break;
	default:
		break;
	}
}

/* A loss that began before the window and lasts into it is in the window. */
static int pass(struct recording *recording, const struct ltttrace_record *record)
{
	const bool in_window = record->until_ns >= recording->from_ns && record->ns <= recording->to_ns;

	recording->now_ns = record->ns;
	if (in_window && record->kind != LTTTRACE_EVENT)
		count_loss(recording, record);
	return dispatch_record(recording->dispatch, record, in_window);
}

int recording_read(struct recording *recording)
{
	return recording_read_streams(recording, is_data, NULL);
}

int recording_read_streams(struct recording *recording, bool (*want)(const struct ltttrace_stream *stream, void *data),
			   void *data)
{
	const struct ltttrace_record *record;
	struct ltttrace_cursor *cursor;
	int more, err = ltttrace_merge(recording->trace, want, data, &cursor);

	if (err)
		return read_failed(err);
	if (recording->from_ns - RECORDING_LEAD_NS > recording->first_ns)
		err = ltttrace_seek(cursor, recording->from_ns - RECORDING_LEAD_NS);
	more = err ? err : 1;
	while (more > 0) {
		more = ltttrace_next(cursor, &record);
		if (more <= 0 || record->ns > recording->to_ns)
			break;
		err = pass(recording, record);
		if (err)
			break;
	}
	ltttrace_cursor_free(cursor);
	if (err || more < 0)
		return read_failed(err ? err : more);
	if (recording->sched)
		sched_finish(recording->sched, recording->to_ns < recording->last_ns ? recording->to_ns :
						recording->now_ns);
	return 0;
}

static unsigned int nr_without_process(const struct recording *recording)
{
	size_t i, nr = tasks_nr(recording->tasks);
	unsigned int without = 0;

	for (i = 0; i < nr; i++)
		without += tasks_at(recording->tasks, i)->pid == TASK_UNKNOWN && tasks_at(recording->tasks, i)->seen;
	return without;
}

void recording_warn(const struct recording *recording, bool processes)
{
	unsigned int without = nr_without_process(recording);

	if (recording->nr_lost_events || recording->nr_lost_packets || recording->nr_damages)
		fprintf(stderr, "lttctl: the recording lacks %" PRIu64 " lost events, %" PRIu64 " overwritten packets and %" PRIu64
			" unreadable places: times that they may have changed are not counted\n",
			recording->nr_lost_events, recording->nr_lost_packets, recording->nr_damages);
	if (processes && without)
		fprintf(stderr, "lttctl: threads whose process is not in the recording: %u; each counts as a process (record with -e task:task_newtask, too)\n",
			without);
}

void recording_close(struct recording *recording)
{
	calls_free(recording->calls);
	sched_free(recording->sched);
	tasks_free(recording->tasks);
	dispatch_free(recording->dispatch);
	ltttrace_close(recording->trace);
	memset(recording, 0, sizeof(*recording));
}

bool recording_clip(const struct recording *recording, int64_t *from_ns, int64_t *to_ns)
{
	if (*from_ns > recording->to_ns || *to_ns < recording->from_ns)
		return false;
	if (*from_ns < recording->from_ns)
		*from_ns = recording->from_ns;
	if (*to_ns > recording->to_ns)
		*to_ns = recording->to_ns;
	return true;
}
