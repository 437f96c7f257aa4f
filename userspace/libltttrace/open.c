// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The interface to open recordings.
 *
 * Layer: libltttrace.  A refresh does the same as an open once more: what is known already is passed over.
 */
#include "internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int trace_error(struct ltttrace_error *error, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (error)
		vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return err;
}

int no_memory(struct ltttrace_error *error)
{
	return trace_error(error, -ENOMEM, "out of memory");
}

/* Room is doubled at powers of two. */
int list_add(void *array, size_t *nr, void *pointer)
{
	void **list = *(void ***)array;

	if (!(*nr & (*nr - 1))) {
		list = realloc(list, (*nr ? 2 * *nr : 1) * sizeof(*list));
		if (!list)
			return -ENOMEM;
		*(void ***)array = list;
	}
	list[(*nr)++] = pointer;
	return 0;
}

static int grow_files(struct stream *stream, struct ltttrace_error *error)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < stream->files && !err; i++)
		err = file_grow(stream->file[i]);
	return err ? trace_error(error, err, "cannot read %s/%s: %s", stream->part->public.path, stream->public.name,
				 strerror(-err)) : 0;
}

/* Find what there is now, and index it. */
static int look(struct ltttrace *trace, struct ltttrace_error *error)
{
	struct stream *stream;
	uint64_t before;
	size_t i;
	int err = 0;

	/* First the sizes, then the metadata: see add_part(). */
	for (i = 0; i < trace->streams && !err; i++)
		err = grow_files(trace->stream[i], error);
	for (i = 0; i < trace->paths && !err; i++)
		err = add_path(trace, trace->path[i], error);
	for (i = 0; i < trace->streams && !err; i++) {
		stream = trace->stream[i];
		before = stream->public.bytes;
		err = stream_index(stream);
		if (err == -ENOMEM)
			return no_memory(error);
		if (err)
			return trace_error(error, err, "cannot read %s/%s: %s", stream->public.part->path,
					   stream->public.name, strerror(-err));
		trace->changed |= stream->public.bytes != before;
	}
	return err;
}

/* --- The interface -------------------------------------------------------------------- */

int ltttrace_open(const char *const *paths, size_t nr_paths, unsigned int flags, struct ltttrace **opened,
		  struct ltttrace_error *error)
{
	struct ltttrace *trace = calloc(1, sizeof(*trace));
	char *path;
	size_t i;
	int err = 0;

	if (!trace)
		return no_memory(error);
	trace->flags = flags;
	pthread_mutex_init(&trace->lock, NULL);
	for (i = 0; i < nr_paths && !err; i++) {
		path = strdup(paths[i]);
		if (!path || list_add(&trace->path, &trace->paths, path)) {
			free(path);
			err = no_memory(error);
		}
	}
	err = err ?: look(trace, error);
	if (err) {
		ltttrace_close(trace);
		return err;
	}
	trace->generation = 1;
	*opened = trace;
	return 0;
}

int ltttrace_refresh(struct ltttrace *trace, struct ltttrace_error *error)
{
	size_t i;
	int err;

	trace->changed = false;
	err = look(trace, error);
	for (i = 0; i < trace->streams && !err; i++)
		stream_forget(trace->stream[i]);
	/* All that was found before a failure is there for cursors, too. */
	if (trace->changed)
		trace->generation++;
	return err ?: trace->changed;
}

void ltttrace_close(struct ltttrace *trace)
{
	struct stream *stream;
	size_t i;
	unsigned int j;

	if (!trace)
		return;
	for (i = 0; i < trace->streams; i++) {
		stream = trace->stream[i];
		for (j = 0; j < stream->files; j++)
			file_close(stream->file[j]);
		free(stream->file);
		free(stream->packet);
		free((void *)stream->public.name);
		free(stream);
	}
	for (i = 0; i < trace->events; i++)
		event_free(trace->event[i]);
	for (i = 0; i < trace->parts; i++)
		part_free(trace->part[i]);
	for (i = 0; i < trace->paths; i++)
		free(trace->path[i]);
	for (i = 0; i < trace->corrections; i++)
		free(trace->correction[i]);
	free(trace->correction);
	ZSTD_freeDStream(trace->headers);
	free(trace->stream);
	free(trace->event);
	free(trace->part);
	free(trace->path);
	pthread_mutex_destroy(&trace->lock);
	free(trace);
}

size_t ltttrace_nr_parts(const struct ltttrace *trace)
{
	return trace->parts;
}

size_t ltttrace_nr_streams(const struct ltttrace *trace)
{
	return trace->streams;
}

size_t ltttrace_nr_events(const struct ltttrace *trace)
{
	return trace->events;
}

const struct ltttrace_part *ltttrace_part(const struct ltttrace *trace, unsigned int number)
{
	return &trace->part[number]->public;
}

const struct ltttrace_stream *ltttrace_stream(const struct ltttrace *trace, unsigned int number)
{
	return &trace->stream[number]->public;
}

const struct ltttrace_event *ltttrace_event(const struct ltttrace *trace, unsigned int number)
{
	return &trace->event[number]->public;
}

const char *ltttrace_env(const struct ltttrace_part *public, const char *name)
{
	const struct part *part = (const struct part *)public;
	size_t i;

	for (i = 0; i < part->nr_env; i++)
		if (!strcmp(part->env[i].name, name))
			return part->env[i].value;
	return NULL;
}

bool ltttrace_span(const struct ltttrace *trace, int64_t *first_ns, int64_t *last_ns)
{
	const struct ltttrace_stream *stream;
	bool has_packets = false;
	size_t i;

	for (i = 0; i < trace->streams; i++) {
		stream = &trace->stream[i]->public;
		if (!stream->packets || stream->is_state || stream->part->is_state)
			continue;
		if (!has_packets || stream->first_ns < *first_ns)
			*first_ns = stream->first_ns;
		if (!has_packets || stream->last_ns > *last_ns)
			*last_ns = stream->last_ns;
		has_packets = true;
	}
	return has_packets;
}
