// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The slots of a user.
 *
 * Layer: lttd.
 */
#include "slots.h"
#include "memory.h"
#include "lttd/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/counter.h"

/* Flight recorder: buffer sets that have ended, each of which has a mapping. */
#define ENDED_MAX	4096

/* Buffer sets whose memory is searched for rings in each slots_look_after(). */
#define SEARCHED_AT_ONCE	64

/* ---- Slots and data streams ---- */

static struct stream *stream_of(struct slot *slot, uint32_t nr)
{
	struct stream *stream;

	if (nr >= slot->nr_streams)
		return NULL;
	if (slot->streams[nr])
		return slot->streams[nr];
	stream = malloc(sizeof(*stream));
	if (stream)
		*stream = STREAM_NEW(slot->number, nr);
	return slot->streams[nr] = stream;
}

static struct slot *new_slot(struct slots *slots, uint32_t nr_streams)
{
	struct slot **more = reallocarray(slots->slot, slots->nr + 1, sizeof(*more));
	struct slot *slot;

	if (!more)
		return NULL;
	slots->slot = more;
	slot = calloc(1, sizeof(*slot));
	if (!slot)
		return NULL;
	slot->streams = calloc(nr_streams, sizeof(*slot->streams));
	if (!slot->streams) {
		free(slot);
		return NULL;
	}
	slot->slots = slots;
	slot->nr_streams = nr_streams;
	slot->number = slots->nr;
	return slots->slot[slots->nr++] = slot;
}

static bool is_in_use(const struct slot *slot)
{
	return slot->newest && !slot->newest->ended;
}

/* Has time passed the end of each stream?  A program may have had times slightly in the future. */
static bool is_past(const struct slot *slot, uint64_t now)
{
	uint32_t i;

	for (i = 0; i < slot->nr_streams; i++)
		if (slot->streams[i] && slot->streams[i]->time >= now)
			return false;
	return true;
}

static struct slot *find_slot(struct slots *slots, uint32_t nr_streams)
{
	uint64_t now = ltt_counter();
	uint32_t i;

	while (slots->first < slots->nr && is_in_use(slots->slot[slots->first]))
		slots->first++;
	for (i = slots->first; i < slots->nr; i++)
		if (!is_in_use(slots->slot[i]) && is_past(slots->slot[i], now))
			return slots->slot[i];
	return new_slot(slots, nr_streams);
}

/* ---- The end of buffer sets ---- */

static struct ring_how how_to_take(const struct buffer_set *set, bool partial)
{
	return (struct ring_how){
		.partial = partial,
		/* Warm pages are faster, as long as there is plenty.  The writers of a flight recorder do not
		 * wait for the tail: they may be writing to these pages. */
		.give_back = !set->shm.overwrite && !set->allocated && (partial || set->share < set->shm.nr_sb),
		.max = set->shm.nr_sb + 1,
	};
}

static void report_damage(struct slots *slots, struct buffer_set *set)
{
	if (set->reported || !buffer_set_is_damaged(set))
		return;
	if (set->cut_off)
		notice_of_others("cannot map the buffers of program %s (pid %d) again: later events of it are lost",
				 set->name, set->pid);
	else if (slots->buffers->shared)
		notice("a program has overwritten the shared buffers: events of any program may be lost or false");
	else
		notice_of_others("program %s (pid %d) has overwritten its buffers: events of it are lost or false",
				 set->name, set->pid);
	set->reported = slots->damaged = true;
}

static int take_set(struct slots *slots, struct buffer_set *set, bool partial)
{
	struct ring_how how = how_to_take(set, partial);
	int ret = buffer_set_take(set, slots->trace, &how);

	report_damage(slots, set);
	return ret;
}

/* Name the limit as the reason of losses. */
static void report_over_limit(const struct slots *slots, const struct buffer_set *set)
{
	const struct ring *ring;
	uint64_t nr = 0;

	for (ring = set->rings; ring; ring = ring->later)
		nr += __atomic_load_n(&ring->reader.ring->over_limit, __ATOMIC_RELAXED);
	if (nr && slots->buffers->shared)
		notice("the shared buffers have lost %llu events: they have reached the limit; see lttd --memory",
		       (unsigned long long)nr);
	else if (nr)
		notice_of_others("program %s (pid %d) has lost %llu events: the buffers of its user have reached the limit; see lttd --memory",
				 set->name, set->pid, (unsigned long long)nr);
}

