// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl status: the state, the channels and the counts of traces.
 *
 * Layer: lttctl.
 */
#include "show-recordings.h"
#include "lttctl/programs/recordings.h"
#include "lttctl/record/announce.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/**
 * struct status - what this command shows, and how
 * @ctl: a connected handle; NULL before it is needed
 * @json: the array of traces; NULL for text
 * @list: an array of the trace that is being shown
 * @stats: the counts of that trace
 */
struct status {
	struct lttctl *ctl;
	struct json_object *json;
	struct json_object *list;
	struct lttctl_stats stats;
};

static void show_counts(const char *what, const struct lttctl_counts *counts)
{
	char emitted[32], stored[32], refused[32], overwritten[32], filtered[32];

	printf("    %-12s %s emitted = %s stored + %s refused + %s overwritten",
	       what, with_commas(counts->emitted, emitted),
	       with_commas(counts->stored, stored),
	       with_commas(counts->refused, refused),
	       with_commas(counts->overwritten, overwritten));
	if (counts->filtered)
		printf(" + %s filtered", with_commas(counts->filtered, filtered));
	if (counts->unjudged)
		printf(" (%llu without asking their filter)", (unsigned long long)counts->unjudged);
	putchar('\n');
}

static int show_channel(const struct lttctl_channel *channel, void *arg)
{
	struct status *status = arg;
	const struct lttctl_buffer_stats *buffer;
	char cpu[24];
	size_t i;

	printf("  channel %s: %llu sub-buffers of %llu bytes for each CPU%s",
	       channel->name, (unsigned long long)channel->subbuf_count,
	       (unsigned long long)channel->subbuf_size,
	       channel->overwrite ? ", the oldest overwritten" : "");
	if (channel->lossless_ms)
		printf(", writers wait up to %llu ms for room",
		       (unsigned long long)channel->lossless_ms);
	putchar('\n');
	for (i = 0; i < status->stats.nr_buffers; i++) {
		buffer = &status->stats.buffers[i];
		if (strcmp(buffer->channel, channel->name))
			continue;
		snprintf(cpu, sizeof(cpu), "CPU %u", buffer->cpu);
		show_counts(cpu, &buffer->counts);
		if (channel->lossless_ms)
			printf("%20llu waits for room, %llu timed out\n",
			       (unsigned long long)buffer->counts.waits,
			       (unsigned long long)buffer->counts.timeouts);
	}
	return 0;
}

static int show_waiting(const struct lttctl_event *event, void *arg)
{
	(void)arg;
	if (event->waiting)
		printf("  waits for %s\n", event->name);
	return 0;
}

static int show_without_program(const struct lttctl_filter *filter, void *arg)
{
	(void)arg;
	if (filter->event && filter->expression)
		printf("  does not record %s, whose filter is not compiled\n", filter->event);
	return 0;
}

static int show_text(struct status *status, struct lttctl_trace *trace,
		     enum lttctl_state state,
		     const struct lttctl_consumer *consumer)
{
	const struct lttctl_event_stats *event;
	size_t i;
	int err;

	printf("trace %s: %s", lttctl_trace_name(trace),
	       lttctl_state_name(state));
	if (consumer)
		printf(", lttd %d writes %s", consumer->pid, consumer->dir);
	putchar('\n');
	if (status->stats.halted[0])
		printf("  stopped by the tracer: %s\n", status->stats.halted);
	if (status->stats.triggered[0])
		printf("  stopped by a trigger of %s\n", status->stats.triggered);
	err = lttctl_for_each_channel(trace, show_channel, status);
	if (err)
		return err;
	printf("  total:\n");
	show_counts("", &status->stats.total);
	for (i = 0; i < status->stats.nr_events; i++) {
		event = &status->stats.events[i];
		if (event->counts.missed)
			printf("  missed of %s: %llu (not reported by the kernel)\n", event->name,
			       (unsigned long long)event->counts.missed);
		if (!event->counts.refused)
			continue;
		printf("  refused of %s: %llu (no room %llu, too big %llu, nested too deep %llu)\n",
		       event->name, (unsigned long long)event->counts.refused,
		       (unsigned long long)event->counts.full,
		       (unsigned long long)event->counts.big,
		       (unsigned long long)event->counts.nested);
	}
	err = lttctl_for_each_filter(trace, show_without_program, NULL);
	return err ? err : lttctl_for_each_event(trace, show_waiting, NULL);
}

static int channel_json(const struct lttctl_channel *channel, void *arg)
{
	struct json_object *object = json_object_new_object();
	struct json_object *cpus = json_object_new_array();
	struct status *status = arg;
	const struct lttctl_buffer_stats *buffer;
	struct json_object *cpu;
	size_t i;

	json_object_object_add(object, "name",
			       json_object_new_string(channel->name));
	json_object_object_add(object, "subbuf_size",
			       json_object_new_uint64(channel->subbuf_size));
	json_object_object_add(object, "subbuf_count",
			       json_object_new_uint64(channel->subbuf_count));
	json_object_object_add(object, "overwrite",
			       json_object_new_boolean(channel->overwrite));
	json_object_object_add(object, "lossless_ms",
			       json_object_new_uint64(channel->lossless_ms));
	for (i = 0; i < status->stats.nr_buffers; i++) {
		buffer = &status->stats.buffers[i];
		if (strcmp(buffer->channel, channel->name))
			continue;
		cpu = json_counts(&buffer->counts);
		if (channel->lossless_ms) {
			json_object_object_add(cpu, "waits",
				json_object_new_uint64(buffer->counts.waits));
			json_object_object_add(cpu, "timeouts",
				json_object_new_uint64(buffer->counts.timeouts));
		}
		json_object_object_add(cpu, "cpu",
				       json_object_new_int(buffer->cpu));
		json_object_array_add(cpus, cpu);
	}
	json_object_object_add(object, "cpus", cpus);
	json_object_array_add(status->list, object);
	return 0;
}

