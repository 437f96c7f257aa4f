/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The names of functions of the kernel: those of the recording, or, if it is of this boot, those
 * of the running kernel.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_KERNEL_SYMBOLS_H
#define LTTCTL_KERNEL_SYMBOLS_H

#include "out.h"

#include <stdbool.h>
#include <stdint.h>

/* Add a function of the recording.  Without memory for it, addresses are shown as numbers. */
void kernel_symbols_add(uint64_t address, const char *name, const char *module);

/* The recording is of this boot: if it has no functions, those of the running kernel are its own. */
void kernel_symbols_are_running(void);

/**
 * kernel_symbols_find() - find the function of an address
 * @address: the address
 * @module: receives its module; "" for the kernel
 * @offset: receives the offset in the function
 *
 * Return: its name; NULL if it is not known.
 */
const char *kernel_symbols_find(uint64_t address, const char **module, uint64_t *offset);

/**
 * kernel_symbols_put() - write an address as FUNCTION+0xOFFSET [MODULE]
 * @out: the text
 * @address: the address
 *
 * Return: false if its function is not known; then nothing is written.
 */
bool kernel_symbols_put(struct out *out, uint64_t address);

/* Free all functions. */
void kernel_symbols_forget(void);

#endif /* LTTCTL_KERNEL_SYMBOLS_H */
