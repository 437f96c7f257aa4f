// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The CPUs: where they are, and how fast they run.
 *
 * Layer: lttd state.
 */
#include "dump.h"
#include "proc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct ltt_field fields[] = {
	WRITER_NUMBER("cpu", 4),
	WRITER_NUMBER("online", 1),
	WRITER_SIGNED("package", 4),
	WRITER_SIGNED("core", 4),
	WRITER_SIGNED("node", 4),
	WRITER_NUMBER("khz", 8),
	WRITER_NUMBER("min_khz", 8),
	WRITER_NUMBER("max_khz", 8),
};
WRITER_EVENT(cpu_event, "cpu", fields);

/* Return: a signed number, -1 if there is none. */
static int32_t number(int dir, const char *name)
{
	char text[32];

	return proc_line(dir, name, text, sizeof(text)) > 0 ? strtol(text, NULL, 10) : -1;
}

static uint64_t khz(int dir, const char *name)
{
	uint64_t value;

	proc_number(dir, name, &value);
	return value;
}

/* Without a driver of frequencies, /proc/cpuinfo has that of x86 CPUs.  Return: 0 if not. */
static uint64_t khz_of_cpuinfo(int64_t cpu)
{
	struct lines lines;
	int64_t at = -1;
	double mhz = 0;
	char *line;

	if (lines_open(&lines, AT_FDCWD, "/proc/cpuinfo"))
		return 0;
	while (!mhz && (line = lines_next(&lines))) {
		if (!strncmp(line, "processor\t", strlen("processor\t")))
			at = atoll(line + strcspn(line, ":") + 1);
		else if (at == cpu && sscanf(line, "cpu MHz : %lf", &mhz) != 1)
			mhz = 0;
	}
	lines_close(&lines);
	return mhz * 1000;
}

/* The link nodeN.  Return: false to end the walk. */
static bool find_node(int dir, const char *name, void *arg)
{
	(void)dir;
	if (strncmp(name, "node", 4) || proc_id(name + 4) < 0)
		return true;
	*(int32_t *)arg = proc_id(name + 4);
	return false;
}

/* CPU 0 may not have a file "online": it is always. */
static bool is_online(int dir)
{
	return number(dir, "online") != 0;
}

static bool write_cpu(int cpus, const char *name, void *arg)
{
	struct dump *dump = arg;
	struct writer *writer = &dump->writer;
	int64_t cpu = strncmp(name, "cpu", 3) ? -1 : proc_id(name + 3);
	int32_t node = -1;
	int dir, walk;

	if (cpu < 0)
		return true;
	dir = proc_folder(cpus, name);
	if (dir < 0) {
		dump_missed(dump, dir);
		return true;
	}
	writer_begin(writer, STATE_CPU, 0);
	writer_number(writer, cpu);
	writer_number(writer, is_online(dir));
	writer_number(writer, number(dir, "topology/physical_package_id"));
	writer_number(writer, number(dir, "topology/core_id"));
	walk = proc_walk(dir, find_node, &node);
	if (walk != -ECANCELED)
		dump_missed(dump, walk);
	writer_number(writer, node);
	writer_number(writer, khz(dir, "cpufreq/scaling_cur_freq") ?: khz_of_cpuinfo(cpu));
	writer_number(writer, khz(dir, "cpufreq/cpuinfo_min_freq"));
	writer_number(writer, khz(dir, "cpufreq/cpuinfo_max_freq"));
	dump_end(dump);
	close(dir);
	return !writer->err;
}

void dump_cpus(struct dump *dump)
{
	dump_missed(dump, proc_walk_path("/sys/devices/system/cpu", write_cpu, dump));
}
