// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Writers that interrupt writers, systematically.
 *
 * In each situation that matters to the ring, each operation is interrupted at
 * each of its accesses to shared memory, by each of a list of actions: writers
 * of a few records, of a sub-buffer, of more than the buffer; a flush; the
 * reader, who runs on another CPU and so at any place.  Then again, at the hooks,
 * with an action that is itself interrupted at its hooks.  Last at random, at any
 * depth.  Every run ends with the account (fx_finish()), which must be exact, and
 * every packet must be as R1 to R6 say.
 *
 * All combinations take minutes; the environment variable LTT_TEST_ALL asks for
 * them, else those that are not main ones are tried in the smallest ring only.
 */
#include "ring-steps.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * Depth 0 is the operation; what interrupts at depth n runs at depth n + 1.
 */
struct level {
	const struct step *action;
	u32 at;		/* the place, of those at this depth */
	u32 seen;	/* places so far */
	bool accesses;	/* places are all accesses, else hooks only */
};

static struct level levels[2];
static u32 nr_levels, depth;
static u64 runs;
static bool all;

static void interrupt(struct ring_fixture *fx, const char *hook)
{
	struct level *level = &levels[depth];

	if (depth == nr_levels || (!hook && !level->accesses) || level->seen++ != level->at)
		return;
	depth++;
	level->action->run(fx);
	depth--;
}

static void describe(const struct fx_config *config, const struct step *situation,
		     const struct step *operation)
{
	size_t size = sizeof(fx_scenario);
	int n;

	n = snprintf(fx_scenario, size, "%s of %u of 2^%u: %s: %s, at %u %s",
		     config->overwrite ? "overwrite" : "discard", 1U << config->nr_order,
		     config->sb_order, situation->name, operation->name, levels[0].at,
		     levels[0].action->name);
	if (nr_levels > 1)
		snprintf(fx_scenario + n, size - n, ", at %u %s", levels[1].at,
			 levels[1].action->name);
}

/* One run, with @levels set up.  Return: false if it failed. */
static bool explore(const struct fx_config *config, const struct step *situation,
		    const struct step *operation)
{
	struct ring_fixture fx;

	describe(config, situation, operation);
	levels[0].seen = 0;
	levels[1].seen = 0;
	runs++;
	fx_init(&fx, config);
	situation->run(&fx);
	fx_interrupt = interrupt;
	operation->run(&fx);
	fx_interrupt = NULL;
	fx_finish(&fx);
	/* It must still be in working order. */
	fx_write(&fx, 1, 50);
	fx_finish(&fx);
	fx_free(&fx);
	return !fx.failed;
}

/* Each action at each place of the operation. */
static bool explore_one_deep(const struct fx_config *config, const struct step *situation,
			     const struct step *operation, bool main)
{
	u32 i;

	levels[0].accesses = true;
	nr_levels = 1;
	for (i = 0; i < nr_actions; i++) {
		if (main && !actions[i].main)
			continue;
		levels[0].action = &actions[i];
		levels[0].at = 0;
		do {
			if (!explore(config, situation, operation))
				return false;
		} while (levels[0].seen > levels[0].at++);
	}
	return true;
}

/* The same, with each action at each place of the action. */
static bool explore_two_deep(const struct fx_config *config, const struct step *situation,
			     const struct step *operation, bool main)
{
	u32 i, j;

	levels[0].accesses = false;
	levels[1].accesses = false;
	nr_levels = 2;
	for (i = 0; i < nr_actions; i++) {
		for (j = 0; j < nr_actions; j++) {
			if (main && (!actions[i].main || !actions[j].main))
				continue;
			levels[0].action = &actions[i];
			levels[1].action = &actions[j];
			levels[0].at = 0;
			do {
				levels[1].at = 0;
				do {
					if (!explore(config, situation, operation))
						return false;
				} while (levels[1].seen > levels[1].at++);
			} while (levels[0].seen > levels[0].at++);
		}
	}
	return true;
}

typedef bool explorer(const struct fx_config *config, const struct step *situation,
		      const struct step *operation, bool main);

