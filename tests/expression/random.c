// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Random layouts, payloads and expressions.  Values come from small sets, so that comparisons
 * hold about as often as not.
 */
#include "random.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

uint64_t draw(uint64_t *state, uint64_t below)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	/* splitmix64 */
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (z ^ z >> 31) % below;
}

static uint64_t draw_number(uint64_t *state)
{
	static const uint64_t numbers[] = { 0, 0, 1, 1, 2, 3, 7, 64, 127, 128, 255, 0x7fff, 0x8000, 0xffff, 0x7fffffff,
		0x80000000, 0xffffffff, 0x100000000, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX, UINT64_MAX - 1 };

	return draw(state, 8) ? numbers[draw(state, sizeof(numbers) / sizeof(numbers[0]))] : draw(state, UINT64_MAX);
}

/* ---- Layouts and payloads ---- */

void draw_layout(uint64_t *state, struct layout *layout)
{
	static const struct ltt_field kinds[] = {
		{ .kind = LTT_FIELD_INT, .size = 1 }, { .kind = LTT_FIELD_INT, .size = 2 },
		{ .kind = LTT_FIELD_INT, .size = 4 }, { .kind = LTT_FIELD_INT, .size = 8 },
		{ .kind = LTT_FIELD_INT, .size = 4, .labels = "one=1, minus-two=-2, big=0x7fffffff, a.b = 3}" },
		{ .kind = LTT_FIELD_STRING, .size = 1 }, { .kind = LTT_FIELD_STRING, .size = 1 },
		{ .kind = LTT_FIELD_TEXT, .size = 1, .count = 16 }, { .kind = LTT_FIELD_TEXT, .size = 1, .count = 3 },
		{ .kind = LTT_FIELD_TEXT, .size = 1, .count = 300 }, { .kind = LTT_FIELD_ARRAY, .size = 2, .count = 3 },
		{ .kind = LTT_FIELD_SEQUENCE, .size = 4 }, { .kind = LTT_FIELD_FLOAT, .size = 8 },
	};
	size_t i;

	layout->is_short = draw(state, 2);
	layout->nr = 1 + draw(state, layout->is_short ? 5 : FIELDS_MAX);
	for (i = 0; i < layout->nr; i++) {
		do {
			layout->field[i] = kinds[draw(state, sizeof(kinds) / sizeof(kinds[0]))];
		} while (layout->is_short && layout->field[i].count > 16);
		layout->field[i].is_signed = draw(state, 2);
		snprintf(layout->name[i], sizeof(layout->name[i]), "f%zu", i);
		layout->field[i].name = layout->name[i];
	}
}

/* Characters of few kinds. */
static size_t draw_text(uint64_t *state, char *to, size_t max)
{
	const size_t len = draw(state, 8) ? draw(state, max < 6 ? max + 1 : 6) : draw(state, max + 1);
	size_t i;

	for (i = 0; i < len; i++)
		to[i] = "aabb*\xff]"[draw(state, draw(state, 4) ? 4 : 7)];
	return len;
}

static size_t put_field(uint64_t *state, const struct ltt_field *field, char *to, size_t longest)
{
	const uint64_t number = draw_number(state);
	uint16_t count;
	size_t len;

	switch (field->kind) {
	case LTT_FIELD_INT:
	case LTT_FIELD_FLOAT:
		memcpy(to, &number, field->size);
		return field->size;
	case LTT_FIELD_STRING:
		len = draw_text(state, to, longest);
		to[len] = '\0';
		return len + 1;
	case LTT_FIELD_TEXT:
		/* There may be anything behind the NUL. */
		memset(to, 'b', field->count);
		len = draw_text(state, to, field->count);
		if (len < field->count)
			to[len] = '\0';
		return field->count;
	case LTT_FIELD_ARRAY:
		memset(to, 'a', (size_t)field->count * field->size);
		return (size_t)field->count * field->size;
	default:
		count = draw(state, longest / field->size / 2 + 1);
		memcpy(to, &count, sizeof(count));
		memset(to + sizeof(count), 'a', (size_t)count * field->size);
		return sizeof(count) + (size_t)count * field->size;
	}
}

