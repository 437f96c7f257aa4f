// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * record --options FILE.
 *
 * Layer: lttctl.
 */
#include "options-file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTION "--options"

/**
 * struct words - the words of the command line
 * @word: the words; NULL at the end
 * @nr: how many there are
 */
struct words {
	const char **word;
	int nr;
};

static int add(struct words *words, const char *word)
{
	const char **more = reallocarray(words->word, words->nr + 2, sizeof(*more));

	if (!more || !word)
		return complain("out of memory");
	words->word = more;
	more[words->nr++] = word;
	more[words->nr] = NULL;
	return 0;
}

/* Find an option by its long name, also in included tables. */
static const struct poptOption *find(const struct poptOption *table, const char *name)
{
	const struct poptOption *found = NULL;

	for (; !found && (table->longName || table->shortName || table->arg); table++) {
		if ((table->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE)
			found = find(table->arg, name);
		else if (table->longName && !strcmp(table->longName, name))
			found = table;
	}
	return found;
}

/* Remove blanks from both ends. */
static char *trim(char *text)
{
	size_t len;

	while (isspace((unsigned char)*text))
		text++;
	for (len = strlen(text); len && isspace((unsigned char)text[len - 1]); len--)
		;
	text[len] = '\0';
	return text;
}

static int take_line(struct words *words, const struct poptOption *table, const char *file, unsigned int nr, char *line)
{
	char *value = strchr(line, '='), *name, *word = NULL;
	const struct poptOption *option;
	bool takes_value;

	if (value)
		*value++ = '\0';
	name = trim(line);
	option = find(table, name);
	if (!option || !strcmp(name, OPTION + 2))
		return misused("%s:%u: %s: not an option of record; see lttctl record --help", file, nr, name);
	takes_value = (option->argInfo & POPT_ARG_MASK) != POPT_ARG_NONE;
	if (!takes_value && value)
		return misused("%s:%u: %s: takes no value", file, nr, name);
	value = value ? trim(value) : "";
	if (takes_value && !*value)
		return misused("%s:%u: %s: requires a value: %s = %s", file, nr, name, name,
			       option->argDescrip ? option->argDescrip : "VALUE");
	if (asprintf(&word, "--%s%s%s", name, takes_value ? "=" : "", value) < 0)
		word = NULL;
	return add(words, word);
}

static int take_file(struct words *words, const struct poptOption *table, const char *file)
{
	FILE *from = fopen(file, "re");
	unsigned int nr = 0;
	char *line = NULL, *text;
	size_t size = 0;
	int status = 0;

	if (!from)
		return complain("cannot open %s: %s", file, strerror(errno));
	while (!status && (errno = 0, getline(&line, &size, from)) >= 0) {
		nr++;
		text = trim(line);
		if (*text && *text != '#')
			status = take_line(words, table, file, nr, text);
	}
	if (!status && errno)
		status = complain("cannot read %s: %s", file, strerror(errno));
	free(line);
	fclose(from);
	return status;
}

int options_file_take(int *argc, const char ***argv, const struct poptOption *table)
{
	const char *first = *argc > 1 ? (*argv)[1] : "", *file = NULL;
	struct words words = { NULL, 0 };
	int status, at = 1;

	if (!strncmp(first, OPTION "=", strlen(OPTION "=")))
		file = (*argv)[at++] + strlen(OPTION "=");
	else if (!strcmp(first, OPTION) && *argc > 2)
		file = (*argv)[(at += 2) - 1];
	if (!file)
		return 0;
	status = add(&words, (*argv)[0]);
	if (!status)
		status = take_file(&words, table, file);
	for (; !status && at < *argc; at++)
		status = add(&words, (*argv)[at]);
	*argc = words.nr;
	*argv = words.word;
	return status;
}
