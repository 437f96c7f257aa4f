// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Events that have the time of the day at which they are made:
 *
 *	ticks N		N events, ten a second
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <ltt/marker.h>

int main(int argc, char **argv)
{
	int i, n = argc > 1 ? atoi(argv[1]) : 0;
	struct timespec now;

	for (i = 0; i < n; i++) {
		clock_gettime(CLOCK_REALTIME, &now);
		trace_mark(live, tick, "i %d ns %lld", i, now.tv_sec * 1000000000LL + now.tv_nsec);
		usleep(100000);
	}
	return 0;
}
