/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Find out if programs can read the performance counters that a recording wants.
 *
 * Layer: lttd.
 */
#ifndef LTTD_COUNTERS_H
#define LTTD_COUNTERS_H

#include <stdint.h>

/**
 * counters_check() - try to open all performance counters in a context
 * @context: see &ltt_shm.context
 *
 * A program may have fewer rights than lttd.  Then the values are missing, which libltt counts.
 *
 * Return: 0; -1 with the reason logged.
 */
int counters_check(uint32_t context);

#endif /* LTTD_COUNTERS_H */
