// SPDX-License-Identifier: GPL-2.0-only
/*
 * The types that a preprocessed source file defines, see known.h.
 *
 * The file is read word by word.  A tag that is followed by "{" or ":" is defined there; the
 * last name at the outermost level between "typedef" and ";" is a typedef.  (Typedefs of
 * functions and arrays end otherwise; they are not asked for.)
 */
#include "known.h"

#include <ctype.h>
#include <string.h>

/* A word: a name or number, or one character. */
struct word {
	const char *at;
	size_t len;
};

static bool is_name(int c)
{
	return isalnum(c) || c == '_';
}

static const char *line_end(const char *at)
{
	const char *end = strchr(at, '\n');

	return end ? end : at + strlen(at);
}

/* "#define NAME" becomes known; what else begins with "#" is for the compiler. */
static const char *directive(struct set *known, const char *at)
{
	static const char define[] = "#define ";
	const char *name, *end;

	if (!strncmp(at, define, sizeof(define) - 1)) {
		name = at + sizeof(define) - 1;
		for (end = name; is_name(*end); end++)
			;
		set_add(known, print("macro %.*s", (int)(end - name), name));
	}
	return line_end(at);
}

static const char *skip_literal(const char *at)
{
	const char quote = *at++;

	for (; *at && *at != quote; at++)
		if (*at == '\\' && at[1])
			at++;
	return *at ? at + 1 : at;
}

/* Read a word; *@at moves behind it.  Its length is 0 at the end. */
static struct word next(struct set *known, const char **at)
{
	struct word w;

	for (;;) {
		while (isspace((unsigned char)**at))
			++*at;
		if (**at == '#')
			*at = directive(known, *at);
		else if (**at == '"' || **at == '\'')
			*at = skip_literal(*at);
		else
			break;
	}
	w.at = *at;
	if (is_name((unsigned char)**at))
		while (is_name((unsigned char)**at))
			++*at;
	else if (**at)
		++*at;
	w.len = *at - w.at;
	return w;
}

static bool is(struct word w, const char *text)
{
	return w.len == strlen(text) && !strncmp(w.at, text, w.len);
}

/* Behind "__attribute__": skip its brackets. */
static void skip_brackets(struct set *known, const char **at)
{
	unsigned int depth = 0;
	struct word w;

	do {
		w = next(known, at);
		depth += is(w, "(");
		depth -= is(w, ")");
	} while (w.len && depth);
}

/* Behind "struct", "union" or "enum". */
static void tag(struct set *known, const char **at, const char *kind)
{
	struct word w = next(known, at);
	const char *behind;

	while (is(w, "__attribute__")) {
		skip_brackets(known, at);
		w = next(known, at);
	}
	if (!w.len || !is_name((unsigned char)*w.at)) {
		*at = w.at;
		return;
	}
	behind = *at;
	if (is(next(known, &behind), "{") || (!strcmp(kind, "enum") && *(behind - 1) == ':'))
		set_add(known, print("%s %.*s", kind, (int)w.len, w.at));
}

void known_read(struct set *known, const char *text)
{
	const char *kinds[] = { "struct", "union", "enum" };
	struct word w, last = { 0 };
	unsigned int depth = 0, i;
	bool in_typedef = false;

	while ((w = next(known, &text)).len) {
		if (is(w, "{") || is(w, "(")) {
			depth++;
		} else if ((is(w, "}") || is(w, ")")) && depth) {
			depth--;
		} else if (is(w, "typedef") && !depth) {
			in_typedef = true;
		} else if (is(w, ";") && !depth) {
			if (in_typedef && last.len)
				set_add(known, print("typedef %.*s", (int)last.len, last.at));
			in_typedef = false;
		} else if (is(w, "__attribute__")) {
			skip_brackets(known, &text);
		} else if (!depth && is_name((unsigned char)*w.at)) {
			last = w;
		}
		for (i = 0; i < 3; i++)
			if (is(w, kinds[i]))
				tag(known, &text, kinds[i]);
	}
}
