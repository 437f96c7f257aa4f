// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * How large the buffers of a trace are by default, and how large they should have been.
 *
 * Layer: lttctl.
 */
#include "lttctl/record/buffers.h"
#include "common/options.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MIB (1024.0 * 1024)

#define LEAST (8 * MIB)
#define MOST (64 * MIB)

/* How long a buffer has to last while lttd cannot write. */
#define SECONDS 0.2

/* The entry and the exit of one system call, with record's default events. */
#define BYTES_PER_CALL 90

#define ROUNDS 5
#define CALLS 500

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/*
 * How many bytes of default events a CPU writes in a second if a program does nothing but
 * system calls.  The fastest round counts, because an interrupt can only slow a round.
 */
static double top_rate(void)
{
	double least = 1, start, took;
	int round, i;

	for (round = 0; round < ROUNDS; round++) {
		start = now();
		for (i = 0; i < CALLS; i++)
			getppid();
		took = now() - start;
		if (took > 0 && took < least)
			least = took;
	}
	return CALLS * BYTES_PER_CALL / least;
}

/* Return: the bytes of memory that the kernel can make buffers of: all, or what lies below highmem where it has that. */
static double usable_memory(void)
{
	double bytes = (double)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
	FILE *file = fopen("/proc/meminfo", "re");
	unsigned long long kib;
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "LowTotal: %llu kB", &kib) == 1)
			bytes = kib * 1024.0;
	if (file)
		fclose(file);
	return bytes;
}

uint64_t buffers_default_count(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	double memory = usable_memory() / (cpus > 0 ? cpus : 1);
	double bytes = top_rate() * SECONDS;
	uint64_t count = 2;

	if (bytes < memory / 32)
		bytes = memory / 32;
	if (bytes < LEAST)
		bytes = LEAST;
	if (bytes > memory / 8)
		bytes = memory / 8;
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
