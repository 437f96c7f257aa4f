// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Rewrite metadata line by line, as core/ctf.c writes it.
 *
 * Layer: lttctl export.  Only names change: sizes and the order of fields are those of the data files, which stay as they are.
 */
#include "lttng.h"

#include "core/version.h"

#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 512

static bool begins(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

/* The lines that say which tracer it was; a trace of LTT 1.0 before its first release said lttng-modules. */
static bool is_of_tracer(const char *line)
{
	return begins(line, "\ttracer_name = ") || begins(line, "\ttracer_major = ") || begins(line, "\ttracer_minor = ") ||
	       begins(line, "\ttracer_patchlevel = ") || begins(line, "\ttrace_buffering_scheme = ") ||
	       begins(line, "\tproducer = ");
}

static void write_env(enum lttng_domain domain, FILE *to)
{
	fprintf(to, "\ttracer_name = \"%s\";\n\ttracer_major = 2;\n\ttracer_minor = 13;\n\ttracer_patchlevel = 0;\n"
		"\ttrace_buffering_scheme = \"%s\";\n\tproducer = \"LTT %s\";\n",
		domain == LTTNG_KERNEL ? "lttng-modules" : "lttng-ust", domain == LTTNG_KERNEL ? "global" : "uid",
		LTT_VERSION);
}

/* Find the name of a field: the word before ";" or "[", without its underscore.  Return: its length, 0 if there is none. */
static size_t find_name(const char *line, const char **name)
{
	const char *end = line + strlen(line) - 1, *word;

	if (end <= line || *end != ';')
		return 0;
	if (end[-1] == ']')
		while (end > line && *end != '[')
			end--;
	for (word = end; word > line && word[-1] != ' '; word--)
		;
	*name = word + 1;
	return *word == '_' ? end - *name : 0;
}

/* Copy a line with another name for its field. */
static void write_renamed(const char *line, const char *name, size_t len, const char *other, FILE *to)
{
	fprintf(to, "%.*s%s%s\n", (int)(name - line), line, other, name + len);
}

/*
 * The kernel writes the kind of a request to a disk as letters.  Readers of LTTng expect a number whose bit 0 is set for a
 * write.  The codes of the letters are such: W is odd, and R, D and N are even.  F, a flush before a write, is even, too.
 */
static bool write_rwbs(const char *event, const char *line, FILE *to)
{
	static const char before[] = "\t\tinteger { size = 8; align = 8; signed = false; encoding = UTF8; } _rwbs[";
	int count;

	if (!begins(event, "block_") || !begins(line, before))
		return false;
	count = atoi(line + strlen(before));
	if (count < 2)
		return false;
	fputs("\t\tinteger { size = 8; align = 8; signed = false; } _rwbs;\n", to);
	fprintf(to, "\t\tinteger { size = 8; align = 8; signed = false; encoding = UTF8; } _rwbs_rest[%d];\n", count - 1);
	return true;
}

static void write_field(const char *event, const char *line, FILE *to)
{
	const char *name, *other;
	char copy[NAME_BYTES];
	size_t len;

	if (write_rwbs(event, line, to))
		return;
	len = find_name(line, &name);
	snprintf(copy, sizeof(copy), "%.*s", (int)len, len ? name : "");
	other = lttng_field_name(event, copy);
	if (other)
		write_renamed(line, name, len, other, to);
	else
		fprintf(to, "%s\n", line);
}

/* A field of the context of a program's events. */
static void write_context(const char *line, FILE *to)
{
	static const char *const names[][2] = { { "tid", "vtid" }, { "pid", "vpid" }, { "name", "procname" } };
	const char *name;
	size_t len = find_name(line, &name), i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (len == strlen(names[i][0]) && !memcmp(name, names[i][0], len)) {
			write_renamed(line, name, len, names[i][1], to);
			return;
		}
	fprintf(to, "%s\n", line);
}

/* Lines of a block, up to the one that ends it. */
static void write_block(char *block, enum lttng_domain domain, FILE *to)
{
	const bool is_event = begins(block, "event {"), is_env = begins(block, "env {");
	const bool is_stream = strstr(block, "\nstream {") || begins(block, "stream {");
	bool in_fields = false, in_context = false;
	char event[NAME_BYTES] = "", room[NAME_BYTES], *line, *save;

	for (line = strtok_r(block, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (is_event && !event[0] && sscanf(line, "\tname = \"%500[^\"]\";", event) == 1) {
			fprintf(to, "\tname = \"%s\";\n",
				domain == LTTNG_KERNEL ? lttng_event_name(event, room, sizeof(room)) : event);
		} else if (is_env && is_of_tracer(line)) {
			continue;
		} else if (in_fields && begins(line, "\t\t")) {
			write_field(event, line, to);
		} else if (in_context && begins(line, "\t\t")) {
			write_context(line, to);
		} else {
			if (is_env && !strcmp(line, "};"))
				write_env(domain, to);
			fprintf(to, "%s\n", line);
			in_fields = is_event && domain == LTTNG_KERNEL && begins(line, "\tfields := struct {");
			in_context = is_stream && domain == LTTNG_PROGRAMS && begins(line, "\tevent.context := struct {");
		}
	}
	fputc('\n', to);
}

static enum lttng_domain find_domain(const char *text)
{
	const char *env = strstr(text, "\nenv {\n"), *end = env ? strstr(env, "\n};") : NULL, *domain;

	domain = end ? strstr(env, "\n\tdomain = \"") : NULL;
	if (!domain || domain > end)
		return LTTNG_OTHER;
	domain += strlen("\n\tdomain = \"");
	return begins(domain, "kernel\"") ? LTTNG_KERNEL : begins(domain, "ust\"") ? LTTNG_PROGRAMS : LTTNG_OTHER;
}

enum lttng_domain lttng_rewrite(char *text, FILE *to, uint32_t *next_stream)
{
	const enum lttng_domain domain = find_domain(text);
	char *end, *stream;
	unsigned int id;

	*next_stream = 0;
	if (domain == LTTNG_OTHER)
		return domain;
	for (stream = text; (stream = strstr(stream, "\nstream {\n")); stream++)
		if (sscanf(stream, "\nstream {\n\tid = %u;", &id) == 1 && id >= *next_stream)
			*next_stream = id + 1;
	/* Blocks end with a brace in the first column.  Others, as the aliases of types, are passed on with the next one. */
	while ((end = strstr(text, "\n};\n"))) {
		end[3] = '\0';
		while (*text == '\n')
			text++;
		write_block(text, domain, to);
		text = end + 4;
	}
	return domain;
}
