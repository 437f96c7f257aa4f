// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function that ftrace can trace and nothing calls.
 *
 * Layer: instrument.  To ftrace, a filter without functions is one with all functions.  So a
 * filter that is to match none has this one.
 */
#include "probe.h"

void noinline ltt_function_sentinel(void)
{
}
