// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * report cpu: which processes used the CPUs, and how busy each CPU was.
 *
 * Layer: lttctl report.
 */
#include "report.h"

/* The use of CPUs by a thread, or of a CPU. */
struct use {
	uint64_t slices;
	int64_t busy_ns;
	int64_t idle_ns;
};

struct data {
	struct map *tasks;	/* by the number of the task: struct use */
	struct map *cpus;	/* by machine and CPU: struct use */
};

static int prepare(struct report *report)
{
	struct data *data = report->data;

	data->tasks = report_map(report, sizeof(struct use));
	data->cpus = report_map(report, sizeof(struct use));
	return 0;
}

static void on_interval(const struct sched_interval *interval, void *arg)
{
	struct report *report = arg;
	struct data *data = report->data;
	int64_t from = interval->from_ns, to = interval->to_ns;
	const struct task *task = interval->task;
	struct use *use, *cpu;

	if (interval->state != SCHED_RUNNING || !recording_clip(&report->recording, &from, &to))
		return;
	cpu = report_get(report, data->cpus, MAP_KEY(task->host->number, interval->cpu));
	if (cpu && !task->tid)
		cpu->idle_ns += to - from;
	if (!cpu || !task->tid)
		return;
	cpu->busy_ns += to - from;
	cpu->slices++;
	use = report_get(report, data->tasks, report_key(report, task, task->host, interval->cpu, 0));
	if (!use)
		return;
	use->busy_ns += to - from;
	use->slices++;
}

static double percent(const struct report *report, int64_t ns)
{
	const int64_t window = report->recording.to_ns - report->recording.from_ns;

	return window ? 100.0 * ns / window : 0;
}

static void sum(void *sum, const void *more)
{
	struct use *use = sum;
	const struct use *other = more;

	use->busy_ns += other->busy_ns;
	use->slices += other->slices;
}

static void finish_tasks(struct report *report, const struct map *tasks)
{
	static const struct column columns[] = {
		GROUP_COLUMNS, { "CPU time", "busy_ns", COLUMN_MS }, { "% of a CPU", "percent", COLUMN_PERCENT },
		{ "Slices", "slices", COLUMN_NUMBER }, { 0 }
	};
	struct map *rows = report_fold(report, tasks, sizeof(struct use), sum);
	struct table *table = report_table(report, "tasks", "Time on the CPUs", columns);
	const struct use *use;
	struct map_key key;
	struct cell *row;
	size_t i;

	for (i = 0; rows && table && i < map_nr(rows); i++) {
		use = map_at(rows, i, &key);
		row = table_add(table);
		if (!row)
			return;
		report_name_row(report, row, &key);
		row += NR_GROUP_COLUMNS;
		cell_number(&row[0], use->busy_ns);
		cell_real(&row[1], percent(report, use->busy_ns));
		cell_number(&row[2], use->slices);
	}
	if (table)
		table_sort(table, NR_GROUP_COLUMNS);
}

static void finish_cpus(struct report *report, const struct map *cpus)
{
	static const struct column columns[] = {
		GROUP_COLUMNS, { "Busy", "busy_ns", COLUMN_MS },
		{ "% busy", "busy_percent", COLUMN_PERCENT }, { "Idle", "idle_ns", COLUMN_MS },
		{ "Unknown", "unknown_ns", COLUMN_MS }, { "Slices", "slices", COLUMN_NUMBER }, { 0 }
	};
	struct table *table = report_table(report, "cpus", "CPUs", columns);
	const int64_t window = report->recording.to_ns - report->recording.from_ns;
	const struct use *use;
	struct map_key key;
	struct cell *row;
	size_t i;

	for (i = 0; table && i < map_nr(cpus); i++) {
		use = map_at(cpus, i, &key);
		row = table_add(table);
		if (!row)
			return;
		cell_number(&row[3], key.number[1]);
		if (tasks_nr_hosts(report->recording.tasks) > 1)
			cell_text(&row[4], "%s", tasks_host(report->recording.tasks, key.number[0])->name);
		row += NR_GROUP_COLUMNS;
		cell_number(&row[0], use->busy_ns);
		cell_real(&row[1], percent(report, use->busy_ns));
		cell_number(&row[2], use->idle_ns);
		cell_number(&row[3], window - use->busy_ns - use->idle_ns);
		cell_number(&row[4], use->slices);
	}
	if (table)
		table_sort(table, NR_GROUP_COLUMNS);
}

static void finish(struct report *report)
{
	const struct data *data = report->data;

	finish_tasks(report, data->tasks);
	finish_cpus(report, data->cpus);
}

static const char *const switch_fields[] = { "prev_pid", "prev_state", "next_pid", NULL };

static const struct report_event events[] = {
	{ "sched_switch", switch_fields, "sched:sched_switch", NULL }, { 0 }
};

const struct report_kind report_cpu = {
	.name = "cpu", .summary = "which processes used the CPUs, and how busy each CPU was",
	.by = 1 << BY_PROCESS | 1 << BY_THREAD | 1 << BY_NAME, .default_by = BY_PROCESS,
	.events = events, .size = sizeof(struct data), .prepare = prepare, .interval = on_interval, .finish = finish,
};
