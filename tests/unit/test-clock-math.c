// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Tests of core/clock-math.h.
 */
#include "unit.h"

#include <stdio.h>

#include "../../core/clock-math.h"

#define GHZ	1000000000ull
#define WRAP	(1ull << 32)
#define HALF	(WRAP / 2)
#define LATEST	(WRAP / 8 * 7 - 1)

static u64 random_state;

/* xorshift64: any sequence does, as long as it is the same in every run. */
static u64 random_u64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* A number of 128 bits: 32-bit compilers have no type for it. */
struct wide {
	u64 high, low;
};

static struct wide wide_sum(struct wide a, u64 n)
{
	return (struct wide){ a.high + (a.low + n < n), a.low + n };
}

static struct wide wide_product(u64 a, u64 b)
{
	u64 middle = (a >> 32) * (u32)b + ((u64)(u32)a * (u32)b >> 32);
	u64 other = (u32)a * (b >> 32) + (u32)middle;

	return (struct wide){ (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32),
			      other << 32 | (u32)((u64)(u32)a * (u32)b) };
}

/* Rounded down, in digits of 32 bits. */
static struct wide wide_quotient(struct wide n, u32 by)
{
	u64 upper = (n.high % by) << 32 | n.low >> 32;
	u64 lower = (upper % by) << 32 | (u32)n.low;

	return (struct wide){ n.high / by, (upper / by) << 32 | lower / by };
}

static bool wide_is(struct wide a, struct wide b)
{
	return a.high == b.high && a.low == b.low;
}

static void extend_table(void)
{
	static const struct {
		u64 last;
		u32 count;
		u64 time;
	} table[] = {
		/* 0 */ { 0, 0, 0 },
		/* 1 */ { 0, 1, 1 },
		/* 2 */ { 0, HALF - 1, HALF - 1 },
		/* 3: a read that comes late */
		{ 0, HALF, HALF },
		/* 4: one step back holds the time */
		{ 5, 4, 5 },
		/* 5: back over the wrap */
		{ WRAP, 0xffffffff, WRAP },
		/* 6: up over the wrap */
		{ WRAP - 1, 0, WRAP },
		/* 7 */ { WRAP - 1, HALF - 2, WRAP + HALF - 2 },
		/* 8 */ { 7 * WRAP + 0xfffffff0, 0x10, 8 * WRAP + 0x10 },
		/* 9: the last wrap of 64 bits */
		{ ~0ull, 0, 0 },
		/* 10, 11: the latest, and one later, which is a step back */
		{ 0, LATEST, LATEST },
		{ 0, LATEST + 1, 0 },
		/* 12: the longest step back that holds the time */
		{ WRAP, (u32)-(WRAP / 8), WRAP },
	};
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		u64 time = ltt_clock32_extend(table[i].last, table[i].count);

		if (time != table[i].time)
			printf("# row %zu: got %#llx\n", i, (unsigned long long)time);
		CU_ASSERT(time == table[i].time);
	}
}

/* Any steps up to the latest: the widened clock is the true one, exactly. */
static void extend_follows_truth_over_many_wraps(void)
{
	u64 truth = WRAP - 1000, time = truth;
	int i;

	random_state = 1;
	for (i = 0; i < 1000000; i++) {
		u64 step = random_u64() % (LATEST + 1);

		truth += i % 3 ? step >> (i % 32) : step;
		time = ltt_clock32_extend(time, truth);
		if (time != truth)
			break;
	}
	CU_ASSERT(time == truth);
	CU_ASSERT(truth > 50000 * WRAP);
}

/* The last time read first, the counter later, a nested reader in between. */
static void extend_with_nested_reader(void)
{
	u64 last = 3 * WRAP - 10;
	u64 outer = last;
	u64 nested;

	nested = ltt_clock32_extend(last, 5);
	CU_ASSERT(nested == 3 * WRAP + 5);
	CU_ASSERT(ltt_clock32_extend(outer, 7) == 3 * WRAP + 7);
}

static void near_is_the_nearest(void)
{
	u64 guess = 9 * WRAP + 100;

	CU_ASSERT(ltt_clock32_near(guess, 100) == guess);
	CU_ASSERT(ltt_clock32_near(guess, 101) == guess + 1);
	CU_ASSERT(ltt_clock32_near(guess, 99) == guess - 1);
	CU_ASSERT(ltt_clock32_near(guess, 0xffffffff) == 9 * WRAP - 1);
	CU_ASSERT(ltt_clock32_near(guess, 100 + HALF - 1) == guess + HALF - 1);
	CU_ASSERT(ltt_clock32_near(guess, 100 + HALF) == guess - HALF);
}

