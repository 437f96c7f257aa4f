/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Places in the file of a program or a library.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_PROBE_PROGRAM_H
#define LTTCTL_PROBE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "definition.h"

#include <gelf.h>

/**
 * struct program - an opened file
 * @fd: the file
 * @elf: its contents
 */
struct program {
	int fd;
	Elf *elf;
};

/* Open a file, for program_close().  Return: 0; after a fault, with a sentence in @why, -EINVAL if it is
 * another kind of file, or -errno of open(). */
int program_open(struct program *program, const char *path, char why[PROBE_WHY_SIZE]);
void program_close(struct program *program);

/* Turn an address into an offset in the file.  Return: false if nothing of the file is there. */
bool program_offset(const struct program *program, uint64_t address, uint64_t *offset);

/* Find the offset of a function.  Return: false after a fault, with a sentence in @why. */
bool program_function(const struct program *program, const char *path, const char *symbol,
		      uint64_t *offset, char why[PROBE_WHY_SIZE]);

#endif /* LTTCTL_PROBE_PROGRAM_H */
