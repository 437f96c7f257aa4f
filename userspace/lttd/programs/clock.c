// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The clock of programs: the counter of common/counter.h.
 *
 * Layer: lttd.  The kernel provides the counter's frequency in a mapped perf event (struct
 * perf_event_mmap_page, time_mult and time_shift).  Where it does not, as in some virtual
 * machines, lttd compares the counter with CLOCK_MONOTONIC_RAW.
 */
#include "clock.h"
#include "lttd/log.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common/counter.h"
#include "core/clock-math.h"

/* As ltt-timestamp names and describes this counter: readers see one clock. */
#ifdef __aarch64__
#define NAME		"cycles"
#define DESCRIPTION	"Cycle counter of the architecture"
#else
#define NAME		"tsc"
#define DESCRIPTION	"Time stamp counter of the CPU"
#endif
#define NSEC_PER_SEC	1000000000ULL
#define COMPARE_NS	(NSEC_PER_SEC / 10)
#define SAMPLES		10

static uint64_t now_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* Read the counter and another clock at the same time: the shortest of SAMPLES attempts. */
static uint64_t count_at(clockid_t id, uint64_t *ns)
{
	uint64_t before, after, at, best = UINT64_MAX, count = 0;
	int i;

	*ns = 0;
	for (i = 0; i < SAMPLES; i++) {
		before = ltt_counter();
		at = now_ns(id);
		after = ltt_counter();
		if (after - before < best) {
			best = after - before;
			count = before + best / 2;
			*ns = at;
		}
	}
	return count;
}

static uint64_t freq_of_kernel(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	const struct perf_event_mmap_page *page;
	uint64_t freq = 0;

	if (fd < 0)
		return 0;
	page = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, fd, 0);
	if (page != MAP_FAILED) {
		/* Up to a shift of 34, the product fits; the kernel's is 32 at most. */
		if (page->cap_user_time && page->time_mult && page->time_shift <= 34)
			freq = (NSEC_PER_SEC << page->time_shift) / page->time_mult;
		munmap((void *)page, getpagesize());
	}
	close(fd);
	return freq;
}

static uint64_t freq_by_comparison(void)
{
	struct timespec pause = { .tv_nsec = COMPARE_NS };
	uint64_t ns[2], count[2], counts, time;

	count[0] = count_at(CLOCK_MONOTONIC_RAW, &ns[0]);
	nanosleep(&pause, NULL);
	count[1] = count_at(CLOCK_MONOTONIC_RAW, &ns[1]);
	counts = count[1] - count[0];
	time = ns[1] - ns[0];
	/* In two parts, of which neither overflows, even if this takes ten seconds. */
	return counts / time * NSEC_PER_SEC + counts % time * NSEC_PER_SEC / time;
}

static void find_offset(struct clock *clock)
{
	uint64_t ns, count = count_at(CLOCK_REALTIME, &ns);
	struct ltt_epoch epoch = ltt_epoch_of(count, ns, clock->freq);

	clock->offset_s = epoch.s;
	clock->offset = epoch.counts;
}

/* Parse "xxxxxxxx-xxxx-...".  Return: false if it is not a uuid. */
static bool parse_uuid(const char *text, uint8_t *uuid)
{
	int i;

	for (i = 0; i < 16; i++, text += 2) {
		text += *text == '-';
		if (sscanf(text, "%2hhx", &uuid[i]) != 1)
			return false;
	}
	return true;
}

static bool boot_uuid(uint8_t *uuid)
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
	char text[64] = "";
	bool found = f && fgets(text, sizeof(text), f) && parse_uuid(text, uuid);

	if (f)
		fclose(f);
	return found;
}

bool clock_parse(struct clock *clock, const char *text)
{
	char uuid[40];
	int end = -1;

	*clock = (struct clock){ 0 };
	return sscanf(text, "%63[A-Za-z0-9_] %39s %" SCNu64 " %" SCNu64 " %" SCNu64 "%n", clock->name, uuid,
		      &clock->freq, &clock->offset_s, &clock->offset, &end) == 5 &&
	       !text[end] && clock->freq && parse_uuid(uuid, clock->uuid);
}

bool clock_is_counter(const struct clock *clock)
{
	return !strcmp(clock->name, NAME);
}

int clock_find(struct clock *clock, const struct clock *kernel)
{
	if (kernel && !clock_is_counter(kernel)) {
		notice("the kernel trace has another clock (%s): its times agree with those of programs to some microseconds only",
		       kernel->name);
		kernel = NULL;
	}
	*clock = kernel ? *kernel : (struct clock){ .name = NAME };
	strcpy(clock->description, DESCRIPTION);
	if (kernel)
		return 0;
	if (!boot_uuid(clock->uuid))
		return fail("cannot read /proc/sys/kernel/random/boot_id: %s", strerror(errno));
	clock->freq = freq_of_kernel();
	if (!clock->freq)
		clock->freq = freq_by_comparison();
	find_offset(clock);
	return 0;
}
