// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The time of the records.
 *
 * Layer: lttd state.  The clock of a recording is usually the counter that programs read, too.
 * Another clock of the kernel, such as "mono", is computed from the time of day by its place on
 * the Unix epoch: exact unless the date was set since the trace began.
 */
#include "trace-time.h"
#include "lttd/programs/clock.h"

#include <time.h>

#include "common/counter.h"
#include "core/clock-math.h"

static struct clock current;

void time_set(const struct clock *clock)
{
	current = *clock;
}

static uint64_t by_date(void)
{
	struct timespec now;
	uint64_t counts;

	clock_gettime(CLOCK_REALTIME, &now);
	if ((uint64_t)now.tv_sec < current.offset_s)
		return 0;
	counts = (now.tv_sec - current.offset_s) * current.freq + ltt_ns_to_counts(now.tv_nsec, current.freq);
	return counts < current.offset ? 0 : counts - current.offset;
}

uint64_t time_now(void)
{
	return clock_is_counter(&current) ? ltt_counter() : by_date();
}
