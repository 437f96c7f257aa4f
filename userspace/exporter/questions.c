// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Questions, and their answers as metrics.
 *
 * Layer: ltt-exporter.  The kernel counts all the time, and a scrape reads the tables.
 */
#include "collect.h"
#include "common/utf8.h"
#include "lttctl/ask/ask.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each key is some series, and in a histogram some dozens. */
#define MAX_KEYS	256

/* A question that cannot be asked, such as about a module that is not loaded, is tried again. */
#define RETRY_SECONDS	30

/* The limits of the buckets of times: 2^-30 s is the first one, of which the classic formats have those from 1 us to 64 s. */
#define TIME_EXPONENT	(-30)
#define TIME_FIRST	10
#define TIME_LAST	36

#define LABEL_SIZE	(4 * QUESTION_TEXT + 1)
#define BUCKETS_MAX	(QUESTION_LINEAR_MAX + 2)

/**
 * struct asked_question - a question
 * @context: its metric, for messages
 * @metric: the family
 * @words: the parsed text, which @ask refers to
 * @ask: what is asked
 * @label: names of the labels for the keys
 * @bounds: the limits of the buckets
 * @asking: it is being asked, if @runs
 * @runs: see @asking
 * @failed: when it could not be asked, in seconds of asking_now()
 * @next: the next one
 */
struct asked_question {
	struct command context;
	char *metric;
	const char **words;
	struct ask ask;
	char *label[QUESTION_KEYS_MAX];
	double bounds[BUCKETS_MAX];
	struct asking asking;
	bool runs;
	double failed;
	struct asked_question *next;
};

static struct asked_question *questions;

/* ---- Names ---- */

static bool is_name(const char *text)
{
	size_t len = strlen(text);

	return len && len < 200 && !isdigit((unsigned char)*text) &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == len;
}

static bool ends_with(const char *text, const char *end)
{
	return strlen(text) > strlen(end) && !strcmp(text + strlen(text) - strlen(end), end);
}

static int check_metric(const struct asked_question *new)
{
	static const char *const suffixes[] = { "_total", "_count", "_sum", "_bucket", "_created", "_info" };
	const struct asked_question *other;
	size_t i;

	if (!is_name(new->metric))
		return misused("the name of a metric has letters, digits and _, and begins with no digit");
	if (!strncmp(new->metric, "ltt_", 4) || !strncmp(new->metric, "process_", 8))
		return misused("names that begin with ltt_ or process_ are those of the exporter itself");
	for (i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (ends_with(new->metric, suffixes[i]))
			return misused("the format adds %s to the name by itself", suffixes[i]);
	if (new->ask.question.kind == QUESTION_LATENCY && !ends_with(new->metric, "_seconds"))
		return misused("the name of a metric of times ends with _seconds");
	for (other = questions; other; other = other->next)
		if (!strcmp(other->metric, new->metric))
			return misused("another question has this name");
	return 0;
}

/* The label of a key is the key, with _ for each character that a label cannot have. */
static int name_labels(struct asked_question *new)
{
	const struct question_options *options = &new->ask.question;
	unsigned int i, j;
	char *at;

	for (i = 0; i < options->nr_keys; i++) {
		new->label[i] = strdup(options->keys[i]);
		if (!new->label[i])
			return complain("out of memory");
		for (at = new->label[i]; *at; at++)
			if (!isalnum((unsigned char)*at) || (unsigned char)*at > '~')
				*at = '_';
		if (!strcmp(options->keys[i], "stack"))
			return misused("--by stack: a stack cannot be a label");
		if (!is_name(new->label[i]) || !strncmp(new->label[i], "__", 2) || !strcmp(new->label[i], "le") ||
		    !strcmp(new->label[i], "event"))
			return misused("--by %s: cannot be the name of a label", options->keys[i]);
		for (j = 0; j < i; j++)
			if (!strcmp(new->label[i], new->label[j]))
				return misused("--by: two keys have the label %s", new->label[i]);
	}
	return 0;
}

/* ---- Taking a question ---- */

static int take_kind(struct asked_question *new, const char *kind)
{
	static const char *const kinds[] = {
		[QUESTION_COUNT] = "count", [QUESTION_VALUES] = "hist", [QUESTION_LATENCY] = "latency",
	};
	size_t i;

	for (i = 0; kind && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kind, kinds[i]))
			continue;
		new->ask.question.kind = i;
		return 0;
	}
	return misused("after the name comes count, hist or latency");
}

