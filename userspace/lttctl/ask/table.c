// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * An answer as text.
 *
 * Layer: lttctl.
 */
#include "ask.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lttctl/view/kernel-symbols.h"

#define BAR	40	/* characters of the longest bar */
#define CELL	128

/* ---- Values ---- */

/* 1500 as "1.5us": times of latency are read, not computed with. */
static void print_time(uint64_t ns, char *text, size_t size)
{
	static const struct { const char *name; uint64_t ns; } units[] = {
		{ "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 },
	};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (ns < units[i].ns)
			continue;
		snprintf(text, size, "%.4g%s", (double)ns / units[i].ns, units[i].name);
		return;
	}
	snprintf(text, size, "%" PRIu64 "ns", ns);
}

static void print_value(const struct answer *answer, uint64_t value, char *text, size_t size)
{
	if (answer->options->kind == QUESTION_LATENCY)
		print_time(value, text, size);
	else if (question_is_signed(answer->question))
		snprintf(text, size, "%" PRId64, (int64_t)value);
	else
		snprintf(text, size, "%" PRIu64, value);
}

static double mean_of(const struct answer *answer, const struct question_row *row)
{
	if (question_is_signed(answer->question))
		return (double)(int64_t)row->sum / row->count;
	return (double)row->sum / row->count;
}

static void print_mean(const struct answer *answer, const struct question_row *row, char *text, size_t size)
{
	if (answer->options->kind == QUESTION_LATENCY)
		print_time(mean_of(answer, row) + 0.5, text, size);
	else
		snprintf(text, size, "%.*f", mean_of(answer, row) < 1000 && mean_of(answer, row) > -1000 ? 1 : 0,
			 mean_of(answer, row));
}

/* ---- Keys ---- */

static void print_stack(const uint64_t *addresses)
{
	struct out out;

	if (!out_init(&out, -1))
		return;
	for (addresses = stack_begin(addresses); *addresses; addresses++) {
		out_text(&out, "            ");
		if (!kernel_symbols_put(&out, *addresses))
			out_hex(&out, *addresses);
		out_char(&out, '\n');
	}
	fwrite(out.data, 1, out.len, stdout);
	out_free(&out);
}

static void format_key(const struct answer *answer, const struct question_row *row, unsigned int key,
		       char text[CELL])
{
	const struct question_key *part = &row->keys[key];

	switch (question_key_type(answer->question, key)) {
	case QUESTION_STRING:
		snprintf(text, CELL, "%s", part->text);
		make_printable(text);
		break;
	case QUESTION_STACK:
		snprintf(text, CELL, part->addresses[0] ? "(below)" : "(none)");
		break;
	case QUESTION_SIGNED:
		snprintf(text, CELL, "%" PRId64, (int64_t)part->number);
		break;
	default:
		snprintf(text, CELL, "%" PRIu64, part->number);
	}
}

static void print_stacks(const struct answer *answer, const struct question_row *row)
{
	unsigned int key;

	for (key = 0; key < answer->options->nr_keys; key++)
		if (question_key_type(answer->question, key) == QUESTION_STACK)
			print_stack(row->keys[key].addresses);
}

static bool has_event_column(const struct answer *answer)
{
	return answer->options->kind != QUESTION_LATENCY && answer->events->nr > 1;
}

/* ---- Columns ---- */

/* At most the count, four figures, the event and the keys. */
#define COLUMNS	(6 + QUESTION_KEYS_MAX)

struct cells {
	unsigned int nr;
	char text[COLUMNS][CELL];
};

static char *cell(struct cells *cells)
{
	return cells->text[cells->nr++];
}

static void format_heading(const struct answer *answer, struct cells *cells)
{
	unsigned int key;

	cells->nr = 0;
	strcpy(cell(cells), "count");
	if (answer->options->kind != QUESTION_COUNT) {
		strcpy(cell(cells), "sum");
		if (!answer->is_interval)
			strcpy(cell(cells), "min");
		strcpy(cell(cells), "mean");
		if (!answer->is_interval)
			strcpy(cell(cells), "max");
	}
	if (has_event_column(answer))
		strcpy(cell(cells), "event");
	for (key = 0; key < answer->options->nr_keys; key++)
		snprintf(cell(cells), CELL, "%s", answer->options->keys[key]);
}

static void format_row(const struct answer *answer, const struct question_row *row, struct cells *cells)
{
	unsigned int key;

	cells->nr = 0;
	with_commas(row->count, cell(cells));
	if (answer->options->kind != QUESTION_COUNT) {
		print_value(answer, row->sum, cell(cells), CELL);
		if (!answer->is_interval)
			print_value(answer, row->min, cell(cells), CELL);
		print_mean(answer, row, cell(cells), CELL);
		if (!answer->is_interval)
			print_value(answer, row->max, cell(cells), CELL);
	}
	if (has_event_column(answer))
		snprintf(cell(cells), CELL, "%s", answer->events->events[row->event].name);
	for (key = 0; key < answer->options->nr_keys; key++)
		format_key(answer, row, key, cell(cells));
}

