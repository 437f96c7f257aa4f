// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl recipe: questions that are asked every day, each a file with a command line of lttctl.
 *
 * Layer: lttctl.  A recipe is a text: lines that begin with # say what it answers, and the others are
 * the words of a command, quoted as in a shell.
 */
#include "lttctl/command.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECIPE_MAX	65536	/* bytes */

/* The folders of recipes, the first that has a recipe decides. */
struct folders {
	char text[3][4096];
	unsigned int nr;
};

/* Those of LTT: PREFIX/share/ltt/recipes, if lttctl is in PREFIX/bin.  Without /proc, that is /usr/bin. */
static void find_installed(char *path, size_t size)
{
	static const char recipes[] = "/share/ltt/recipes";
	ssize_t len = readlink("/proc/self/exe", path, size - sizeof(recipes));
	char *slash;
	int i;

	if (len > 0)
		path[len] = '\0';
	else
		strcpy(path, "/usr/bin/lttctl");
	for (i = 0; i < 2 && (slash = strrchr(path, '/')); i++)
		*slash = '\0';
	strcat(path, recipes);
}

static void find_folders(struct folders *folders)
{
	const char *own = secure_getenv("LTT_RECIPES"), *config = secure_getenv("XDG_CONFIG_HOME");
	const char *home = secure_getenv("HOME");

	folders->nr = 0;
	if (own && *own)
		snprintf(folders->text[folders->nr++], sizeof(folders->text[0]), "%s", own);
	else if (config && *config)
		snprintf(folders->text[folders->nr++], sizeof(folders->text[0]), "%s/ltt/recipes", config);
	else if (home && *home)
		snprintf(folders->text[folders->nr++], sizeof(folders->text[0]), "%s/.config/ltt/recipes", home);
	snprintf(folders->text[folders->nr++], sizeof(folders->text[0]), "/etc/ltt/recipes");
	find_installed(folders->text[folders->nr++], sizeof(folders->text[0]));
}

/* Read a recipe.  Return: its text, which the caller frees; NULL with errno. */
static char *read_recipe(const char *folder, const char *name)
{
	char path[4096 + 256], *text = NULL;
	size_t len;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "re");
	if (!file)
		return NULL;
	text = malloc(RECIPE_MAX);
	len = text ? fread(text, 1, RECIPE_MAX, file) : 0;
	if (text && (ferror(file) || len == RECIPE_MAX)) {
		errno = ferror(file) ? errno : EFBIG;
		free(text);
		text = NULL;
	} else if (text) {
		text[len] = '\0';
	}
	fclose(file);
	return text;
}

/* Return: true for a name without a path in it. */
static bool is_name(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/');
}

static char *find_recipe(const struct folders *folders, const char *name)
{
	char *text = NULL;
	unsigned int i;

	errno = ENOENT;
	for (i = 0; is_name(name) && i < folders->nr; i++) {
		text = read_recipe(folders->text[i], name);
		if (text || (errno != ENOENT && errno != ENOTDIR))
			return text;
	}
	return NULL;
}

/* ---- Listing ---- */

struct names {
	char **names;
	size_t nr;
};

static void add_name(struct names *names, const char *name)
{
	char **more;
	size_t i;

	for (i = 0; i < names->nr; i++)
		if (!strcmp(names->names[i], name))
			return;
	more = realloc(names->names, (names->nr + 1) * sizeof(*more));
	if (!more)
		return;
	names->names = more;
	more[names->nr] = strdup(name);
	names->nr += !!more[names->nr];
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_one(const struct folders *folders, const char *name)
{
	char *text = find_recipe(folders, name), *end;

	if (!text)
		return;
	end = strchrnul(text, '\n');
	printf("%-16s  %.*s\n", name, *text == '#' ? (int)(end - text - strspn(text, "# ")) : 0,
	       text + strspn(text, "# "));
	free(text);
}

static int list(const struct folders *folders)
{
	struct names names = { 0 };
	struct dirent *entry;
	unsigned int i;
	size_t n;
	DIR *dir;

	for (i = 0; i < folders->nr; i++) {
		dir = opendir(folders->text[i]);
		while (dir && (entry = readdir(dir)))
			if (is_name(entry->d_name))
				add_name(&names, entry->d_name);
		if (dir)
			closedir(dir);
	}
	qsort(names.names, names.nr, sizeof(*names.names), by_name);
	for (n = 0; n < names.nr; n++) {
		list_one(folders, names.names[n]);
		free(names.names[n]);
	}
	free(names.names);
	return names.nr ? 0 : complain("there are no recipes in %s", folders->text[folders->nr - 1]);
}

/* ---- Running ---- */

/* Drop the lines that begin with #. */
static void drop_comments(char *text)
{
	char *to = text, *line, *next;

	for (line = text; *line; line = next) {
		next = strchrnul(line, '\n');
		next += *next != '\0';
		if (*line == '#')
			continue;
		memmove(to, line, next - line);
		to += next - line;
	}
	*to = '\0';
}

/* Run the words of a recipe, and @more behind them. */
static int run(const char *name, char *text, const char **more)
{
	const char **words, **all;
	int nr, nr_more = 0, err, status;

	drop_comments(text);
	err = poptParseArgvString(text, &nr, &words);
	if (err == POPT_ERROR_NOARG)
		return complain("recipe %s has no command", name);
	if (err)
		return complain("recipe %s: %s", name, poptStrerror(err));
	if (!strcmp(words[0], "recipe")) {
		free(words);
		return complain("recipe %s: a recipe cannot run another", name);
	}
	while (more && more[nr_more])
		nr_more++;
	all = calloc(nr + nr_more + 1, sizeof(*all));
	if (!all) {
		free(words);
		return complain("out of memory");
	}
	memcpy(all, words, nr * sizeof(*all));
	if (nr_more)
		memcpy(all + nr, more, nr_more * sizeof(*all));
	status = command_run(nr + nr_more, all);
	free(all);
	free(words);
	return status;
}

int cmd_recipe(int argc, const char **argv)
{
	int show = 0, status;
	const struct poptOption table[] = {
		{ "show", 0, POPT_ARG_NONE, &show, 0, "print the recipe", NULL },
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	struct folders folders;
	poptContext context;
	const char **args;
	char *text = NULL;

	status = options_parse(argc, argv, table, POPT_CONTEXT_POSIXMEHARDER, &context);
	if (status)
		goto out;
	find_folders(&folders);
	args = poptGetArgs(context);
	if (!args || !*args) {
		status = list(&folders);
		goto out;
	}
	text = find_recipe(&folders, *args);
	if (!text && errno == ENOENT)
		status = complain("there is no recipe %s; lttctl recipe lists them", *args);
	else if (!text)
		status = complain("recipe %s cannot be read: %s", *args, strerror(errno));
	else if (show)
		fputs(text, stdout);
	else
		status = run(*args, text, args + 1);
out:
	free(text);
	poptFreeContext(context);
	return status;
}
