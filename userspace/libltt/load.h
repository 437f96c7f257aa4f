/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The libraries of a program, and those that it is told to load.
 *
 * Context: ltt_lock not held: the constructors of a library take it.
 */
#ifndef LTT_LOAD_H
#define LTT_LOAD_H

#include <stddef.h>

/**
 * ltt_load() - load a library, for as long as the program lives
 * @answer: told what went wrong, in words; @size bytes
 * Return: 0 or -ENOENT.
 */
int ltt_load(const char *path, char *answer, size_t size);

/** ltt_load_object() - the file of the library that @address is in; NULL: it is in the program */
const char *ltt_load_object(const void *address);

/** ltt_load_find() - the function of this name, or NULL after having said why not */
void *ltt_load_find(const char *name, char *answer, size_t size);

#endif /* LTT_LOAD_H */
