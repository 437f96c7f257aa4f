// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A trial of the restartable sequences before the library relies on them.
 */
#include "write.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sequence.h"

#ifdef LTT_HAS_SEQUENCES

#define NR_SB		2
#define SB_ORDER	12
#define ATTEMPTS	10	/* the thread may be migrated or preempted in between */

static const uint64_t payload[] = { 0x0123456789abcdef, 0xfedcba9876543210 };
_Static_assert(sizeof(payload) == LTT_CONTEXT_USUAL_SIZE + 8 + 2, "a context and two values");

/* Is the record at @pos complete, with all 64 bits of its time? */
static bool is_whole(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint64_t pos, uint32_t id)
{
	const char *at = ltt_shm_at(shm, ring, pos);
	uint32_t got_id;
	uint64_t time;

	memcpy(&got_id, at + 1, sizeof(got_id));
	memcpy(&time, at + 5, sizeof(time));
	return *at == LTT_ID_LONG && got_id == id && time && time == ring->last &&
	       !memcmp(at + LTT_HEADER_LONG, payload, sizeof(payload)) &&
	       ring->head == pos + LTT_HEADER_LONG + sizeof(payload);
}

/* Has the record at @pos the compact or the medium header, whichever its id needs? */
static bool is_short(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint64_t pos, uint32_t id)
{
	const char *at = ltt_shm_at(shm, ring, pos);
	bool medium = id >= LTT_COMPACT_IDS;
	uint32_t word, header = medium ? LTT_HEADER_MEDIUM : LTT_HEADER_COMPACT;
	uint16_t medium_id;

	memcpy(&word, at, sizeof(word));
	memcpy(&medium_id, at + sizeof(word), sizeof(medium_id));
	return word == ((uint32_t)ring->last << LTT_ID_BITS | (medium ? LTT_ID_MEDIUM : id)) &&
	       (!medium || medium_id == id) && !memcmp(at + header, payload, sizeof(payload)) &&
	       ring->head == pos + header + sizeof(payload);
}

static bool first_is_whole(const struct ltt_shm *shm, struct ltt_shm_ring *ring)
{
	ring->lost = 7;
	return !ltt_shm_write(shm, 1, payload, sizeof(payload), UINT64_MAX) && is_whole(shm, ring, 0, 1) &&
	       ring->sub[0].begin == ring->last && ring->sub[0].lost == 7;
}

/* A record after a long preemption belongs to another epoch and has the long header: try again. */
static bool next_is_short(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint32_t id)
{
	unsigned int i;

	for (i = 0; i < ATTEMPTS; i++) {
		uint64_t pos = ring->head, last = ring->last;

		if (ltt_shm_write(shm, id, payload, sizeof(payload), UINT64_MAX) || ring->last < last)
			return false;
		if (is_short(shm, ring, pos, id))
			return true;
		if (!is_whole(shm, ring, pos, id))
			return false;
	}
	return false;
}

/* As next_is_short(), of an event of values: what is in the payload behind a context. */
static bool values_are_short(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint32_t id)
{
	const char *const values = (const char *)payload + LTT_CONTEXT_USUAL_SIZE;
	const struct ltt_mark_step steps[] = { { .size = 8 }, { .size = 2 } };
	const struct ltt_layout layout = ltt_layout_of(id, steps, 2);
	uint64_t first, second = 0;
	unsigned int i;

	memcpy(&first, values, 8);
	memcpy(&second, values + 8, 2);

	for (i = 0; i < ATTEMPTS && LTT_HAS_VALUES; i++) {
		uint64_t pos = ring->head;

		if (ltt_sequence_values(shm, &layout, payload[0], 2, first, second, 0, 0, 0) == LTT_SEQUENCE_DONE)
			return is_short(shm, ring, pos, id);
		if (ring->head != pos || ltt_shm_write(shm, id, payload, sizeof(payload), UINT64_MAX))
			return false;
	}
	return !LTT_HAS_VALUES;
}

/* Close the first sub-buffer, and begin the next one. */
static bool is_closed(const struct ltt_shm *shm, struct ltt_shm_ring *ring)
{
	uint64_t end = ring->head, before;

	do {
		before = end;
		end = ring->head;
		if (ltt_shm_write(shm, 1, payload, sizeof(payload), UINT64_MAX) || ring->head <= before)
			return false;
	} while (ring->head < 1 << SB_ORDER);
	return ring->sub[0].end == end && is_whole(shm, ring, 1 << SB_ORDER, 1) &&
	       ring->sub[1].begin == ring->last;
}

/* Is cpu_id the CPU?  Ask by a system call: the C library's sched_getcpu() reads cpu_id. */
static bool is_here(void)
{
	unsigned int cpu, i;

	for (i = 0; i < ATTEMPTS; i++)
		if (!syscall(SYS_getcpu, &cpu, NULL, NULL) && cpu == ltt_rseq()->cpu_id)
			return true;
	return false;
}

static bool sequences_work(void)
{
	size_t size = ltt_shm_size(1, NR_SB, SB_ORDER);
	/* All CPUs share one ring: no other thread writes to it. */
	struct ltt_shm shm = {
		.size = size, .data = size - (NR_SB << SB_ORDER), .nr_cpus = INT32_MAX,
		.sequence_cpus = INT32_MAX, .nr_sb = NR_SB, .sb_order = SB_ORDER,
		.sb_mask = (1 << SB_ORDER) - 1, .mask = (NR_SB << SB_ORDER) - 1,
	};
	struct ltt_shm_ring *ring;
	bool works;

	shm.base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (shm.base == MAP_FAILED)
		return false;
	ring = ltt_shm_ring(&shm, 0);
	works = is_here() && first_is_whole(&shm, ring) && next_is_short(&shm, ring, 2) &&
		next_is_short(&shm, ring, 0x1234) && values_are_short(&shm, ring, 2) &&
		values_are_short(&shm, ring, 0x1234) && is_closed(&shm, ring);
	munmap(shm.base, size);
	return works;
}

ptrdiff_t ltt_rseq_offset;

bool ltt_shm_can_write(void)
{
	/* Only the library's thread comes here, and the answer never changes. */
	static enum { UNKNOWN, WORKS, FAILS } known;

	ltt_rseq_offset = __rseq_offset;
	if (!__rseq_size || (int32_t)ltt_rseq()->cpu_id < 0)
		return false;
	if (known == UNKNOWN)
		known = sequences_work() ? WORKS : FAILS;
	return known == WORKS;
}

#else

bool ltt_shm_can_write(void)
{
	return false;
}

#endif
