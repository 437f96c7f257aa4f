// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Memory that programs and lttctl share: a BPF array of one value, which lttctl maps.
 *
 * A program knows its address, so it calls no helper to find what it updates, as it must with the kernel's per-CPU
 * arrays.  Each CPU has a part of its own, in cache lines of its own.
 */
#include "question.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>

#define CACHE_LINE	64

/* The verifier refuses addresses that are further from the beginning (BPF_MAX_VAR_OFF). */
#define AREA_MAX	(1U << 29)

/* The highest number that a CPU may have, which ends a list such as "0-3" or "0,2-5"; -ENODEV. */
static long highest_cpu(void)
{
	FILE *f = fopen("/sys/devices/system/cpu/possible", "re");
	char line[4096] = "", *last;
	size_t len = f ? fread(line, 1, sizeof(line) - 1, f) : 0;

	if (f)
		fclose(f);
	last = line + len;
	while (last > line && strchr("0123456789\n", last[-1]))
		last--;
	return len ? strtol(last, NULL, 10) : -ENODEV;
}

int area_make(struct area *area, const char *name, size_t bytes)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_MMAPABLE);
	long highest = highest_cpu();

	if (highest < 0)
		return highest;
	/* A power of two: the verifier sees from a mask that a program stays inside. */
	for (area->nr_cpus = 1; area->nr_cpus <= (unsigned long)highest; )
		area->nr_cpus *= 2;
	area->cpu_bytes = (bytes + CACHE_LINE - 1) & -CACHE_LINE;
	area->size = area->nr_cpus * area->cpu_bytes;
	if (area->size >= AREA_MAX)
		return -ENOMEM;
	area->map = bpf_map_create(BPF_MAP_TYPE_ARRAY, name, sizeof(uint32_t), area->size, 1, &options);
	if (area->map < 0)
		return -errno;
	area->memory = mmap(NULL, area->size, PROT_READ | PROT_WRITE, MAP_SHARED, area->map, 0);
	if (area->memory == MAP_FAILED) {
		area->memory = NULL;
		return -errno;
	}
	return 0;
}

void area_free(struct area *area)
{
	if (area->memory)
		munmap(area->memory, area->size);
	if (area->map >= 0)
		close(area->map);
}

void *area_at(const struct area *area, unsigned int cpu, size_t offset)
{
	return (char *)area->memory + cpu * area->cpu_bytes + offset;
}
