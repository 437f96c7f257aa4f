// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The channels of a trace and their options.
 *
 * Layer: liblttctl.
 */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const option_names[] = {
	[LTTCTL_SUBBUF_SIZE] = "subbuf_size",
	[LTTCTL_SUBBUF_COUNT] = "subbuf_count",
	[LTTCTL_OVERWRITE] = "overwrite",
	[LTTCTL_LOSSLESS_MS] = "lossless_ms",
};

#define NR_OPTIONS (sizeof(option_names) / sizeof(option_names[0]))

static int compare(const void *a, const void *b)
{
	const struct lttctl_channel *left = a, *right = b;

	return strverscmp(left->name, right->name);
}

/* Return: the index of an option in option_names, or -1. */
static int option_of(const char *key)
{
	size_t i;

	for (i = 0; i < NR_OPTIONS; i++)
		if (!strcmp(key, option_names[i]))
			return i;
	return -1;
}

/* "NAME OPTION NUMBER OPTION NUMBER ...", where later versions may have more options. */
static int parse_channel(struct lttctl *ctl, char *line, struct lttctl_channel *channel)
{
	uint64_t values[NR_OPTIONS] = { 0 };
	char *name = strsep(&line, " "), *key, *number, *end;
	unsigned int seen = 0;

	if (!ltt_name_valid(name))
		return lttctl_fail(ctl, -EPROTO, "the tracer lists a channel `%.40s`", name);
	while ((key = strsep(&line, " ")) && (number = strsep(&line, " "))) {
		int option = option_of(key);

		if (option < 0)
			continue;
		errno = 0;
		values[option] = strtoull(number, &end, 10);
		if (end == number || *end || errno)
			return lttctl_fail(ctl, -EPROTO, "%s of channel %s is `%.40s`, not a number",
					   key, name, number);
		seen |= 1U << option;
	}
	if (seen != (1U << NR_OPTIONS) - 1)
		return lttctl_fail(ctl, -EPROTO, "the tracer does not list all options of channel %s",
				   name);
	strcpy(channel->name, name);	/* its length has been checked */
	channel->subbuf_size = values[LTTCTL_SUBBUF_SIZE];
	channel->subbuf_count = values[LTTCTL_SUBBUF_COUNT];
	channel->overwrite = values[LTTCTL_OVERWRITE];
	channel->lossless_ms = values[LTTCTL_LOSSLESS_MS];
	return 0;
}

/* Parse all lines into an array, to be freed by the caller also after an error. */
static int parse_channels(struct lttctl *ctl, char *text, struct lttctl_channel **channels,
			  size_t *nr)
{
	struct lttctl_channel *grown;
	char *line;
	int err;

	while ((line = strsep(&text, "\n"))) {
		if (!*line)
			continue;
		grown = reallocarray(*channels, *nr + 1, sizeof(*grown));
		if (!grown)
			return lttctl_fail(ctl, -ENOMEM, "out of memory");
		*channels = grown;
		err = parse_channel(ctl, line, &grown[*nr]);
		if (err)
			return err;
		(*nr)++;
	}
	return 0;
}

int lttctl_for_each_channel(struct lttctl_trace *trace,
			    int (*fn)(const struct lttctl_channel *channel, void *arg), void *arg)
{
	struct lttctl_channel *channels = NULL;
	size_t nr = 0, i;
	char *text;
	int ret;

	ret = lttctl_ask(trace->ctl, trace, "channels", NULL, &text,
			 "list the channels of trace %s", trace->name);
	if (ret)
		return ret;
	ret = parse_channels(trace->ctl, text, &channels, &nr);
	if (!ret && nr)
		qsort(channels, nr, sizeof(*channels), compare);
	for (i = 0; !ret && i < nr; i++)
		ret = fn(&channels[i], arg);
	free(channels);
	free(text);
	return ret;
}

struct search {
	const char *name;
	struct lttctl_channel *found;
};

static int find(const struct lttctl_channel *channel, void *arg)
{
	struct search *search = arg;

	if (strcmp(channel->name, search->name))
		return 0;
	*search->found = *channel;
	return 1;
}

int lttctl_channel_get(struct lttctl_trace *trace, const char *name,
		       struct lttctl_channel *channel)
{
	struct search search = { name, channel };
	int ret;

	ret = lttctl_check_name(trace->ctl, "channel", name);
	if (!ret)
		ret = lttctl_for_each_channel(trace, find, &search);
	if (ret < 0)
		return ret;
	return ret ? 0 : lttctl_fail(trace->ctl, -ENOENT, "trace %s has no channel %s",
				     trace->name, name);
}

int lttctl_channel_set(struct lttctl_trace *trace, const char *name,
		       enum lttctl_channel_option option, uint64_t value)
{
	char text[24];
	int err;

	err = lttctl_check_name(trace->ctl, "channel", name);
	if (err)
		return err;
	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	return lttctl_ask(trace->ctl, trace, "channel-set",
			  LTTCTL_ARGS(name, option_names[option], text), NULL,
			  "set %s of channel %s of trace %s to %s",
			  option_names[option], name, trace->name, text);
}

int lttctl_channel_add(struct lttctl_trace *trace, const char *name)
{
	int err = lttctl_check_name(trace->ctl, "channel", name);

	if (err)
		return err;
	return lttctl_ask(trace->ctl, trace, "channel-add", LTTCTL_ARGS(name), NULL,
			  "add channel %s to trace %s", name, trace->name);
}