/* The numbers before the event and the keys are aligned at their ends. */
static unsigned int nr_figures(const struct answer *answer)
{
	return answer->options->kind == QUESTION_COUNT ? 1 : answer->is_interval ? 3 : 5;
}

static void widen(const struct cells *cells, int widths[COLUMNS])
{
	unsigned int i;

	for (i = 0; i < cells->nr; i++)
		if ((int)strlen(cells->text[i]) > widths[i])
			widths[i] = strlen(cells->text[i]);
}

static void print_cells(const struct answer *answer, const struct cells *cells, const int widths[COLUMNS])
{
	unsigned int i, figures = nr_figures(answer);

	for (i = 0; i < cells->nr; i++) {
		if (i < figures)
			printf("%s%*s", i ? "  " : "", widths[i], cells->text[i]);
		else if (i + 1 < cells->nr)
			printf("  %-*s", widths[i], cells->text[i]);
		else
			printf("  %s", cells->text[i]);
	}
	putchar('\n');
}

/* ---- Buckets ---- */

/* "[4, 8)", or of signed and linear buckets those without a lower or an upper limit. */
static void format_bucket(const struct answer *answer, unsigned int bucket, char text[CELL])
{
	char from[CELL / 2 - 4], to[CELL / 2 - 4];
	struct bucket_limits limits = question_limits(answer->question, bucket);

	print_value(answer, limits.from, from, sizeof(from));
	print_value(answer, limits.to, to, sizeof(to));
	if (!limits.has_from)
		snprintf(text, CELL, "< %s", to);
	else if (!limits.has_to)
		snprintf(text, CELL, ">= %s", from);
	else if (limits.to == limits.from + 1)
		snprintf(text, CELL, "%s", from);
	else
		snprintf(text, CELL, "[%s, %s)", from, to);
}

static void print_bucket(const struct answer *answer, unsigned int bucket, uint64_t number, uint64_t most)
{
	int bar = (double)number * BAR / most + 0.5;
	char text[CELL], count[32];

	format_bucket(answer, bucket, text);
	printf("  %24s %12s |%.*s%*s|\n", text, with_commas(number, count), bar,
	       "########################################", BAR - bar, "");
}

/* Of several empty buckets between others, dots stand for all but the first. */
static void print_buckets(const struct answer *answer, const struct question_row *row)
{
	unsigned int nr = question_nr_buckets(answer->question), first = 0, empty = 0, i;
	uint64_t most = 0;

	for (i = 0; i < nr; i++)
		if (row->buckets[i] > most)
			most = row->buckets[i];
	while (nr && !row->buckets[nr - 1])
		nr--;
	while (first < nr && !row->buckets[first])
		first++;
	for (i = first; i < nr; i++) {
		empty = row->buckets[i] ? 0 : empty + 1;
		if (empty < 2)
			print_bucket(answer, i, row->buckets[i], most);
		else if (empty == 2)
			printf("  %24s\n", "...");
	}
}

/* ---- The whole ---- */

static void print_footer(const struct answer *answer)
{
	char number[32];

	if (answer->rows.missed)
		printf("%s events had no room in the table: see --max-keys\n",
		       with_commas(answer->rows.missed, number));
	if (answer->rows.unmatched)
		printf("%s times had an end without a beginning\n", with_commas(answer->rows.unmatched, number));
	if (answer->rows.stacks_missed)
		printf("the stacks of %s events were not stored\n",
		       with_commas(answer->rows.stacks_missed, number));
	if (answer->unjudged)
		printf("%s events interrupted the counting of the same event, and are in no row\n",
		       with_commas(answer->unjudged, number));
	if (answer->big)
		printf("%s events were too large for the tracer, and are in no row\n",
		       with_commas(answer->big, number));
}

void answer_print(const struct answer *answer, unsigned int top)
{
	const struct question_row *rows = answer->rows.rows;
	size_t nr = answer->rows.nr, i;
	int widths[COLUMNS] = { 0 };
	struct cells cells;

	while (nr && !rows[nr - 1].count)
		nr--;
	if (top && nr > top)
		nr = top;
	format_heading(answer, &cells);
	widen(&cells, widths);
	for (i = 0; i < nr; i++) {
		format_row(answer, &rows[i], &cells);
		widen(&cells, widths);
	}
	format_heading(answer, &cells);
	print_cells(answer, &cells, widths);
	for (i = 0; i < nr; i++) {
		format_row(answer, &rows[i], &cells);
		print_cells(answer, &cells, widths);
		print_stacks(answer, &rows[i]);
		if (!answer->is_brief)
			print_buckets(answer, &rows[i]);
	}
	print_footer(answer);
}