size_t draw_payload(uint64_t *state, const struct layout *layout, char *payload)
{
	static const size_t longest[] = { 8, 254, 255, 256, 520, 700 };
	size_t at = 0, i;

	memset(payload, 'a', 96);
	for (i = 0; i < layout->nr; i++)
		at += put_field(state, &layout->field[i], payload + at,
				layout->is_short ? 14 : longest[draw(state, draw(state, 2) ? 6 : 1)]);
	return at;
}

/* ---- Expressions ---- */

struct writer {
	uint64_t *state;
	const struct layout *layout;
	enum random_contexts contexts;
	char *text;
	size_t len;
};

static bool has_room(const struct writer *w)
{
	return w->len < EXPRESSION_TEXT_MAX / 2;
}

__attribute__((format(printf, 2, 3)))
static void put(struct writer *w, const char *fmt, ...)
{
	va_list list;

	va_start(list, fmt);
	w->len += vsnprintf(w->text + w->len, EXPRESSION_TEXT_MAX - w->len, fmt, list);
	va_end(list);
}

/* Return: a field of a kind; NULL if there is none. */
static const struct ltt_field *find(struct writer *w, bool is_text)
{
	const size_t first = draw(w->state, w->layout->nr);
	size_t i;

	for (i = 0; i < w->layout->nr; i++) {
		const struct ltt_field *field = &w->layout->field[(first + i) % w->layout->nr];

		if (is_text ? field->kind == LTT_FIELD_STRING || field->kind == LTT_FIELD_TEXT :
			      field->kind == LTT_FIELD_INT)
			return field;
	}
	return NULL;
}

static void put_constant(struct writer *w)
{
	static const char *const others[] = { "'a'", "'\\n'", "4k", "3us", "0x1fM", "017", "'\\xff'" };
	const uint64_t number = draw_number(w->state);

	if (!draw(w->state, 10))
		put(w, "%s", others[draw(w->state, 7)]);
	else if (draw(w->state, 2))
		put(w, "0x%llx", (unsigned long long)number);
	else if (number > INT64_MAX && draw(w->state, 2))
		put(w, "(-%llu)", -(unsigned long long)number);
	else
		put(w, "%llu", (unsigned long long)number);
}

static void put_name(struct writer *w)
{
	/* Not need_resched: an interrupt between two traces that record an event can change it. */
	static const char *const contexts[] = {
		"pid", "tid", "cpu", "uid", "context.pid",
		"ppid", "cgroup", "prio", "pid_ns", "net_ns", "mnt_ns", "migrate_disable",
		"preempt", "irq", "context.irq",
		"perf_cycles", "perf:cycles", "context.perf:cache-misses",
	};
	static const unsigned int numbers[] = {
		[CONTEXTS_OF_PROGRAMS] = 5, [CONTEXTS_OF_TASKS] = 12, [CONTEXTS_OF_EVENTS] = 15,
		[CONTEXTS_OF_COUNTERS] = 18,
	};
	const struct ltt_field *field = find(w, false);

	if (!field || !draw(w->state, 5))
		put(w, "%s", contexts[draw(w->state, numbers[w->contexts])]);
	else
		put(w, "%s", field->name);
}

static void put_condition(struct writer *w, int depth);

static void put_value(struct writer *w, int depth)
{
	static const char *const operators[] = { "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>" };

	if (depth <= 0 || !has_room(w) || !draw(w->state, 4)) {
		if (draw(w->state, 3))
			put_name(w);
		else
			put_constant(w);
		return;
	}
	switch (draw(w->state, 12)) {
	case 0:
		put(w, "-");
		put_value(w, depth - 1);
		return;
	case 1:
		put(w, "~");
		put_value(w, depth - 1);
		return;
	case 2:
		put(w, "(");
		put_condition(w, depth - 1);
		put(w, ")");
		return;
	default:
		put(w, "(");
		put_value(w, depth - 1);
		put(w, " %s ", operators[draw(w->state, 10)]);
		put_value(w, depth - 1);
		put(w, ")");
		return;
	}
}