static void report_uncounted(struct slots *slots, const struct buffer_set *set)
{
	const struct ltt_shm_ring *first = ltt_shm_ring(&set->shm, 0);
	uint64_t nr = __atomic_load_n(&first->uncounted, __ATOMIC_RELAXED);

	if (!nr)
		return;
	notice_of_others("program %s (pid %d) could not read performance counters, %llu times: %s",
			 slots->buffers->shared ? "with shared buffers" : set->name, set->pid, (unsigned long long)nr,
			 strerror(__atomic_load_n(&first->uncounted_errno, __ATOMIC_RELAXED)));
	slots->uncounted = true;
}

/* Free the oldest set of its slot.  @end_ring: ring_end() or ring_drop(). */
static void remove_set(struct slots *slots, struct buffer_set *set, void (*end_ring)(struct ring *ring))
{
	struct slot *slot = set->slot;
	struct ring *ring;

	report_over_limit(slots, set);
	report_uncounted(slots, set);
	for (ring = set->rings; ring; ring = ring->later)
		end_ring(ring);
	slot->oldest = set->newer;
	if (slot->newest == set)
		slot->newest = NULL;
	if (slot->number < slots->first)
		slots->first = slot->number;
	memory_end(slots, set);
	buffer_set_free(set, slots->bells);
}

/* A flight recorder keeps the set until a snapshot and the end need it.  The mapping is enough. */
static void keep_set(struct slots *slots, struct buffer_set *set)
{
	memory_keep(slots, set);
	buffer_set_close(set);
	if (slots->newest_ended)
		slots->newest_ended->ended_later = set;
	else
		slots->oldest_ended = set;
	slots->newest_ended = set;
	slots->nr_ended++;
	if (set->slot->number < slots->first)
		slots->first = set->slot->number;
}

static void drop_oldest_ended(struct slots *slots)
{
	struct buffer_set *set = slots->oldest_ended;

	slots->oldest_ended = set->ended_later;
	if (!slots->oldest_ended)
		slots->newest_ended = NULL;
	slots->nr_ended--;
	report_damage(slots, set);
	remove_set(slots, set, ring_drop);
}

static int try_end(struct slots *slots, struct buffer_set *set)
{
	if (slots->buffers->shared || !buffer_set_try_end(set, slots->bells))
		return 0;
	if (buffer_set_find_all_rings(set, stream_of))
		return -1;
	if (slots->buffers->overwrite) {
		keep_set(slots, set);
		return 0;
	}
	if (take_set(slots, set, true))
		return -1;
	remove_set(slots, set, ring_end);
	return 0;
}

/* ---- Memory ---- */

/* Return: false: there is none left. */
static bool find_memory(struct slots *slots, struct buffer_set *set)
{
	while (slots->nr_ended > ENDED_MAX)
		drop_oldest_ended(slots);
	while (!memory_begin(slots, set)) {
		if (!slots->oldest_ended)
			return false;
		drop_oldest_ended(slots);
	}
	return true;
}

/* Without memory, give up what programs that have ended left.  Return: the set; NULL: *@err is set. */
static struct buffer_set *new_set(struct slots *slots, int *err)
{
	struct buffer_set *set;
	uint32_t order, nr_sb;

	for (;;) {
		memory_choose(slots, &order, &nr_sb);
		set = buffer_set_new(slots->buffers, order, nr_sb, slots->bells, err);
		if (set || *err != -ENOMEM || !slots->oldest_ended)
			return set;
		drop_oldest_ended(slots);
	}
}

/* ---- The API ---- */

struct buffer_set *slots_add(struct slots *slots, pid_t pid, const char *name, int *err)
{
	struct buffer_set *set;
	struct slot *slot;

	set = new_set(slots, err);
	if (!set)
		return NULL;
	*err = -EDQUOT;
	if (!find_memory(slots, set))
		goto err_free;
	*err = -ENOMEM;
	slot = find_slot(slots, set->shm.nr_rings);
	if (!slot)
		goto err_free;
	set->pid = pid;
	strncpy(set->name, name, sizeof(set->name) - 1);
	set->connected = true;
	set->slot = slot;
	if (slot->newest)
		slot->newest->newer = set;
	else
		slot->oldest = set;
	slot->newest = set;
	return set;

err_free:
	memory_end(slots, set);
	buffer_set_free(set, slots->bells);
	return NULL;
}

int slots_disconnect(struct slots *slots, struct buffer_set *set)
{
	set->connected = false;
	return try_end(slots, set);
}

static int take_slot(struct slots *slots, struct slot *slot, enum slots_take what)
{
	struct buffer_set *set = slot->newest;

	if (!set || set->ended)
		return 0;
	if (buffer_set_find_rings(set, stream_of))
		return -1;
	return take_set(slots, set, what == SLOTS_ALL);
}

