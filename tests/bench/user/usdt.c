// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The same events as ltt.c by SystemTap's probes.
 */
#include "timing.h"

#include <sys/sdt.h>

int main(void)
{
	MEASURE("none", DTRACE_PROBE(bench, none));
	MEASURE("int2", DTRACE_PROBE2(bench, int2, i, 7));
	MEASURE("intstr", DTRACE_PROBE2(bench, intstr, i, "hello world"));
	MEASURE("disabled", DTRACE_PROBE2(bench, disabled, i, 7));
	return 0;
}
