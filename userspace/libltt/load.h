/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Libraries that a program is told to load.
 *
 * Context of both: the listener, ltt_lock not held.
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

/** ltt_load_find() - the function of this name, or NULL after having said why not */
void *ltt_load_find(const char *name, char *answer, size_t size);

#endif /* LTT_LOAD_H */
