// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The protocol by which a thread reads a counter of the CPU from its page (userspace/common/perf-counter.h), on
 * pages that are made up.  The function that reads the CPU also plays the kernel, which changes the page
 * while the thread does not run.
 */
#include <string.h>

#include "../../userspace/common/perf-counter.h"
#include "../unit/unit.h"

static struct perf_event_mmap_page page;
static unsigned int calls;
static uint32_t asked;
static uint64_t in_cpu;

/* Called in the middle of a read, once. */
static void (*meanwhile)(void);

static uint64_t read_made_up(uint32_t nr)
{
	uint64_t value = in_cpu;
	void (*change)(void) = meanwhile;

	calls++;
	asked = nr;
	meanwhile = NULL;
	if (change)
		change();
	return value;
}

static void make(uint32_t index, uint64_t offset, uint64_t counted)
{
	page = (struct perf_event_mmap_page){ .lock = 6, .index = index, .offset = offset, .pmc_width = 48 };
	page.cap_user_rdpmc = 1;
	in_cpu = counted;
	calls = 0;
	meanwhile = NULL;
}

static uint64_t read_page(void)
{
	return perf_counter_read(&page, read_made_up);
}

static void the_cpu_adds_to_the_offset(void)
{
	make(4, 1000, 234);
	CU_ASSERT_EQUAL(read_page(), 1234);
	CU_ASSERT_EQUAL(asked, 3);
	CU_ASSERT_EQUAL(calls, 1);
}

/* The kernel lets a counter start below 0, so that it overflows in time.  Bits above the width are unused. */
static void the_counter_has_a_sign(void)
{
	make(1, 1 << 20, (1ULL << 48) - 5);
	CU_ASSERT_EQUAL(read_page(), (1 << 20) - 5);
	make(1, 1 << 20, 0xabcd000000000007);
	CU_ASSERT_EQUAL(read_page(), (1 << 20) + 7);
	make(1, 100, 1ULL << 63 | 5);
	page.pmc_width = 64;
	CU_ASSERT_EQUAL(read_page(), (1ULL << 63) + 105);
}

static void a_counter_that_is_not_in_the_cpu(void)
{
	make(0, 777, 1);
	CU_ASSERT_EQUAL(read_page(), 777);
	CU_ASSERT_EQUAL(calls, 0);
}

static void move_to_another(void)
{
	page.lock += 2;
	page.index = 7;
	page.offset = 5000;
	in_cpu = 50;
}

static void take_away(void)
{
	page.lock += 2;
	page.index = 0;
	page.offset = 6000;
}

static void withdraw(void)
{
	page.lock += 2;
	page.cap_user_rdpmc = 0;
}

static void the_thread_is_preempted_while_it_reads(void)
{
	make(2, 1000, 1);
	meanwhile = move_to_another;
	CU_ASSERT_EQUAL(read_page(), 5050);
	CU_ASSERT_EQUAL(asked, 6);
	CU_ASSERT_EQUAL(calls, 2);
	make(2, 1000, 1);
	meanwhile = take_away;
	CU_ASSERT_EQUAL(read_page(), 6000);
	CU_ASSERT_EQUAL(calls, 1);
}

static void the_permission_is_missing(void)
{
	make(2, 1000, 1);
	page.cap_user_rdpmc = 0;
	CU_ASSERT_EQUAL(read_page(), UINT64_MAX);
	CU_ASSERT_EQUAL(calls, 0);
	make(2, 1000, 1);
	meanwhile = withdraw;
	CU_ASSERT_EQUAL(read_page(), UINT64_MAX);
	/* perf_counter_leave() puts zeros in the place of a page. */
	memset(&page, 0, sizeof(page));
	CU_ASSERT_EQUAL(read_page(), UINT64_MAX);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(the_cpu_adds_to_the_offset),
		UNIT_TEST(the_counter_has_a_sign),
		UNIT_TEST(a_counter_that_is_not_in_the_cpu),
		UNIT_TEST(the_thread_is_preempted_while_it_reads),
		UNIT_TEST(the_permission_is_missing),
		{ NULL, NULL },
	};

	return unit_main(argv[0], tests);
}
