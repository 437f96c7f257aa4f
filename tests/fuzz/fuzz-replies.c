// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Invariants of liblttctl for any replies of the kernel, for libFuzzer.
 *
 * A case is the text of every reply.  This program takes the place of the face; the rest is
 * liblttctl's own code.
 */
#include "must.h"

#include "../../userspace/liblttctl/internal.h"

static const char *said;
static size_t names;

static int answer(struct lttctl *ctl, struct lttctl_trace *trace, const char *verb,
		  const char *const *args, char **text)
{
	(void)ctl, (void)trace, (void)verb, (void)args;
	if (text)
		*text = strdup(said);
	return 0;
}

static const struct lttctl_face face = { .ask = answer };

/* Lines that have a first word. */
static size_t count_names(const char *text)
{
	size_t count = 0;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
		count += *text != '\n' && *text != ' ';
	return count;
}

static int take_name(const char *name, void *arg)
{
	const char **last = arg;

	MUST(*name && !strpbrk(name, " \n") && strstr(said, name));
	MUST(!*last || strverscmp(*last, name) <= 0);
	*last = name;
	names++;
	return 0;
}

static int take_wanted(const char *pattern, void *arg)
{
	(void)arg;
	MUST(*pattern && !strchr(pattern, '\n') && strstr(said, pattern));
	return 0;
}

static int take_marker(const struct lttctl_marker *marker, void *arg)
{
	size_t *count = arg;

	MUST(!strpbrk(marker->group, ":\n") && !strpbrk(marker->name, " \n"));
	(*count)++;
	return 0;
}

/* All channels, or an error that says which is wrong. */
static int take_channel(const struct lttctl_channel *channel, void *arg)
{
	(void)arg;
	MUST(ltt_name_valid(channel->name) && strstr(said, channel->name));
	return 0;
}

static void check_stats(struct lttctl_trace *trace)
{
	struct lttctl_stats stats;
	size_t i, lines = 1;

	for (i = 0; said[i]; i++)
		lines += said[i] == '\n';
	MUST(!lttctl_trace_stats(trace, &stats));
	MUST(stats.nr_buffers + stats.nr_events <= lines);
	for (i = 0; i < stats.nr_buffers; i++)
		MUST(memchr(stats.buffers[i].channel, 0, sizeof(stats.buffers[i].channel)));
	for (i = 0; i < stats.nr_events; i++)
		MUST(memchr(stats.events[i].name, 0, sizeof(stats.events[i].name)));
	lttctl_stats_free(&stats);
	MUST(!stats.buffers && !stats.events && !stats.nr_buffers);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rest rest = { data, size };
	struct lttctl ctl = { .face = &face };
	struct lttctl_trace trace = { .ctl = &ctl, .name = "trace" };
	const char *last = NULL;
	size_t all = 0, some = 0;
	char *text = take_text(&rest, size);

	said = text;
	names = 0;
	MUST(!lttctl_for_each_name(&ctl, &trace, "channels", take_name, &last));
	MUST(names == count_names(said));
	MUST(!lttctl_for_each_wanted(&ctl, take_wanted, NULL));
	MUST(!lttctl_for_each_marker(&ctl, NULL, take_marker, &all));
	MUST(!lttctl_for_each_marker(&ctl, "s*:*", take_marker, &some));
	MUST(some <= all);
	lttctl_for_each_channel(&trace, take_channel, NULL);
	check_stats(&trace);
	free(text);
	return 0;
}