static int take_rung(struct slots *slots, struct buffer_set *set)
{
	if (buffer_set_find_rings(set, stream_of))
		return -1;
	memory_grow(slots, set);
	return take_set(slots, set, false);
}

int slots_take_rung(struct bells *bells)
{
	struct bell *bell = bells_take(bells);
	struct buffer_set *set;
	int ret = 0;

	while (bell && !ret) {
		set = buffer_set_of(bell);
		bell = bell_hear(bell);
		ret = take_rung(set->slot->slots, set);
	}
	return ret;
}

int slots_find_rings(struct slots *slots)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < slots->nr && !ret; i++)
		if (slots->slot[i]->newest)
			ret = buffer_set_find_all_rings(slots->slot[i]->newest, stream_of);
	return ret;
}

int slots_take(struct slots *slots, enum slots_take what)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < slots->nr && !ret; i++)
		ret = take_slot(slots, slots->slot[i], what);
	return ret;
}

bool slots_pass(struct slots *slots)
{
	struct buffer_set *set;
	struct ring *ring;
	bool pass = true;
	uint32_t i;

	for (i = 0; i < slots->nr; i++) {
		set = slots->slot[i]->newest;
		for (ring = set && !set->ended ? set->rings : NULL; ring; ring = ring->later)
			pass &= ring_passes(ring);
	}
	return pass;
}

/* Look for rings that programs have not counted.  With thousands of processes, each is looked at now and
 * then only. */
static int search_some(struct slots *slots)
{
	uint32_t left = slots->nr < SEARCHED_AT_ONCE ? slots->nr : SEARCHED_AT_ONCE;
	struct buffer_set *set;
	int ret = 0;

	while (left-- && !ret) {
		set = slots->slot[slots->searched++ % slots->nr]->newest;
		if (set && !set->ended)
			ret = buffer_set_find_all_rings(set, stream_of);
	}
	return ret;
}

int slots_look_after(struct slots *slots)
{
	struct buffer_set *set;
	uint32_t i;
	int ret = search_some(slots);

	for (i = 0; i < slots->nr && !ret; i++) {
		set = slots->slot[i]->newest;
		if (!set || set->ended)
			continue;
		/* The rings of a flight recorder are not found by reading them. */
		if (slots->buffers->overwrite && buffer_set_find_rings(set, stream_of))
			return -1;
		memory_look_after(slots, set);
		if (!set->connected)
			ret = try_end(slots, set);
	}
	/* Leave room for live programs to grow, see memory_grow(). */
	while (slots->oldest_ended && slots->reserved > slots->buffers->memory / 2)
		drop_oldest_ended(slots);
	return ret;
}

/* The sets of a slot in their order, then what was lost after them. */
static int end_slot(struct slots *slots, struct slot *slot)
{
	int ret = 0, err;
	uint32_t i;

	while (slot->oldest) {
		if (!ret)
			ret = buffer_set_find_all_rings(slot->oldest, stream_of);
		if (!ret)
			ret = take_set(slots, slot->oldest, true);
		remove_set(slots, slot->oldest, ring_end);
	}
	for (i = 0; i < slot->nr_streams; i++) {
		if (!slot->streams[i])
			continue;
		err = ret ? 0 : stream_report_losses(slot->streams[i], slots->trace);
		ret |= err | stream_end(slot->streams[i], slots->trace);
	}
	return ret;
}

int slots_end(struct slots *slots)
{
	uint32_t i;
	int ret = 0;

	slots->oldest_ended = slots->newest_ended = NULL;
	slots->trace->together = slots->nr > STREAM_SLOTS_MAX;
	for (i = 0; i < slots->nr; i++)
		ret |= end_slot(slots, slots->slot[i]);
	return streams_end(slots->trace) | ret;
}

void slots_move(struct slots *slots)
{
	const struct slot *slot;
	uint32_t i, nr;

	for (i = 0; i < slots->nr; i++) {
		slot = slots->slot[i];
		for (nr = 0; nr < slot->nr_streams; nr++)
			if (slot->streams[nr])
				stream_move(slot->streams[nr], slots->trace);
	}
}

static void free_slot(struct slots *slots, struct slot *slot)
{
	uint32_t i;

	while (slot->oldest)
		remove_set(slots, slot->oldest, ring_end);
	for (i = 0; i < slot->nr_streams; i++) {
		if (slot->streams[i] && slot->streams[i]->out >= 0)
			close(slot->streams[i]->out);
		free(slot->streams[i]);
	}
	free(slot->streams);
	free(slot);
}

void slots_free(struct slots *slots)
{
	uint32_t i;

	for (i = 0; i < slots->nr; i++)
		free_slot(slots, slots->slot[i]);
	free(slots->slot);
}
