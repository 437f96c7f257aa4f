// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The trial of sequences (userspace/libltt/trial.c) when something is wrong with them.
 */
#include "../../userspace/libltt/write.h"
#include "../../userspace/libltt/sequence.h"

#include "../unit/unit.h"

#ifdef LTT_HAS_SEQUENCES

static enum { RIGHT, STORES_NOTHING, REFUSES, SHIFTS, SWAPS, NO_TIME, NO_LOSSES, NEVER_COMPACT,
	      ENDS_LATE, LOSES_VALUES, SWAPS_VALUES } fault;

static int faulty_write(const struct ltt_shm *shm, uint32_t id, const uint64_t *words, uint32_t size,
			uint64_t until)
{
	struct ltt_shm_ring *ring = ltt_shm_ring(shm, 0);
	uint64_t other[] = { words[1], words[0] };

	switch (fault) {
	case STORES_NOTHING:
		return 0;
	case REFUSES:
		return -1;
	case SWAPS:
		return ltt_shm_write(shm, id, other, size, until);
	case NEVER_COMPACT:
		ring->epoch--;
		break;
	default:
		break;
	}
	if (ltt_shm_write(shm, id, words, size, until))
		return -1;
	ring->head += fault == SHIFTS;
	ring->last = fault == NO_TIME ? 0 : ring->last;
	ring->sub[0].end += fault == ENDS_LATE;
	ring->sub[0].lost = fault == NO_LOSSES ? 0 : ring->sub[0].lost;
	return 0;
}

static enum ltt_sequence faulty_values(const struct ltt_shm *shm, const struct ltt_layout *layout, uint64_t context,
				       uint64_t first, uint64_t second)
{
	if (fault == LOSES_VALUES)
		return LTT_SEQUENCE_DONE;
	if (fault == SWAPS_VALUES)
		return ltt_sequence_values(shm, layout, first, 2, context, second, 0, 0, 0);
	return ltt_sequence_values(shm, layout, context, 2, first, second, 0, 0, 0);
}

#define ltt_rseq_offset offset_of_faulty_ones
#define ltt_sequence_values(shm, layout, context, nr, first, second, ...) faulty_values(shm, layout, context, first, second)
#define ltt_shm_can_write the_trial_of_faulty_ones
#define ltt_shm_write faulty_write
bool the_trial_of_faulty_ones(void);
#include "../../userspace/libltt/trial.c"
#undef ltt_shm_can_write
#undef ltt_sequence_values
#undef ltt_rseq_offset

static void working_sequences_are_used(void)
{
	CU_ASSERT(ltt_shm_can_write());
	fault = RIGHT;
	CU_ASSERT(sequences_work());
	CU_ASSERT(the_trial_of_faulty_ones());
}

static void broken_sequences_are_detected(void)
{
	for (fault = STORES_NOTHING; fault <= (LTT_HAS_VALUES ? SWAPS_VALUES : ENDS_LATE); fault++)
		CU_ASSERT(!sequences_work());
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(working_sequences_are_used),
		UNIT_TEST(broken_sequences_are_detected),
		{ NULL, NULL }
	};

	(void)argc;
	if (!__rseq_size) {
		puts("ok trial # SKIP there are no restartable sequences here");
		return 0;
	}
	return unit_main(argv[0], tests);
}

#else

int main(void)
{
	puts("ok trial # SKIP there are no restartable sequences for this machine");
	return 0;
}

#endif