static void put_quoted(struct writer *w, bool is_glob)
{
	static const char *const plain[] = { "a", "a", "b", "b", "*", "\\xff", "]" };
	static const char *const glob[] = { "a", "b", "?", "*", "[ab]", "[!a]", "[]b-z]", "[^*]", "\\xff" };
	/* Seldom one of many elements, or one as long as a string can be. */
	const size_t len = draw(w->state, 20) || !has_room(w) ? draw(w->state, 6) :
			   draw(w->state, 2) ? draw(w->state, 40) : 250 + draw(w->state, 5);
	/* As much as a whole text before the first of * ? and [. */
	const size_t first = is_glob && draw(w->state, 2) ? draw(w->state, 5) : 0;
	size_t i;

	put(w, "\"");
	for (i = 0; i < len; i++)
		put(w, "%s", is_glob && len < 100 && i >= first ? glob[draw(w->state, 9)] : plain[draw(w->state, is_glob ? 4 : 7)]);
	put(w, "\"");
}

/* The globs that programs search for as a word, and some that are one character too long for it. */
static void put_word_glob(struct writer *w)
{
	size_t prefix = draw(w->state, 3), len = 1 + draw(w->state, draw(w->state, 2) ? 3 : 9);

	put(w, "\"");
	while (prefix--)
		put(w, "%c", "ab"[draw(w->state, 2)]);
	put(w, "*");
	while (len--)
		put(w, "%c", "ab"[draw(w->state, 2)]);
	put(w, draw(w->state, 2) ? "*\"" : "\"");
}

static void put_match(struct writer *w, const char *name)
{
	size_t left;

	switch (draw(w->state, 3)) {
	case 0:
		put(w, "%s %s ", name, draw(w->state, 2) ? "==" : "!=");
		put_quoted(w, false);
		return;
	case 1:
		put(w, "%s %s ", name, draw(w->state, 2) ? "~" : "!~");
		if (draw(w->state, 3))
			put_quoted(w, true);
		else
			put_word_glob(w);
		return;
	default:
		put(w, "%s in (", name);
		for (left = draw(w->state, 3); left; left--) {
			put_quoted(w, false);
			put(w, ", ");
		}
		put_quoted(w, false);
		put(w, ")");
		return;
	}
}

static void put_comparison(struct writer *w, int depth)
{
	static const char *const operators[] = { "==", "!=", "<", "<=", ">", ">=" };
	const struct ltt_field *field;
	size_t left;

	field = find(w, true);
	if (!draw(w->state, 6)) {
		put_match(w, draw(w->state, 2) ? "comm" : "context.comm");
	} else if (field && draw(w->state, 2)) {
		put_match(w, field->name);
	} else if ((field = find(w, false)) && field->labels && draw(w->state, 2)) {
		put(w, "%s %s %s", field->name, operators[draw(w->state, 6)],
		    (const char *const []){ "one", "\"minus-two\"", "big", "\"a.b\"" }[draw(w->state, 4)]);
	} else if (draw(w->state, 4)) {
		put_value(w, depth - 1);
		put(w, " %s ", operators[draw(w->state, 6)]);
		put_value(w, depth - 1);
	} else {
		put_value(w, depth - 1);
		put(w, " in (");
		for (left = draw(w->state, 4); left; left--) {
			put_constant(w);
			put(w, ", ");
		}
		put_constant(w);
		put(w, ")");
	}
}

static void put_condition(struct writer *w, int depth)
{
	if (depth <= 0 || !has_room(w) || !draw(w->state, 3)) {
		put_comparison(w, depth);
		return;
	}
	switch (draw(w->state, 6)) {
	case 0:
		put(w, "!(");
		put_condition(w, depth - 1);
		put(w, ")");
		return;
	case 1:
		put_value(w, depth - 1);
		return;
	default:
		put(w, "(");
		put_condition(w, depth - 1);
		put(w, draw(w->state, 2) ? " && " : " || ");
		put_condition(w, depth - 1);
		put(w, ")");
		return;
	}
}

void draw_expression(uint64_t *state, const struct layout *layout, enum random_contexts contexts,
		     char text[EXPRESSION_TEXT_MAX])
{
	struct writer w = { state, layout, contexts, text, 0 };

	put_condition(&w, 1 + draw(state, 5));
}
