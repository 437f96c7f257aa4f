// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Reads /proc/kallsyms, whose lines are "ADDRESS TYPE NAME", and "\t[MODULE]" of a module's.
 *
 * Layer: lttctl.
 */
#include "kallsyms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void look_at(char *line, const char *module, const char *symbol, struct kallsyms_found *found)
{
	const char *in;
	char *type, *name;

	strsep(&line, " ");
	type = strsep(&line, " ");
	name = strsep(&line, "\t\n");
	if (!name || !*type || !strchr("tTwW", *type))
		return;
	in = strsep(&line, "[") && line ? strsep(&line, "]") : "";
	if (*module && strcmp(in, module))
		return;
	nearest_offer(&found->nearest, symbol, strlen(symbol), name, strlen(name));
	if (strcmp(name, symbol))
		return;
	if (!found->nr++)
		snprintf(found->module, sizeof(found->module), "%s", in);
}

bool kallsyms_find(const char *module, const char *symbol, struct kallsyms_found *found)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char *line = NULL;
	size_t size = 0;

	memset(found, 0, sizeof(*found));
	if (!file)
		return false;
	while (getline(&line, &size, file) > 0)
		look_at(line, module, symbol, found);
	free(line);
	fclose(file);
	return true;
}
