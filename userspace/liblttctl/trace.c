// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Traces: their life and their state.
 *
 * Layer: liblttctl.
 */
#include "internal.h"

#include <errno.h>
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

int lttctl_for_each_trace(struct lttctl *ctl,
			  int (*fn)(const char *name, void *arg), void *arg)
{
	return lttctl_for_each_name(ctl, NULL, "traces", fn, arg);
}

int lttctl_trace_create(struct lttctl *ctl, const char *name, struct lttctl_trace **trace)
{
	char why[sizeof(ctl->error)];
	struct lttctl_trace *new;
	int err;

	err = lttctl_trace_named(ctl, name, &new);
	if (err)
		return err;
	err = lttctl_ask(ctl, NULL, "create", LTTCTL_ARGS(name), NULL, "create trace %s", name);
	if (err)
		goto err_close;
	err = lttctl_trace_bind(new);
	if (err)
		goto err_bind;
	*trace = new;
	return 0;

err_bind:
	strcpy(why, ctl->error);
	/* With -ENOENT another user has removed it already. */
	if (err != -ENOENT)
		ctl->face->ask(ctl, new, "destroy", NULL, NULL);
	lttctl_fail(ctl, err, "%s", why);
err_close:
	lttctl_trace_close(new);
	return err;
}

int lttctl_trace_named(struct lttctl *ctl, const char *name, struct lttctl_trace **trace)
{
	struct lttctl_trace *new;
	int err;

	err = lttctl_check_name(ctl, "trace", name);
	if (err)
		return err;
	new = calloc(1, sizeof(*new));
	if (!new)
		return lttctl_fail(ctl, -ENOMEM, "out of memory");
	new->ctl = ctl;
	new->dir = -1;
	strcpy(new->name, name);	/* both have room: the length has been checked */
	strcpy(new->id, name);
	*trace = new;
	return 0;
}

int lttctl_trace_bind(struct lttctl_trace *trace)
{
	return trace->ctl->face->bind(trace);
}

int lttctl_trace_open(struct lttctl *ctl, const char *name, struct lttctl_trace **trace)
{
	struct lttctl_trace *new;
	int err;

	err = lttctl_trace_named(ctl, name, &new);
	if (err)
		return err;
	err = lttctl_trace_bind(new);
	if (err)
		lttctl_trace_close(new);
	else
		*trace = new;
	return err;
}

void lttctl_trace_close(struct lttctl_trace *trace)
{
	if (!trace)
		return;
	if (trace->dir >= 0)
		close(trace->dir);
	lttctl_since_free(trace);
	free(trace);
}

const char *lttctl_trace_name(const struct lttctl_trace *trace)
{
	return trace->name;
}

bool lttctl_trace_exists(struct lttctl_trace *trace)
{
	char *state;
	int err;

	if (trace->dir >= 0)
		return !faccessat(trace->dir, "state", F_OK, 0);
	err = trace->ctl->face->ask(trace->ctl, trace, "state", NULL, &state);
	if (!err)
		free(state);
	/* The last two: the connection that the trace belonged to has ended. */
	return err != -ENOENT && err != -ESHUTDOWN && err != -EPIPE;
}

int lttctl_trace_start(struct lttctl_trace *trace)
{
	return lttctl_ask(trace->ctl, trace, "start", NULL, NULL,
			  "start trace %s", trace->name);
}

int lttctl_trace_stop(struct lttctl_trace *trace)
{
	return lttctl_ask(trace->ctl, trace, "stop", NULL, NULL,
			  "stop trace %s", trace->name);
}

int lttctl_trace_set_nameless(struct lttctl_trace *trace)
{
	return lttctl_ask(trace->ctl, trace, "nameless", NULL, NULL, "do without names in trace %s", trace->name);
}

int lttctl_trace_list_tasks(struct lttctl_trace *trace)
{
	return lttctl_ask(trace->ctl, trace, "tasks", NULL, NULL,
			  "list the threads in trace %s", trace->name);
}

int lttctl_trace_flush(struct lttctl_trace *trace)
{
	return lttctl_ask(trace->ctl, trace, "flush", NULL, NULL,
			  "flush the buffers of trace %s", trace->name);
}

int lttctl_trace_state(struct lttctl_trace *trace, enum lttctl_state *state)
{
	size_t i;
	char *text;
	int err;

	err = lttctl_ask(trace->ctl, trace, "state", NULL, &text,
			 "show the state of trace %s", trace->name);
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
			    "trace %s is in an unknown state, `%.40s`",
			    trace->name, text);
	free(text);
	return err;
}

int lttctl_trace_clock(struct lttctl_trace *trace, char **clock)
{
	int err = lttctl_ask(trace->ctl, trace, "clock", NULL, clock, "show the clock of trace %s",
			     trace->name);

	if (!err)
		(*clock)[strcspn(*clock, "\n")] = '\0';
	return err;
}

int lttctl_trace_destroy(struct lttctl_trace *trace)
{
	/* In debugfs the name may belong to another trace by now. */
	if (trace->dir >= 0 && !lttctl_trace_exists(trace))
		return lttctl_fail(trace->ctl, -ENOENT, "trace %s has been destroyed already",
				   trace->name);
	return lttctl_ask(trace->ctl, trace, "destroy", NULL, NULL,
			  "destroy trace %s", trace->name);
}

int lttctl_trace_set_pid(struct lttctl_trace *trace, pid_t pid)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", pid);
	return lttctl_ask(trace->ctl, trace, "filter-set", LTTCTL_ARGS(text),
			  NULL, "restrict trace %s to process %d", trace->name,
			  pid);
}
