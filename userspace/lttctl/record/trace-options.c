// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Making a trace as the options that create and record share say.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "programs-lttd.h"
#include "common/context.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What patterns for events of programs begin with. */
#define USER "user:"

/*
 * 8 MiB for each CPU: a desktop that runs a big build emits some 5 MB/s per CPU
 * with record's default events, so lttd may be late by more than a second.
 */
#define DEFAULT_SUBBUF_SIZE (1024 * 1024)
#define DEFAULT_SUBBUF_COUNT 8

/* The tracer's own limit. */
#define LOSSLESS_MS_MAX 10000

/* The channel that events go to, and that the options are about. */
#define CHANNEL "events"

/* popt stores here. */
static struct {
	char **patterns;
	const char **kernel;
	const char **programs;
	char *pid_text;
	char *size_text;
	char *count_text;
	char *lossless_text;
	char *context;
	int overwrite;
	pid_t pid;
	uint64_t size;
	uint64_t count;
	uint64_t lossless_ms;
} options = {
	.size = DEFAULT_SUBBUF_SIZE,
	.count = DEFAULT_SUBBUF_COUNT,
};

const struct poptOption trace_options_table[] = {
	{ "event", 'e', POPT_ARG_ARGV, &options.patterns, 0,
	  "record the events group:name, of programs user:group:name; group and name may have * ? [] (may be repeated)",
	  "PATTERN" },
	{ "pid", 'p', POPT_ARG_STRING, &options.pid_text, 0,
	  "record only process PID and its descendants", "PID" },
	{ "size", 0, POPT_ARG_STRING, &options.size_text, 0,
	  "size of a sub-buffer, a power of two (default 1M)", "SIZE" },
	{ "count", 0, POPT_ARG_STRING, &options.count_text, 0,
	  "sub-buffers for each CPU, a power of two (default 8)", "N" },
	{ "overwrite", 0, POPT_ARG_NONE, &options.overwrite, 0,
	  "flight recorder: keep the newest events, overwrite the oldest", NULL },
	{ "lossless", 0, POPT_ARG_STRING, &options.lossless_text, 0,
	  "programs wait up to MS milliseconds for room rather than lose events",
	  "MS" },
	POPT_TABLEEND
};

const struct poptOption trace_options_programs_table[] = {
	{ "context", 0, POPT_ARG_STRING, &options.context, 0,
	  "what each event of a program has, of tid, pid and name (default tid,pid), or none",
	  "LIST" },
	POPT_TABLEEND
};

static bool power_of_two(uint64_t value)
{
	return !(value & (value - 1));
}

/* Those of programs begin with "user:". */
static int split_patterns(void)
{
	const char **kernel, **programs;
	size_t nr = 0, i;

	while (options.patterns && options.patterns[nr])
		nr++;
	options.kernel = kernel = calloc(nr + 1, sizeof(*kernel));
	options.programs = programs = calloc(nr + 1, sizeof(*programs));
	if (!kernel || !programs)
		return complain("out of memory");
	for (i = 0; i < nr; i++) {
		if (strncmp(options.patterns[i], USER, strlen(USER)))
			*kernel++ = options.patterns[i];
		else if (options.patterns[i][strlen(USER)])
			*programs++ = options.patterns[i] + strlen(USER);
		else
			return misused("-e " USER ": which events of programs? such as " USER "app:*");
	}
	if (!*options.programs && options.context)
		return misused("--context: it is for events of programs, -e 'user:...'");
	if (*options.programs && options.pid_text)
		return misused("-p: it is for events of the kernel; events of programs have a field pid");
	return 0;
}

int trace_options_check(void)
{
	uint32_t context;
	uint64_t value;

	if (options.pid_text) {
		if (!parse_size(options.pid_text, &value) || value > INT_MAX)
			return misused("-p %s: not a process id",
				       options.pid_text);
		options.pid = value;
	}
	if (options.size_text &&
	    (!parse_size(options.size_text, &options.size) ||
	     !power_of_two(options.size)))
		return misused("--size %s: not a power of two, such as 64k or 1M",
			       options.size_text);
	if (options.count_text &&
	    (!parse_size(options.count_text, &options.count) ||
	     !power_of_two(options.count)))
		return misused("--count %s: not a power of two, such as 8",
			       options.count_text);
	if (options.lossless_text &&
	    (!parse_size(options.lossless_text, &options.lossless_ms) ||
	     options.lossless_ms > LOSSLESS_MS_MAX))
		return misused("--lossless %s: not a number of milliseconds from 1 to %d",
			       options.lossless_text, LOSSLESS_MS_MAX);
	if (options.lossless_text && options.overwrite)
		return misused("--lossless and --overwrite: what is overwritten need not be waited for");
	if (options.context && !context_parse(options.context, &context))
		return misused("--context %s: not " CONTEXT_WORDS, options.context);
	return split_patterns();
}

bool trace_options_kernel(void)
{
	return *options.kernel || !*options.programs;
}

bool trace_options_programs(struct programs_wanted *wanted)
{
	*wanted = (struct programs_wanted){
		.patterns = options.programs,
		.size = options.size,
		.count = options.count,
		.overwrite = options.overwrite,
		.lossless_ms = options.lossless_ms,
		.context = options.context,
	};
	return *options.programs;
}

static int warn_waiting(const struct lttctl_event *event, void *arg)
{
	(void)arg;
	if (event->waiting)
		complain("warning: nothing matches %s yet", event->name);
	return 0;
}

static int apply(struct lttctl_trace *trace, const char *const *patterns)
{
	int err;

	err = lttctl_channel_set(trace, CHANNEL, LTTCTL_SUBBUF_SIZE,
				 options.size);
	if (!err)
		err = lttctl_channel_set(trace, CHANNEL, LTTCTL_SUBBUF_COUNT,
					 options.count);
	if (!err)
		err = lttctl_channel_set(trace, CHANNEL, LTTCTL_OVERWRITE,
					 options.overwrite);
	if (!err && options.lossless_ms)
		err = lttctl_channel_set(trace, CHANNEL, LTTCTL_LOSSLESS_MS,
					 options.lossless_ms);
	if (!err && options.pid)
		err = lttctl_trace_set_pid(trace, options.pid);
	for (; !err && patterns && *patterns; patterns++)
		err = lttctl_event_enable(trace, *patterns);
	if (!err)
		err = lttctl_for_each_event(trace, warn_waiting, NULL);
	return err;
}

int trace_options_create(struct lttctl *ctl, const char *name,
			 const char *const *default_patterns,
			 struct lttctl_trace **trace)
{
	const char *const *patterns = *options.kernel ? options.kernel : NULL;
	int status;

	status = tracer_status(ctl, lttctl_trace_create(ctl, name, trace));
	if (status)
		return status;
	status = tracer_status(ctl, apply(*trace, patterns ? patterns
							   : default_patterns));
	if (status) {
		lttctl_trace_destroy(*trace);
		lttctl_trace_close(*trace);
	}
	return status;
}

void trace_options_free(void)
{
	size_t i;

	for (i = 0; options.patterns && options.patterns[i]; i++)
		free(options.patterns[i]);
	free(options.patterns);
	free(options.kernel);
	free(options.programs);
	free(options.pid_text);
	free(options.size_text);
	free(options.count_text);
	free(options.lossless_text);
	free(options.context);
}
