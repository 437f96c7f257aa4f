// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Rows by process, thread, name and CPU: see report.h.
 *
 * A group of threads is the number of one of them: the first thread of a process, or the first task of a name.
 *
 * Layer: lttctl report.
 */
#include "report.h"

#include <string.h>

struct map_key report_key(const struct report *report, const struct task *task, const struct host *host, unsigned int cpu,
			  uint64_t more)
{
	if (report->by == BY_CPU)
		return MAP_KEY(host->number, cpu, more);
	return MAP_KEY(task ? task->number : REPORT_NO_TASK, 0, more);
}

/* A name of the recording as a number, for a map. */
static uint64_t hash_of(const char *name)
{
	uint64_t hash = 1469598103934665603;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 1099511628211;
	return hash;
}

/* Return: the first task of the name; names with the same hash have rows of their own. */
static uint64_t group_of_name(struct report *report, struct map *names, const struct task *task)
{
	char name[24], other[24];
	uint64_t *first, hash = hash_of(task_name(task, name));

	for (;; hash++) {
		first = report_get(report, names, MAP_KEY(hash, task->host->number));
		if (!first)
			return task->number;
		if (!*first)
			*first = task->number + 1;
		if (!strcmp(name, task_name(tasks_at(report->recording.tasks, *first - 1), other)))
			return *first - 1;
	}
}

uint64_t report_group(struct report *report, struct map *names, uint64_t number)
{
	const struct task *task;

	if (number == REPORT_NO_TASK)
		return number;
	task = tasks_at(report->recording.tasks, number);
	if (report->by == BY_PROCESS)
		return task_leader(report->recording.tasks, task)->number;
	return report->by == BY_NAME ? group_of_name(report, names, task) : number;
}

struct map *report_fold(struct report *report, const struct map *from, size_t size,
			void (*sum)(void *sum, const void *more))
{
	struct map *rows = report_map(report, size), *names = report_map(report, sizeof(uint64_t));
	struct map_key key;
	void *row, *value;
	size_t i;

	for (i = 0; rows && names && i < map_nr(from); i++) {
		value = map_at(from, i, &key);
		if (report->by != BY_CPU)
			key.number[0] = report_group(report, names, key.number[0]);
		row = report_get(report, rows, key);
		if (!row)
			return NULL;
		sum(row, value);
	}
	return rows;
}

static void name_host(const struct report *report, struct cell *row, const struct host *host)
{
	if (tasks_nr_hosts(report->recording.tasks) > 1 && host->name[0])
		cell_text(&row[4], "%s", host->name);
}

void report_name_task(const struct report *report, struct cell *row, const struct task *task)
{
	char name[24];

	cell_text(&row[0], "%s", task_name(task, name));
	if (task->pid != TASK_UNKNOWN)
		cell_number(&row[1], task->pid);
	cell_number(&row[2], task->tid);
	name_host(report, row, task->host);
}

void report_name_row(const struct report *report, struct cell *row, const struct map_key *key)
{
	const struct task *task;
	char name[24];

	if (report->by == BY_CPU) {
		cell_number(&row[3], key->number[1]);
		name_host(report, row, tasks_host(report->recording.tasks, key->number[0]));
		return;
	}
	if (key->number[0] == REPORT_NO_TASK) {
		cell_text(&row[0], "(not known)");
		return;
	}
	task = tasks_at(report->recording.tasks, key->number[0]);
	if (report->by == BY_THREAD) {
		report_name_task(report, row, task);
		return;
	}
	cell_text(&row[0], "%s", task_name(task, name));
	if (report->by == BY_PROCESS)
		cell_number(&row[1], task_process(task));
	name_host(report, row, task->host);
}

const char *report_by_text(enum report_by by)
{
	static const char *const texts[BY_KINDS] = {
		[BY_PROCESS] = "process", [BY_THREAD] = "thread", [BY_NAME] = "name", [BY_CPU] = "cpu",
		[BY_CALL] = "call", [BY_IRQ] = "irq", [BY_DEVICE] = "device",
	};

	return texts[by];
}
