// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl state: write the state of the system into a recording that runs.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "lttctl/programs/recordings.h"
#include "lttctl/record/announce.h"
#include "lttctl/record/state-child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return: 0 with a copy of the directory in *@dir, or an exit status after a message. */
static int copy_dir(const char *from, char **dir)
{
	*dir = strdup(from);
	return *dir ? 0 : complain("out of memory");
}

static int dir_of_programs(const struct recording_status *status, void *dir)
{
	return copy_dir(status->dir, dir);
}

/* The directory of the lttd that serves a trace. */
static int find_served(const char *name, char **dir)
{
	struct lttctl *ctl = tracer_connect(false);
	struct lttctl_consumer consumer;
	int err, status;

	if (!ctl)
		return EXIT_FAILED;
	err = lttctl_consumer_find(ctl, name, &consumer);
	if (err == -ENOENT)
		status = complain("no lttd serves a trace %s; `lttctl list` shows the traces", name);
	else
		status = tracer_status(ctl, err) ?: copy_dir(consumer.dir, dir);
	lttctl_free(ctl);
	return status;
}

static int find_dir(const char *name, char **dir)
{
	pid_t pid;

	if (recordings_is_name(name, &pid))
		return recordings_look(pid, dir_of_programs, dir);
	*dir = announced_output(name);
	return *dir ? 0 : find_served(name, dir);
}

int cmd_state(int argc, const char **argv)
{
	char *list = NULL, *dir = NULL;
	const struct poptOption table[] = {
		OPTIONS_STATE(&list),
		OPTIONS_VIA,
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	poptContext context;
	const char **args;
	int status;

	status = options_parse(argc, argv, table, 0, &context);
	args = poptGetArgs(context);
	if (!status && (!args || !args[0]))
		status = misused("TRACE is missing");
	else if (!status && args[1])
		status = misused("one trace only, not also `%s`", args[1]);
	if (!status)
		status = state_check(list);
	if (!status)
		status = find_dir(args[0], &dir);
	if (!status)
		status = state_write(dir, list);
	poptFreeContext(context);
	free(list);
	free(dir);
	return status;
}
