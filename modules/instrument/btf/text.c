// SPDX-License-Identifier: GPL-2.0-only
/* Texts and sets of texts, see text.h. */
#define _GNU_SOURCE
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS	65536

struct set_entry {
	struct set_entry *next;
	void *value;
	char name[];
};

/* All that is kept, so that checkers of leaks find it. */
static struct kept {
	struct kept *next;
	char bytes[] __attribute__((aligned(16)));
} *all_kept;

static void *need(void *memory)
{
	if (!memory) {
		fprintf(stderr, "ltt-btf: out of memory\n");
		exit(1);
	}
	return memory;
}

void *keep(size_t size)
{
	struct kept *k = need(calloc(1, sizeof(*k) + size));

	k->next = all_kept;
	all_kept = k;
	return k->bytes;
}

char *print(const char *format, ...)
{
	va_list args;
	char *made;
	int len;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	made = keep(len + 1);
	va_start(args, format);
	vsnprintf(made, len + 1, format, args);
	va_end(args);
	return made;
}

void append(struct text *t, const char *format, ...)
{
	va_list args;
	size_t len;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (t->len + len + 1 > t->room) {
		char *bytes = keep(2 * (t->len + len + 1));

		if (t->len)
			memcpy(bytes, t->bytes, t->len);
		t->bytes = bytes;
		t->room = 2 * (t->len + len + 1);
	}
	va_start(args, format);
	vsnprintf(t->bytes + t->len, len + 1, format, args);
	va_end(args);
	t->len += len;
}

const char *text_of(const struct text *t)
{
	return t->bytes ? t->bytes : "";
}

static unsigned int hash(const char *name)
{
	unsigned int h = 5381;

	while (*name)
		h = 33 * h + (unsigned char)*name++;
	return h % BUCKETS;
}

static struct set_entry *find(const struct set *s, const char *name)
{
	struct set_entry *e = s->buckets ? s->buckets[hash(name)] : NULL;

	while (e && strcmp(e->name, name))
		e = e->next;
	return e;
}

void **set_add(struct set *s, const char *name)
{
	struct set_entry *e = find(s, name);

	if (e)
		return &e->value;
	if (!s->buckets)
		s->buckets = keep(BUCKETS * sizeof(*s->buckets));
	e = keep(sizeof(*e) + strlen(name) + 1);
	strcpy(e->name, name);
	e->next = s->buckets[hash(name)];
	s->buckets[hash(name)] = e;
	return &e->value;
}

bool set_has(const struct set *s, const char *name)
{
	return find(s, name);
}

void *set_value(const struct set *s, const char *name)
{
	const struct set_entry *e = find(s, name);

	return e ? e->value : NULL;
}
