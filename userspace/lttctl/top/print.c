// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A sample as text or JSON.
 *
 * Layer: lttctl top.
 */
#include "top.h"
#include "lttctl/command.h"
#include "lttctl/model/moment.h"

#include <stdarg.h>
#include <string.h>

#define HEAD_LINES	4	/* the first line, a blank one, and the heads of two tables */
#define MANY		20	/* rows of a table where there is any room */
#define NS_PER_S	1e9

/* Lines are cut, so that no line of the terminal is wrapped.  All that they have is ASCII. */
__attribute__((format(printf, 3, 4)))
static void print_line(FILE *to, unsigned int columns, const char *format, ...)
{
	char line[256];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	make_printable(line);
	if (columns && columns < sizeof(line))
		line[columns] = '\0';
	fprintf(to, "%s\n", line);
}

static double seconds_of(const struct sample *sample)
{
	return sample->covered_ns > 0 ? sample->covered_ns / NS_PER_S : 1e-9;
}

static double percent(int64_t ns, const struct sample *sample)
{
	const int64_t interval = sample->to_ns - sample->from_ns;

	return interval > 0 ? 100.0 * ns / interval : 0;
}

static uint64_t all_events(const struct sample *sample)
{
	uint64_t all = 0;
	size_t i;

	for (i = 0; i < sample->nr_events; i++)
		all += sample->event[i].count;
	return all;
}

static void print_head(FILE *to, const struct sample *sample, unsigned int columns)
{
	char end[MOMENT_TEXT], covered[MOMENT_TEXT], note[MOMENT_TEXT + 64] = "";

	if (sample->covered_ns < sample->to_ns - sample->from_ns)
		snprintf(note, sizeof(note), "; the buffers hold only the last %s",
			 moment_duration_text(sample->covered_ns, covered));
	if (sample->nr_lost)
		snprintf(note + strlen(note), sizeof(note) - strlen(note), "; %llu events lost",
			 (unsigned long long)sample->nr_lost);
	print_line(to, columns, "%.8s  %u CPUs, %.1f %% idle  %.0f events/s%s", moment_text(sample->to_ns, end),
		   sample->cpus, sample->cpus ? percent(sample->idle_ns, sample) / sample->cpus : 0.0,
		   all_events(sample) / seconds_of(sample), note);
}

static char mark(enum top_order order, enum top_order column)
{
	return order == column ? '*' : ' ';
}

static void print_processes(FILE *to, const struct sample *sample, enum top_order order, size_t rows,
			    unsigned int columns)
{
	const struct top_process *process = sample->process, *end = process + sample->nr_processes;
	char mean[MOMENT_TEXT], max[MOMENT_TEXT];

	print_line(to, columns, "%8s %-16s %7s%c %9s%c %10s %10s%c %9s%c", "PID", "PROCESS", "CPU %",
		   mark(order, TOP_CPU), "SWITCHES", mark(order, TOP_SWITCHES), "WAKE MEAN", "WAKE MAX",
		   mark(order, TOP_LATENCY), "CALLS", mark(order, TOP_CALLS));
	for (; process < end && rows; process++, rows--)
		print_line(to, columns, "%8lld %-16.16s %7.1f  %9llu  %10s %10s  %9llu", (long long)process->pid,
			   process->name, percent(process->cpu_ns, sample), (unsigned long long)process->switches,
			   process->wakes ? moment_duration_text(process->wake_ns / (int64_t)process->wakes, mean) : "-",
			   process->wakes ? moment_duration_text(process->wake_max_ns, max) : "-",
			   (unsigned long long)process->calls);
}

