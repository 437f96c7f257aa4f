// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The option --context: contexts of events of the kernel and of programs.
 *
 * Layer: lttctl.  Both have contexts of the same names, but programs have fewer.  A list
 * without a pattern is for both, and programs get those of its words that they know.  The
 * tracer knows what its kernel has, so it checks the lists for the kernel.
 */
#include "contexts.h"
#include "lttctl/command.h"
#include "common/context.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Words of programs that are called otherwise in the kernel, where there is more than one
 * stack. */
static const struct {
	const char *program;
	const char *kernel;
} others[] = {
	{ "name", "comm" },
	{ "stack", "user_stack" },
};

/* Append @len bytes of @word to the list.  Return: 0 or EXIT_FAILED. */
static int append(char **list, const char *word, size_t len, const char *end)
{
	size_t used = *list ? strlen(*list) : 0;
	char *longer = realloc(*list, used + len + strlen(end) + 2);

	if (!longer)
		return complain("out of memory");
	*list = longer;
	if (used)
		longer[used++] = ',';
	memcpy(longer + used, word, len);
	strcpy(longer + used + len, end);
	return 0;
}

static int append_for_kernel(char **list, const char *word, size_t len)
{
	size_t i, n;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		n = strlen(others[i].program);
		if (len >= n && !memcmp(word, others[i].program, n) && (len == n || word[n] == ':')) {
			char rest[16] = "";

			if (len - n < sizeof(rest))
				memcpy(rest, word + n, len - n);
			return append(list, others[i].kernel, strlen(others[i].kernel), rest);
		}
	}
	return append(list, word, len, "");
}

static bool programs_have(const char *word, size_t len)
{
	char copy[32];
	uint32_t bits;

	if (len >= sizeof(copy))
		return false;
	memcpy(copy, word, len);
	copy[len] = '\0';
	return context_parse(copy, &bits);
}

static int split(struct contexts *contexts, const char *text, bool kernel, bool programs)
{
	int status = 0;
	size_t len;

	for (; !status; text += len + 1) {
		len = strcspn(text, ",");
		if (kernel)
			status = append_for_kernel(&contexts->kernel, text, len);
		/* Alone, the programs' own message says what is wrong with a word. */
		if (!status && programs && (!kernel || programs_have(text, len)))
			status = append(&contexts->programs, text, len, "");
		if (!text[len])
			break;
	}
	return status;
}

int contexts_parse(struct contexts *contexts, bool kernel, bool programs)
{
	bool has_list = false;
	int status = 0;
	size_t i;

	for (i = 0; !status && contexts->args && contexts->args[i]; i++) {
		const char *text = contexts->args[i];

		if (strchr(text, '=')) {
			if (!kernel)
				status = misused("--context %s: only events of the kernel can have contexts by a pattern",
						 text);
			continue;
		}
		if (has_list)
			return misused("--context %s: a second list for all events; write one list, or PATTERN=LIST",
				       text);
		has_list = true;
		status = split(contexts, text, kernel, programs);
	}
	return status;
}

static int apply_pattern(const char *text, struct lttctl_trace *trace)
{
	const char *equals = strchr(text, '=');
	char *pattern = strndup(text, equals - text), *list = NULL;
	size_t len;
	int err = pattern ? 0 : EXIT_FAILED;

	for (text = equals + 1; !err; text += len + 1) {
		len = strcspn(text, ",");
		err = append_for_kernel(&list, text, len);
		if (!text[len])
			break;
	}
	if (err)
		err = -ENOMEM;
	else
		err = lttctl_trace_set_context(trace, pattern, list);
	free(list);
	free(pattern);
	return err;
}

int contexts_apply(const struct contexts *contexts, struct lttctl_trace *trace,
		   const char *channel)
{
	int err = 0;
	size_t i;

	if (contexts->kernel)
		err = lttctl_channel_set_context(trace, channel, contexts->kernel);
	for (i = 0; !err && contexts->args && contexts->args[i]; i++)
		if (strchr(contexts->args[i], '='))
			err = apply_pattern(contexts->args[i], trace);
	return err;
}

void contexts_free(struct contexts *contexts)
{
	size_t i;

	for (i = 0; contexts->args && contexts->args[i]; i++)
		free(contexts->args[i]);
	free(contexts->args);
	free(contexts->kernel);
	free(contexts->programs);
}
