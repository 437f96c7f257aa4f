// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl list: list the traces with their state, their lttd and its directory.
 *
 * Layer: lttctl.
 */
#include "show-recordings.h"

#include <errno.h>
#include <stdio.h>

struct list {
	struct lttctl *ctl;
	struct json_object *json;	/* NULL for text */
};

static void list_json(struct json_object *list, const char *name,
		      const char *state, const struct lttctl_consumer *consumer)
{
	struct json_object *trace = json_object_new_object();

	json_object_object_add(trace, "name", json_object_new_string(name));
	json_object_object_add(trace, "state", json_object_new_string(state));
	if (consumer) {
		json_object_object_add(trace, "lttd",
				       json_object_new_int(consumer->pid));
		json_object_object_add(trace, "output",
				       json_object_new_string(consumer->dir));
	}
	json_object_array_add(list, trace);
}

static int list_trace(const char *name, void *arg)
{
	struct lttctl_consumer consumer;
	struct list *list = arg;
	struct lttctl_trace *trace;
	enum lttctl_state state;
	int err, found;

	err = lttctl_trace_named(list->ctl, name, &trace);
	if (err)
		return err == -ENOENT ? 0 : err;
	err = lttctl_trace_state(trace, &state);
	lttctl_trace_close(trace);
	if (err)
		return err == -ENOENT ? 0 : err;
	found = lttctl_consumer_find(list->ctl, name, &consumer);
	if (found && found != -ENOENT)
		return found;
	if (list->json)
		list_json(list->json, name, lttctl_state_name(state),
			  found ? NULL : &consumer);
	else if (!found)
		printf("%s %s, lttd %d writes %s\n", name,
		       lttctl_state_name(state), consumer.pid, consumer.dir);
	else
		printf("%s %s\n", name, lttctl_state_name(state));
	return 0;
}

static int list_all(struct list *list)
{
	int status = show_recordings(false, list->json, false, &list->ctl), failed;

	if (!list->ctl)
		return status;
	failed = tracer_status(list->ctl, lttctl_for_each_trace(list->ctl, list_trace, list));
	lttctl_free(list->ctl);
	return status ? status : failed;
}

int cmd_list(int argc, const char **argv)
{
	struct list list = { .json = NULL };
	int json = 0;
	const struct poptOption table[] = {
		{ "json", 0, POPT_ARG_NONE, &json, 0, "print JSON", NULL },
		OPTIONS_VIA,
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	poptContext context;
	int status;

	status = options_parse(argc, argv, table, 0, &context);
	if (!status && poptPeekArg(context))
		status = misused("no argument is taken, not `%s`",
				 poptPeekArg(context));
	poptFreeContext(context);
	if (status)
		return status;
	if (json)
		list.json = json_object_new_array();
	status = list_all(&list);
	if (!status && json)
		print_json(list.json);
	else
		json_object_put(list.json);
	return status;
}
