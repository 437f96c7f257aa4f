// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Find out if programs can read the performance counters that a recording wants.
 *
 * Layer: lttd.
 */
#include "counters.h"
#include "common/context.h"
#include "common/shm.h"
#include "lttd/log.h"

#include <errno.h>
#include <string.h>

static const char *reason(int err)
{
	switch (err) {
	case EACCES:
	case EPERM:
		return "the kernel does not permit it; see the setting kernel.perf_event_paranoid";
	case ENOENT:
	case ENODEV:
		return "this machine has no such counter; most virtual machines have none";
	case EOPNOTSUPP:
		return "the kernel does not let programs read it; see /sys/bus/event_source/devices/cpu/rdpmc";
	}
	return strerror(err);
}

int counters_check(uint32_t context)
{
	const struct perf_event_mmap_page *page;
	unsigned int nr;
	int err;

	for (nr = 0; nr < PERF_OF_CPU; nr++) {
		if (!(context >> LTT_CONTEXT_PERF_SHIFT >> nr & 1))
			continue;
		err = -perf_counter_open(nr, &page);
		if (err)
			return fail("cannot count %s: %s", context_counters[nr].word, reason(err));
		perf_counter_close(page);
	}
	return 0;
}
