// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The names of system calls by number.  The Makefile makes call-numbers.inc of <asm/unistd.h>.
 *
 * Layer: lttctl model.
 */
#include "call-numbers.h"

const char *const call_numbers[] = {
#include "call-numbers.inc"
};

const size_t call_numbers_nr = sizeof(call_numbers) / sizeof(call_numbers[0]);
