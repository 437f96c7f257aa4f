// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Traces: their life, their channels and the events they record.
 *
 * Layer: liblttctl.  A trace is held by a descriptor of its folder, so that no
 * operation can hit a later trace of the same name.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const state_names[] = {
	[LTTCTL_CONFIGURING] = "configuring",
	[LTTCTL_RUNNING] = "running",
	[LTTCTL_STOPPED] = "stopped",
};

const char *lttctl_state_name(enum lttctl_state state)
{
	return state_names[state];
}

static int check_name(struct lttctl *ctl, const char *what, const char *name)
{
	if (lttctl_name_valid(name))
		return 0;
	return lttctl_fail(ctl, -EINVAL,
			   "`%s` is no name for a %s: use 1 to 63 of A-Z a-z 0-9 _ . - and no leading dot",
			   name, what);
}

struct visit {
	int (*fn)(const char *name, void *arg);
	void *arg;
};

static int visit_folder(const char *name, bool is_dir, void *arg)
{
	struct visit *visit = arg;

	return is_dir ? visit->fn(name, visit->arg) : 0;
}

int lttctl_for_each_trace(struct lttctl *ctl,
			  int (*fn)(const char *name, void *arg), void *arg)
{
	struct visit visit = { fn, arg };

	return lttctl_for_each_entry(ctl, ctl->root, "traces", visit_folder,
				     &visit);
}

int lttctl_trace_create(struct lttctl *ctl, const char *name,
			struct lttctl_trace **trace)
{
	int err;

	err = check_name(ctl, "trace", name);
	if (!err)
		err = lttctl_write(ctl, ctl->root, "traces/create", name,
				   "create trace %s", name);
	return err ? err : lttctl_trace_open(ctl, name, trace);
}

int lttctl_trace_open(struct lttctl *ctl, const char *name,
		      struct lttctl_trace **trace)
{
	char path[sizeof("traces/") + LTTCTL_NAME_SIZE];
	struct lttctl_trace *new;
	int err;

	err = check_name(ctl, "trace", name);
	if (err)
		return err;
	new = calloc(1, sizeof(*new));
	if (!new)
		return lttctl_fail(ctl, -ENOMEM, "out of memory");
	new->ctl = ctl;
	strcpy(new->name, name);
	snprintf(path, sizeof(path), "traces/%s", name);
	new->dir = openat(ctl->root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* `traces/create` and `traces/remove` are files, hence no traces. */
	if (new->dir < 0) {
		err = errno == ENOTDIR ? -ENOENT : -errno;
		free(new);
		if (err == -ENOENT)
			return lttctl_fail(ctl, err, "there is no trace %s",
					   name);
		return lttctl_fail(ctl, err, "cannot open trace %s: %s", name,
				   strerror(-err));
	}
	*trace = new;
	return 0;
}

void lttctl_trace_close(struct lttctl_trace *trace)
{
	if (!trace)
		return;
	close(trace->dir);
	free(trace);
}

const char *lttctl_trace_name(const struct lttctl_trace *trace)
{
	return trace->name;
}

bool lttctl_trace_exists(const struct lttctl_trace *trace)
{
	return !faccessat(trace->dir, "state", F_OK, 0);
}

int lttctl_trace_start(struct lttctl_trace *trace)
{
	return lttctl_write(trace->ctl, trace->dir, "state", "start",
			    "start trace %s", trace->name);
}

int lttctl_trace_stop(struct lttctl_trace *trace)
{
	return lttctl_write(trace->ctl, trace->dir, "state", "stop",
			    "stop trace %s", trace->name);
}

int lttctl_trace_snapshot(struct lttctl_trace *trace)
{
	return lttctl_write(trace->ctl, trace->dir, "snapshot", "1",
			    "take a snapshot of trace %s", trace->name);
}

int lttctl_trace_state(struct lttctl_trace *trace, enum lttctl_state *state)
{
	size_t i;
	char *text;
	int err;

	err = lttctl_read(trace->ctl, trace->dir, "state", &text);
	if (err)
		return err;
	text[strcspn(text, "\n")] = '\0';
	err = -EPROTO;
	for (i = 0; i < sizeof(state_names) / sizeof(state_names[0]); i++) {
		if (!strcmp(text, state_names[i])) {
			*state = i;
			err = 0;
		}
	}
	if (err)
		lttctl_fail(trace->ctl, err,
			    "trace %s is in a state unknown here, `%.40s`",
			    trace->name, text);
	free(text);
	return err;
}

int lttctl_trace_destroy(struct lttctl_trace *trace)
{
	if (!lttctl_trace_exists(trace))
		return lttctl_fail(trace->ctl, -ENOENT,
				   "trace %s has been destroyed already",
				   trace->name);
	return lttctl_write(trace->ctl, trace->ctl->root, "traces/remove",
			    trace->name, "destroy trace %s", trace->name);
}

int lttctl_trace_set_pid(struct lttctl_trace *trace, pid_t pid)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", pid);
	return lttctl_write(trace->ctl, trace->dir, "pid", text,
			    "restrict trace %s to process %d", trace->name,
			    pid);
}

