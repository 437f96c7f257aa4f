// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Triggers of `record`: --until, --start-on, --snapshot-on and --notify, and --run.
 *
 * Layer: lttctl.  The tracer stops and begins by itself, in the event that fires.  It counts triggers, each
 * in a slot, and this file compares the counts with those that it has seen.
 */
#include "trigger.h"
#include "lttctl/command.h"
#include "lttctl/record/filters.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* How often to look where no descriptor reports everything. */
#define LOOK_MS 100

struct triggers triggers = { .fd = -1, .most = SNAPSHOTS_DEFAULT };

/* ---- The command line ---- */

/* The tracer takes a filter of one line, without control characters. */
static void join_lines(char *text)
{
	for (; *text; text++)
		if (*text == '\n' || *text == '\t')
			*text = ' ';
}

/* A callback of popt cannot fail: triggers_check() does. */
static void add(enum trigger_kind kind, const char *text)
{
	struct trigger *grown = reallocarray(triggers.trigger, triggers.nr + 1, sizeof(*grown));
	char *copy = strdup(text), *event = strndup(text, strcspn(text, " \t\n"));

	if (grown)
		triggers.trigger = grown;
	if (!grown || !copy || !event) {
		triggers.no_memory = true;
		free(copy);
		free(event);
		return;
	}
	join_lines(copy);
	grown[triggers.nr++] = (struct trigger){
		.kind = kind, .text = copy, .event = event,
		.condition = copy + strlen(event) + strspn(copy + strlen(event), " "),
	};
}

static void add_run(const char *text)
{
	char **to = triggers.nr ? &triggers.trigger[triggers.nr - 1].run : &triggers.orphan;

	free(*to);
	*to = strdup(text);
	triggers.no_memory |= !*to;
}

static void note(poptContext context, enum poptCallbackReason reason, const struct poptOption *option,
		 const char *arg, void *data)
{
	(void)context;
	(void)reason;
	(void)data;
	if (option->val == RUN)
		add_run(arg);
	else if (option->val)
		add(option->val, arg);
}

const struct poptOption triggers_table[] = {
	{ NULL, 0, POPT_ARG_CALLBACK, note, 0, NULL, NULL },
	{ "until", 0, POPT_ARG_STRING, NULL, UNTIL,
	  "end the recording with this event, when EXPRESSION is true (see doc/expressions.md)", "TRIGGER" },
	{ "start-on", 0, POPT_ARG_STRING, NULL, START_ON,
	  "begin to record with this event", "TRIGGER" },
	{ "snapshot-on", 0, POPT_ARG_STRING, NULL, SNAPSHOT_ON,
	  "write the flight recorder to a directory of its own, DIR-snapshot-N, and go on", "TRIGGER" },
	{ "snapshots", 0, POPT_ARG_STRING, &triggers.most_text, 0,
	  "write at most N snapshots (default 10)", "N" },
	{ "notify", 0, POPT_ARG_STRING, NULL, NOTIFY,
	  "print a line when this event happens", "TRIGGER" },
	{ "run", 0, POPT_ARG_STRING, NULL, RUN,
	  "run COMMAND with sh when the trigger before it fires; LTT_EVENT, LTT_FIRED and LTT_SNAPSHOT are set",
	  "COMMAND" },
	POPT_TABLEEND
};

const char *trigger_option(const struct trigger *trigger)
{
	switch (trigger->kind) {
	case UNTIL:
		return "--until";
	case START_ON:
		return "--start-on";
	case SNAPSHOT_ON:
		return "--snapshot-on";
	default:
		return "--notify";
	}
}

static bool has_slot(const struct trigger *trigger)
{
	return trigger->kind != START_ON;
}

static int check(const struct trigger *trigger, bool overwrites)
{
	const char *colon = strchr(trigger->event, ':');

	if (!colon || colon == trigger->event || !colon[1] || strpbrk(trigger->event, "*?["))
		return misused("%s `%s`: must begin with one event, GROUP:NAME", trigger_option(trigger), trigger->text);
	if (trigger->kind == SNAPSHOT_ON && !overwrites)
		return misused("--snapshot-on: requires --overwrite, which makes the recording a flight recorder");
	return *trigger->condition ? filter_syntax(trigger->condition) : 0;
}

