// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * How fast does this machine's TSC count, in kHz? QEMU's emulated TSC counts like it;
 * a guest that measures it itself goes wrong when the machine is loaded, by any factor.
 */
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* Both clocks at one moment: of many readings the one that took the shortest. */
static void read_both(double *ms, double *ticks)
{
	double shortest = 1e9;
	int i;

	for (i = 0; i < 1000; i++) {
		double before = now(), tsc = __rdtsc(), after = now();

		if (after - before < shortest) {
			shortest = after - before;
			*ms = (before + after) / 2;
			*ticks = tsc;
		}
	}
}

int main(void)
{
	const struct timespec pause = { .tv_nsec = 200 * 1000 * 1000 };
	double ms[2], ticks[2];

	read_both(&ms[0], &ticks[0]);
	nanosleep(&pause, NULL);
	read_both(&ms[1], &ticks[1]);
	printf("%.0f\n", (ticks[1] - ticks[0]) / (ms[1] - ms[0]));
	return 0;
}
