// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl export --flamegraph: the stacks of samples, one line for each that is different, with the number of samples.
 *
 *	make;main;job_start;do_syscall_64_[k];vfs_read_[k] 12
 *
 * Layer: lttctl export.  The line begins with the name of the thread and goes from the outermost function to the innermost;
 * functions of the kernel end with _[k].  flamegraph.pl, speedscope and Perfetto open such files.
 */
#include "export.h"
#include "lttctl/command.h"
#include "lttctl/model/output-file.h"
#include "lttctl/model/recording.h"
#include "lttctl/view/decode.h"
#include "lttctl/view/kernel-symbols.h"
#include "lttctl/view/machine.h"
#include "lttctl/view/mapped.h"
#include "lttctl/view/stacks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 65536

struct line {
	struct line *next;
	uint64_t samples;
	char text[];
};

/* The fields of a class of events; -1 without. */
struct fields {
	bool is_known;
	bool is_sample;
	int ip, mode, kernel, user;
};

struct flamegraph {
	struct recording recording;
	struct line *buckets[BUCKETS];
	size_t nr_lines;
	struct fields *classes;	/* by the number of the event class */
	struct out text;	/* of the line that is being made */
	bool failed;
};

/* --- Lines --------------------------------------------------------------------------- */

static void count_line(struct flamegraph *graph)
{
	uint64_t hash = 14695981039346656037u;
	struct line **bucket, *line;
	size_t i;

	for (i = 0; i < graph->text.len; i++)
		hash = (hash ^ (unsigned char)graph->text.data[i]) * 1099511628211u;
	bucket = &graph->buckets[(hash >> 24) % BUCKETS];
	for (line = *bucket; line; line = line->next)
		if (!strncmp(line->text, graph->text.data, graph->text.len) && !line->text[graph->text.len])
			break;
	if (!line) {
		line = calloc(1, sizeof(*line) + graph->text.len + 1);
		if (!line) {
			graph->failed = true;
			return;
		}
		memcpy(line->text, graph->text.data, graph->text.len);
		line->next = *bucket;
		*bucket = line;
		graph->nr_lines++;
	}
	line->samples++;
}

static int by_text(const void *a, const void *b)
{
	return strcmp((*(struct line *const *)a)->text, (*(struct line *const *)b)->text);
}

static int write_lines(const struct flamegraph *graph, FILE *to)
{
	struct line **lines = calloc(graph->nr_lines + 1, sizeof(struct line *)), *line;
	size_t i, nr = 0;

	if (!lines)
		return complain("out of memory");
	for (i = 0; i < BUCKETS; i++)
		for (line = graph->buckets[i]; line; line = line->next)
			lines[nr++] = line;
	qsort(lines, nr, sizeof(struct line *), by_text);
	for (i = 0; i < nr; i++)
		fprintf(to, "%s %" PRIu64 "\n", lines[i]->text, lines[i]->samples);
	free(lines);
	return 0;
}

/* --- Frames ----------------------------------------------------------------------------- */

/* End a frame that begins at @at: a semicolon or control character in a name would make another frame or line of it. */
static void clean(struct out *out, size_t at)
{
	for (; at < out->len; at++)
		if ((unsigned char)out->data[at] < ' ' || out->data[at] == 0x7f || out->data[at] == ';')
			out->data[at] = out->data[at] == ';' ? ':' : '?';
}

static void put_kernel(struct out *out, uint64_t address)
{
	const char *module;
	uint64_t offset;
	const char *name = kernel_symbols_find(address, &module, &offset);
	const size_t at = out->len + 1;

	out_char(out, ';');
	if (name)
		out_text(out, name);
	else
		out_hex(out, address);
	out_text(out, "_[k]");
	clean(out, at);
}

/* A function without its offset, or the file of the address. */
static void put_user(struct out *out, const struct mapped_where *where, uint64_t address, bool returns)
{
	const size_t at = out->len + 1;
	size_t i;

	out_char(out, ';');
	if (!mapped_put(out, where, address, returns)) {
		out_text(out, "[unknown]");
		return;
	}
	for (i = out->len; i > at; i--)
		if (out->data[i - 1] == '+') {
			out->len = i - 1;
			break;
		}
	clean(out, at);
}

static const struct fields *fields_of(struct flamegraph *graph, const struct ltttrace_event *event)
{
	struct fields *fields = &graph->classes[event->number];

	if (fields->is_known)
		return fields;
	*fields = (struct fields){
		.is_known = true,
		.ip = ltttrace_payload_field(event, "ip"), .mode = ltttrace_payload_field(event, "mode"),
		.kernel = ltttrace_payload_field(event, "kernel_stack_id"), .user = ltttrace_payload_field(event, "user_stack_id"),
	};
	if (fields->kernel >= 0 && !stacks_field(event, fields->kernel))
		fields->kernel = -1;
	if (fields->user >= 0 && !stacks_field(event, fields->user))
		fields->user = -1;
	/* Drivers may have events of this group, too. */
	fields->is_sample = !strncmp(event->name, "sample:", 7) && fields->ip >= 0 && fields->mode >= 0;
	return fields;
}

static const struct stack *stack_of(const struct ltttrace_record *record, int field)
{
	return field < 0 ? NULL : stacks_find(ltttrace_integer(record, field));
}