int triggers_check(bool overwrites)
{
	unsigned int slots = 0, starts = 0;
	int status = 0;
	size_t i;

	if (triggers.no_memory)
		return complain("out of memory");
	if (triggers.orphan)
		return misused("--run `%s`: there is no trigger before it", triggers.orphan);
	status = take_number("--snapshots", triggers.most_text, 1, SNAPSHOTS_MAX, &triggers.most);
	for (i = 0; !status && i < triggers.nr; i++) {
		status = check(&triggers.trigger[i], overwrites);
		starts += triggers.trigger[i].kind == START_ON;
		if (has_slot(&triggers.trigger[i]))
			triggers.trigger[i].slot = slots++;
	}
	if (status)
		return status;
	if (slots > LTTCTL_SLOTS)
		return misused("at most %d of --until, --snapshot-on and --notify are possible, not %u", LTTCTL_SLOTS, slots);
	return starts > 1 ? misused("--start-on: a recording begins with one event, not %u", starts) : 0;
}

bool triggers_any(void)
{
	return triggers.nr;
}

bool triggers_failed(void)
{
	return triggers.failed;
}

/* ---- The trace ---- */

static int apply(struct lttctl_trace *trace, const struct trigger *trigger)
{
	char report[32];
	int err = 0;

	if (!has_slot(trigger))
		return lttctl_trigger_add(trace, trigger->event, "begin", trigger->condition);
	if (trigger->kind == UNTIL)
		err = lttctl_trigger_add(trace, trigger->event, "stop", trigger->condition);
	snprintf(report, sizeof(report), "report %u", trigger->slot);
	return err ? err : lttctl_trigger_add(trace, trigger->event, report, trigger->condition);
}

int triggers_apply(struct lttctl *ctl, struct lttctl_trace *trace, const char *dir, const char *state)
{
	int status = 0;
	size_t i;

	for (i = 0; !status && i < triggers.nr; i++)
		if (apply(trace, &triggers.trigger[i]))
			status = complain("%s `%s`: %s", trigger_option(&triggers.trigger[i]), triggers.trigger[i].text,
					  lttctl_error(ctl));
	if (status || !triggers.nr)
		return status;
	triggers.ctl = ctl;
	triggers.trace = trace;
	triggers.dir = dir;
	triggers.state = state;
	triggers.fd = lttctl_trigger_watch(trace, &triggers.reports_all);
	return triggers.fd < 0 ? tracer_status(ctl, triggers.fd) : 0;
}

int triggers_start(struct lttctl_trace *trace, bool draws)
{
	size_t i;

	triggers.draws = draws;
	for (i = 0; i < triggers.nr; i++)
		if (triggers.trigger[i].kind == START_ON) {
			triggers.armed = true;
			return lttctl_trace_arm(trace, triggers.trigger[i].event, triggers.trigger[i].condition);
		}
	return lttctl_trace_start(trace);
}

int triggers_fd(void)
{
	return triggers.fd;
}

int triggers_wait_ms(void)
{
	return triggers.nr && (triggers.armed || !triggers.reports_all) ? LOOK_MS : -1;
}

bool triggers_armed(void)
{
	return triggers.armed;
}

/* ---- What has fired ---- */

/* The bytes have no meaning. */
static void drain(void)
{
	char bytes[4096];

	while (triggers.fd >= 0 && read(triggers.fd, bytes, sizeof(bytes)) > 0)
		;
}

static void fire_slots(const struct lttctl_triggers *done)
{
	size_t i;

	for (i = 0; i < triggers.nr; i++) {
		struct trigger *trigger = &triggers.trigger[i];

		if (has_slot(trigger) && done->reports[trigger->slot] != trigger->fired)
			trigger_fire(trigger, done->reports[trigger->slot]);
	}
}

