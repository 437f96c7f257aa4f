// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The options of count, hist and latency.
 *
 * Layer: lttctl.
 */
#include "ask.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"

#define MAX_KEYS_MAX	(1 << 20)

/* Cut @text at its commas, but for those in parentheses and in quotes.  Return: the number of words; @max + 1 if
 * there are more than @max. */
static unsigned int cut(char *text, const char **words, unsigned int max)
{
	unsigned int nr = 0;
	int depth = 0;
	bool quoted = false;

	for (words[nr++] = text; *text; text++) {
		if (quoted && *text == '\\' && text[1])
			text++;
		else if (*text == '"')
			quoted = !quoted;
		else if (!quoted)
			depth += (*text == '(') - (*text == ')');
		if (*text != ',' || quoted || depth > 0)
			continue;
		if (nr == max)
			return max + 1;
		*text = '\0';
		words[nr++] = text + 1;
	}
	return nr;
}

static int check_by(struct ask *ask)
{
	struct question_options *question = &ask->question;

	if (!ask->by)
		return 0;
	question->nr_keys = cut(ask->by, question->keys, QUESTION_KEYS_MAX);
	if (question->nr_keys > QUESTION_KEYS_MAX)
		return misused("--by: at most %d keys can be given", QUESTION_KEYS_MAX);
	return 0;
}

/* FIELD, or FIELD=FIELD where the events call it differently.  "==" is an operator. */
static int check_key(struct ask *ask)
{
	char *equals = ask->key ? strchr(ask->key, '=') : NULL;

	if (ask->question.kind != QUESTION_LATENCY)
		return 0;
	if (!ask->key)
		return misused("--key is missing: the field by which a second event belongs to a first, such as --key tid");
	ask->question.match[0] = ask->question.match[1] = ask->key;
	if (!equals)
		return 0;
	if (equals[1] == '=')
		return misused("--key %s: must be FIELD, or FIELD=FIELD", ask->key);
	*equals = '\0';
	ask->question.match[1] = equals + 1;
	return 0;
}

/* "MIN,MAX,STEP" */
static int check_linear(struct ask *ask)
{
	struct question_linear *linear = &ask->question.linear;
	long long min, max, step;
	uint64_t nr;
	char more;

	if (!ask->linear)
		return 0;
	if (sscanf(ask->linear, "%lli,%lli,%lli%c", &min, &max, &step, &more) != 3 || min >= max || step < 1)
		return misused("--linear %s: must be MIN,MAX,STEP, such as 0,100,10", ask->linear);
	nr = ((uint64_t)max - min - 1) / step + 1;
	if (nr > QUESTION_LINEAR_MAX)
		return misused("--linear %s: makes %llu buckets; at most %d are possible", ask->linear,
			       (unsigned long long)nr, QUESTION_LINEAR_MAX);
	*linear = (struct question_linear){ .min = min, .step = step, .nr = nr };
	return 0;
}

static int check_time(const char *option, const char *text, double *seconds)
{
	uint64_t ms = 0;
	const char *why = text ? options_duration(text, &ms) : NULL;

	*seconds = ms / 1e3;
	return why ? misused("%s %s: %s", option, text, why) : 0;
}

static int check_events(const struct ask *ask)
{
	unsigned int nr = 0;

	while (ask->patterns && ask->patterns[nr])
		nr++;
	if (!nr)
		return misused("-e is missing: name the events to ask about");
	if (ask->question.kind == QUESTION_LATENCY && nr != 2)
		return misused("-e: two are required, the events that begin and end the time");
	if (ask->question.kind == QUESTION_VALUES && !ask->question.value)
		return misused("-v is missing: the field whose values are counted");
	return 0;
}

static int check_numbers(struct ask *ask)
{
	int status = take_number("--top", ask->top_text, 0, TOP_MAX, &ask->top) ?:
		     take_number("--max-keys", ask->max_keys_text, 1, MAX_KEYS_MAX, &ask->max_keys);

	ask->question.max_keys = ask->max_keys;
	return status;
}

static int check_command(struct ask *ask, const char **args)
{
	const char *other = limits_of_tasks(&ask->limits);

	ask->has_workload = args && *args;
	if (ask->follows && !ask->has_workload)
		return misused("--follow: requires a command, which it follows");
	if (ask->follows && other)
		return misused("--follow: cannot be combined with %s, which selects other tasks", other);
	return ask->has_workload ? workload_find(&ask->workload, args) : 0;
}

int ask_check(struct ask *ask, const char **args)
{
	return check_numbers(ask) ?: check_events(ask) ?: check_by(ask) ?: check_key(ask) ?: check_linear(ask) ?:
	       check_time("--duration", ask->duration_text, &ask->duration) ?:
	       check_time("-i", ask->interval_text, &ask->interval) ?:
	       limits_check(&ask->limits, false) ?: check_command(ask, args);
}

void ask_free(struct ask *ask)
{
	size_t i;

	for (i = 0; ask->patterns && ask->patterns[i]; i++)
		free(ask->patterns[i]);
	free(ask->patterns);
	free(ask->by);
	free(ask->linear);
	free(ask->key);
	free(ask->duration_text);
	free(ask->interval_text);
	free(ask->top_text);
	free(ask->max_keys_text);
	free((char *)ask->question.filter);
	free((char *)ask->question.value);
	limits_free(&ask->limits);
}
