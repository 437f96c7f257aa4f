// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The same events as ltt.c by lttng-ust.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng-tp.h"

#include "timing.h"

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0, k;

	if (n) {
		for (k = 0; k < n; k++)
			lttng_ust_tracepoint(bench, int2, (int)k, 7);
		return 0;
	}
	MEASURE("none", lttng_ust_tracepoint(bench, none));
	MEASURE("int2", lttng_ust_tracepoint(bench, int2, i, 7));
	MEASURE("intstr", lttng_ust_tracepoint(bench, intstr, i, "hello world"));
	MEASURE("disabled", lttng_ust_tracepoint(bench, disabled, i, 7));
	return 0;
}
