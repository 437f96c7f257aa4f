// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Options from a file.
 *
 * Layer: lttctl.
 */
#include "options-file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct words - the words that the file stands for, each in memory of its own
 * @word: the words; NULL at the end
 * @nr: how many there are
 */
struct words {
	char **word;
	int nr;
};

static int add(struct words *words, char *word)
{
	char **more = reallocarray(words->word, words->nr + 2, sizeof(*more));

	if (more)
		words->word = more;
	if (!more || !word) {
		free(word);
		return complain("out of memory");
	}
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
	if (!option || option->val == OPTIONS_FILE_VAL)
		return misused("%s:%u: %s: not an option of %s", file, nr, name,
			       *command->name ? command->name : program);
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
	bool is_wrong;
	int status = 0;

	/* The units of services do not try again after EXIT_USAGE. */
	if (!from) {
		is_wrong = errno == ENOENT || errno == ENOTDIR || errno == EACCES;
		status = complain("cannot open %s: %s", file, strerror(errno));
		return is_wrong ? EXIT_USAGE : status;
	}
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

int options_file_take(poptContext context, const struct poptOption *table)
{
	struct words words = { NULL, 0 };
	char *file = poptGetOptArg(context);
	int status = file ? take_file(&words, table, file) : complain("out of memory");

	/* popt copies the words. */
	if (!status && words.nr && poptStuffArgs(context, (const char **)words.word))
		status = misused("--options %s: too many files", file);
	while (words.nr)
		free(words.word[--words.nr]);
	free(words.word);
	free(file);
	return status;
}
