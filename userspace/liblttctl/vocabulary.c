// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The commands and notifications that the kernel's tracer has.
 *
 * Layer: liblttctl.
 */
#include "vocabulary.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/message.h"
#include "internal.h"

_Static_assert(LTTCTL_VERB_ARGS <= LTT_MESSAGE_ARGS_MAX, "a message has room for all arguments");

struct note {
	unsigned long kind;
	char name[LTTCTL_NAME_SIZE];
};

struct lttctl_vocabulary {
	struct lttctl_verb *verbs;
	size_t nr_verbs;
	struct note *notes;
	size_t nr_notes;
};

/* ---- Learning it ---- */

/* "NAME:KIND", where KIND is text, number or size. */
static void parse_arg(struct lttctl_verb *verb, char *text)
{
	char *name = strsep(&text, ":");

	if (!text || verb->nr_args == LTTCTL_VERB_ARGS)
		return;
	snprintf(verb->arg[verb->nr_args], sizeof(verb->arg[0]), "%s", name);
	verb->is_number[verb->nr_args++] = strcmp(text, "text");
}

/* "NUMBER NAME ARG... -> RESULT: HELP" */
static void parse_verb(void *element, char *line)
{
	char *left = line, *right = strstr(line, " -> "), *word;
	struct lttctl_verb *verb = element;

	memset(verb, 0, sizeof(*verb));
	if (right) {
		*right = '\0';
		right += strlen(" -> ");
		word = strsep(&right, ":");
		verb->opens = !strcmp(word, "descriptor");
		snprintf(verb->help, sizeof(verb->help), "%s",
			 right ? right + strspn(right, " ") : "");
	}
	verb->number = strtoul(strsep(&left, " "), NULL, 10);
	word = strsep(&left, " ");
	snprintf(verb->name, sizeof(verb->name), "%s", word ? word : "");
	while ((word = strsep(&left, " ")))
		parse_arg(verb, word);
}

/* "NUMBER NAME ..." */
static void parse_note(void *element, char *line)
{
	struct note *note = element;
	char *name;

	note->kind = strtoul(strsep(&line, " "), NULL, 10);
	name = strsep(&line, " ");
	snprintf(note->name, sizeof(note->name), "%s", name ? name : "");
}

/* Request a text and call @parse for each line with another element of @elements. */
static int ask_lines(struct lttctl *ctl, struct lttctl_connection *connection,
		     const struct lttctl_verb *verb, size_t size,
		     void (*parse)(void *element, char *line), void *elements, size_t *nr)
{
	struct lttctl_reply reply;
	char *line, *rest, *grown;
	int err;

	err = lttctl_verb_send(ctl, connection, verb, NULL, 0);
	if (!err)
		err = lttctl_connection_receive(connection, true, &reply);
	if (err)
		return err;
	if (reply.error)
		err = lttctl_fail(ctl, -reply.error, "%s", reply.text);
	rest = reply.text;
	while (!err && (line = strsep(&rest, "\n"))) {
		if (!*line)
			continue;
		grown = reallocarray(*(void **)elements, *nr + 1, size);
		if (!grown) {
			err = lttctl_fail(ctl, -ENOMEM, "out of memory");
			break;
		}
		*(void **)elements = grown;
		parse(grown + size * (*nr)++, line);
	}
	free(reply.text);
	return err;
}

int lttctl_vocabulary_learn(struct lttctl *ctl, struct lttctl_connection *connection,
			    struct lttctl_vocabulary **vocabulary)
{
	/* The number of this command is 0 in every version. */
	const struct lttctl_verb commands = { .number = 0, .name = "commands" }, *notes;
	struct lttctl_vocabulary *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return lttctl_fail(ctl, -ENOMEM, "out of memory");
	err = ask_lines(ctl, connection, &commands, sizeof(*new->verbs), parse_verb, &new->verbs,
			&new->nr_verbs);
	notes = err ? NULL : lttctl_vocabulary_find(new, "notifications");
	if (notes)
		err = ask_lines(ctl, connection, notes, sizeof(*new->notes), parse_note,
				&new->notes, &new->nr_notes);
	if (err)
		lttctl_vocabulary_free(new);
	else
		*vocabulary = new;
	return err;
}

void lttctl_vocabulary_free(struct lttctl_vocabulary *vocabulary)
{
	if (!vocabulary)
		return;
	free(vocabulary->verbs);
	free(vocabulary->notes);
	free(vocabulary);
}

/* ---- Looking it up ---- */

const struct lttctl_verb *lttctl_vocabulary_verb(const struct lttctl_vocabulary *vocabulary,
						 size_t nr)
{
	return nr < vocabulary->nr_verbs ? &vocabulary->verbs[nr] : NULL;
}

const struct lttctl_verb *lttctl_vocabulary_find(const struct lttctl_vocabulary *vocabulary,
						 const char *name)
{
	size_t i;

	for (i = 0; i < vocabulary->nr_verbs; i++)
		if (!strcmp(vocabulary->verbs[i].name, name))
			return &vocabulary->verbs[i];
	return NULL;
}

const char *lttctl_vocabulary_note(const struct lttctl_vocabulary *vocabulary,
				   unsigned long kind)
{
	size_t i;

	for (i = 0; i < vocabulary->nr_notes; i++)
		if (vocabulary->notes[i].kind == kind)
			return vocabulary->notes[i].name;
	return NULL;
}

/* ---- Using it ---- */

static int parse_word(struct lttctl *ctl, const struct lttctl_verb *verb, unsigned int nr,
		      const char *text, uint64_t *word)
{
	static const char units[] = "kmg";
	const char *unit;
	char *end;

	errno = 0;
	*word = strtoull(text, &end, 10);
	if (end == text || *text == '-' || errno)
		goto bad;
	unit = *end ? strchr(units, *end | 0x20) : NULL;
	if (unit) {
		unsigned int shift = 10 * (unit - units + 1);

		if (*word > UINT64_MAX >> shift)
			goto bad;
		*word <<= shift;
		end++;
	}
	if (!*end && *word <= ULONG_MAX)
		return 0;
bad:
	return lttctl_fail(ctl, -EINVAL, "%s: `%s` is not a number for %s", verb->name, text,
			   verb->arg[nr]);
}

int lttctl_verb_send(struct lttctl *ctl, struct lttctl_connection *connection,
		     const struct lttctl_verb *verb, char *const *args, unsigned long cookie)
{
	struct ltt_message message = {
		.command = verb->number, .cookie = cookie, .nr_args = verb->nr_args,
	};
	unsigned int i;
	int err;

	for (i = 0; i < verb->nr_args; i++) {
		struct ltt_message_arg *arg = &message.arg[i];

		if (!args[i])
			return lttctl_fail(ctl, -EINVAL, "%s: %s is missing", verb->name,
					   verb->arg[i]);
		if (verb->is_number[i]) {
			arg->kind = LTT_WORD;
			err = parse_word(ctl, verb, i, args[i], &arg->word);
			if (err)
				return err;
		} else {
			arg->kind = LTT_BLOB;
			arg->word = strlen(args[i]);
			arg->blob = args[i];
		}
	}
	return lttctl_connection_send(connection, &message);
}
