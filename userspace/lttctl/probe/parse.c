// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The grammar of dynamic probes.
 *
 * Layer: lttctl.  The parser knows nothing of the kernel or of programs.
 */
#include "definition.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const groups[] = {
	[PROBE_KPROBE] = "kprobe",
	[PROBE_KRETPROBE] = "kretprobe",
	[PROBE_UPROBE] = "uprobe",
	[PROBE_URETPROBE] = "uretprobe",
	[PROBE_USDT] = "usdt",
	[PROBE_FUNCTION] = "function",
	[PROBE_FUNCTION_GRAPH] = "function_graph",
	[PROBE_SAMPLE] = "sample",
};

/**
 * struct parser - a definition that is being parsed
 * @text: its first character
 * @at: the next character
 * @why: receives the fault
 */
struct parser {
	const char *text;
	const char *at;
	char *why;
};

const char *probe_group(enum probe_kind kind)
{
	return groups[kind];
}

__attribute__((format(printf, 2, 3)))
static bool fault(struct parser *parser, const char *fmt, ...)
{
	va_list list;
	int len;

	len = snprintf(parser->why, PROBE_WHY_SIZE, "column %zu: ", parser->at - parser->text + 1);
	va_start(list, fmt);
	vsnprintf(parser->why + len, PROBE_WHY_SIZE - len, fmt, list);
	va_end(list);
	return false;
}

/* Return: the kind whose group and colon @text begins with, or -1. */
static int kind_of(const char *text)
{
	size_t i, len;

	for (i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		len = strlen(groups[i]);
		if (!strncmp(text, groups[i], len) && text[len] == ':')
			return i;
	}
	return -1;
}

/* Return: true for a kind whose place is a glob of functions. */
static bool is_of_functions(int kind)
{
	return kind == PROBE_FUNCTION || kind == PROBE_FUNCTION_GRAPH;
}

bool probe_is_definition(const char *text)
{
	int kind = kind_of(text);

	if (is_of_functions(kind))
		return strpbrk(text, "=*?[");
	/* The group may have markers of drivers, too. */
	if (kind == PROBE_SAMPLE)
		return strchr(text, '=');
	return kind >= 0 && (strpbrk(text, "(+=/") || strchr(strchr(text, ':') + 1, ':'));
}

bool probe_may_define(const char *pattern)
{
	int kind = kind_of(pattern);

	if (kind == PROBE_SAMPLE)
		return isdigit((unsigned char)strchr(pattern, ':')[1]);
	return (kind == PROBE_KPROBE || kind == PROBE_KRETPROBE || is_of_functions(kind)) &&
	       !strpbrk(pattern, "*?[");
}

/* ---- Words ---- */

static bool take(struct parser *parser, const char *token)
{
	size_t len = strlen(token);

	if (strncmp(parser->at, token, len))
		return false;
	parser->at += len;
	return true;
}

