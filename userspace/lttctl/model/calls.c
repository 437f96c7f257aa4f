// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * System calls: see calls.h.
 *
 * Layer: lttctl model.
 */
#include "calls.h"

#include "call-numbers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The meaning of an event. */
enum kind { KIND_UNKNOWN, KIND_BEGIN, KIND_END, KIND_TIME, KIND_NONE };

/* An event class of the groups syscall and syscall_time. */
struct class {
	enum kind kind;
	const char *name;
};

/* The call that a thread is in; no name: none. */
struct open {
	const char *name;
	int64_t since_ns;
};

struct listener {
	call_fn *fn;
	void *data;
};

struct calls {
	const struct ltttrace *trace;
	struct dispatch *dispatch;
	struct tasks *tasks;
	bool recorded;
	struct class *classes;		/* by the number of the event class */
	size_t nr_classes;
	struct open *open;		/* by the number of the task */
	size_t nr_open;
	int64_t until_ns;		/* events may be missing until then */
	struct listener *listeners;
	size_t nr_listeners;
	char **names;			/* each name once */
	size_t nr_names;
};

static struct open *open_of(struct calls *calls, const struct task *task)
{
	size_t nr = calls->nr_open;
	struct open *more;

	if (!task)
		return NULL;
	if (task->number < nr)
		return &calls->open[task->number];
	nr += task->number + 1;
	more = reallocarray(calls->open, nr, sizeof(*more));
	if (!more)
		return NULL;
	memset(more + calls->nr_open, 0, (nr - calls->nr_open) * sizeof(*more));
	calls->open = more;
	calls->nr_open = nr;
	return &more[task->number];
}

/* Return: a text that stays, the same for the same name; "?" if memory is out. */
static const char *intern(struct calls *calls, const char *name)
{
	char **more;
	size_t i;

	for (i = 0; i < calls->nr_names; i++)
		if (!strcmp(calls->names[i], name))
			return calls->names[i];
	more = reallocarray(calls->names, calls->nr_names + 1, sizeof(*more));
	if (!more)
		return "?";
	calls->names = more;
	more[calls->nr_names] = strdup(name);
	return more[calls->nr_names] ? more[calls->nr_names++] : "?";
}

static void begin(struct calls *calls, const struct ltttrace_record *record, const char *name)
{
	struct open *open = open_of(calls, task_of(calls->tasks, record));

	if (open)
		*open = (struct open){ name, record->ns };
}

static void report(const struct calls *calls, const struct call *call)
{
	size_t i;

	for (i = 0; i < calls->nr_listeners; i++)
		calls->listeners[i].fn(call, calls->listeners[i].data);
}

/* A call without a begin of its name has no duration. */
static void end(struct calls *calls, const struct ltttrace_record *record, const char *name, int64_t ret)
{
	struct call call = { .task = task_of(calls->tasks, record), .name = name, .to_ns = record->ns, .ret = ret };
	struct open *open = open_of(calls, call.task);

	if (!open)
		return;
	if (open->name && !strcmp(open->name, name) && open->since_ns >= calls->until_ns) {
		call.has_duration = true;
		call.from_ns = open->since_ns;
	}
	open->name = NULL;
	report(calls, &call);
}

/* --- sys_enter and sys_exit -------------------------------------------------- */

static const char *name_of_number(struct calls *calls, int64_t number)
{
	const char *name = number >= 0 && (uint64_t)number < call_numbers_nr ? call_numbers[number] : NULL;
	char text[24];

	if (name)
		return name;
	snprintf(text, sizeof(text), "%lld", (long long)number);
	return intern(calls, text);
}

static const char *const enter_fields[] = { "id", NULL };
static const char *const exit_fields[] = { "id", "ret", NULL };

static void on_enter(const struct dispatch_event *event, void *data)
{
	begin(data, event->record, name_of_number(data, dispatch_integer(event, 0)));
}

static void on_exit_of(const struct dispatch_event *event, void *data)
{
	end(data, event->record, name_of_number(data, dispatch_integer(event, 0)), dispatch_integer(event, 1));
}

/* --- By name ----------------------------------------------------------------- */

#define GROUP		"syscall:"
#define GROUP_TIME	"syscall_time:"
#define SUFFIX		"_exit"

static void classify(struct calls *calls, const struct ltttrace_event *event, struct class *class)
{
	const bool is_time = !strncmp(event->name, GROUP_TIME, strlen(GROUP_TIME));
	const char *call = event->name + strlen(is_time ? GROUP_TIME : GROUP);
	const size_t length = strlen(call), suffix = strlen(SUFFIX);
	char name[64], other[128];

	class->kind = is_time ? KIND_TIME : KIND_BEGIN;
	snprintf(name, sizeof(name), "%s", call);
	if (!is_time && length > suffix && length < sizeof(name) && !strcmp(call + length - suffix, SUFFIX)) {
		name[length - suffix] = '\0';
		snprintf(other, sizeof(other), GROUP_TIME "%s", name);
		/* Its event syscall_time reports the call. */
		class->kind = dispatch_has(calls->dispatch, other, NULL) ? KIND_NONE : KIND_END;
	}
	class->name = intern(calls, name);
}

