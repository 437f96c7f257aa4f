// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Describes dynamic probes to the tracer, which knows neither types nor files.
 *
 * Layer: lttctl.
 */
#include "describe.h"
#include "kallsyms.h"
#include "liblttctl/lttctl.h"
#include "types.h"
#include "usdt.h"
#include "value.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail_memory(char why[PROBE_WHY_SIZE])
{
	snprintf(why, PROBE_WHY_SIZE, "out of memory");
	return false;
}

/* Take the text over, or free it.  Return: false without memory. */
static bool add(struct descriptions *descriptions, char *text)
{
	char **grown = realloc(descriptions->text, (descriptions->nr + 1) * sizeof(*grown));

	if (!grown) {
		free(text);
		return false;
	}
	descriptions->text = grown;
	grown[descriptions->nr++] = text;
	return true;
}

void descriptions_free(struct descriptions *descriptions)
{
	while (descriptions->nr)
		free(descriptions->text[--descriptions->nr]);
	free(descriptions->text);
	descriptions->text = NULL;
}

/* Return: false after a fault. */
static bool print_field(FILE *out, const struct scene *scene, const struct probe_argument *argument,
			char why[PROBE_WHY_SIZE])
{
	struct field field;

	if (!value_resolve(scene, argument, &field, why))
		return false;
	fprintf(out, " %.*s=%s:%s", argument->name.len, argument->name.at, field.type, field.steps.text);
	if (field.memory)
		fprintf(out, ",%c", field.memory);
	return true;
}

/* Without parentheses, a usdt probe records all arguments that can be read. */
static bool print_operands(FILE *out, const struct scene *scene, char why[PROBE_WHY_SIZE])
{
	struct probe_argument argument = { .base = PROBE_ARGUMENT };
	char name[16];
	int i;

	for (i = 1; i <= scene->nr_operands; i++) {
		if (!scene->operands[i - 1].bits)
			continue;
		snprintf(name, sizeof(name), "arg%d", i);
		argument.name = (struct probe_word){ name, strlen(name) };
		argument.number = i;
		if (!print_field(out, scene, &argument, why))
			return false;
	}
	return true;
}

/**
 * describe() - write one description
 * @definition: the probe
 * @place: as the tracer takes it
 * @nr: the number of the place, from 1 on
 * @scene: what its values see
 * @descriptions: receives the description
 * @why: see probe_describe()
 */
static bool describe(const struct probe_definition *definition, const char *place, int nr,
		     const struct scene *scene, struct descriptions *descriptions, char why[PROBE_WHY_SIZE])
{
	bool good = true;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int i;

	if (!out)
		return fail_memory(why);
	fprintf(out, "%s:%s", probe_group(definition->kind), definition->name);
	if (nr > 1)
		fprintf(out, ".%d", nr);
	fprintf(out, " %s", place);
	for (i = 0; good && i < definition->nr_arguments; i++)
		good = print_field(out, scene, &definition->argument[i], why);
	if (definition->kind == PROBE_USDT && !definition->has_arguments)
		good = print_operands(out, scene, why);
	if (fclose(out) && good)
		good = fail_memory(why);
	if (!good) {
		free(text);
		return false;
	}
	return add(descriptions, text) || fail_memory(why);
}

/* ---- The kernel ---- */

static bool needs_types(const struct probe_definition *definition)
{
	int i;

	for (i = 0; i < definition->nr_arguments; i++)
		if (definition->argument[i].base == PROBE_NAME || definition->argument[i].base == PROBE_RETURN)
			return true;
	return false;
}

/* The tracer would take any of several functions of the same name. */
static bool check_symbol(struct probe_definition *definition, char why[PROBE_WHY_SIZE])
{
	struct kallsyms_found found;
	char near[NEAREST_TEXT];

	if (!kallsyms_find(definition->module, definition->symbol, &found)) {
		snprintf(why, PROBE_WHY_SIZE, "cannot read /proc/kallsyms: %s", strerror(errno));
		return false;
	}
	if (!found.nr) {
		nearest_text(&found.nearest, "", near);
		snprintf(why, PROBE_WHY_SIZE, "there is no function %.200s in %s%s", definition->symbol,
			 *definition->module ? definition->module : "the kernel", near);
		return false;
	}
	if (found.nr > 1) {
		snprintf(why, PROBE_WHY_SIZE, "%d functions have the name %.200s: the tracer cannot tell them apart",
			 found.nr, definition->symbol);
		return false;
	}
	strcpy(definition->module, found.module);
	return true;
}