static void counts_are_exact(void)
{
	static const u64 freqs[] = {
		1, 3, 24000000, 999999999, GHZ, 2294608000, 20 * GHZ, 100 * GHZ - 1,
	};
	size_t i;
	int n;

	random_state = 2;
	for (i = 0; i < sizeof(freqs) / sizeof(freqs[0]); i++) {
		for (n = 0; n < 100000; n++) {
			u64 ns = random_u64() >> (8 + n % 56);
			struct wide exact = wide_quotient(wide_product(ns, freqs[i]), GHZ);

			if (exact.high)
				continue;	/* does not fit in 64 bits */
			if (ltt_ns_to_counts(ns, freqs[i]) != exact.low)
				break;
		}
		CU_ASSERT(n == 100000);
	}
}

static void epoch_plus_clock_is_the_real_time(void)
{
	static const u64 freqs[] = { 1, 24000000, GHZ, 2294608000, 100 * GHZ };
	size_t i;
	int n;

	random_state = 3;
	for (i = 0; i < sizeof(freqs) / sizeof(freqs[0]); i++) {
		u64 freq = freqs[i];

		for (n = 0; n < 100000; n++) {
			u64 real_ns = 1700000000 * GHZ + random_u64() % (GHZ * GHZ);
			u64 clock = (random_u64() >> 8) % (100000000 * freq);
			struct ltt_epoch epoch = ltt_epoch_of(clock, real_ns, freq);
			struct wide sum = wide_sum(wide_sum(wide_product(epoch.s, freq), epoch.counts),
						   clock);

			if (epoch.counts >= freq ||
			    !wide_is(sum, wide_quotient(wide_product(real_ns, freq), GHZ)))
				break;
		}
		CU_ASSERT(n == 100000);
	}
}

static void epoch_of_a_date_never_set(void)
{
	struct ltt_epoch epoch = ltt_epoch_of(100 * GHZ, 7 * GHZ, GHZ);

	CU_ASSERT(epoch.s == 0 && epoch.counts == 0);
	epoch = ltt_epoch_of(7 * GHZ + 1, 7 * GHZ, GHZ);
	CU_ASSERT(epoch.s == 0 && epoch.counts == 0);
	epoch = ltt_epoch_of(7 * GHZ, 7 * GHZ, GHZ);
	CU_ASSERT(epoch.s == 0 && epoch.counts == 0);
	epoch = ltt_epoch_of(6 * GHZ + 1, 7 * GHZ, GHZ);
	CU_ASSERT(epoch.s == 0 && epoch.counts == GHZ - 1);
}

static void repair_table(void)
{
	const u64 freq = 2 * GHZ, before = 1000 * freq, slack = GHZ;
	static const struct {
		u64 slept_s;
		s64 counter_ns;		/* how far the counter went meanwhile */
		bool repaired;
	} table[] = {
		/* 0: it went on */
		{ 10, 10 * GHZ, false },
		/* 1, 2: the kernel's measure is off by less than a second */
		{ 10, 10 * GHZ + 900000000, false },
		{ 10, 10 * GHZ - 900000000, false },
		/* 3: it stood still for a long time */
		{ 10, 0, true },
		/* 4: it was reset */
		{ 10, -999 * (s64)GHZ, true },
		/* 5: reset, and the sleep shorter than the slack */
		{ 0, -1, true },
		/* 6: set forward */
		{ 10, 5000 * GHZ, true },
		/* 7, 8: after a day, a crystal may be off by more than the slack */
		{ 86400, 86400 * GHZ + 30 * GHZ, false },
		{ 86400, 86400 * GHZ + 100 * GHZ, true },
		/* 9: nothing happened at all */
		{ 0, 0, false },
	};
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		u64 now = before + 2 * (u64)table[i].counter_ns;
		u64 by = ltt_clock_repair(before, table[i].slept_s * GHZ, now, freq, slack);
		bool right = table[i].repaired ?
			now + by == before + table[i].slept_s * freq && by : !by;

		if (!right)
			printf("# row %zu\n", i);
		CU_ASSERT(right);
	}
}

static void repair_without_slack_is_exact(void)
{
	u64 by;

	by = ltt_clock_repair(5 * GHZ, 0, 5 * GHZ + 1, GHZ, 0);
	CU_ASSERT(5 * GHZ + 1 + by == 5 * GHZ);
	by = ltt_clock_repair(5 * GHZ, 3 * GHZ, 6 * GHZ, GHZ, 0);
	CU_ASSERT(by == 2 * GHZ);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(extend_table),
		UNIT_TEST(extend_follows_truth_over_many_wraps),
		UNIT_TEST(extend_with_nested_reader),
		UNIT_TEST(near_is_the_nearest),
		UNIT_TEST(counts_are_exact),
		UNIT_TEST(epoch_plus_clock_is_the_real_time),
		UNIT_TEST(epoch_of_a_date_never_set),
		UNIT_TEST(repair_table),
		UNIT_TEST(repair_without_slack_is_exact),
		{ NULL, NULL },
	};

	return unit_main(argv[0], tests);
}