static const struct class *class_of(struct calls *calls, const struct ltttrace_event *event)
{
	size_t nr = ltttrace_nr_events(calls->trace);
	struct class *more;

	if (event->number >= calls->nr_classes) {
		more = reallocarray(calls->classes, nr, sizeof(*more));
		if (!more)
			return NULL;
		memset(more + calls->nr_classes, 0, (nr - calls->nr_classes) * sizeof(*more));
		calls->classes = more;
		calls->nr_classes = nr;
	}
	if (calls->classes[event->number].kind == KIND_UNKNOWN)
		classify(calls, event, &calls->classes[event->number]);
	return &calls->classes[event->number];
}

static void end_timed(struct calls *calls, const struct ltttrace_record *record, const char *name, int64_t ret,
		      int64_t duration)
{
	struct call call = {
		.task = task_of(calls->tasks, record), .name = name, .ret = ret, .to_ns = record->ns,
		.from_ns = record->ns - duration, .has_duration = duration > 0,
	};
	struct open *open = open_of(calls, call.task);

	if (!open)
		return;
	open->name = NULL;
	report(calls, &call);
}

static const char *const named_fields[] = { "?ret", "?duration", NULL };

static void on_named(const struct dispatch_event *event, void *data)
{
	const struct class *class = class_of(data, event->record->event);

	if (!class)
		return;
	switch (class->kind) {
	case KIND_BEGIN:
		begin(data, event->record, class->name);
		break;
	case KIND_END:
		end(data, event->record, class->name, dispatch_integer(event, 0));
		break;
	case KIND_TIME:
		end_timed(data, event->record, class->name, dispatch_integer(event, 0), dispatch_integer(event, 1));
		break;
	default:
		break;
	}
}

static void on_record(const struct ltttrace_record *record, void *data)
{
	struct calls *calls = data;

	if (record->kind != LTTTRACE_EVENT && record->until_ns > calls->until_ns)
		calls->until_ns = record->until_ns;
}

/* --- Life -------------------------------------------------------------------- */

bool calls_recorded(const struct calls *calls)
{
	return calls->recorded;
}

int calls_listen(struct calls *calls, call_fn *fn, void *data)
{
	struct listener *more = reallocarray(calls->listeners, calls->nr_listeners + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	more[calls->nr_listeners++] = (struct listener){ fn, data };
	calls->listeners = more;
	return 0;
}

const char *calls_current(const struct calls *calls, const struct task *task, int64_t *since_ns)
{
	const struct open *open = task->number < calls->nr_open ? &calls->open[task->number] : NULL;

	if (!open || !open->name || open->since_ns < calls->until_ns)
		return NULL;
	if (since_ns)
		*since_ns = open->since_ns;
	return open->name;
}

static int add_handlers(struct calls *calls)
{
	struct dispatch *dispatch = calls->dispatch;
	int err = dispatch_on_all(dispatch, DISPATCH_STATES, on_record, calls);

	if (err)
		return err;
	if (dispatch_has(dispatch, "sys_enter", enter_fields) && dispatch_has(dispatch, "sys_exit", exit_fields)) {
		calls->recorded = true;
		err = dispatch_on(dispatch, DISPATCH_STATES, "sys_enter", enter_fields, on_enter, calls);
		return err ? err : dispatch_on(dispatch, DISPATCH_STATES, "sys_exit", exit_fields, on_exit_of, calls);
	}
	calls->recorded = dispatch_has(dispatch, GROUP "*", NULL) || dispatch_has(dispatch, GROUP_TIME "*", NULL);
	err = dispatch_on(dispatch, DISPATCH_STATES, GROUP "*", named_fields, on_named, calls);
	return err ? err : dispatch_on(dispatch, DISPATCH_STATES, GROUP_TIME "*", named_fields, on_named, calls);
}

struct calls *calls_new(const struct ltttrace *trace, struct dispatch *dispatch, struct tasks *tasks)
{
	struct calls *calls = calloc(1, sizeof(*calls));

	if (!calls)
		return NULL;
	calls->trace = trace;
	calls->dispatch = dispatch;
	calls->tasks = tasks;
	calls->until_ns = INT64_MIN;
	if (!add_handlers(calls))
		return calls;
	calls_free(calls);
	return NULL;
}

void calls_free(struct calls *calls)
{
	size_t i;

	if (!calls)
		return;
	for (i = 0; i < calls->nr_names; i++)
		free(calls->names[i]);
	free(calls->names);
	free(calls->classes);
	free(calls->open);
	free(calls->listeners);
	free(calls);
}
