// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl send: send a recording to a collector, an lttng-relayd.
 *
 * Layer: lttctl.  The work is that of userspace/relay.
 */
#include "lttctl/command.h"
#include "common/options.h"
#include "relay/sender.h"

#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long to wait for a collector that cannot be reached, after the end of the recording. */
#define TIMEOUT_MS	60000

static void say(const char *sentence)
{
	complain("%s", sentence);
}

/* Without a name in the URL, the session has that of the directory. */
static int name_session(struct relay_address *address, const char *dir)
{
	char *path, *name;

	if (*address->name)
		return 0;
	path = realpath(dir, NULL);
	if (!path)
		return complain("cannot open %s: %s", dir, strerror(errno));
	name = basename(path);
	if (relay_name_valid(name))
		strcpy(address->name, name);
	free(path);
	return *address->name ? 0 : misused("%s: not the name of a session: append another one to the URL, as in net://HOST/NAME",
					    dir);
}

static int send_it(const struct relay_options *options, const char *url)
{
	struct relay_result result;
	int ret = relay_send(options, &result);

	if (ret)
		return EXIT_FAILED;
	printf("sent %s to %s, session %s: %" PRIu64 " packets, %" PRIu64 " bytes\n", options->dir, url,
	       options->address.name, result.packets, result.bytes);
	if (result.dropped)
		return complain("%" PRIu64 " pieces with %" PRIu64 " bytes were removed before they were sent", result.dropped,
				result.dropped_bytes);
	return 0;
}

static int check(struct relay_options *options, const char *url, const char *timeout, const char **args)
{
	const char *why;

	if (!args || !args[0])
		return misused("missing argument: the directory of a recording");
	if (args[1])
		return misused("one recording only, not also `%s`", args[1]);
	if (!url)
		return misused("missing option: --to URL, the collector");
	why = relay_address_parse(&options->address, url);
	if (why)
		return misused("--to %s: %s", url, why);
	why = timeout ? options_duration(timeout, &options->timeout_ms) : NULL;
	if (why)
		return misused("--timeout %s: %s", timeout, why);
	options->dir = args[0];
	return name_session(&options->address, options->dir);
}

int cmd_send(int argc, const char **argv)
{
	struct relay_options options = { .until = -1, .timeout_ms = TIMEOUT_MS, .notice = say };
	char *url = NULL, *timeout = NULL, *first = NULL;
	int remove = 0, number = 1, status;
	const struct poptOption table[] = {
		{ "to", 0, POPT_ARG_STRING, &url, 0,
		  "the collector: net://HOST[:CONTROL-PORT[:DATA-PORT]][/NAME]", "URL" },
		{ "remove", 0, POPT_ARG_NONE, &remove, 0,
		  "remove what the collector has: each piece, and at the end the recording", NULL },
		{ "first", 0, POPT_ARG_STRING, &first, 0,
		  "send the pieces from number N on", "N" },
		{ "timeout", 0, POPT_ARG_STRING, &timeout, 0,
		  "give up when the collector cannot be reached for TIME after the end of the recording (default 60s)", "TIME" },
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	poptContext context;

	status = options_parse(argc, argv, table, 0, &context);
	if (!status)
		status = check(&options, url, timeout, poptGetArgs(context));
	if (!status)
		status = take_number("--first", first, 1, INT_MAX, &number);
	options.remove = remove;
	options.first = number;
	if (!status)
		status = send_it(&options, url);
	poptFreeContext(context);
	free(first);
	free(timeout);
	free(url);
	return status;
}