static const char *const option_files[] = {
	[LTTCTL_SUBBUF_SIZE] = "subbuf_size",
	[LTTCTL_SUBBUF_COUNT] = "subbuf_count",
	[LTTCTL_OVERWRITE] = "overwrite",
};

static int channel_path(struct lttctl *ctl, const char *name,
			enum lttctl_channel_option option, char *path,
			size_t size)
{
	int err = check_name(ctl, "channel", name);

	if (!err)
		snprintf(path, size, "channels/%s/%s", name,
			 option_files[option]);
	return err;
}

static int channel_read(struct lttctl_trace *trace, const char *name,
			enum lttctl_channel_option option, uint64_t *value)
{
	char path[128];
	int err;

	err = channel_path(trace->ctl, name, option, path, sizeof(path));
	if (err)
		return err;
	return lttctl_read_u64(trace->ctl, trace->dir, path, value);
}

int lttctl_channel_get(struct lttctl_trace *trace, const char *name,
		       struct lttctl_channel *channel)
{
	uint64_t overwrite;
	int err;

	err = channel_read(trace, name, LTTCTL_SUBBUF_SIZE,
			   &channel->subbuf_size);
	if (!err)
		err = channel_read(trace, name, LTTCTL_SUBBUF_COUNT,
				   &channel->subbuf_count);
	if (!err)
		err = channel_read(trace, name, LTTCTL_OVERWRITE, &overwrite);
	if (err)
		return err;
	strcpy(channel->name, name);	/* its length has been checked */
	channel->overwrite = overwrite;
	return 0;
}

int lttctl_channel_set(struct lttctl_trace *trace, const char *name,
		       enum lttctl_channel_option option, uint64_t value)
{
	char path[128], text[24];
	int err;

	err = channel_path(trace->ctl, name, option, path, sizeof(path));
	if (err)
		return err;
	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	return lttctl_write(trace->ctl, trace->dir, path, text,
			    "set %s of channel %s of trace %s to %s",
			    option_files[option], name, trace->name, text);
}

struct channel_visit {
	struct lttctl_trace *trace;
	int (*fn)(const struct lttctl_channel *channel, void *arg);
	void *arg;
};

static int visit_channel(const char *name, bool is_dir, void *arg)
{
	struct channel_visit *visit = arg;
	struct lttctl_channel channel;
	int err;

	if (!is_dir)
		return 0;
	err = lttctl_channel_get(visit->trace, name, &channel);
	return err ? err : visit->fn(&channel, visit->arg);
}

int lttctl_for_each_channel(struct lttctl_trace *trace,
			    int (*fn)(const struct lttctl_channel *channel,
				      void *arg), void *arg)
{
	struct channel_visit visit = { trace, fn, arg };

	return lttctl_for_each_entry(trace->ctl, trace->dir, "channels",
				     visit_channel, &visit);
}

int lttctl_event_enable(struct lttctl_trace *trace, const char *pattern)
{
	return lttctl_write(trace->ctl, trace->dir, "events", pattern,
			    "record %s in trace %s", pattern, trace->name);
}

int lttctl_event_disable(struct lttctl_trace *trace, const char *pattern)
{
	char text[512];

	if (snprintf(text, sizeof(text), "!%s", pattern) >= (int)sizeof(text))
		return lttctl_fail(trace->ctl, -ENAMETOOLONG,
				   "the pattern `%.40s...` is too long",
				   pattern);
	return lttctl_write(trace->ctl, trace->dir, "events", text,
			    "leave %s out of trace %s", pattern, trace->name);
}

int lttctl_for_each_event(struct lttctl_trace *trace,
			  int (*fn)(const struct lttctl_event *event,
				    void *arg), void *arg)
{
	char *text, *line, *rest;
	int ret;

	ret = lttctl_read(trace->ctl, trace->dir, "events", &text);
	if (ret)
		return ret;
	rest = text;
	while (!ret && (line = strsep(&rest, "\n"))) {
		const char *mark = strsep(&line, " ");
		struct lttctl_event event = { .channel = "" };

		event.name = strsep(&line, " ");
		event.waiting = *mark == '?';
		if (line)
			event.channel = line;
		/* `! pattern` lines tell what has been left out. */
		if (event.name && (*mark == '+' || *mark == '?'))
			ret = fn(&event, arg);
	}
	free(text);
	return ret;
}
