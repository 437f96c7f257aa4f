// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The owners of tracks: CPUs, processes and threads, and their numbers in the page.
 *
 * A thread has the number of its task.  CPUs and processes get a number when something of them is seen; processes
 * get their names at the end, when these are known.
 *
 * Layer: lttctl html.
 */
#include "collect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 8192

/**
 * struct process - a process that has a number
 * @next: the next one in the bucket, its number + 1; 0: none
 * @host: its machine
 * @pid: its id
 */
struct process {
	uint32_t next;
	uint32_t host;
	int64_t pid;
};

/**
 * struct owners - tables of owners
 * @cpus: by the machine and the number of the CPU: the CPU in the page + 1; 0: none
 * @nr_cpus: room for each machine in @cpus
 * @nr_hosts: machines in @cpus
 * @processes: by the number in the page
 * @room: of @processes
 * @buckets: a process + 1; 0: none
 */
struct owners {
	uint32_t *cpus;
	size_t nr_cpus;
	size_t nr_hosts;
	struct process *processes;
	size_t room;
	uint32_t buckets[BUCKETS];
};

static struct owners *owners_of(struct collector *collector)
{
	if (!collector->owners)
		collector->owners = calloc(1, sizeof(*collector->owners));
	if (!collector->owners)
		collector_check(collector, -ENOMEM);
	return collector->owners;
}

/* ---- CPUs ---- */

#define CPUS_MAX 65536

static bool cpus_room(struct owners *owners, size_t nr_hosts, unsigned int cpu)
{
	size_t nr = owners->nr_cpus ? owners->nr_cpus : 64, i;
	uint32_t *more;

	if (cpu < owners->nr_cpus)
		return true;
	while (nr <= cpu)
		nr *= 2;
	more = calloc(nr_hosts * nr, sizeof(*more));
	if (!more)
		return false;
	for (i = 0; i < owners->nr_hosts; i++)
		memcpy(more + i * nr, owners->cpus + i * owners->nr_cpus, owners->nr_cpus * sizeof(*more));
	free(owners->cpus);
	owners->cpus = more;
	owners->nr_cpus = nr;
	owners->nr_hosts = nr_hosts;
	return true;
}

static uint32_t add_cpu(struct collector *collector, const struct host *host, unsigned int cpu)
{
	struct page *page = collector->page;
	struct page_cpu *more = reallocarray(page->cpus, page->nr_cpus + 1, sizeof(*more));

	if (!more) {
		collector_check(collector, -ENOMEM);
		return 0;
	}
	page->cpus = more;
	more[page->nr_cpus] = (struct page_cpu){ .cpu = cpu, .host = host->number };
	return ++page->nr_cpus;
}

uint32_t page_cpu_number(struct collector *collector, const struct host *host, unsigned int cpu)
{
	struct owners *owners = owners_of(collector);
	uint32_t *number;

	if (cpu >= CPUS_MAX)
		cpu = CPUS_MAX - 1;
	if (!owners || !cpus_room(owners, tasks_nr_hosts(collector->recording->tasks), cpu)) {
		collector_check(collector, -ENOMEM);
		return 0;
	}
	number = &owners->cpus[host->number * owners->nr_cpus + cpu];
	if (!*number)
		*number = add_cpu(collector, host, cpu);
	return *number ? *number - 1 : 0;
}

/* ---- Processes ---- */

static bool processes_room(struct collector *collector, struct owners *owners)
{
	struct page *page = collector->page;
	size_t room = owners->room ? owners->room * 2 : 64;
	struct process *processes;
	struct page_process *pages;

	if (page->nr_processes < owners->room)
		return true;
	processes = reallocarray(owners->processes, room, sizeof(*processes));
	if (processes)
		owners->processes = processes;
	pages = reallocarray(page->processes, room, sizeof(*pages));
	if (pages)
		page->processes = pages;
	if (!processes || !pages)
		return false;
	owners->room = room;
	return true;
}

uint32_t page_process_number(struct collector *collector, const struct task *task)
{
	struct owners *owners = owners_of(collector);
	struct page *page = collector->page;
	int64_t pid = task_process(task);
	uint32_t *bucket, number;

	if (!owners || !processes_room(collector, owners)) {
		collector_check(collector, -ENOMEM);
		return 0;
	}
	bucket = &owners->buckets[((uint64_t)pid * 31 + task->host->number) * 0x9e3779b97f4a7c15ULL >> 51];
	for (number = *bucket; number; number = owners->processes[number - 1].next)
		if (owners->processes[number - 1].pid == pid && owners->processes[number - 1].host == task->host->number)
			return number - 1;
	number = page->nr_processes++;
	owners->processes[number] = (struct process){ .next = *bucket, .host = task->host->number, .pid = pid };
	page->processes[number] = (struct page_process){ .pid = pid, .name = NO_NAME, .host = task->host->number };
	*bucket = number + 1;
	return number;
}

/* ---- Names ---- */

static void add_hosts(struct collector *collector)
{
	struct page *page = collector->page;
	size_t i, nr = tasks_nr_hosts(collector->recording->tasks);

	page->hosts = calloc(nr + 1, sizeof(*page->hosts));
	if (!page->hosts) {
		collector_check(collector, -ENOMEM);
		return;
	}
	for (i = 0; i < nr; i++)
		page->hosts[page->nr_hosts++] = collect_name(collector, tasks_host(collector->recording->tasks, i)->name);
}

static void name_process(struct collector *collector, const struct task *task, uint32_t number)
{
	struct page_process *process = &collector->page->processes[number];
	const struct task *leader = task_leader(collector->recording->tasks, task);
	char buf[24];

	process->is_kernel |= task->is_kernel;
	/* The newest life of a process id names it. */
	if (process->name == NO_NAME || leader == task)
		process->name = collect_name(collector, task_name(leader ? leader : task, buf));
}

void owners_finish(struct collector *collector)
{
	struct tasks *tasks = collector->recording->tasks;
	struct page *page = collector->page;
	size_t i, nr = tasks_nr(tasks);
	char buf[24];

	add_hosts(collector);
	page->threads = calloc(nr + 1, sizeof(*page->threads));
	if (!page->threads) {
		collector_check(collector, -ENOMEM);
		return;
	}
	for (i = 0; i < nr; i++) {
		const struct task *task = tasks_at(tasks, i);
		uint32_t process = page_process_number(collector, task);

		if (collector->err)
			return;
		name_process(collector, task, process);
		page->threads[i] = (struct page_thread){
			.tid = task->tid, .process = process, .name = collect_name(collector, task_name(task, buf)),
			.run = i < collector->nr_threads ? collector->threads[i].run : 0,
		};
		page->nr_threads++;
	}
	for (i = 0; i < page->nr_processes; i++)
		if (page->processes[i].name == NO_NAME)
			page->processes[i].name = collect_name(collector, "-");
}

void owners_free(struct collector *collector)
{
	if (!collector->owners)
		return;
	free(collector->owners->cpus);
	free(collector->owners->processes);
	free(collector->owners);
}
