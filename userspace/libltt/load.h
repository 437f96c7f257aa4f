/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The libraries of a program, and libraries that `lttctl probe` has it load.
 *
 * Context of all functions: ltt_lock not held, as constructors of a library take it.
 */
#ifndef LTT_LOAD_H
#define LTT_LOAD_H

#include <stddef.h>

/**
 * ltt_load() - load a library for as long as the program lives
 * @path: its file
 * @answer: receives the loader's reason for a failure
 * @size: of @answer, in bytes
 *
 * Return: 0 or -ENOENT.
 */
int ltt_load(const char *path, char *answer, size_t size);

/**
 * ltt_load_object() - find the library of an address
 * @address: the address
 *
 * Return: its file; NULL if the address is in the program itself.
 */
const char *ltt_load_object(const void *address);

/**
 * ltt_load_find() - find a function
 * @name: its name
 * @answer: receives the reason of a failure
 * @size: of @answer, in bytes
 *
 * Return: its address, or NULL.
 */
void *ltt_load_find(const char *name, char *answer, size_t size);

#endif /* LTT_LOAD_H */
