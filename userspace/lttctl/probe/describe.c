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

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions here return 0; -EINVAL: what the definition names is wrong, or not there; another -errno: it
 * cannot be looked up. */

static int fail_memory(char why[PROBE_WHY_SIZE])
{
	snprintf(why, PROBE_WHY_SIZE, "out of memory");
	return -ENOMEM;
}

/* Take the text over, or free it. */
static int add(struct descriptions *descriptions, char *text, char why[PROBE_WHY_SIZE])
{
	char **grown = realloc(descriptions->text, (descriptions->nr + 1) * sizeof(*grown));

	if (!grown) {
		free(text);
		return fail_memory(why);
	}
	descriptions->text = grown;
	grown[descriptions->nr++] = text;
	return 0;
}

void descriptions_free(struct descriptions *descriptions)
{
	while (descriptions->nr)
		free(descriptions->text[--descriptions->nr]);
	free(descriptions->text);
	descriptions->text = NULL;
}

static int print_field(FILE *out, const struct scene *scene, const struct probe_argument *argument,
		       char why[PROBE_WHY_SIZE])
{
	struct field field;

	if (!value_resolve(scene, argument, &field, why))
		return -EINVAL;
	fprintf(out, " %.*s=%s:%s", argument->name.len, argument->name.at, field.type, field.steps.text);
	if (field.memory)
		fprintf(out, ",%c", field.memory);
	return 0;
}

