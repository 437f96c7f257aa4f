// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The times of PTP devices: clocks of network cards, and of the host that a virtual machine runs on.
 *
 * Layer: lttd state.
 */
#include "clock-sources.h"
#include "lttd/log.h"
#include "lttd/programs/clock.h"
#include "proc.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* As the kernel makes the clock of a descriptor: Documentation/driver-api/ptp.rst. */
#define CLOCK_OF(fd)	((~(clockid_t)(fd) << 3) | 3)

/* Most cards answer in microseconds, but some only when their firmware does.  The caller has buffers to empty meanwhile. */
#define SLOW_S	1e-3

static bool is_slow;

static const struct ltt_field fields[] = {
	WRITER_NUMBER("before", 8),
	WRITER_NUMBER("after", 8),
	WRITER_NUMBER("time", 8),
	WRITER_STRING("device"),
	WRITER_STRING("name"),
};
WRITER_EVENT(ptp_event, "ptp", fields);

/* @pair is the closest of several: a busy CPU makes none so wide. */
static void look_whether_slow(const struct writer *writer, const struct clock_pair *pair, const char *device)
{
	const double seconds = (double)(pair->after - pair->before) / (double)writer->clock->freq;

	if (is_slow || seconds < SLOW_S)
		return;
	is_slow = true;
	notice("%s takes %.0f ms to read: PTP devices are not sampled from now on", device, seconds * 1e3);
}

static bool put_device(int dir, const char *device, void *arg)
{
	struct writer *writer = arg;
	char path[64], name[64];
	struct clock_pair pair;
	int fd;

	if (snprintf(path, sizeof(path), "/dev/%s", device) >= (int)sizeof(path))
		return true;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return true;
	if (clock_compare(CLOCK_OF(fd), &pair)) {
		snprintf(path, sizeof(path), "%.32s/clock_name", device);
		proc_line(dir, path, name, sizeof(name));
		writer_begin(writer, CLOCK_PTP, 0);
		writer_number(writer, pair.before);
		writer_number(writer, pair.after);
		writer_number(writer, pair.ns);
		writer_string(writer, device);
		writer_string(writer, name);
		writer_end(writer);
		look_whether_slow(writer, &pair, device);
	}
	close(fd);
	return true;
}

void ptp_put(struct writer *writer)
{
	if (!is_slow)
		proc_walk_path("/sys/class/ptp", put_device, writer);
}
