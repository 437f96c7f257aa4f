// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The options that create and record share, and the trace that they describe.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "lttctl/probe/describe.h"
#include "advice.h"
#include "contexts.h"
#include "event-patterns.h"
#include "filters.h"
#include "limits.h"
#include "lttctl/record/buffers.h"
#include "lttctl/record/preload.h"
#include "lttctl/record/state-child.h"
#include "programs-lttd.h"
#include "common/options.h"

#include <errno.h>
#include <stdlib.h>

/* The channel that receives the events; the options set its buffers. */
#define CHANNEL "events"

/* The channel that receives the names of threads. */
#define STATE_CHANNEL "state"

/* popt stores here. */
static struct {
	char **lists;
	struct filters filters;
	struct event_patterns patterns;
	struct descriptions probes;
	int allow_missing;
	char *preload_text;
	char *state_text;
	struct preload preload;
	struct limits limits;
	struct contexts contexts;
	struct options_buffers buffers;
} options = {
	.buffers.size = OPTIONS_SIZE_DEFAULT,
};

const struct poptOption trace_options_table[] = {
	FILTERS_ORDER(options.filters),
	{ "event", 'e', POPT_ARG_ARGV, &options.lists, 0,
	  "record the events group:name, kprobe:FUNCTION(ARGUMENTS) and other probes (see lttctl-record(1)), or user:group:name of programs, user@program:group:name of one program; all parts may have * ? [] (may be repeated, or a list with commas)",
	  "PATTERN" },
	FILTERS_OPTION,
	{ "allow-missing", 0, POPT_ARG_NONE, &options.allow_missing, 0,
	  "accept a PATTERN that matches no event yet", NULL },
	LIMITS_OPTIONS(options.limits),
	{ "context", 0, POPT_ARG_ARGV, &options.contexts.args, 0,
	  "what each event has besides its fields, such as pid,comm,kernel_stack; with PATTERN=, the events of the kernel that match; of programs, tid, pid, name, stack[:DEPTH] and perf:COUNTER (default tid,pid); or none",
	  "[PATTERN=]LIST" },
	{ "size", 0, POPT_ARG_STRING, &options.buffers.size_text, 0,
	  "size of a sub-buffer, a power of two (default 1M)", "SIZE" },
	{ "count", 0, POPT_ARG_STRING, &options.buffers.count_text, 0,
	  "sub-buffers for each CPU, a power of two (default: by rate and memory, see the man page)", "N" },
	{ "overwrite", 0, POPT_ARG_NONE, &options.buffers.overwrite, 0,
	  "flight recorder: keep the newest events, overwrite the oldest", NULL },
	{ "lossless", 0, POPT_ARG_STRING, &options.buffers.lossless_text, 0,
	  "programs wait up to MS milliseconds for room rather than lose events",
	  "MS" },
	OPTIONS_STATE(&options.state_text),
	POPT_TABLEEND
};

const struct poptOption trace_options_programs_table[] = {
	{ "buffers", 0, POPT_ARG_STRING, &options.buffers.whose_text, 0,
	  "each process has buffers of its own (`process', the default), or a user's processes share them (`shared')",
	  "process|shared" },
	{ "memory", 0, POPT_ARG_STRING, &options.buffers.memory_text, 0,
	  "limit for the memory of the buffers of a user's programs (default: a quarter of the machine's)",
	  "SIZE" },
	{ "preload", 0, POPT_ARG_STRING, &options.preload_text, 0,
	  "record what COMMAND calls, without markers of its own: of malloc, pthread, stdio and functions",
	  "LIST" },
	POPT_TABLEEND
};

static int check_values(void)
{
	bool programs = options.patterns.nr_programs;
	struct options_fault fault;
	int status;

	options.buffers.count = buffers_default_count();
	status = limits_check(&options.limits, programs);
	if (!status)
		status = contexts_parse(&options.contexts, trace_options_kernel(), programs);
	if (status)
		return status;
	/* options_free() frees it. */
	options.buffers.context_text = options.contexts.programs;
	options.contexts.programs = NULL;
	if (options_check(&options.buffers, programs, &fault))
		return 0;
	return misused("%s%s%s: %s", fault.option, *fault.text ? " " : "", fault.text, fault.why);
}