/* Without parentheses, a usdt probe records all arguments that can be read. */
static int print_operands(FILE *out, const struct scene *scene, char why[PROBE_WHY_SIZE])
{
	struct probe_argument argument = { .base = PROBE_ARGUMENT };
	char name[16];
	int err = 0, i;

	for (i = 1; !err && i <= scene->nr_operands; i++) {
		if (!scene->operands[i - 1].bits)
			continue;
		snprintf(name, sizeof(name), "arg%d", i);
		argument.name = (struct probe_word){ name, strlen(name) };
		argument.number = i;
		err = print_field(out, scene, &argument, why);
	}
	return err;
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
static int describe(const struct probe_definition *definition, const char *place, int nr,
		    const struct scene *scene, struct descriptions *descriptions, char why[PROBE_WHY_SIZE])
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int err = 0, i;

	if (!out)
		return fail_memory(why);
	fprintf(out, "%s:%s", probe_group(definition->kind), definition->name);
	if (nr > 1)
		fprintf(out, ".%d", nr);
	fprintf(out, " %s", place);
	for (i = 0; !err && i < definition->nr_arguments; i++)
		err = print_field(out, scene, &definition->argument[i], why);
	if (definition->kind == PROBE_USDT && !definition->has_arguments)
		err = print_operands(out, scene, why);
	if (fclose(out) && !err)
		err = fail_memory(why);
	if (err) {
		free(text);
		return err;
	}
	return add(descriptions, text, why);
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
static int check_symbol(struct probe_definition *definition, char why[PROBE_WHY_SIZE])
{
	struct kallsyms_found found;
	char near[NEAREST_TEXT];
	int err;

	if (!kallsyms_find(definition->module, definition->symbol, &found)) {
		err = -errno;
		snprintf(why, PROBE_WHY_SIZE, "cannot read /proc/kallsyms: %s", strerror(-err));
		return err;
	}
	if (!found.nr) {
		nearest_text(&found.nearest, "", near);
		snprintf(why, PROBE_WHY_SIZE, "there is no function %.200s in %s%s", definition->symbol,
			 *definition->module ? definition->module : "the kernel", near);
		return -EINVAL;
	}
	if (found.nr > 1) {
		snprintf(why, PROBE_WHY_SIZE, "%d functions have the name %.200s: the tracer cannot tell them apart",
			 found.nr, definition->symbol);
		return -EINVAL;
	}
	strcpy(definition->module, found.module);
	return 0;
}

static int describe_kernel(struct probe_definition *definition, struct descriptions *descriptions,
			   char why[PROBE_WHY_SIZE])
{
	struct scene scene = {
		.kind = definition->kind,
		.function = definition->symbol,
		.at_entry = !definition->offset,
	};
	struct types types;
	char place[512];
	int err;

	/* The tracer matches the glob. */
	if (definition->kind == PROBE_FUNCTION || definition->kind == PROBE_FUNCTION_GRAPH)
		return describe(definition, definition->symbol, 1, &scene, descriptions, why);
	if (definition->kind == PROBE_SAMPLE) {
		snprintf(place, sizeof(place), "%" PRIu64, definition->offset);
		return describe(definition, place, 1, &scene, descriptions, why);
	}
	err = check_symbol(definition, why);
	if (err)
		return err;
	if (needs_types(definition)) {
		err = types_open(&types, definition->module);
		/* A module without BTF, or a kernel. */
		if (err && err != -ENOENT) {
			snprintf(why, PROBE_WHY_SIZE, "cannot read the types in /sys/kernel/btf: %s", strerror(-err));
			return err;
		}
		if (!err) {
			scene.types = &types;
			scene.prototype = types_function(&types, definition->symbol);
		}
	}
	snprintf(place, sizeof(place), "%s%s%s+0x%" PRIx64, definition->module, *definition->module ? ":" : "",
		 definition->symbol, definition->offset);
	err = describe(definition, place, 1, &scene, descriptions, why);
	if (scene.types)
		types_close(&types);
	return err;
}

/* ---- Programs ---- */

/* Two numbers, and up to four characters for each byte of a path. */
#define PLACE_SIZE	(64 + 4 * PATH_MAX)

/* A place of a program.  In its path, backslashes and all bytes but the visible ones of ASCII are octal: a
 * description has blanks between its words and no control characters, and to the kernel some bytes from 0x80 on
 * are blanks, too.  Return: false if it is too long. */
static bool print_place(char to[PLACE_SIZE], uint64_t offset, uint64_t semaphore, const char *path)
{
	size_t len = snprintf(to, PLACE_SIZE, "0x%" PRIx64 ":0x%" PRIx64 ":", offset, semaphore);

	for (; *path && len < PLACE_SIZE - 5; path++)
		if (*path > ' ' && *path < 0x7f && *path != '\\')
			to[len++] = *path;
		else
			len += sprintf(to + len, "\\%03o", (unsigned char)*path);
	to[len] = '\0';
	return !*path;
}

static int fail_long(const char *path, char why[PROBE_WHY_SIZE])
{
	snprintf(why, PROBE_WHY_SIZE, "the path %.500s is too long", path);
	return -EINVAL;
}

static int describe_places(const struct probe_definition *definition, const struct program *program,
			   const char *path, struct descriptions *descriptions, char why[PROBE_WHY_SIZE])
{
	struct scene scene = { .kind = definition->kind, .function = definition->symbol };
	struct usdt_place *places;
	char place[PLACE_SIZE];
	int nr, i, err;

	err = usdt_find(program, path, definition, &places, &nr, why);
	if (err)
		return err;
	for (i = 0; !err && i < nr; i++) {
		scene.operands = places[i].operands;
		scene.nr_operands = places[i].nr_operands;
		if (print_place(place, places[i].offset, places[i].semaphore, path))
			err = describe(definition, place, i + 1, &scene, descriptions, why);
		else
			err = fail_long(path, why);
	}
	free(places);
	return err;
}

static int describe_function(const struct probe_definition *definition, const struct program *program,
			     const char *path, struct descriptions *descriptions, char why[PROBE_WHY_SIZE])
{
	struct scene scene = {
		.kind = definition->kind,
		.function = *definition->symbol ? definition->symbol : path,
		.at_entry = definition->kind == PROBE_UPROBE && *definition->symbol && !definition->offset,
	};
	char place[PLACE_SIZE];
	uint64_t offset = 0;

	if (*definition->symbol && !program_function(program, path, definition->symbol, &offset, why))
		return -EINVAL;
	if (!print_place(place, offset + definition->offset, 0, path))
		return fail_long(path, why);
	return describe(definition, place, 1, &scene, descriptions, why);
}

/* Such a path is the user's fault, others are not. */
static int of_path(int err)
{
	return err == -ENOENT || err == -ENOTDIR || err == -EACCES || err == -ELOOP || err == -ENAMETOOLONG ?
	       -EINVAL : err;
}

static int describe_program(const struct probe_definition *definition, struct descriptions *descriptions,
			    char why[PROBE_WHY_SIZE])
{
	char *path = realpath(definition->path, NULL);
	struct program program;
	int err;

	if (!path) {
		err = -errno;
		snprintf(why, PROBE_WHY_SIZE, "cannot open %.500s: %s", definition->path, strerror(-err));
		return of_path(err);
	}
	err = of_path(program_open(&program, path, why));
	if (!err) {
		if (definition->kind == PROBE_USDT)
			err = describe_places(definition, &program, path, descriptions, why);
		else
			err = describe_function(definition, &program, path, descriptions, why);
		program_close(&program);
	}
	free(path);
	return err;
}

int probe_describe(const char *text, struct descriptions *descriptions, char why[PROBE_WHY_SIZE])
{
	struct probe_definition *definition = malloc(sizeof(*definition));
	int err;

	if (!definition)
		return fail_memory(why);
	if (!probe_parse(text, definition, why))
		err = -EINVAL;
	else if (*definition->path)
		err = describe_program(definition, descriptions, why);
	else
		err = describe_kernel(definition, descriptions, why);
	free(definition);
	return err;
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
