// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Making a trace as the options that create and record share say.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "event-patterns.h"
#include "lttctl/record/buffers.h"
#include "programs-lttd.h"
#include "common/context.h"
#include "common/options.h"

#include <errno.h>
#include <stdlib.h>

/* The channel that events go to, and that the options are about. */
#define CHANNEL "events"

/* The channel that the names of threads go to. */
#define STATE_CHANNEL "state"

/* popt stores here. */
static struct {
	char **lists;
	struct event_patterns patterns;
	int allow_missing;
	char *pid_text;
	char *size_text;
	char *count_text;
	char *lossless_text;
	char *context;
	char *buffers;
	char *memory;
	int overwrite;
	pid_t pid;
	uint64_t size;
	uint64_t count;
	uint64_t lossless_ms;
} options = {
	.size = BUFFERS_SIZE,
};

const struct poptOption trace_options_table[] = {
	{ "event", 'e', POPT_ARG_ARGV, &options.lists, 0,
	  "record the events group:name, or user:group:name of programs; group and name may have * ? [] (may be repeated, or a list with commas)",
	  "PATTERN" },
	{ "allow-missing", 0, POPT_ARG_NONE, &options.allow_missing, 0,
	  "accept a PATTERN that matches no event yet", NULL },
	{ "pid", 'p', POPT_ARG_STRING, &options.pid_text, 0,
	  "record only process PID and its descendants", "PID" },
	{ "size", 0, POPT_ARG_STRING, &options.size_text, 0,
	  "size of a sub-buffer, a power of two (default 1M)", "SIZE" },
	{ "count", 0, POPT_ARG_STRING, &options.count_text, 0,
	  "sub-buffers for each CPU, a power of two (default: by memory and CPUs, see the man page)", "N" },
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
	{ "buffers", 0, POPT_ARG_STRING, &options.buffers, 0,
	  "each process has buffers of its own (`process', the default), or a user's processes share them (`shared')",
	  "process|shared" },
	{ "memory", 0, POPT_ARG_STRING, &options.memory, 0,
	  "limit for the memory of the buffers of a user's programs (default: a quarter of the machine's)",
	  "SIZE" },
	POPT_TABLEEND
};

/* Reject an option whose value is wrong for the reason @why; NULL: it is right. */
static int check(const char *option, const char *text, const char *why)
{
	return why ? misused("%s %s: %s", option, text, why) : 0;
}

static int check_values(void)
{
	bool programs = options.patterns.nr_programs, shared;
	uint64_t memory;
	uint32_t context;
	int status = 0;

	if (!options.count_text)
		options.count = buffers_default_count();
	if (options.pid_text)
		status = check("-p", options.pid_text, options_pid(options.pid_text, &options.pid));
	if (!status && options.size_text)
		status = check("--size", options.size_text,
			       options_size(options.size_text, &options.size));
	if (!status && options.count_text)
		status = check("--count", options.count_text,
			       options_count(options.count_text, programs, &options.count));
	if (!status && options.lossless_text)
		status = check("--lossless", options.lossless_text,
			       options_lossless(options.lossless_text, &options.lossless_ms));
	if (!status && options.context && !context_parse(options.context, &context))
		status = misused("--context %s: must be " CONTEXT_WORDS, options.context);
	if (!status && options.buffers)
		status = check("--buffers", options.buffers, options_buffers(options.buffers, &shared));
	if (!status && options.memory)
		status = check("--memory", options.memory, options_memory(options.memory, &memory));
	return status;
}

/* Some options are for events of the kernel only, or of programs only. */
static int check_combination(void)
{
	size_t programs = options.patterns.nr_programs;

	if (options.lossless_text && options.overwrite)
		return misused("--lossless: cannot be combined with --overwrite, which never waits for room");
	if (!programs && (options.context || options.buffers || options.memory))
		return misused("--%s: requires events of programs, -e 'user:...'",
			       options.context ? "context" : options.buffers ? "buffers" : "memory");
	if (programs && options.pid_text)
		return misused("-p: limits events of the kernel only; events of programs have a field pid");
	if (programs > OPTIONS_PATTERNS_MAX)
		return misused("-e: %zu patterns for programs, at most %d are possible; use wider ones",
			       programs, OPTIONS_PATTERNS_MAX);
	return 0;
}

int trace_options_check(void)
{
	int status = event_patterns_parse(&options.patterns, "-e ",
					  (const char *const *)options.lists);

	if (!status)
		status = check_values();
	return status ? status : check_combination();
}

int trace_options_check_events(struct lttctl *ctl)
{
	return options.allow_missing ? 0 :
	       event_patterns_check_known(ctl, "-e ", options.patterns.kernel);
}

bool trace_options_allow_missing(void)
{
	return options.allow_missing;
}

bool trace_options_kernel(void)
{
	return *options.patterns.kernel || !options.patterns.nr_programs;
}

bool trace_options_programs(struct programs_wanted *wanted)
{
	*wanted = (struct programs_wanted){
		.patterns = (const char *const *)options.patterns.programs,
		.size = options.size,
		.count = options.count,
		.overwrite = options.overwrite,
		.lossless_ms = options.lossless_ms,
		.context = options.context,
		.buffers = options.buffers,
		.memory = options.memory,
	};
	return options.patterns.nr_programs;
}

static int warn_waiting(const struct lttctl_event *event, void *arg)
{
	(void)arg;
	if (event->waiting)
		complain("warning: no event matches %s yet", event->name);
	return 0;
}

/*
 * Without an lttd that drains the names of threads from the start on, the newest are worth
 * more than the oldest; each snapshot lists all threads again.
 */
static int apply_state(struct lttctl_trace *trace, bool served)
{
	if (!options.overwrite || served)
		return 0;
	return lttctl_channel_set(trace, STATE_CHANNEL, LTTCTL_OVERWRITE, true);
}

static int apply(struct lttctl_trace *trace, const char *const *patterns, bool served)
{
	int err = apply_state(trace, served);

	if (!err)
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
			 const char *const *default_patterns, bool served,
			 struct lttctl_trace **trace)
{
	const char *const *patterns = (const char *const *)options.patterns.kernel;
	int status;

	status = tracer_status(ctl, lttctl_trace_create(ctl, name, trace));
	if (status)
		return status;
	status = tracer_status(ctl, apply(*trace, *patterns ? patterns : default_patterns, served));
	if (status) {
		lttctl_trace_destroy(*trace);
		lttctl_trace_close(*trace);
	}
	return status;
}

void trace_options_free(void)
{
	size_t i;

	event_patterns_free(&options.patterns);
	for (i = 0; options.lists && options.lists[i]; i++)
		free(options.lists[i]);
	free(options.lists);
	free(options.pid_text);
	free(options.size_text);
	free(options.count_text);
	free(options.lossless_text);
	free(options.context);
	free(options.buffers);
	free(options.memory);
}