/* Any event may have the addresses of a stack, whose later records have its number alone. */
static void learn_stacks(const struct ltttrace_record *record, void *data)
{
	const struct fields *fields;

	if (record->kind != LTTTRACE_EVENT)
		return;
	fields = fields_of(data, record->event);
	if (fields->kernel >= 0)
		stacks_learn(record, fields->kernel);
	if (fields->user >= 0)
		stacks_learn(record, fields->user);
}

static void put_frames(struct out *out, const struct ltttrace_record *record, const struct fields *fields,
		       const struct mapped_where *where)
{
	const struct stack *user = stack_of(record, fields->user), *kernel = stack_of(record, fields->kernel);
	const size_t own = kernel ? stacks_own(record, kernel) : 0, from = out->len;
	const bool in_kernel = !ltttrace_integer(record, fields->mode);
	size_t i;

	for (i = user ? user->nr : 0; i > 0; i--)
		put_user(out, where, user->address[i - 1], i > 1);
	for (i = kernel ? kernel->nr : 0; i > own; i--)
		put_kernel(out, kernel->address[i - 1]);
	if (out->len > from)
		return;
	/* No stack was recorded, or it could not be. */
	if (in_kernel)
		put_kernel(out, ltttrace_integer(record, fields->ip));
	else
		put_user(out, where, ltttrace_integer(record, fields->ip), false);
}

static void put_sample(const struct ltttrace_record *record, void *data)
{
	struct flamegraph *graph = data;
	const struct task *task;
	const struct fields *fields;
	struct mapped_where where;
	char name[24];

	if (record->kind != LTTTRACE_EVENT)
		return;
	fields = fields_of(graph, record->event);
	if (!fields->is_sample)
		return;
	task = task_of(graph->recording.tasks, record);
	where = (struct mapped_where){ machine_of(record->event->part), task ? task_process(task) : -1, record->ns };
	graph->text.len = 0;
	out_text(&graph->text, task ? task_name(task, name) : "-");
	clean(&graph->text, 0);
	put_frames(&graph->text, record, fields, &where);
	count_line(graph);
}

/* --- The recording -------------------------------------------------------------------------- */

static bool is_state(const struct ltttrace_stream *stream, void *unused)
{
	(void)unused;
	return stream->is_state || stream->part->is_state;
}

/* Functions of the kernel, and the places of files in programs. */
static int learn(const struct ltttrace *trace)
{
	const struct ltttrace_record *record;
	struct ltttrace_cursor *cursor;
	int more;

	if (ltttrace_merge(trace, is_state, NULL, &cursor))
		return complain("out of memory");
	while ((more = ltttrace_next(cursor, &record)) > 0) {
		if (record->kind != LTTTRACE_EVENT)
			continue;
		decode_learn(record);
		mapped_learn(record);
	}
	ltttrace_cursor_free(cursor);
	return more ? complain("cannot read the state of the system: %s", strerror(-more)) : 0;
}

static int need_samples(struct flamegraph *graph, const char *dir)
{
	size_t i;

	for (i = 0; i < ltttrace_nr_events(graph->recording.trace); i++)
		if (fields_of(graph, ltttrace_event(graph->recording.trace, i))->is_sample)
			return 0;
	return complain("%s: no samples were recorded; `lttctl record -e sample:99 --context pid,kernel_stack,user_stack` does", dir);
}

static int write_graph(struct flamegraph *graph, const char *const *dirs, const char *output)
{
	struct output_file out;
	int status = learn(graph->recording.trace);

	if (!status)
		status = recording_read(&graph->recording);
	if (!status && (graph->failed || graph->text.error))
		status = complain("out of memory");
	if (!status)
		status = output_file_open(&out, output, dirs);
	if (status)
		return status;
	status = write_lines(graph, out.stream);
	if (!status)
		return output_file_commit(&out);
	output_file_drop(&out);
	return status;
}

int export_flamegraph(const char *const *dirs, const struct export_options *options)
{
	struct flamegraph *graph = calloc(1, sizeof(*graph));
	struct line *line;
	size_t i;
	int status = graph ? recording_open(&graph->recording, dirs, options->from, options->to) : complain("out of memory");

	if (status) {
		free(graph);
		return status;
	}
	graph->classes = calloc(ltttrace_nr_events(graph->recording.trace) + 1, sizeof(*graph->classes));
	if (!graph->classes || !out_init(&graph->text, -1) ||
	    dispatch_on_all(graph->recording.dispatch, DISPATCH_STATES, learn_stacks, graph) ||
	    dispatch_on_all(graph->recording.dispatch, DISPATCH_REPORT, put_sample, graph))
		status = complain("out of memory");
	if (!status)
		status = need_samples(graph, dirs[0]);
	if (!status)
		status = write_graph(graph, dirs, options->output);
	if (!status)
		recording_warn(&graph->recording, false);
	out_free(&graph->text);
	for (i = 0; i < BUCKETS; i++)
		while ((line = graph->buckets[i])) {
			graph->buckets[i] = line->next;
			free(line);
		}
	free(graph->classes);
	recording_close(&graph->recording);
	mapped_forget();
	decode_forget();
	stacks_forget();
	machines_forget();
	free(graph);
	return status;
}