static bool is_letter(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

static struct probe_word take_identifier(struct parser *parser)
{
	struct probe_word word = { parser->at, 0 };

	while (is_letter(*parser->at) || (word.len && isdigit((unsigned char)*parser->at))) {
		parser->at++;
		word.len++;
	}
	return word;
}

static bool is(struct probe_word word, const char *text)
{
	return (size_t)word.len == strlen(text) && !strncmp(word.at, text, word.len);
}

static bool take_number(struct parser *parser, uint64_t *number)
{
	char *end;

	if (!isdigit((unsigned char)*parser->at))
		return fault(parser, "a number is missing");
	errno = 0;
	*number = strtoull(parser->at, &end, 0);
	if (errno)
		return fault(parser, "the number is too large");
	parser->at = end;
	return true;
}

/* Copy what is before the first character of @stop. */
static bool take_until(struct parser *parser, const char *stop, char *to, size_t size, const char *what)
{
	size_t len = strcspn(parser->at, stop);

	if (!len)
		return fault(parser, "%s is missing", what);
	if (len >= size)
		return fault(parser, "%s is too long", what);
	memcpy(to, parser->at, len);
	to[len] = '\0';
	parser->at += len;
	return true;
}

/* ---- Values ---- */

static bool add_access(struct parser *parser, struct probe_argument *argument, struct probe_access access)
{
	if (argument->nr_accesses == PROBE_ACCESSES_MAX)
		return fault(parser, "a value has at most %d members and loads", PROBE_ACCESSES_MAX);
	argument->accesses[argument->nr_accesses++] = access;
	return true;
}

static int column(const struct parser *parser)
{
	return parser->at - parser->text + 1;
}

static bool parse_value(struct parser *parser, struct probe_argument *argument, int depth);

/* [+-][u]NUMBER(VALUE), of which the sign and the u have been taken. */
static bool parse_load(struct parser *parser, struct probe_argument *argument, bool minus, bool user, int depth)
{
	struct probe_access access = { .how = PROBE_LOAD, .user = user, .column = column(parser) };
	uint64_t number;

	if (!take_number(parser, &number))
		return false;
	access.number = minus ? -number : number;
	if (!take(parser, "("))
		return fault(parser, "( is missing: an offset stands before a value, as in 8(%%sp)");
	if (!parse_value(parser, argument, depth + 1))
		return false;
	if (!take(parser, ")"))
		return fault(parser, ") is missing");
	return add_access(parser, argument, access);
}

/* An argument of a function by its number, arg1 and so on. */
static bool is_numbered(struct probe_word word, int64_t *number)
{
	char *end;

	if (word.len < 4 || word.len > 5 || strncmp(word.at, "arg", 3) || !isdigit((unsigned char)word.at[3]))
		return false;
	*number = strtol(word.at + 3, &end, 10);
	return end == word.at + word.len && *number;
}

static bool parse_word(struct parser *parser, struct probe_argument *argument)
{
	argument->word = take_identifier(parser);
	if (!argument->word.len)
		return fault(parser, "a value is missing: the name of an argument, argN, %%register, ret, a number, or OFFSET(VALUE)");
	argument->name = argument->word;
	argument->base = PROBE_NAME;
	if (is(argument->word, "ret"))
		argument->base = PROBE_RETURN;
	else if (is_numbered(argument->word, &argument->number))
		argument->base = PROBE_ARGUMENT;
	return true;
}

static bool parse_register(struct parser *parser, struct probe_argument *argument)
{
	argument->base = PROBE_REGISTER;
	argument->word = argument->name = take_identifier(parser);
	return argument->word.len || fault(parser, "the name of a register is missing");
}

/* A number, or the offset of a load. */
static bool parse_number(struct parser *parser, struct probe_argument *argument, int depth)
{
	bool minus = take(parser, "-"), plus = !minus && take(parser, "+"), user = take(parser, "u");
	const char *start = parser->at;
	uint64_t number;

	if (!take_number(parser, &number))
		return false;
	if (*parser->at == '(' || plus || user) {
		parser->at = start;
		return parse_load(parser, argument, minus, user, depth);
	}
	argument->base = PROBE_NUMBER;
	argument->number = minus ? -number : number;
	return true;
}

static bool parse_members(struct parser *parser, struct probe_argument *argument)
{
	for (;;) {
		struct probe_access access = { .column = column(parser) };
		uint64_t index;

		if (take(parser, "->")) {
			access.how = PROBE_ARROW;
		} else if (take(parser, ".")) {
			access.how = PROBE_DOT;
		} else if (take(parser, "[")) {
			access.how = PROBE_INDEX;
			if (!take_number(parser, &index))
				return false;
			access.number = index;
			if (index > 1 << 20)
				return fault(parser, "the index is too large");
			if (!take(parser, "]"))
				return fault(parser, "] is missing");
		} else {
			return true;
		}
		if (access.how != PROBE_INDEX) {
			access.name = take_identifier(parser);
			if (!access.name.len)
				return fault(parser, "the name of a member is missing");
			argument->name = access.name;
		}
		if (!add_access(parser, argument, access))
			return false;
	}
}

static bool parse_value(struct parser *parser, struct probe_argument *argument, int depth)
{
	bool good;

	if (depth > PROBE_ACCESSES_MAX)
		return fault(parser, "a value has at most %d members and loads", PROBE_ACCESSES_MAX);
	if (take(parser, "%"))
		good = parse_register(parser, argument);
	else if (isdigit((unsigned char)*parser->at) || strchr("+-", *parser->at) ||
		 (*parser->at == 'u' && isdigit((unsigned char)parser->at[1])))
		good = *parser->at && parse_number(parser, argument, depth);
	else
		good = parse_word(parser, argument);
	if (!good && !*parser->why)
		return fault(parser, "a value is missing");
	return good && parse_members(parser, argument);
}

/* ---- Types ---- */

static bool parse_integer(struct probe_word word, struct probe_argument *argument)
{
	char *end;

	if (word.len < 2 || !strchr("usx", *word.at))
		return false;
	argument->type = PROBE_INTEGER;
	argument->sign = *word.at;
	argument->bits = strtol(word.at + 1, &end, 10);
	return end == word.at + word.len && (argument->bits == 8 || argument->bits == 16 ||
					     argument->bits == 32 || argument->bits == 64);
}

static bool parse_count(struct parser *parser, struct probe_argument *argument)
{
	uint64_t count;

	if (!take(parser, "["))
		return true;
	if (!take_number(parser, &count))
		return false;
	if (!count || count > 1024)
		return fault(parser, "a count is 1 to 1024");
	argument->count = count;
	return take(parser, "]") || fault(parser, "] is missing");
}

static bool parse_type(struct parser *parser, struct probe_argument *argument)
{
	struct probe_word word = { parser->at, 0 };

	while (isalnum((unsigned char)word.at[word.len]))
		word.len++;
	if (is(word, "string") || is(word, "ustring")) {
		argument->type = PROBE_STRING;
		argument->user = *word.at == 'u';
	} else if (is(word, "text")) {
		argument->type = PROBE_TEXT;
	} else if (!parse_integer(word, argument)) {
		return fault(parser, "\"%.*s\" is not a type: use u8 to u64, s8 to s64, x8 to x64 (hexadecimal), string, ustring, text[N]",
			     word.len, word.at);
	}
	parser->at += word.len;
	if (!parse_count(parser, argument))
		return false;
	if (argument->type == PROBE_TEXT && !argument->count)
		return fault(parser, "text has a number of characters: text[N]");
	if (take(parser, "@user")) {
		if (argument->type == PROBE_INTEGER && !argument->count)
			return fault(parser, "@user is for arrays, text and strings");
		argument->user = true;
	}
	return true;
}

/* ---- Arguments ---- */

/* [NAME=]VALUE[:TYPE] */
static bool parse_argument(struct parser *parser, struct probe_argument *argument)
{
	struct parser ahead = *parser;
	struct probe_word name = take_identifier(&ahead);

	argument->column = column(parser);
	if (name.len && *ahead.at == '=')
		parser->at = ahead.at + 1;
	else
		name.len = 0;
	if (!parse_value(parser, argument, 0))
		return false;
	if (name.len)
		argument->name = name;
	if (!argument->name.len)
		return fault(parser, "the value has no name: write NAME=VALUE");
	if (argument->name.len >= LTT_NAME_MAX)
		return fault(parser, "the name is too long");
	return !take(parser, ":") || parse_type(parser, argument);
}

static bool check_names(struct parser *parser, const struct probe_definition *definition)
{
	const struct probe_argument *new = &definition->argument[definition->nr_arguments - 1], *old;

	for (old = definition->argument; old < new; old++)
		if (old->name.len == new->name.len && !strncmp(old->name.at, new->name.at, new->name.len)) {
			parser->at = parser->text + new->column - 1;
			return fault(parser, "two values have the name %.*s: write NAME=VALUE", new->name.len,
				     new->name.at);
		}
	return true;
}

static bool parse_arguments(struct parser *parser, struct probe_definition *definition)
{
	if (!take(parser, "("))
		return true;
	definition->has_arguments = true;
	if (take(parser, ")"))
		return true;
	do {
		parser->at += strspn(parser->at, " ");
		if (definition->nr_arguments == PROBE_ARGUMENTS_MAX)
			return fault(parser, "a probe has at most %d values", PROBE_ARGUMENTS_MAX);
		if (!parse_argument(parser, &definition->argument[definition->nr_arguments++]) ||
		    !check_names(parser, definition))
			return false;
		parser->at += strspn(parser->at, " ");
	} while (take(parser, ","));
	return take(parser, ")") || fault(parser, "expected a comma or )");
}

/* ---- Places ---- */

/* NAME= before the place. */
static bool parse_name(struct parser *parser, struct probe_definition *definition)
{
	size_t len = strcspn(parser->at, "=(/:+");

	if (parser->at[len] != '=')
		return true;
	if (!take_until(parser, "=", definition->name, sizeof(definition->name), "the name of the probe"))
		return false;
	if (!ltt_name_valid(definition->name))
		return fault(parser, "\"%s\" cannot name a probe: use 1 to 63 of A-Z a-z 0-9 _ . -", definition->name);
	return take(parser, "=");
}

static bool parse_offset(struct parser *parser, struct probe_definition *definition)
{
	return !take(parser, "+") || take_number(parser, &definition->offset);
}

/* [MODULE:]SYMBOL[+OFFSET] */
static bool parse_kernel_place(struct parser *parser, struct probe_definition *definition)
{
	size_t len = strcspn(parser->at, ":(");

	if (parser->at[len] == ':' &&
	    (!take_until(parser, ":", definition->module, sizeof(definition->module), "the module") ||
	     !take(parser, ":")))
		return false;
	return take_until(parser, "+(", definition->symbol, sizeof(definition->symbol), "the function") &&
	       parse_offset(parser, definition);
}

/* PATH:SYMBOL[+OFFSET] or PATH:OFFSET */
static bool parse_program_place(struct parser *parser, struct probe_definition *definition)
{
	if (isdigit((unsigned char)*parser->at))
		return take_number(parser, &definition->offset);
	return take_until(parser, "+(", definition->symbol, sizeof(definition->symbol), "the function") &&
	       parse_offset(parser, definition);
}

/* PATH:PROVIDER:NAME */
static bool parse_usdt_place(struct parser *parser, struct probe_definition *definition)
{
	if (!take_until(parser, ":(", definition->module, sizeof(definition->module), "the provider"))
		return false;
	if (!take(parser, ":"))
		return fault(parser, ": and the name of the probe are missing: usdt:PATH:PROVIDER:NAME");
	return take_until(parser, "(", definition->symbol, sizeof(definition->symbol), "the name of the probe");
}

/* A glob as ftrace reads it. */
static bool parse_glob(struct parser *parser, struct probe_definition *definition)
{
	if (*parser->at == '!' || isdigit((unsigned char)*parser->at))
		return fault(parser, "a glob of functions must not begin with ! or a digit");
	if (!take_until(parser, "", definition->symbol, sizeof(definition->symbol), "the glob of functions"))
		return false;
	parser->at -= strlen(definition->symbol);
	while (isalnum((unsigned char)*parser->at) || (*parser->at && strchr("_.$*?[]!^-", *parser->at)))
		parser->at++;
	return true;
}

static bool parse_place(struct parser *parser, struct probe_definition *definition)
{
	if (is_of_functions(definition->kind))
		return parse_glob(parser, definition);
	if (definition->kind == PROBE_SAMPLE)
		return take_number(parser, &definition->offset);
	if (definition->kind == PROBE_KPROBE || definition->kind == PROBE_KRETPROBE)
		return parse_kernel_place(parser, definition);
	if (!take_until(parser, ":(", definition->path, sizeof(definition->path), "the path of the program"))
		return false;
	if (!take(parser, ":"))
		return fault(parser, ": and a function are missing: %s:PATH:%s", groups[definition->kind],
			     definition->kind == PROBE_USDT ? "PROVIDER:NAME" : "SYMBOL");
	return definition->kind == PROBE_USDT ? parse_usdt_place(parser, definition)
					      : parse_program_place(parser, definition);
}

/* The name of the marker that the place suggests. */
static bool default_name(struct parser *parser, struct probe_definition *definition)
{
	char text[600];
	char *c;

	if (definition->kind == PROBE_USDT)
		snprintf(text, sizeof(text), "%s.%s", definition->module, definition->symbol);
	else if (definition->kind == PROBE_SAMPLE)
		snprintf(text, sizeof(text), "%llu", (unsigned long long)definition->offset);
	else if (!*definition->symbol)
		snprintf(text, sizeof(text), "0x%llx", (unsigned long long)definition->offset);
	else if (definition->offset)
		snprintf(text, sizeof(text), "%s_0x%llx", definition->symbol, (unsigned long long)definition->offset);
	else
		snprintf(text, sizeof(text), "%s", definition->symbol);
	for (c = text; *c; c++)
		if (!ltt_char_is_of_name(*c))
			*c = '_';
	if (!ltt_name_valid(text))
		return fault(parser, "the probe has no good name: write %s:NAME=...", groups[definition->kind]);
	strcpy(definition->name, text);
	return true;
}

bool probe_parse(const char *text, struct probe_definition *definition, char why[PROBE_WHY_SIZE])
{
	struct parser parser = { text, text, why };
	int kind = kind_of(text);

	memset(definition, 0, sizeof(*definition));
	*why = '\0';
	if (kind < 0)
		return fault(&parser, "a probe begins with kprobe:, kretprobe:, uprobe:, uretprobe:, usdt:, function:, function_graph: or sample:");
	definition->kind = kind;
	parser.at += strlen(groups[kind]) + 1;
	if (!parse_name(&parser, definition) || !parse_place(&parser, definition) ||
	    !parse_arguments(&parser, definition))
		return false;
	if (*parser.at)
		return fault(&parser, "\"%.40s\" is behind the end of the probe", parser.at);
	if ((kind == PROBE_KRETPROBE || kind == PROBE_URETPROBE) && *definition->symbol && definition->offset)
		return fault(&parser, "a %s is at the beginning of a function: leave the offset out", groups[kind]);
	return *definition->name || default_name(&parser, definition);
}