/* Events on the left, system calls on the right. */
static void print_pairs(FILE *to, const struct sample *sample, size_t rows, unsigned int columns)
{
	char left[64], right[80], total[MOMENT_TEXT];
	size_t i;

	print_line(to, columns, "%-30s %9s   %-18s %9s %7s %10s", "EVENT", "PER S", "SYSTEM CALL", "PER S", "ERRORS",
		   "TIME");
	for (i = 0; i < rows && (i < sample->nr_events || i < sample->nr_calls); i++) {
		left[0] = right[0] = '\0';
		if (i < sample->nr_events)
			snprintf(left, sizeof(left), "%-30.30s %9.0f", sample->event[i].name,
				 sample->event[i].count / seconds_of(sample));
		if (i < sample->nr_calls)
			snprintf(right, sizeof(right), "%-18.18s %9.0f %7llu %10s", sample->call[i].name,
				 sample->call[i].count / seconds_of(sample),
				 (unsigned long long)sample->call[i].errors,
				 moment_duration_text(sample->call[i].total_ns, total));
		print_line(to, columns, "%-40s   %s", left, right);
	}
}

void sample_print(FILE *to, const struct sample *sample, enum top_order order, unsigned int lines, unsigned int columns)
{
	size_t rows = MANY, pairs = MANY;

	if (lines) {
		lines = lines > HEAD_LINES + 2 ? lines - HEAD_LINES : 2;
		pairs = lines / 3;
		rows = lines - pairs;
		if (rows > sample->nr_processes) {
			pairs += rows - sample->nr_processes;
			rows = sample->nr_processes;
		}
	}
	print_head(to, sample, columns);
	print_processes(to, sample, order, rows, columns);
	fputc('\n', to);
	print_pairs(to, sample, pairs, columns);
}

/* --- JSON ------------------------------------------------------------------- */

static void add_number(struct json_object *to, const char *name, int64_t value)
{
	json_object_object_add(to, name, json_object_new_int64(value));
}

static struct json_object *json_process(const struct top_process *process)
{
	struct json_object *row = json_object_new_object();

	add_number(row, "pid", process->pid);
	json_object_object_add(row, "name", json_any_text(process->name));
	add_number(row, "cpu_ns", process->cpu_ns);
	add_number(row, "switches", process->switches);
	add_number(row, "wakes", process->wakes);
	add_number(row, "wake_ns", process->wake_ns);
	add_number(row, "wake_max_ns", process->wake_max_ns);
	add_number(row, "calls", process->calls);
	return row;
}

static struct json_object *json_rows(const struct sample *sample, const char *name)
{
	struct json_object *rows = json_object_new_array(), *row;
	size_t i;

	for (i = 0; !strcmp(name, "processes") && i < sample->nr_processes; i++)
		json_object_array_add(rows, json_process(&sample->process[i]));
	for (i = 0; !strcmp(name, "events") && i < sample->nr_events; i++) {
		row = json_object_new_object();
		json_object_object_add(row, "name", json_any_text(sample->event[i].name));
		add_number(row, "count", sample->event[i].count);
		json_object_array_add(rows, row);
	}
	for (i = 0; !strcmp(name, "calls") && i < sample->nr_calls; i++) {
		row = json_object_new_object();
		json_object_object_add(row, "name", json_any_text(sample->call[i].name));
		add_number(row, "count", sample->call[i].count);
		add_number(row, "errors", sample->call[i].errors);
		add_number(row, "total_ns", sample->call[i].total_ns);
		json_object_array_add(rows, row);
	}
	return rows;
}

void sample_print_json(const struct sample *sample)
{
	static const char *const tables[] = { "processes", "events", "calls" };
	struct json_object *all = json_object_new_object();
	size_t i;

	add_number(all, "from_ns", sample->from_ns);
	add_number(all, "to_ns", sample->to_ns);
	add_number(all, "covered_ns", sample->covered_ns);
	add_number(all, "cpus", sample->cpus);
	add_number(all, "idle_ns", sample->idle_ns);
	add_number(all, "lost", sample->nr_lost);
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		json_object_object_add(all, tables[i], json_rows(sample, tables[i]));
	puts(json_object_to_json_string_ext(all, JSON_C_TO_STRING_PLAIN));
	json_object_put(all);
	fflush(stdout);
}
