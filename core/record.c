// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The rare ways to write an event; record.h has the format and the fast path.
 *
 * Layer: core.
 */
#include "record.h"

static u32 header_size(u32 id)
{
	return id < LTT_COMPACT_IDS ? LTT_HEADER_COMPACT : LTT_HEADER_MEDIUM;
}

/* Write the header for @res to @buf; its length is returned. */
static u32 put_header(u8 buf[LTT_HEADER_LONG], const struct ltt_reservation *res, u32 id)
{
	u16 medium = id;

	if (res->wide) {
		buf[0] = LTT_ID_LONG;
		memcpy(buf + 1, &id, 4);
		memcpy(buf + 5, &res->time, 8);
		return LTT_HEADER_LONG;
	}
	if (id < LTT_COMPACT_IDS) {
		ltt_put_u32(buf, id | (u32)res->time << LTT_ID_BITS);
		return LTT_HEADER_COMPACT;
	}
	ltt_put_u32(buf, LTT_ID_MEDIUM | (u32)res->time << LTT_ID_BITS);
	memcpy(buf + 4, &medium, 2);
	return LTT_HEADER_MEDIUM;
}

int ltt_record_write_context(struct ltt_ring *ring, u32 id, const void *context, u32 size,
			     const void *payload, u32 len, u64 *at)
{
	u8 head[LTT_HEADER_LONG];
	u32 n = header_size(id);
	struct ltt_reservation res;
	int err;

	err = ltt_ring_reserve(ring, n + size + len, LTT_HEADER_LONG - n, &res);
	if (err)
		return err;
	n = put_header(head, &res, id);
	ltt_ring_copy(ring, res.at, head, n);
	ltt_ring_copy(ring, res.at + n, context, size);
	ltt_ring_copy(ring, res.at + n + size, payload, len);
	ltt_ring_commit(ring, &res);
	*at = res.at;
	return 0;
}

int ltt_record_write_slow(struct ltt_ring *ring, u32 id, u32 tid, const void *payload, u32 len)
{
	u64 at;

	return ltt_record_write_context(ring, id, &tid, sizeof(tid), payload, len, &at);
}