static int event_json(const struct lttctl_event *event, void *arg)
{
	struct json_object *object = json_object_new_object();
	struct status *status = arg;

	json_object_object_add(object, event->waiting ? "pattern" : "name",
			       json_object_new_string(event->name));
	if (!event->waiting)
		json_object_object_add(object, "channel",
				       json_object_new_string(event->channel));
	json_object_array_add(status->list, object);
	return 0;
}

static int add_json(struct status *status, struct lttctl_trace *trace,
		    enum lttctl_state state,
		    const struct lttctl_consumer *consumer)
{
	struct json_object *object = json_object_new_object();
	int err;

	json_object_array_add(status->json, object);
	json_object_object_add(object, "name",
			       json_object_new_string(lttctl_trace_name(trace)));
	json_object_object_add(object, "state",
			       json_object_new_string(lttctl_state_name(state)));
	if (status->stats.triggered[0])
		json_object_object_add(object, "triggered",
			json_object_new_string(status->stats.triggered));
	if (status->stats.halted[0])
		json_object_object_add(object, "halted",
			json_object_new_string(status->stats.halted));
	if (consumer) {
		json_object_object_add(object, "lttd",
				       json_object_new_int(consumer->pid));
		json_object_object_add(object, "output",
				       json_object_new_string(consumer->dir));
	}
	json_object_object_add(object, "total",
			       json_counts(&status->stats.total));
	json_object_object_add(object, "refused_events",
			       json_refused(&status->stats));
	status->list = json_object_new_array();
	json_object_object_add(object, "channels", status->list);
	err = lttctl_for_each_channel(trace, channel_json, status);
	if (err)
		return err;
	status->list = json_object_new_array();
	json_object_object_add(object, "events", status->list);
	return lttctl_for_each_event(trace, event_json, status);
}

static int show_trace(const char *name, void *arg)
{
	struct status *status = arg;
	struct lttctl_consumer consumer;
	struct lttctl_trace *trace;
	enum lttctl_state state;
	int err, found = 0;

	err = lttctl_trace_named(status->ctl, name, &trace);
	if (err)
		return err;
	err = lttctl_trace_state(trace, &state);
	if (!err)
		found = lttctl_consumer_find(status->ctl, name, &consumer);
	if (!err && found && found != -ENOENT)
		err = found;
	if (!err)
		err = lttctl_trace_stats(trace, &status->stats);
	if (err)
		goto out;
	err = (status->json ? add_json : show_text)(status, trace, state,
						    found ? NULL : &consumer);
	lttctl_stats_free(&status->stats);
out:
	lttctl_trace_close(trace);
	return err;
}

/* Another user may destroy a trace while all are shown. */
static int show_any_trace(const char *name, void *arg)
{
	int err = show_trace(name, arg);

	return err == -ENOENT ? 0 : err;
}

static int show_all(struct status *status)
{
	int ret = show_recordings(true, status->json, true, &status->ctl), failed;

	if (!status->ctl)
		return ret;
	failed = tracer_status(status->ctl, lttctl_for_each_trace(status->ctl, show_any_trace, status));
	return ret ? ret : failed;
}

static int show_named(struct status *status, const char *name)
{
	unsigned int nr;
	pid_t pid;

	if (recordings_is_name(name, &pid))
		return recordings_show(name, true, status->json, &nr);
	announced_show(name, true, status->json, &nr);
	if (nr)
		return 0;
	if (!status->ctl)
		status->ctl = tracer_connect(false);
	return status->ctl ? tracer_status(status->ctl, show_trace(name, status)) : EXIT_FAILED;
}

int cmd_status(int argc, const char **argv)
{
	struct status status = { .ctl = NULL };
	int json = 0, ret;
	const struct poptOption table[] = {
		{ "json", 0, POPT_ARG_NONE, &json, 0, "print JSON", NULL },
		OPTIONS_VIA,
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	poptContext context;
	const char **args;

	ret = options_parse(argc, argv, table, 0, &context);
	if (ret)
		goto out;
	if (json)
		status.json = json_object_new_array();
	args = poptGetArgs(context);
	if (!args || !*args)
		ret = show_all(&status);
	for (; !ret && args && *args; args++)
		ret = show_named(&status, *args);
	if (!ret && json)
		print_json(json_object_get(status.json));
	json_object_put(status.json);
out:
	lttctl_free(status.ctl);
	poptFreeContext(context);
	return ret;
}
