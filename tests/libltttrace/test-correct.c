// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Times that replace those of the metadata.
 */
#include "writer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../unit/unit.h"

#define TICK(clock_value, after_base) { clock_value, BASE_NS + (after_base) }

static struct part_out part;
static struct packet_out packet;
static struct ltttrace *trace;

static void begin(u64 freq)
{
	begin_folder();
	if (freq == 1000000000)
		part_begin(&part, "t", 1);
	else
		part_begin_bare(&part, "t", 1, freq);
}

static void end(void)
{
	ltttrace_close(trace);
	end_folder();
}

static void put_times(u64 seq, const u64 *times, size_t nr)
{
	size_t i;

	packet_begin(&packet, &part, times[0], seq);
	for (i = 0; i < nr; i++)
		packet_record(&packet, EVENT_A, times[i], NULL, 0);
	packet_append(&packet, &part, "events_0", times[nr - 1]);
}

static void times_lie_on_lines_between_ticks(void)
{
	static const u64 times[] = { 50, 100, 150, 200, 300, 400, 500 };
	static const struct ltttrace_tick ticks[] = { TICK(100, 1000), TICK(200, 1100), TICK(400, 1500) };
	int64_t first, last;

	begin(1000000000);
	put_times(0, times, 4);
	put_times(1, times + 4, 3);
	trace = open_trace(0, part.dir, NULL);
	CU_ASSERT(!ltttrace_correct(trace, ltttrace_part(trace, 0), ticks, COUNT(ticks)));
	SAME(" a@950 a@1000 a@1050 a@1100 a@1300 a@1500 a@1700", merged_text(trace, ALL));
	SAME(" a@1100 a@1300 a@1500 a@1700", merged_text(trace, 1060));
	SAME(" a@1500 a@1700", merged_text(trace, 1301));
	CU_ASSERT(ltttrace_span(trace, &first, &last) && first == BASE_NS + 950 && last == BASE_NS + 1700);
	CU_ASSERT(ltttrace_ns(ltttrace_part(trace, 0), 250) == BASE_NS + 1200);
	end();
}

static void one_tick_has_the_frequency_of_the_metadata(void)
{
	const struct ltttrace_tick tick = TICK(1000, 5);

	begin(2000000000);
	trace = open_trace(0, part.dir, NULL);
	CU_ASSERT(!ltttrace_correct(trace, ltttrace_part(trace, 0), &tick, 1));
	CU_ASSERT(ltttrace_ns(ltttrace_part(trace, 0), 1000) == BASE_NS + 5);
	CU_ASSERT(ltttrace_ns(ltttrace_part(trace, 0), 1200) == BASE_NS + 105);
	CU_ASSERT(ltttrace_ns(ltttrace_part(trace, 0), 800) == BASE_NS - 95);
	end();
}

static void ticks_must_increase(void)
{
	static const struct ltttrace_tick same_clock[] = { TICK(1, 1), TICK(1, 2) }, same_time[] = { TICK(1, 1), TICK(2, 1) },
					  before[] = { { 1, -1 } };
	const struct ltttrace_part *first;

	begin(1000000000);
	trace = open_trace(0, part.dir, NULL);
	first = ltttrace_part(trace, 0);
	CU_ASSERT(ltttrace_correct(trace, first, same_clock, 0) == -EINVAL);
	CU_ASSERT(ltttrace_correct(trace, first, same_clock, 2) == -EINVAL);
	CU_ASSERT(ltttrace_correct(trace, first, same_time, 2) == -EINVAL);
	CU_ASSERT(ltttrace_correct(trace, first, before, 1) == -EINVAL);
	CU_ASSERT(ltttrace_ns(first, 7) == BASE_NS + 7);
	end();
}

/* Values far outside the ticks, as hostile recordings have them, neither overflow nor go back. */
static void far_values_stay_in_range(void)
{
	static const struct ltttrace_tick ticks[] = { TICK(100, 0), TICK(101, INT64_C(1000000000000)) };
	const struct ltttrace_part *first;

	begin(1000000000);
	trace = open_trace(0, part.dir, NULL);
	first = ltttrace_part(trace, 0);
	CU_ASSERT(!ltttrace_correct(trace, first, ticks, 2));
	CU_ASSERT(ltttrace_ns(first, INT64_MAX) == INT64_MAX);
	CU_ASSERT(ltttrace_ns(first, 0) == 0);
	end();
}

static void later_parts_of_the_clock_are_corrected(void)
{
	static const struct ltttrace_tick ticks[] = { TICK(0, 100), TICK(100, 300) };
	struct part_out other;

	begin(1000000000);
	put_packet(&part, "events_0", 10, 0);
	trace = open_trace(0, at("%s", ""), NULL);
	CU_ASSERT(!ltttrace_correct(trace, ltttrace_part(trace, 0), ticks, 2));
	part_begin(&other, "u", 2);
	put_packet(&other, "events_0", 20, 0);
	CU_ASSERT(ltttrace_refresh(trace, NULL) == 1);
	SAME(" a@122 g:b@124 a@142 g:b@144", merged_text(trace, ALL));
	end();
}

/* A power cut may leave the samples of the clock without metadata. */
static void a_clock_without_metadata_is_passed_over(void)
{
	begin(1000000000);
	put_packet(&part, "events_0", 10, 0);
	shell("mkdir '%s' && touch '%s'", at("clock"), at("clock/metadata"));
	trace = open_trace(LTTTRACE_WITH_STATES, at("%s", ""), NULL);
	SAME(" a@11 g:b@12", merged_text(trace, ALL));
	end();
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(times_lie_on_lines_between_ticks),
		UNIT_TEST(one_tick_has_the_frequency_of_the_metadata),
		UNIT_TEST(ticks_must_increase),
		UNIT_TEST(far_values_stay_in_range),
		UNIT_TEST(later_parts_of_the_clock_are_corrected),
		UNIT_TEST(a_clock_without_metadata_is_passed_over),
		{ NULL, NULL }
	};

	(void)argc;
	return unit_main(argv[0], tests);
}
