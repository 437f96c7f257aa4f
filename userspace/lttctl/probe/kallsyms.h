/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The functions of the kernel, by name.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_PROBE_KALLSYMS_H
#define LTTCTL_PROBE_KALLSYMS_H

#include <stdbool.h>

#include "definition.h"
#include "lttctl/nearest.h"

/**
 * struct kallsyms_found - what there is of a name
 * @nr: how many functions have it
 * @module: the module of the first; "" for the kernel itself
 * @nearest: if there are none: the names nearest to it
 */
struct kallsyms_found {
	int nr;
	char module[LTT_NAME_MAX];
	struct nearest nearest;
};

/**
 * kallsyms_find() - look a function up
 * @module: only in this module; "" for any place
 * @symbol: the function
 * @found: receives what there is
 *
 * Return: false if /proc/kallsyms cannot be read.
 */
bool kallsyms_find(const char *module, const char *symbol, struct kallsyms_found *found);

#endif /* LTTCTL_PROBE_KALLSYMS_H */