/* In one ring, each operation in each situation; or the main ones. */
static void explore_ring(explorer *explore_pair, const struct fx_config *config, bool main)
{
	u32 i, j;

	for (i = 0; i < nr_situations; i++) {
		for (j = 0; j < nr_operations; j++) {
			if (main && (!situations[i].main || !operations[j].main))
				continue;
			CU_ASSERT(explore_pair(config, &situations[i], &operations[j], main));
		}
	}
}

static void one_deep(bool overwrite)
{
	const struct fx_config rings[] = {
		{ .sb_order = 12, .nr_order = 1, .overwrite = overwrite },
		{ .sb_order = 12, .nr_order = 2, .overwrite = overwrite },
		{ .sb_order = 13, .nr_order = 1, .overwrite = overwrite },
	};

	runs = 0;
	explore_ring(explore_one_deep, &rings[0], false);
	explore_ring(explore_one_deep, &rings[1], !all);
	explore_ring(explore_one_deep, &rings[2], !all);
	printf("# %llu runs\n", (unsigned long long)runs);
}

static void two_deep(bool overwrite)
{
	const struct fx_config rings[] = {
		{ .sb_order = 12, .nr_order = 1, .overwrite = overwrite },
		{ .sb_order = 12, .nr_order = 2, .overwrite = overwrite },
	};

	runs = 0;
	explore_ring(explore_two_deep, &rings[0], !all);
	if (all)
		explore_ring(explore_two_deep, &rings[1], false);
	printf("# %llu runs\n", (unsigned long long)runs);
}

static void discard_interrupted_at_each_access(void)
{
	one_deep(false);
}

static void overwrite_interrupted_at_each_access(void)
{
	one_deep(true);
}

static void discard_interrupted_two_deep(void)
{
	two_deep(false);
}

static void overwrite_interrupted_two_deep(void)
{
	two_deep(true);
}

/* ---- At random ---- */

static u64 random_state;
static u32 interrupts_left;

/* xorshift64: any sequence does, as long as it is the same in every run. */
static u32 random_below(u32 n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 32) % n;
}

static void random_step(struct ring_fixture *fx)
{
	u32 i = random_below(nr_operations + nr_actions);

	if (i < nr_operations)
		operations[i].run(fx);
	else
		actions[i - nr_operations].run(fx);
}

/* Deeper than writers may nest; some are refused. */
static void interrupt_at_random(struct ring_fixture *fx, const char *hook)
{
	if (!interrupts_left || depth > LTT_NESTING_MAX || random_below(20))
		return;
	interrupts_left--;
	depth++;
	random_step(fx);
	depth--;
}

/* At the start, or shortly before something wraps: 2^32, laps. */
static u64 random_start(void)
{
	static const u64 wraps[] = { 100ULL << 15, 1ULL << 32, 1ULL << (29 + 13) };

	return wraps[random_below(3)] - ((u64)random_below(100) << 15);
}

static void interrupted_at_random(void)
{
	u32 i, seed, nr_seeds = all ? 200000 : 4000;
	bool failed = false;

	for (seed = 1; seed <= nr_seeds && !failed; seed++) {
		struct ring_fixture fx;

		random_state = seed * 0x9e3779b97f4a7c15ULL;
		fx_init(&fx, &(struct fx_config){
			.sb_order = 12 + random_below(2),
			.nr_order = 1 + random_below(2),
			.overwrite = random_below(2),
			.header_size = FX_HEADER + random_below(40),
			.start = random_start(),
		});
		snprintf(fx_scenario, sizeof(fx_scenario), "seed %u", seed);
		interrupts_left = 30;
		fx_interrupt = interrupt_at_random;
		for (i = 0; i < 10; i++)
			random_step(&fx);
		fx_interrupt = NULL;
		fx_finish(&fx);
		fx_free(&fx);
		failed = fx.failed;
	}
	CU_ASSERT(!failed);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(discard_interrupted_at_each_access),
		UNIT_TEST(overwrite_interrupted_at_each_access),
		UNIT_TEST(discard_interrupted_two_deep),
		UNIT_TEST(overwrite_interrupted_two_deep),
		UNIT_TEST(interrupted_at_random),
		{ 0 }
	};

	all = getenv("LTT_TEST_ALL");
	return unit_main(argv[0], tests);
}
