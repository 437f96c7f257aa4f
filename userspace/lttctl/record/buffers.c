// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * How large the buffers of a trace are by default, and how large they should have been.
 *
 * Layer: lttctl.
 */
#include "lttctl/record/buffers.h"
#include "common/options.h"

#include <string.h>
#include <unistd.h>

#define MIB (1024.0 * 1024)

/* A busy desktop emits some 5 MB a second on each CPU with record's default events. */
#define LEAST (8 * MIB)
#define MOST (64 * MIB)


uint64_t buffers_default_count(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	double each = (double)pages * page / (cpus > 0 ? cpus : 1), bytes = each / 32;
	uint64_t count = 2;

	if (bytes < LEAST)
		bytes = each / 8 < LEAST ? each / 8 : LEAST;
	if (bytes > MOST)
		bytes = MOST;
	while (2 * count * OPTIONS_SIZE_DEFAULT <= bytes)
		count *= 2;
	return count;
}

uint64_t buffers_sufficient(const struct lttctl_stats *stats,
			    const struct lttctl_channel *channel)
{
	double lost, most = 0;
	uint64_t count = channel->subbuf_count;
	size_t i;

	for (i = 0; i < stats->nr_buffers; i++) {
		const struct lttctl_counts *counts = &stats->buffers[i].counts;

		if (strcmp(stats->buffers[i].channel, channel->name) || !counts->stored)
			continue;
		lost = (double)counts->full * counts->bytes / counts->stored;
		if (lost > most)
			most = lost;
	}
	if (!most || !channel->subbuf_size)
		return 0;
	while (count < OPTIONS_COUNT_MAX &&
	       (count - channel->subbuf_count) * (double)channel->subbuf_size < most)
		count *= 2;
	return count;
}
