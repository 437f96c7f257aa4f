// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The costs of processes, from /proc.
 *
 * Layer: ltt-exporter.
 */
#include "collect.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/**
 * struct cost - what a process costs
 * @cpu_seconds: CPU time, in user and kernel mode
 * @resident: bytes of memory
 */
struct cost {
	double cpu_seconds;
	double resident;
};

/* Return: false if there is no such process. */
static bool read_cost(pid_t pid, struct cost *cost)
{
	char path[64], line[1024], *end = NULL;
	unsigned long user, system;
	long pages;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	/* Its name may have any characters. */
	if (fgets(line, sizeof(line), file))
		end = strrchr(line, ')');
	fclose(file);
	if (!end || sscanf(end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %*d %*d %*u %*u %ld",
			   &user, &system, &pages) != 3)
		return false;
	cost->cpu_seconds = (double)(user + system) / sysconf(_SC_CLK_TCK);
	cost->resident = (double)pages * sysconf(_SC_PAGESIZE);
	return true;
}

/* Return: false if this user must not know it. */
static bool read_written(pid_t pid, uint64_t *bytes)
{
	char path[64], line[128];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/io", pid);
	file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof(line), file))
		found = sscanf(line, "write_bytes: %" SCNu64, bytes) == 1;
	if (file)
		fclose(file);
	return found;
}

void collect_lttd(struct metrics *metrics, const struct labels *labels, pid_t lttd)
{
	struct cost cost;
	uint64_t written;

	if (lttd <= 0 || !read_cost(lttd, &cost))
		return;
	metrics_value(metrics, "ltt_lttd_cpu_seconds", METRIC_COUNTER, "CPU time of lttd.", labels, cost.cpu_seconds);
	metrics_value(metrics, "ltt_lttd_resident_memory_bytes", METRIC_GAUGE, "Memory of lttd.", labels, cost.resident);
	if (read_written(lttd, &written))
		metrics_value(metrics, "ltt_lttd_written_bytes", METRIC_COUNTER,
			      "Bytes that lttd gave to disks, or to the cache of files for these.", labels, written);
}

void collect_self(struct metrics *metrics)
{
	const struct labels none = { .nr = 0 };
	struct cost cost;

	if (!read_cost(getpid(), &cost))
		return;
	metrics_value(metrics, "process_cpu_seconds", METRIC_COUNTER, "CPU time of ltt-exporter.", &none, cost.cpu_seconds);
	metrics_value(metrics, "process_resident_memory_bytes", METRIC_GAUGE, "Memory of ltt-exporter.", &none,
		      cost.resident);
}
