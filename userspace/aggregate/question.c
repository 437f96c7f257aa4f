// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Questions: their expressions, bound to each event, and the layout of the key.
 */
#include "question.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int fail(struct expression_error *error, int status, const char *fmt, ...)
{
	va_list args;

	error->column = 0;
	va_start(args, fmt);
	vsnprintf(error->text, sizeof(error->text), fmt, args);
	va_end(args);
	return status;
}

struct question *question_new(const struct question_options *options)
{
	struct question *question = calloc(1, sizeof(*question));

	if (!question)
		return NULL;
	question->options = options;
	question->event_at = -1;
	question->entries = question->blank = question->misses = question->starts = question->stacks = -1;
	question->keyless.map = question->cache.map = -1;
	return question;
}

static void close_map(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void free_event(struct asked_event *event)
{
	unsigned int i;

	for (i = 0; i < QUESTION_KEYS_MAX; i++)
		expression_bound_free(event->keys[i]);
	expression_bound_free(event->value);
	expression_bound_free(event->filter);
	expression_bound_free(event->match);
	free(event->name);
}

void question_free(struct question *question)
{
	unsigned int i;

	if (!question)
		return;
	close_map(question->entries);
	area_free(&question->keyless);
	area_free(&question->cache);
	close_map(question->blank);
	close_map(question->misses);
	close_map(question->starts);
	close_map(question->stacks);
	for (i = 0; i < question->nr_events; i++)
		free_event(&question->events[i]);
	free(question->events);
	for (i = 0; i < QUESTION_KEYS_MAX; i++)
		expression_free(question->keys[i]);
	expression_free(question->value);
	expression_free(question->filter);
	expression_free(question->match[0]);
	expression_free(question->match[1]);
	free(question);
}

/* ---- Binding ---- */

static bool is_stack(const char *key)
{
	return !strcmp(key, "stack");
}

/* Parse @text, once for all events, and bind it to one.  @error says which text it is about. */
static int bind(const char *text, struct expression **parsed, const struct expression_scope *scope,
		struct expression_bound **bound, struct expression_error *error)
{
	int err = *parsed ? 0 : expression_parse(text, parsed, error);

	return err ? err : expression_bind_value(*parsed, scope, bound, error);
}

static int bind_number(const char *text, struct expression **parsed, const struct expression_scope *scope,
		       struct expression_bound **bound, struct expression_error *error)
{
	unsigned int size;
	int err = bind(text, parsed, scope, bound, error);

	if (!err && expression_type(*bound, &size) == EXPRESSION_TEXT)
		return fail(error, -EINVAL, "%s is a text, and a number must stand here", text);
	return err;
}

/* An event that lacks a name of the filter is dropped, as a filter of a recording does. */
static int bind_filter(struct question *question, struct asked_event *event, struct expression_error *error)
{
	int err = bind_number(question->options->filter, &question->filter, &event->scope, &event->filter, error);

	if (!err)
		question->filter_fits = true;
	if (err != -ENOENT)
		return err;
	event->is_dropped = true;
	question->lacking = *error;
	return 0;
}

/* Latency asks its second events for keys and the filter, and both for the expression that they agree in. */
static int bind_event(struct question *question, struct asked_event *event, struct expression_error *error)
{
	const struct question_options *options = question->options;
	unsigned int i;
	int err = 0;

	if (options->kind == QUESTION_LATENCY)
		err = bind_number(options->match[!event->is_first], &question->match[!event->is_first],
				  &event->scope, &event->match, error);
	if (event->is_first)
		return err;
	if (!err && options->filter)
		err = bind_filter(question, event, error);
	if (event->is_dropped)
		return err;
	for (i = 0; !err && i < options->nr_keys; i++)
		if (!is_stack(options->keys[i]))
			err = bind(options->keys[i], &question->keys[i], &event->scope, &event->keys[i], error);
	if (!err && options->value)
		err = bind_number(options->value, &question->value, &event->scope, &event->value, error);
	return err;
}

/* ---- The layout of the key ---- */

static struct part part_of(const char *key, const struct expression_bound *bound)
{
	static const enum question_type types[] = {
		[EXPRESSION_SIGNED] = QUESTION_SIGNED,
		[EXPRESSION_UNSIGNED] = QUESTION_UNSIGNED,
		[EXPRESSION_TEXT] = QUESTION_STRING,
	};
	unsigned int size;
	struct part part;

	if (is_stack(key))
		return (struct part){ .type = QUESTION_STACK, .size = sizeof(uint64_t) };
	part = (struct part){ .type = types[expression_type(bound, &size)] };
	if (part.type == QUESTION_STRING)
		part.size = size > QUESTION_TEXT ? QUESTION_TEXT : (size + 7) & -8;
	else
		part.size = sizeof(uint64_t);
	return part;
}

/* A later event must have parts of the same types; the greater size holds both. */
static int set_part(struct question *question, unsigned int key, const struct asked_event *event,
		    struct expression_error *error)
{
	struct part part = part_of(question->options->keys[key], event->keys[key]);
	struct part *known = &question->parts[key];

	if (!question->has_parts) {
		*known = part;
		return 0;
	}
	if ((part.type == QUESTION_STRING) != (known->type == QUESTION_STRING))
		return fail(error, -EINVAL, "key %s is a text in some of the events, and a number in others",
			    question->options->keys[key]);
	if (part.type != known->type)
		known->type = QUESTION_SIGNED;
	if (part.size > known->size)
		known->size = part.size;
	return 0;
}

static int set_types(struct question *question, const struct asked_event *event, struct expression_error *error)
{
	unsigned int key, size;
	int err = 0;

	for (key = 0; !err && key < question->options->nr_keys; key++)
		err = set_part(question, key, event, error);
	if (err)
		return err;
	if (event->value)
		question->is_signed |= expression_type(event->value, &size) == EXPRESSION_SIGNED;
	question->has_parts = true;
	return 0;
}

/* Long texts are cut if there are several, or others with one, so that the key keeps to QUESTION_KEY_MAX. */
static void shorten(struct question *question)
{
	unsigned int key, nr_long = 0, size = sizeof(uint64_t);

	for (key = 0; key < question->options->nr_keys; key++) {
		nr_long += question->parts[key].size > SHORT_TEXT;
		size += question->parts[key].size;
	}
	if (nr_long < 2 && size <= QUESTION_KEY_MAX)
		return;
	for (key = 0; key < question->options->nr_keys; key++)
		if (question->parts[key].size > SHORT_TEXT)
			question->parts[key].size = SHORT_TEXT;
}

/**
 * lay_out() - place the parts of the key
 * @question: all events are known
 */
void lay_out(struct question *question)
{
	bool by_event = question->options->kind != QUESTION_LATENCY && question->nr_events > 1;
	unsigned int key, at = 0;

	shorten(question);
	for (key = 0; key < question->options->nr_keys; key++) {
		question->parts[key].at = at;
		at += question->parts[key].size;
	}
	/* Without a key, the number of the event alone is the place in an array. */
	if (by_event && at) {
		question->event_at = at;
		at += sizeof(uint64_t);
	}
	question->key_size = at;
	question->entry_size = question->options->kind == QUESTION_COUNT ? sizeof(uint64_t) :
			       sizeof(struct entry) + question_nr_buckets(question) * sizeof(uint64_t);
}

/* ---- Events ---- */

static struct asked_event *new_event(struct question *question, const char *name)
{
	struct asked_event *events, *event;

	events = realloc(question->events, (question->nr_events + 1) * sizeof(*events));
	if (!events)
		return NULL;
	question->events = events;
	event = &events[question->nr_events];
	*event = (struct asked_event){ .name = strdup(name) };
	return event->name ? event : NULL;
}

int question_add_event(struct question *question, const char *name, const struct ltt_field *fields,
		       size_t nr_fields, bool is_first, struct expression_error *error)
{
	struct asked_event *event;
	int err;

	if (question->nr_events == QUESTION_EVENTS_MAX)
		return fail(error, -E2BIG, "there are more than %u events: name fewer", QUESTION_EVENTS_MAX);
	event = new_event(question, name);
	if (!event)
		return fail(error, -ENOMEM, "out of memory");
	event->is_first = is_first;
	event->scope = (struct expression_scope){
		.fields = fields, .nr_fields = nr_fields,
		.contexts = expression_contexts, .nr_contexts = EXPRESSION_CONTEXTS, .knows_kernel = true,
	};
	err = bind_event(question, event, error);
	if (!err && !is_first && !event->is_dropped)
		err = set_types(question, event, error);
	if (err) {
		free_event(event);
		return err;
	}
	return question->nr_events++;
}

/* ---- What the answer looks like ---- */

unsigned int question_nr_buckets(const struct question *question)
{
	const struct question_options *options = question->options;

	if (options->kind == QUESTION_COUNT)
		return 0;
	return options->linear.step ? options->linear.nr + 2 : QUESTION_LOG2_BUCKETS;
}

static struct bucket_limits linear_limits(const struct question_linear *linear, unsigned int bucket)
{
	return (struct bucket_limits){
		.from = linear->min + (bucket - 1) * linear->step,
		.to = linear->min + bucket * linear->step,
		.has_from = bucket > 0,
		.has_to = bucket <= linear->nr,
	};
}

/* Bucket 0 has 0, and what is negative; the next one has 1, then 2 and 3, and so on. */
struct bucket_limits question_limits(const struct question *question, unsigned int bucket)
{
	if (question->options->linear.step)
		return linear_limits(&question->options->linear, bucket);
	return (struct bucket_limits){
		.from = bucket ? 1ULL << (bucket - 1) : 0,
		.to = bucket < 64 ? 1ULL << bucket : 0,
		.has_from = bucket || !question->is_signed,
		.has_to = bucket < (question->is_signed ? 63 : 64),
	};
}

bool question_is_signed(const struct question *question)
{
	return question->is_signed;
}

enum question_type question_key_type(const struct question *question, unsigned int key)
{
	return question->parts[key].type;
}
