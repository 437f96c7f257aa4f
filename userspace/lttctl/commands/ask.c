// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl count, hist and latency: tables that the kernel fills in.
 *
 * Layer: lttctl.
 */
#include "lttctl/ask/ask.h"

#define EVENTS(of, help) \
	{ "event", 'e', POPT_ARG_ARGV, &(of).patterns, 0, help, "PATTERN" }
#define BUCKETS(of) \
	{ "brief", 0, POPT_ARG_NONE, &(of).brief, 0, "print no buckets", NULL }, \
	{ "linear", 0, POPT_ARG_STRING, &(of).linear, 0, \
	  "buckets of the width STEP from MIN to MAX (default: powers of two)", "MIN,MAX,STEP" }

static int ask_with(struct ask *ask, int argc, const char **argv, const struct poptOption *table)
{
	poptContext context;
	int status = options_parse(argc, argv, table, POPT_CONTEXT_POSIXMEHARDER, &context);

	if (!status)
		status = ask_check(ask, poptGetArgs(context));
	if (!status)
		status = ask_run(ask);
	poptFreeContext(context);
	ask_free(ask);
	return status;
}

int cmd_count(int argc, const char **argv)
{
	struct ask ask = ASK_DEFAULTS;
	const struct poptOption table[] = {
		EVENTS(ask, "count the events that match (may be repeated)"),
		ASK_OPTIONS(ask),
		OPTIONS_HELP,
		POPT_TABLEEND
	};

	ask.question.kind = QUESTION_COUNT;
	return ask_with(&ask, argc, argv, table);
}

int cmd_hist(int argc, const char **argv)
{
	struct ask ask = ASK_DEFAULTS;
	const struct poptOption table[] = {
		EVENTS(ask, "the events that match (may be repeated)"),
		{ "value", 'v', POPT_ARG_STRING, &ask.question.value, 0,
		  "the field, or an expression, whose values are counted", "EXPRESSION" },
		BUCKETS(ask),
		ASK_OPTIONS(ask),
		OPTIONS_HELP,
		POPT_TABLEEND
	};

	ask.question.kind = QUESTION_VALUES;
	return ask_with(&ask, argc, argv, table);
}

int cmd_latency(int argc, const char **argv)
{
	struct ask ask = ASK_DEFAULTS;
	const struct poptOption table[] = {
		EVENTS(ask, "the event that begins the time, and with a second -e the one that ends it"),
		{ "key", 'k', POPT_ARG_STRING, &ask.key, 0,
		  "the field by which the second event belongs to the first, =FIELD if it has another there",
		  "FIELD[=FIELD]" },
		BUCKETS(ask),
		ASK_OPTIONS(ask),
		OPTIONS_HELP,
		POPT_TABLEEND
	};

	ask.question.kind = QUESTION_LATENCY;
	return ask_with(&ask, argc, argv, table);
}
