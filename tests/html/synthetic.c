// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Write a page of a system that does not exist: synthetic RECORDS CPUS THREADS > PAGE
 *
 * It feeds the tracks directly, so that pages of many millions of records need no recording of that size.
 */
#include "lttctl/html/html.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#define CALLS 12
#define SLICES 6

static struct page page;
static uint64_t random_state = 88172645463325252ULL;
static uint32_t calls[CALLS], slices[SLICES], interrupts[4], counter;
static struct cpu {
	uint64_t now;
	uint32_t thread;
} *cpus;
static struct thread {
	uint64_t since;		/* of its sleep */
	struct track *states, *calls, *slices, *points;
} *threads;
static uint64_t records;

static uint64_t random_number(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* Short times are frequent, and some are a thousand times longer. */
static uint64_t random_time(uint64_t least)
{
	return least + (random_number() % least << random_number() % 10);
}

static void add(struct track *track, uint64_t start, uint64_t end, uint32_t value, int64_t extra)
{
	struct item item = { .start = start, .length = end - start, .value = value, .extra = extra };

	if (track_add(&page.tracks, track, item))
		errx(1, "out of memory");
}

static void make_owners(uint32_t nr_cpus, uint32_t nr_threads)
{
	static const char *const names[] = { "worker", "</script><script>document.title='x'", "caf\xc3\xa9", "bad\xff\x01utf", "db" };
	char text[64];
	uint32_t i;

	page.hosts = calloc(1, sizeof(*page.hosts));
	page.hosts[page.nr_hosts++] = name_number(&page.names, "machine");
	page.cpus = calloc(nr_cpus, sizeof(*page.cpus));
	cpus = calloc(nr_cpus, sizeof(*cpus));
	for (page.nr_cpus = 0; page.nr_cpus < nr_cpus; page.nr_cpus++)
		page.cpus[page.nr_cpus].cpu = page.nr_cpus;
	page.threads = calloc(nr_threads, sizeof(*page.threads));
	threads = calloc(nr_threads, sizeof(*threads));
	page.processes = calloc(nr_threads, sizeof(*page.processes));
	for (i = 0; i < nr_threads; i++) {
		snprintf(text, sizeof(text), "%s-%u", names[i % 5], i);
		if (i % 4 == 0)
			page.processes[page.nr_processes++] = (struct page_process){ 1000 + i, name_number(&page.names, text), i % 5 == 3, 0 };
		page.threads[i] = (struct page_thread){ 1000 + i, page.nr_processes - 1, name_number(&page.names, text), 0 };
		threads[i].states = track_get(&page.tracks, TRACK_STATE, i, 0, 0);
		threads[i].calls = track_get(&page.tracks, TRACK_SYSCALL, i, 0, 0);
		threads[i].slices = i % 3 ? NULL : track_get(&page.tracks, TRACK_SLICE, i, 0, 0);
	}
	page.nr_threads = nr_threads;
	for (i = 0; i < CALLS; i++) {
		snprintf(text, sizeof(text), "call_%u", i);
		calls[i] = name_number(&page.names, text);
	}
	for (i = 0; i < SLICES; i++) {
		snprintf(text, sizeof(text), "app:step%u", i);
		slices[i] = name_number(&page.names, text);
	}
	interrupts[0] = name_number(&page.names, "irq 24 disk");
	interrupts[1] = name_number(&page.names, "softirq TIMER");
	interrupts[2] = name_number(&page.names, "softirq NET_RX");
	interrupts[3] = name_number(&page.names, "irq 30 net");
	counter = name_number(&page.names, "app:queue");
}

/* The thread runs on the CPU until a time; it calls the system and is interrupted. */
static void run(uint32_t cpu, uint32_t thread, uint64_t start, uint64_t end)
{
	uint64_t at = start, until;

	add(track_get(&page.tracks, TRACK_RUN, cpu, 0, 0), start, end, thread, 0);
	add(threads[thread].states, start, end, STATE_RUNNING, cpu);
	page.threads[thread].run += end - start;
	records += 2;
	while (random_number() % 4 && at + 600 < end) {
		until = at + 300 + random_number() % (end - at);
		if (until > end)
			until = end;
		add(threads[thread].calls, at + 100, until, calls[random_number() % CALLS], (int64_t)(random_number() % 40) - 8);
		records += 2;
		if (random_number() % 8 == 0) {
			add(track_get(&page.tracks, TRACK_IRQ, cpu, 0, 0), at + 150, at + 290, interrupts[random_number() % 4], 0);
			records += 2;
		}
		at = until;
	}
	add(threads[thread].slices, start, start + (end - start) / 2, slices[random_number() % SLICES], 0);
}

static void step(uint32_t cpu)
{
	uint32_t next = random_number() % 3 ? random_number() % 8 : random_number() % page.nr_threads;
	uint64_t start = cpus[cpu].now, end = start + random_time(2000), slept = threads[next].since;
	struct item value = { .start = start, .length = 0, .number = random_number() % 100 };

	if (slept > start)	/* runs on another CPU */
		start = slept, end = start + random_time(2000);
	if (start > slept + 1000) {
		uint64_t woken = start - random_number() % (start - slept < 50000 ? (start - slept) / 2 : 25000) - 1;

		add(threads[next].states, slept, woken, random_number() % 9 ? STATE_SLEEPING : STATE_BLOCKED, 0);
		add(threads[next].states, woken, start, STATE_RUNNABLE, 1 + random_number() % page.nr_threads);
		records++;
	}
	run(cpu, next, start, end);
	threads[next].since = end;
	cpus[cpu].now = end + (random_number() % 5 ? 0 : random_time(4000));
	if (cpu == 0 && random_number() % 16 == 0 && track_add(&page.tracks, track_get(&page.tracks, TRACK_COUNTER, 0, 0, counter), value))
		errx(1, "out of memory");
}

int main(int argc, char **argv)
{
	static const char *const paths[] = { "synthetic '$(x)'" };
	uint64_t wanted;
	uint32_t cpu, i;

	if (argc != 4)
		errx(2, "usage: synthetic RECORDS CPUS THREADS");
	wanted = strtoull(argv[1], NULL, 0);
	page.tracks.items_max = ITEMS_MAX;
	page.begin = 1700000000123456789;
	page.paths = paths;
	page.nr_paths = 1;
	make_owners(strtoul(argv[2], NULL, 0), strtoul(argv[3], NULL, 0));
	while (records < wanted) {
		for (i = 1, cpu = 0; i < page.nr_cpus; i++)
			if (cpus[i].now < cpus[cpu].now)
				cpu = i;
		step(cpu);
	}
	for (i = 0; i < page.nr_cpus; i++)
		if (cpus[i].now > page.span)
			page.span = cpus[i].now;
	page.nr_records = records;
	if (page_write(&page, stdout))
		errx(1, "cannot write");
	page_free(&page);
	free(cpus);
	free(threads);
	return 0;
}
