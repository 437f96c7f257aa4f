// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The time of the records.
 *
 * Layer: lttd state.  The clock of a recording is usually the counter that programs read, too.  Where the machine has
 * not slept, the kernel's monotonic clock is the boot time, which goes on when the machine sleeps as that clock does.
 * Another clock of the kernel is computed from the time of day by its place on the Unix epoch: exact unless the date
 * was set since the trace began.
 */
#include "trace-time.h"
#include "lttd/programs/clock.h"

#include <string.h>
#include <time.h>

#include "common/counter.h"
#include "core/clock-math.h"

#define MONOTONIC	"monotonic"	/* the name of clock=mono of ltt-timestamp */
#define AWAKE_NS	10000000	/* between two readings */

static struct clock current;
static uint64_t (*reader)(void);

static uint64_t read_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return now.tv_sec * LTT_NS_PER_S + now.tv_nsec;
}

static uint64_t by_boot(void)
{
	return read_ns(CLOCK_BOOTTIME);
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

static bool has_slept(void)
{
	const uint64_t awake = read_ns(CLOCK_MONOTONIC);

	return read_ns(CLOCK_BOOTTIME) - awake > AWAKE_NS;
}

void time_set(const struct clock *clock)
{
	current = *clock;
	if (clock_is_counter(clock))
		reader = ltt_counter;
	else
		reader = !strcmp(clock->name, MONOTONIC) && !has_slept() ? by_boot : by_date;
}

bool time_is_read(void)
{
	return reader != by_date;
}

uint64_t time_now(void)
{
	return reader();
}