/* Options that only some kinds of questions have. */
static int check_kind(const struct ask *ask)
{
	if (ask->question.value && ask->question.kind != QUESTION_VALUES)
		return misused("-v: is an option of hist");
	if (ask->key && ask->question.kind != QUESTION_LATENCY)
		return misused("-k: is an option of latency");
	if (ask->linear && ask->question.kind == QUESTION_COUNT)
		return misused("--linear: is an option of hist and latency");
	return 0;
}

/* Parse the options behind the kind. */
static int take_options(struct asked_question *new, int argc, const char **argv)
{
	struct ask *ask = &new->ask;
	const struct poptOption table[] = {
		{ "event", 'e', POPT_ARG_ARGV, &ask->patterns, 0, NULL, NULL },
		{ "value", 'v', POPT_ARG_STRING, &ask->question.value, 0, NULL, NULL },
		{ "key", 'k', POPT_ARG_STRING, &ask->key, 0, NULL, NULL },
		{ "linear", 0, POPT_ARG_STRING, &ask->linear, 0, NULL, NULL },
		QUESTION_OPTIONS(*ask),
		POPT_TABLEEND
	};
	poptContext context;
	int status = options_parse(argc, argv, table, 0, &context);

	if (!status && poptPeekArg(context))
		status = misused("%s: a question takes options only", poptPeekArg(context));
	if (!status)
		status = check_kind(ask) ?: ask_check(ask, NULL);
	poptFreeContext(context);
	return status;
}

static void set_bounds(struct asked_question *new)
{
	const struct question_linear *linear = &new->ask.question.linear;
	bool is_time = new->ask.question.kind == QUESTION_LATENCY;
	unsigned int i;

	new->ask.question.upper = !linear->step;
	for (i = 0; i < BUCKETS_MAX; i++) {
		if (!linear->step)
			new->bounds[i] = ldexp(1, (int)i + (is_time ? TIME_EXPONENT : 0));
		else if (i > linear->nr)
			new->bounds[i] = INFINITY;
		else	/* the greatest integer in the bucket */
			new->bounds[i] = ((double)linear->min + (double)i * linear->step - 1) / (is_time ? 1e9 : 1);
	}
}

static int take(struct asked_question *new, const char *text)
{
	int argc, err = poptParseArgvString(text, &argc, &new->words);
	const struct command *before = command;
	int status;

	if (err)
		return misused("--question %s: %s", text, poptStrerror(err));
	if (argc < 1)
		return misused("--question: must be NAME and a question");
	new->metric = strdup(new->words[0]);
	if (!new->metric)
		return complain("out of memory");
	if (ends_with(new->metric, "_total"))
		new->metric[strlen(new->metric) - strlen("_total")] = '\0';
	new->context = (struct command){ .name = new->metric, .args = "" };
	command = &new->context;
	status = take_kind(new, argc > 1 ? new->words[1] : NULL) ?: check_metric(new) ?:
		 take_options(new, argc - 1, new->words + 1) ?: name_labels(new);
	command = before;
	set_bounds(new);
	return status;
}

static void question_end(struct asked_question *old)
{
	unsigned int i;

	if (old->runs)
		asking_end(&old->asking);
	for (i = 0; i < QUESTION_KEYS_MAX; i++)
		free(old->label[i]);
	ask_free(&old->ask);
	free(old->words);
	free(old->metric);
	free(old);
}

int questions_add(const char *text)
{
	struct asked_question *new = calloc(1, sizeof(*new)), **at = &questions;
	int status;

	if (!new)
		return complain("out of memory");
	new->ask.max_keys = MAX_KEYS;
	status = take(new, text);
	if (status) {
		question_end(new);
		return status;
	}
	while (*at)
		at = &(*at)->next;
	*at = new;
	return 0;
}

/* ---- Asking ---- */

static void begin(struct asked_question *asked)
{
	const struct command *before = command;

	command = &asked->context;
	asked->runs = !(asking_begin(&asked->asking, &asked->ask) ?: asking_start(&asked->asking));
	if (!asked->runs) {
		asking_end(&asked->asking);
		asked->failed = asking_now();
	}
	command = before;
}

void questions_begin(void)
{
	struct asked_question *asked;

	for (asked = questions; asked; asked = asked->next)
		begin(asked);
}

void questions_end(void)
{
	struct asked_question *next;

	for (; questions; questions = next) {
		next = questions->next;
		question_end(questions);
	}
}

/* ---- Answers ---- */

/* Bytes that are not UTF-8, and the backslash, get escapes, so that each text has a label of its own. */
static void format_text(const char *from, char text[LABEL_SIZE])
{
	size_t left = strlen(from), valid, len;

	for (; left; left -= valid, from += valid) {
		valid = utf8_character(from, left);
		if (valid && *from != '\\') {
			memcpy(text, from, valid);
			len = valid;
		} else {
			valid = 1;
			len = sprintf(text, "\\x%02x", (unsigned char)*from);
		}
		text += len;
	}
	*text = '\0';
}