static bool describe_kernel(struct probe_definition *definition, struct descriptions *descriptions,
			    char why[PROBE_WHY_SIZE])
{
	struct scene scene = {
		.kind = definition->kind,
		.function = definition->symbol,
		.at_entry = !definition->offset,
	};
	struct types types;
	char place[512];
	bool good;
	int err;

	/* The tracer matches the glob. */
	if (definition->kind == PROBE_FUNCTION || definition->kind == PROBE_FUNCTION_GRAPH)
		return describe(definition, definition->symbol, 1, &scene, descriptions, why);
	if (definition->kind == PROBE_SAMPLE) {
		snprintf(place, sizeof(place), "%" PRIu64, definition->offset);
		return describe(definition, place, 1, &scene, descriptions, why);
	}
	if (!check_symbol(definition, why))
		return false;
	if (needs_types(definition)) {
		err = types_open(&types, definition->module);
		/* A module without BTF, or a kernel. */
		if (err && err != -ENOENT) {
			snprintf(why, PROBE_WHY_SIZE, "cannot read the types in /sys/kernel/btf: %s", strerror(-err));
			return false;
		}
		if (!err) {
			scene.types = &types;
			scene.prototype = types_function(&types, definition->symbol);
		}
	}
	snprintf(place, sizeof(place), "%s%s%s+0x%" PRIx64, definition->module, *definition->module ? ":" : "",
		 definition->symbol, definition->offset);
	good = describe(definition, place, 1, &scene, descriptions, why);
	if (scene.types)
		types_close(&types);
	return good;
}

/* ---- Programs ---- */

/* A place of a program, in which white space and backslashes of the path are octal. */
static bool print_place(char *to, size_t size, uint64_t offset, uint64_t semaphore, const char *path)
{
	size_t len = snprintf(to, size, "0x%" PRIx64 ":0x%" PRIx64 ":", offset, semaphore);

	for (; *path && len < size - 5; path++)
		if (isspace((unsigned char)*path) || *path == '\\')
			len += snprintf(to + len, size - len, "\\%03o", (unsigned char)*path);
		else
			to[len++] = *path;
	to[len] = '\0';
	return !*path;
}

static bool describe_places(const struct probe_definition *definition, const struct program *program,
			    const char *path, struct descriptions *descriptions, char why[PROBE_WHY_SIZE])
{
	struct scene scene = { .kind = definition->kind, .function = definition->symbol };
	struct usdt_place *places;
	char place[PATH_MAX + 64];
	bool good = true;
	int nr, i;

	if (!usdt_find(program, path, definition, &places, &nr, why))
		return false;
	for (i = 0; good && i < nr; i++) {
		scene.operands = places[i].operands;
		scene.nr_operands = places[i].nr_operands;
		good = print_place(place, sizeof(place), places[i].offset, places[i].semaphore, path) ||
		       fail_memory(why);
		good = good && describe(definition, place, i + 1, &scene, descriptions, why);
	}
	free(places);
	return good;
}

static bool describe_function(const struct probe_definition *definition, const struct program *program,
			      const char *path, struct descriptions *descriptions, char why[PROBE_WHY_SIZE])
{
	struct scene scene = {
		.kind = definition->kind,
		.function = *definition->symbol ? definition->symbol : path,
		.at_entry = definition->kind == PROBE_UPROBE && *definition->symbol && !definition->offset,
	};
	char place[PATH_MAX + 64];
	uint64_t offset = 0;

	if (*definition->symbol && !program_function(program, path, definition->symbol, &offset, why))
		return false;
	if (!print_place(place, sizeof(place), offset + definition->offset, 0, path))
		return fail_memory(why);
	return describe(definition, place, 1, &scene, descriptions, why);
}

static bool describe_program(const struct probe_definition *definition, struct descriptions *descriptions,
			     char why[PROBE_WHY_SIZE])
{
	char *path = realpath(definition->path, NULL);
	struct program program;
	bool good;

	if (!path) {
		snprintf(why, PROBE_WHY_SIZE, "cannot open %.500s: %s", definition->path, strerror(errno));
		return false;
	}
	good = program_open(&program, path, why);
	if (good) {
		if (definition->kind == PROBE_USDT)
			good = describe_places(definition, &program, path, descriptions, why);
		else
			good = describe_function(definition, &program, path, descriptions, why);
		program_close(&program);
	}
	free(path);
	return good;
}

bool probe_describe(const char *text, struct descriptions *descriptions, char why[PROBE_WHY_SIZE])
{
	struct probe_definition *definition = malloc(sizeof(*definition));
	bool good;

	if (!definition)
		return fail_memory(why);
	good = probe_parse(text, definition, why);
	if (good && *definition->path)
		good = describe_program(definition, descriptions, why);
	else if (good)
		good = describe_kernel(definition, descriptions, why);
	free(definition);
	return good;
}

int probe_enable(struct lttctl *ctl, struct lttctl_trace *trace, const char *description)
{
	int err = lttctl_probe_create(ctl, trace, description);
	char name[LTT_PATTERN_MAX];

	if (err)
		return err;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(description, " "), description);
	return trace ? lttctl_event_enable(trace, name) : lttctl_marker_enable(ctl, name);
}
