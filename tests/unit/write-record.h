/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * How core/ is called to write an event, as ltt-tracer does.
 */
#ifndef LTT_TESTS_WRITE_RECORD_H
#define LTT_TESTS_WRITE_RECORD_H

#include "../../core/record.h"

/* The thread that runs, as far as records are concerned. */
static __thread u32 record_tid;

static inline u32 get_record_tid(void)
{
	return record_tid;
}

/**
 * write_record() - write one event
 * @ring: the ring
 * @id: of the event
 * @tid: the context
 * @payload: @len bytes
 * @len: may be 0
 * Return: 0 or -enum ltt_refusal (counted in the ring).
 */
static inline int write_record(struct ltt_ring *ring, u32 id, u32 tid, const void *payload,
			       u32 len)
{
	enum ltt_record_result result;
	u32 interrupted = record_tid;
	int err = 0;
	u64 at;

	record_tid = tid;
	if (!ltt_ring_enter(ring)) {
		err = ltt_ring_refuse(ring, LTT_REFUSED_NESTED);
		goto leave;
	}
	if (id < LTT_COMPACT_IDS)
		result = ltt_record_try(ring, ltt_plat_clock, &id, true, get_record_tid, payload,
					len, &at);
	else
		result = ltt_record_try(ring, ltt_plat_clock, &id, false, get_record_tid, payload,
					len, &at);
	if (result == LTT_RECORD_DELIVER)
		ltt_ring_deliver(ring, at);
	else if (result == LTT_RECORD_SLOW)
		err = ltt_record_write_slow(ring, id, tid, payload, len);
	else if (result == LTT_RECORD_FULL)
		err = ltt_ring_refuse(ring, LTT_REFUSED_FULL);
leave:
	ltt_ring_leave(ring);
	record_tid = interrupted;
	return err;
}

#endif /* LTT_TESTS_WRITE_RECORD_H */
