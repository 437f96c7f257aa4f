/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The names of functions in a file: a program or a library.
 *
 * Layer: lttctl, on libelf.  It knows nothing of traces.
 */
#ifndef LTTCTL_SYMBOLS_H
#define LTTCTL_SYMBOLS_H

#include <stdint.h>

struct symbols;

/**
 * symbols_open() - read the names of functions from a file
 * @path: its path
 * @build_id: the build id that it must have, in hexadecimal; "" for any
 * @why: receives the reason of a failure, a constant
 *
 * The names come from the table of all symbols, or else from that of the dynamic ones.
 *
 * Return: the names, to be freed by symbols_close(), also of a file that has none; NULL if
 *	the file cannot be used.
 */
struct symbols *symbols_open(const char *path, const char *build_id, const char **why);

/**
 * symbols_find() - find the function that has an address
 * @symbols: of symbols_open()
 * @address: the address, as in the file
 * @offset: receives how many bytes it is from the function's first
 *
 * Return: the name, valid until symbols_close(); NULL if no function has this address.
 */
const char *symbols_find(const struct symbols *symbols, uint64_t address, uint64_t *offset);

/** symbols_close() - free the names; NULL is ignored */
void symbols_close(struct symbols *symbols);

#endif /* LTTCTL_SYMBOLS_H */
