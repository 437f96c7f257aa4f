/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Asking the kernel a question and printing the answer, for count, hist and latency.
 *
 * Layer: lttctl.  options.c parses what is asked, events.c finds the events, asking.c has the kernel answer,
 * ask.c decides for how long, rows.c sorts the answer and takes one from the next, table.c prints it as text and
 * json.c as JSON.  ltt-exporter asks, too, with options.c, events.c and asking.c.
 */
#ifndef LTTCTL_ASK_H
#define LTTCTL_ASK_H

#include "aggregate/aggregate.h"
#include "lttctl/command.h"
#include "lttctl/record/limits.h"
#include "lttctl/record/workload.h"

/**
 * struct asked_name - an event of a question
 * @name: "group:name"
 * @is_first: of latency, it begins the time
 * @fields: its fields
 */
struct asked_name {
	char *name;
	bool is_first;
	struct lttctl_fields fields;
};

/**
 * struct asked - the events of a question, by their numbers
 * @events: the events
 * @nr: number of @events
 * @is_latency: those of the first pattern begin the time
 */
struct asked {
	struct asked_name *events;
	unsigned int nr;
	bool is_latency;
};

/**
 * asked_find() - have a trace record the events of patterns, and find out what they are
 * @asked: zeroed, but for @is_latency; freed by asked_free(), also after a failure
 * @ctl: a connected handle
 * @trace: the trace, not started
 * @patterns: the arguments of -e, NULL at the end
 *
 * Return: 0, or a status after a message.
 */
int asked_find(struct asked *asked, struct lttctl *ctl, struct lttctl_trace *trace, char *const *patterns);

void asked_free(struct asked *asked);

/**
 * struct ask - a command line of count, hist or latency
 * @question: what is asked
 * @patterns: the arguments of -e, NULL at the end
 * @by: the argument of --by; NULL without, as for the texts below
 * @linear: that of --linear
 * @key: that of --key
 * @duration_text: that of --duration
 * @interval_text: that of -i
 * @top_text: that of --top
 * @max_keys_text: that of --max-keys
 * @duration: how many seconds to ask at most; 0: without a limit
 * @interval: seconds between two answers; 0: one at the end
 * @top: how many rows to print at most; 0 for all
 * @max_keys: for how many keys there is room
 * @json: print JSON
 * @brief: print no buckets
 * @follows: ask only about COMMAND and its descendants
 * @limits: the tasks and CPUs to ask about
 * @workload: COMMAND
 * @has_workload: there is one
 */
struct ask {
	struct question_options question;
	char **patterns;
	char *by, *linear, *key, *duration_text, *interval_text, *top_text, *max_keys_text;
	double duration;
	double interval;
	int top;
	int max_keys;
	int json;
	int brief;
	int follows;
	struct limits limits;
	struct workload workload;
	bool has_workload;
};

/* The options that say what is counted, for a table of popt; @of is a struct ask. */
#define QUESTION_OPTIONS(of)								\
	{ "filter", 'f', POPT_ARG_STRING, &(of).question.filter, 0,			\
	  "only events for which EXPRESSION is true", "EXPRESSION" },			\
	{ "by", 0, POPT_ARG_STRING, &(of).by, 0,					\
	  "a row for each value of up to three fields, contexts or expressions; stack is that of the kernel", \
	  "KEY,..." },									\
	{ "max-keys", 0, POPT_ARG_STRING, &(of).max_keys_text, 0,			\
	  "room for N different keys (default 4096)", "N" },				\
	LIMITS_OPTIONS((of).limits)

/* All options that the three commands have. */
#define ASK_OPTIONS(of)									\
	QUESTION_OPTIONS(of),								\
	{ "interval", 'i', POPT_ARG_STRING, &(of).interval_text, 0,			\
	  "print what has happened since the last time, every TIME, such as 1s", "TIME" },	\
	{ "duration", 0, POPT_ARG_STRING, &(of).duration_text, 0,			\
	  "end after TIME, such as 10s, 500ms or 5m", "TIME" },				\
	{ "top", 0, POPT_ARG_STRING, &(of).top_text, 0,					\
	  "print at most N rows (default 0, all)", "N" },				\
	{ "follow", 0, POPT_ARG_NONE, &(of).follows, 0,					\
	  "only events of COMMAND and its descendants", NULL },				\
	{ "json", 0, POPT_ARG_NONE, &(of).json, 0,					\
	  "print JSON, an object for each answer in a line of its own", NULL }

#define ASK_DEFAULTS { .max_keys = 4096 }

/**
 * ask_check() - check the command line, and parse its values
 * @ask: what popt has stored
 * @args: COMMAND and its arguments, or NULL
 *
 * Return: 0; EXIT_USAGE, or another status after a message.
 */
int ask_check(struct ask *ask, const char **args);

void ask_free(struct ask *ask);

/**
 * ask_run() - ask the kernel, print the answers
 * @ask: checked by ask_check()
 *
 * Return: the status of COMMAND, or EXIT_FAILED after a message.
 */
int ask_run(struct ask *ask);

/**
 * struct answer - an answer, as it is printed
 * @question: the question
 * @options: its options
 * @events: its events
 * @rows: the answer
 * @is_interval: it is that of the last interval only, and has neither minimum nor maximum
 * @is_brief: print no buckets
 * @seconds: for how long it has been counted
 * @unjudged: events that interrupted the program of the same event, and are in no row
 * @big: events that were too large for the tracer, and are in no row
 * @emitted: events that happened, by the tracer's own count
 */
struct answer {
	struct question *question;
	const struct question_options *options;
	const struct asked *events;
	struct question_answer rows;
	bool is_interval;
	bool is_brief;
	double seconds;
	uint64_t unjudged;
	uint64_t big;
	uint64_t emitted;
};

/**
 * struct asking - a question that the kernel answers
 * @ask: what is asked
 * @ctl: its own control connection
 * @trace: its trace
 * @asked: its events
 * @question: the question
 * @began: when it began, in seconds of asking_now()
 */
struct asking {
	const struct ask *ask;
	struct lttctl *ctl;
	struct lttctl_trace *trace;
	struct asked asked;
	struct question *question;
	double began;
};

/* Return: seconds of the monotonic clock. */
double asking_now(void);

/**
 * asking_begin() - prepare a question, up to the start
 * @asking: receives the question, to be ended by asking_end(), also after a failure
 * @ask: what is asked, with patterns and options that have been checked; must outlive @asking
 *
 * Return: 0, or a status after a message.
 */
int asking_begin(struct asking *asking, const struct ask *ask);

/* Start the counting, within the limits.  Return: 0, or a status after a message. */
int asking_start(struct asking *asking);

/* Read the answer so far, whose rows question_answer_free() frees.  Return: 0, or a status after a message. */
int asking_read(struct asking *asking, struct answer *answer);

/* Take the programs from the events, and free all. */
void asking_end(struct asking *asking);

/* Sort the rows: the highest count first. */
void answer_sort(struct answer *answer);

/* Add the counts, sums and buckets of @other to those of the same rows of @to, and what is in no row, @times as
 * often: -1 leaves what was added since @other was read.  Both are in another order afterwards. */
void answer_add(struct answer *to, struct answer *other, int times);

/* Return: where a stack begins behind the functions of the tracer itself. */
const uint64_t *stack_begin(const uint64_t *addresses);

/* Print an answer: at most @top rows, 0 for all. */
void answer_print(const struct answer *answer, unsigned int top);

/* Print it as one JSON object in one line. */
void answer_print_json(const struct answer *answer, unsigned int top);

#endif /* LTTCTL_ASK_H */