/* Some options are for events of the kernel only, or of programs only. */
static int check_combination(void)
{
	size_t programs = options.patterns.nr_programs;

	if (!programs && (options.buffers.whose_text || options.buffers.memory_text))
		return misused("--%s: requires events of programs, -e 'user:...'",
			       options.buffers.whose_text ? "buffers" : "memory");
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
		status = filters_check(&options.filters, (const char *const *)options.lists);
	if (!status && options.preload_text)
		status = preload_parse(&options.preload, options.preload_text);
	if (!status)
		status = preload_add_patterns(&options.preload, &options.patterns);
	if (!status)
		status = check_values();
	if (!status)
		status = state_check(options.state_text);
	return status ? status : check_combination();
}

int trace_options_check_events(struct lttctl *ctl, const char *file)
{
	int status = 0;

	if (!options.allow_missing)
		status = event_patterns_check_known(ctl, "-e ", &options.patterns, file);
	return status ? status : event_patterns_describe(&options.patterns, "-e ", &options.probes);
}

void trace_options_advise(const char *file)
{
	if (*options.patterns.kernel)
		advice_without_tracer(options.patterns.kernel, file);
}

const char *trace_options_state(void)
{
	return options.state_text;
}

bool trace_options_allow_missing(void)
{
	return options.allow_missing;
}

bool trace_options_kernel(void)
{
	return *options.patterns.kernel || options.patterns.nr_probes || !options.patterns.nr_programs;
}

bool trace_options_programs(struct programs_wanted *wanted)
{
	*wanted = (struct programs_wanted){
		.patterns = (const char *const *)options.patterns.programs,
		.filters = (const char *const *)options.filters.programs,
		.pid = options.limits.pid,
		.size = options.buffers.size,
		.count = options.buffers.count,
		.overwrite = options.buffers.overwrite,
		.lossless_ms = options.buffers.lossless_ms,
		.context = options.buffers.context_text,
		.buffers = options.buffers.whose_text,
		.memory = options.buffers.memory_text,
		.objects = preload_has_addresses(&options.preload),
	};
	return options.patterns.nr_programs;
}

bool trace_options_overwrite(void)
{
	return options.buffers.overwrite;
}

uint64_t trace_options_subbuf(void)
{
	return options.buffers.size;
}

const struct preload *trace_options_preload(void)
{
	return &options.preload;
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
	if (!options.buffers.overwrite || served)
		return 0;
	return lttctl_channel_set(trace, STATE_CHANNEL, LTTCTL_OVERWRITE, true);
}

static int apply(struct lttctl *ctl, struct lttctl_trace *trace, const char *const *patterns, bool served)
{
	const struct options_buffers *buffers = &options.buffers;
	int err = apply_state(trace, served);
	size_t i;

	if (!err)
		err = lttctl_channel_set(trace, CHANNEL, LTTCTL_SUBBUF_SIZE, buffers->size);
	if (!err)
		err = lttctl_channel_set(trace, CHANNEL, LTTCTL_SUBBUF_COUNT, buffers->count);
	if (!err)
		err = lttctl_channel_set(trace, CHANNEL, LTTCTL_OVERWRITE, buffers->overwrite);
	if (!err && buffers->lossless_ms)
		err = lttctl_channel_set(trace, CHANNEL, LTTCTL_LOSSLESS_MS,
					 buffers->lossless_ms);
	if (!err)
		err = limits_apply(&options.limits, trace);
	if (!err)
		err = contexts_apply(&options.contexts, trace, CHANNEL);
	for (; !err && patterns && *patterns; patterns++)
		err = lttctl_event_enable(trace, *patterns);
	for (i = 0; !err && i < options.probes.nr; i++)
		err = probe_enable(ctl, trace, options.probes.text[i]);
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
	if (!*patterns && !options.probes.nr)
		patterns = default_patterns;
	status = tracer_status(ctl, apply(ctl, *trace, patterns, served));
	if (!status)
		status = filters_apply(ctl, &options.filters, (const char *const *)options.lists, *trace);
	if (status) {
		lttctl_trace_destroy(*trace);
		lttctl_trace_close(*trace);
	}
	return status;
}

int trace_options_follow(struct lttctl_trace *trace, pid_t pid)
{
	options.limits.pid = pid;
	return limits_apply(&options.limits, trace);
}

const char *trace_options_limit_of_tasks(void)
{
	return limits_of_tasks(&options.limits);
}

void trace_options_free(void)
{
	size_t i;

	filters_free(&options.filters);
	event_patterns_free(&options.patterns);
	descriptions_free(&options.probes);
	for (i = 0; options.lists && options.lists[i]; i++)
		free(options.lists[i]);
	free(options.lists);
	limits_free(&options.limits);
	contexts_free(&options.contexts);
	options_free(&options.buffers);
	free(options.preload_text);
	free(options.state_text);
}
