// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Samples of the machine's clock, in a trace of their own beside those of events.
 *
 * Layer: lttd state.  Each sample is a packet of a page, so that a machine that crashes loses one at most.
 */
#include "clock.h"
#include "clock-sources.h"
#include "common/state.h"
#include "folder.h"
#include "lttd/log.h"
#include "proc.h"
#include "recording.h"
#include "trace-time.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_S	10

static const struct ltt_field sample_fields[] = {
	WRITER_NUMBER("before", 8),
	WRITER_NUMBER("after", 8),
	WRITER_NUMBER("realtime", 8),
	WRITER_NUMBER("boottime", 8),
	WRITER_NUMBER("state", 4),
	WRITER_HEX("status", 4),
	WRITER_SIGNED("offset", 8),
	WRITER_SIGNED("frequency", 8),
	WRITER_SIGNED("max_error", 8),
	WRITER_SIGNED("estimated_error", 8),
	WRITER_SIGNED("tick", 8),
	WRITER_SIGNED("tai", 4),
	WRITER_STRING("clock_source"),
};
static WRITER_EVENT(sample_event, "sample", sample_fields);

static const struct writer_event *const events[CLOCK_EVENTS] = {
	[CLOCK_SAMPLE] = &sample_event,
	[CLOCK_PTP] = &ptp_event,
	[CLOCK_KVM] = &kvm_event,
};

static const struct writer_trace clock_trace = { CLOCK_TRACE, events, CLOCK_EVENTS, .is_live = true };

/**
 * struct sampler - samples that are being taken
 * @writer: their trace
 * @clock: the clock of the recording
 * @dir: their directory
 * @next: when the next is due, seconds of the monotonic clock
 */
struct sampler {
	struct writer writer;
	struct clock clock;
	int dir;
	time_t next;
};

static uint64_t ns_of(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

static time_t now_s(void)
{
	return ns_of(CLOCK_MONOTONIC) / UINT64_C(1000000000);
}

bool clock_compare(clockid_t id, struct clock_pair *pair)
{
	struct timespec now;
	struct clock_pair one;
	int i;

	for (i = 0; i < CLOCK_TRIES; i++) {
		one.before = time_now();
		if (clock_gettime(id, &now))
			return false;
		/* NTP slews both alike, so that their difference shows when the date was set. */
		one.boottime = ns_of(CLOCK_BOOTTIME);
		one.after = time_now();
		one.ns = now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
		if (!i || one.after - one.before < pair->after - pair->before)
			*pair = one;
	}
	return true;
}

static void put_sample(struct writer *writer)
{
	struct timex timex = { .modes = 0 };
	struct clock_pair pair;
	char source[64];
	int state;

	clock_compare(CLOCK_REALTIME, &pair);
	state = adjtimex(&timex);
	proc_line(AT_FDCWD, "/sys/devices/system/clocksource/clocksource0/current_clocksource", source, sizeof(source));
	writer_begin(writer, CLOCK_SAMPLE, 0);
	writer_number(writer, pair.before);
	writer_number(writer, pair.after);
	writer_number(writer, pair.ns);
	writer_number(writer, pair.boottime);
	writer_number(writer, state < 0 ? TIME_ERROR : state);
	writer_number(writer, timex.status);
	writer_number(writer, timex.status & STA_NANO ? timex.offset : timex.offset * 1000);
	writer_number(writer, timex.freq);
	writer_number(writer, timex.maxerror);
	writer_number(writer, timex.esterror);
	writer_number(writer, timex.tick);
	writer_number(writer, timex.tai);
	writer_string(writer, source);
	writer_end(writer);
}

static void take_sample(struct sampler *sampler)
{
	put_sample(&sampler->writer);
	ptp_put(&sampler->writer);
	writer_flush(&sampler->writer);
	sampler->next = now_s() + PERIOD_S;
}

/* ---- The trace ---- */

/* Return: 0; -errno. */
static int open_trace(struct sampler *sampler, int root)
{
	char hidden[32], name[32];
	int err;

	snprintf(hidden, sizeof(hidden), "." CLOCK_TRACE "-%d", getpid());
	sampler->dir = folder_make(root, hidden, 0755);
	if (sampler->dir < 0)
		return sampler->dir;
	err = writer_open(&sampler->writer, sampler->dir, &sampler->clock, &clock_trace);
	if (!err) {
		err = folder_name(root, hidden, CLOCK_TRACE, name, sizeof(name));
		if (err) {
			writer_close(&sampler->writer);
			writer_remove(&sampler->writer);
		}
	}
	if (err) {
		unlinkat(root, hidden, AT_REMOVEDIR);
		close(sampler->dir);
	}
	return err;
}

/* Return: false if the clock is not known, or cannot be read. */
static bool find_clock(const char *path, const struct clock *clock, struct clock *found)
{
	if (clock)
		*found = *clock;
	else if (!recording_kernel_clock(found, path))
		return false;
	time_set(found);
	return time_is_read();
}

struct sampler *sampler_begin(const char *path, const struct clock *clock)
{
	struct sampler *sampler = calloc(1, sizeof(*sampler));
	int root, err;

	if (!sampler || !find_clock(path, clock, &sampler->clock)) {
		free(sampler);
		return NULL;
	}
	root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	err = root < 0 ? -errno : open_trace(sampler, root);
	if (root >= 0)
		close(root);
	if (err) {
		notice("cannot write samples of the clock to %s: %s", path, strerror(-err));
		free(sampler);
		return NULL;
	}
	kvm_put(&sampler->writer);
	take_sample(sampler);
	return sampler;
}

void sampler_look(struct sampler *sampler)
{
	if (now_s() >= sampler->next)
		take_sample(sampler);
}

void sampler_end(struct sampler *sampler)
{
	int err;

	if (!sampler)
		return;
	kvm_put(&sampler->writer);
	take_sample(sampler);
	err = writer_close(&sampler->writer);
	if (err)
		notice("samples of the clock could not be written: %s", strerror(-err));
	close(sampler->dir);
	free(sampler);
}