static void format_key(const struct answer *answer, const struct question_row *row, unsigned int key,
		       char text[LABEL_SIZE])
{
	switch (question_key_type(answer->question, key)) {
	case QUESTION_STRING:
		format_text(row->keys[key].text, text);
		break;
	case QUESTION_SIGNED:
		snprintf(text, LABEL_SIZE, "%" PRId64, (int64_t)row->keys[key].number);
		break;
	default:
		snprintf(text, LABEL_SIZE, "%" PRIu64, row->keys[key].number);
	}
}

static void add_histogram(struct metrics *metrics, const struct asked_question *asked, const struct answer *answer,
			  const struct question_row *row, const struct labels *labels)
{
	const bool is_time = answer->options->kind == QUESTION_LATENCY, is_log2 = !answer->options->linear.step;
	const bool is_signed = question_is_signed(answer->question) && !is_time;
	const double sum = is_signed ? (double)(int64_t)row->sum : (double)row->sum;
	const unsigned int nr = question_nr_buckets(answer->question);
	const struct histogram histogram = {
		.buckets = row->buckets,
		.bounds = asked->bounds,
		.nr = nr,
		/* Unsigned values have no bucket below 0. */
		.first = is_log2 ? (is_time ? TIME_FIRST : 0) : !is_signed && asked->bounds[0] < 0,
		.last = is_time && is_log2 ? TIME_LAST : nr - 1,
		.sum = is_time ? sum / 1e9 : sum,
		.is_negative = is_signed && (int64_t)row->min < 0,
		.is_native = is_log2,
		.exponent = is_time ? TIME_EXPONENT : 0,
	};

	metrics_histogram(metrics, asked->metric, is_time ? "Times, by lttctl latency." : "Values, by lttctl hist.", labels,
			  &histogram);
}

static void add_row(struct metrics *metrics, const struct asked_question *asked, const struct answer *answer,
		    const struct question_row *row)
{
	char text[QUESTION_KEYS_MAX][LABEL_SIZE];
	struct labels labels = { .nr = 0 };
	unsigned int key;

	if (answer->options->kind != QUESTION_LATENCY)
		labels = labels_with(labels, "event", answer->events->events[row->event].name);
	for (key = 0; key < answer->options->nr_keys; key++) {
		format_key(answer, row, key, text[key]);
		labels = labels_with(labels, asked->label[key], text[key]);
	}
	if (answer->options->kind == QUESTION_COUNT)
		metrics_value(metrics, asked->metric, METRIC_COUNTER, "Events, by lttctl count.", &labels, row->count);
	else
		add_histogram(metrics, asked, answer, row, &labels);
}

/* Events that are in no row. */
static void add_rest(struct metrics *metrics, const struct labels *labels, const struct answer *answer)
{
	const struct {
		const char *reason;
		uint64_t count;
	} lost[] = { { "keys", answer->rows.missed }, { "interrupted", answer->unjudged }, { "big", answer->big } };
	struct labels with;
	size_t i;

	for (i = 0; i < sizeof(lost) / sizeof(lost[0]); i++) {
		with = labels_with(*labels, "reason", lost[i].reason);
		metrics_value(metrics, "ltt_question_lost_events", METRIC_COUNTER,
			      "Events in no series: their key found no room, they interrupted the counting, or were too large.",
			      &with, lost[i].count);
	}
	metrics_value(metrics, "ltt_question_unmatched_events", METRIC_COUNTER,
		      "Second events of latency without a first one.", labels, answer->rows.unmatched);
}

static void add_answer(struct metrics *metrics, struct asked_question *asked, const struct labels *labels)
{
	struct answer answer;
	size_t i;

	if (asking_read(&asked->asking, &answer)) {
		asking_end(&asked->asking);
		asked->runs = false;
		asked->failed = asking_now();
		return;
	}
	for (i = 0; i < answer.rows.nr; i++)
		add_row(metrics, asked, &answer, &answer.rows.rows[i]);
	add_rest(metrics, labels, &answer);
	question_answer_free(&answer.rows);
}

void questions_collect(struct metrics *metrics)
{
	struct asked_question *asked;
	struct labels labels;

	for (asked = questions; asked; asked = asked->next) {
		labels = labels_with((struct labels){ .nr = 0 }, "question", asked->metric);
		if (!asked->runs && asking_now() - asked->failed > RETRY_SECONDS)
			begin(asked);
		if (asked->runs)
			add_answer(metrics, asked, &labels);
		metrics_value(metrics, "ltt_question_up", METRIC_GAUGE, "1 if the question is being asked.", &labels, asked->runs);
	}
}