bool triggers_look(void)
{
	enum lttctl_state state = LTTCTL_RUNNING;
	struct lttctl_triggers done;
	size_t i;

	if (!triggers.nr)
		return false;
	drain();
	if (lttctl_trace_triggers(triggers.trace, &done))
		return true;
	fire_slots(&done);
	for (i = 0; i < triggers.nr; i++)
		if (triggers.trigger[i].kind == START_ON && triggers.armed && !done.armed)
			trigger_fire(&triggers.trigger[i], 1);
	triggers.armed = done.armed;
	return lttctl_trace_state(triggers.trace, &state) || state == LTTCTL_STOPPED;
}

void triggers_end(void)
{
	struct lttctl_triggers done;

	if (triggers.nr && !lttctl_trace_triggers(triggers.trace, &done))
		fire_slots(&done);
}

void triggers_written(void)
{
	size_t i;

	for (i = 0; i < triggers.nr; i++)
		if (triggers.trigger[i].kind == UNTIL && triggers.trigger[i].fired)
			trigger_run(&triggers.trigger[i], "");
}

/* ---- Commands ---- */

void triggers_signal(int signo)
{
	size_t i;

	for (i = 0; i < triggers.nr; i++)
		if (triggers.trigger[i].pid)
			kill(triggers.trigger[i].pid, signo);
}

void triggers_reap(void)
{
	int status;
	size_t i;

	for (i = 0; i < triggers.nr; i++)
		if (triggers.trigger[i].pid && child_reap(triggers.trigger[i].pid, WNOHANG, &status))
			triggers.trigger[i].pid = 0;
}

bool triggers_run(void)
{
	size_t i;

	for (i = 0; i < triggers.nr; i++)
		if (triggers.trigger[i].pid)
			return true;
	return false;
}

/* ---- The summary ---- */

void triggers_print(void)
{
	unsigned int i;

	for (i = 0; i < triggers.nr; i++)
		fprintf(stderr, "trigger   %s %s: fired %u %s\n", trigger_option(&triggers.trigger[i]),
			triggers.trigger[i].text, triggers.trigger[i].fired,
			triggers.trigger[i].fired == 1 ? "time" : "times");
	for (i = 0; i < triggers.nr_snapshots; i++)
		fprintf(stderr, "snapshot  %s\n", triggers.snapshots[i]);
	if (triggers.skipped)
		fprintf(stderr, "          %u times there was none: at most one a second, and %d in all, see --snapshots\n",
			triggers.skipped, triggers.most);
}

void triggers_json(struct json_object *summary)
{
	struct json_object *list = json_object_new_array(), *paths = json_object_new_array(), *object;
	unsigned int i;

	for (i = 0; i < triggers.nr; i++) {
		object = json_object_new_object();
		json_object_object_add(object, "option", json_object_new_string(trigger_option(&triggers.trigger[i])));
		json_object_object_add(object, "event", json_object_new_string(triggers.trigger[i].event));
		json_object_object_add(object, "expression", json_object_new_string(triggers.trigger[i].condition));
		json_object_object_add(object, "fired", json_object_new_int64(triggers.trigger[i].fired));
		json_object_array_add(list, object);
	}
	json_object_object_add(summary, "triggers", list);
	for (i = 0; i < triggers.nr_snapshots; i++)
		json_object_array_add(paths, json_object_new_string(triggers.snapshots[i]));
	json_object_object_add(summary, "snapshots", paths);
	json_object_object_add(summary, "snapshots_failed", json_object_new_int64(triggers.failed));
}

void triggers_free(void)
{
	while (triggers.nr_snapshots)
		free(triggers.snapshots[--triggers.nr_snapshots]);
	free(triggers.snapshots);
	while (triggers.nr) {
		struct trigger *trigger = &triggers.trigger[--triggers.nr];

		free(trigger->text);
		free(trigger->event);
		free(trigger->run);
	}
	free(triggers.trigger);
	free(triggers.orphan);
	free(triggers.most_text);
	if (triggers.fd >= 0)
		close(triggers.fd);
}
