/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The names of system calls by number, as <asm/unistd.h> of the machine that LTT was built on has them.
 *
 * Layer: lttctl model.
 */
#ifndef LTTCTL_MODEL_CALL_NUMBERS_H
#define LTTCTL_MODEL_CALL_NUMBERS_H

#include <stddef.h>

/* NULL where a number has no name. */
extern const char *const call_numbers[];
extern const size_t call_numbers_nr;

#endif /* LTTCTL_MODEL_CALL_NUMBERS_H */
