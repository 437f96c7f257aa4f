/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts and sets of texts.
 *
 * Layer: none; part of ltt-btf.  The program runs for a second, so texts are kept until it
 * ends.  It ends with a sentence when there is no memory.
 */
#ifndef LTT_BTF_TEXT_H
#define LTT_BTF_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct text - a text that grows
 */
struct text {
	char *bytes;
	size_t len;
	size_t room;
};

/* Zeroed memory that is kept until the program ends. */
void *keep(size_t size);

/* A new text, as printf() makes it. */
char *print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Append to a text. */
void append(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text so far, "" at first. */
const char *text_of(const struct text *t);

/**
 * struct set - a set of texts, each with a value
 */
struct set {
	struct set_entry **buckets;
};

/**
 * set_add() - add a text to a set
 * @s: the set, zeroed at first
 * @name: the text, which is copied
 *
 * Return: the place of its value, NULL at first.
 */
void **set_add(struct set *s, const char *name);

bool set_has(const struct set *s, const char *name);

/* The value of a text; NULL if it is not in the set. */
void *set_value(const struct set *s, const char *name);

#endif /* LTT_BTF_TEXT_H */
