/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The descriptor table that the library's thread has for itself.
 */
#ifndef LTT_DESCRIPTORS_H
#define LTT_DESCRIPTORS_H

#include <stdbool.h>

/**
 * ltt_own_descriptors() - leave the program's descriptor table for an empty one
 *
 * Context: the library's thread.
 * Return: true; false with errno if the table cannot be had.
 */
bool ltt_own_descriptors(void);

/**
 * ltt_standard_files() - open /dev/null as standard input, output and error
 *
 * Context: the library's thread, with an empty table.
 * Return: true; false with errno.
 */
bool ltt_standard_files(void);

#endif /* LTT_DESCRIPTORS_H */
