// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Tests of core/record.h and core/record.c: the bytes of a record, and when the
 * fast path is taken.
 */
#include "ring-fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "write-record.h"

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))
#define SCENARIO(...)	snprintf(fx_scenario, sizeof(fx_scenario), __VA_ARGS__)
#define TID		0x44332211

static const struct fx_config discard = { .sb_order = 12, .nr_order = 1 };

static const u8 *in_ring(const struct ring_fixture *fx, u64 at)
{
	return ltt_ring_address(&fx->ring, ltt_ring_slot(&fx->ring, at), at);
}

/* No byte more is read or written: ASan watches both ends. */
static void copy_small(void)
{
	u32 len, i;

	for (len = 0; len < 300; len++) {
		u8 *src = malloc(len), *dst = malloc(len);

		for (i = 0; i < len; i++) {
			src[i] = i * 31 + len;
			dst[i] = ~src[i];
		}
		ltt_copy_small(dst, src, len);
		CU_ASSERT(!memcmp(dst, src, len));
		free(src);
		free(dst);
	}
}

/* The same for a whole record, both ways. */
static void payloads_are_not_read_beyond(void)
{
	u32 len, slow;

	for (len = 0; len < 70; len++) {
		struct ring_fixture fx;
		u8 *payload = malloc(len);

		memset(payload, len, len);
		fx_init(&fx, &discard);
		CU_ASSERT(!write_record(&fx.ring, 1, TID, payload, len));
		for (slow = 0; slow < 2; slow++) {
			u64 at = fx.ring.offset.v;

			if (slow)
				CU_ASSERT(!ltt_record_write_slow(&fx.ring, 1, TID, payload, len))
			else
				CU_ASSERT(!write_record(&fx.ring, 1, TID, payload, len));
			CU_ASSERT(!memcmp(in_ring(&fx, at + FX_OVERHEAD), payload, len));
			CU_ASSERT_EQUAL(fx.ring.offset.v, at + FX_OVERHEAD + len);
		}
		fx_free(&fx);
		free(payload);
	}
}

/* Byte by byte.  On a machine of the other byte order the bytes are others. */
static void golden_bytes(void)
{
	static const struct {
		u32 id;
		u32 later;
		u8 size;
		u8 bytes[24];
	} table[] = {
		/* 0 */ { 0, 1, 11, { 0x60, 0xcf, 0x8a, 0x46,
				      0x11, 0x22, 0x33, 0x44, 'a', 'b', 'c' } },
		/* 1 */ { 29, 1, 11, { 0x7d, 0xcf, 0x8a, 0x46,
				       0x11, 0x22, 0x33, 0x44, 'a', 'b', 'c' } },
		/* 2 */ { 30, 1, 13, { 0x7e, 0xcf, 0x8a, 0x46, 0x1e, 0x00,
				       0x11, 0x22, 0x33, 0x44, 'a', 'b', 'c' } },
		/* 3 */ { 31, 1, 13, { 0x7e, 0xcf, 0x8a, 0x46, 0x1f, 0x00,
				       0x11, 0x22, 0x33, 0x44, 'a', 'b', 'c' } },
		/* 4 */ { 65535, 1, 13, { 0x7e, 0xcf, 0x8a, 0x46, 0xff, 0xff,
					  0x11, 0x22, 0x33, 0x44, 'a', 'b', 'c' } },
		/* 5 */ { 7, 1 << 27, 20, { 0x1f, 0x07, 0x00, 0x00, 0x00,
					    0x7a, 0x56, 0x34, 0x1a, 0x02, 0x00, 0x00, 0x00,
					    0x11, 0x22, 0x33, 0x44, 'a', 'b', 'c' } },
		/* 6 */ { 65535, 1 << 27, 20, { 0x1f, 0xff, 0xff, 0x00, 0x00,
						0x7a, 0x56, 0x34, 0x1a, 0x02, 0x00, 0x00, 0x00,
						0x11, 0x22, 0x33, 0x44, 'a', 'b', 'c' } },
	};
	u32 i, slow;

	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		return;
	for (i = 0; i < COUNT(table); i++) {
		for (slow = 0; slow < 2; slow++) {
			struct ring_fixture fx;
			u64 at;

			fx_init(&fx, &discard);
			fx.step = 0;
			fx.now = 0x21234567a;
			write_record(&fx.ring, 1, TID, "", 0);
			fx.now += table[i].later;
			if (table[i].later == 1 << 27)
				fx.now = 0x21a34567a;
			at = fx.ring.offset.v;
			if (slow)
				ltt_record_write_slow(&fx.ring, table[i].id, TID, "abc", 3);
			else
				write_record(&fx.ring, table[i].id, TID, "abc", 3);
			if (memcmp(in_ring(&fx, at), table[i].bytes, table[i].size))
				printf("# row %u%s\n", i, slow ? " slow" : "");
			CU_ASSERT(!memcmp(in_ring(&fx, at), table[i].bytes, table[i].size));
			CU_ASSERT_EQUAL(fx.ring.offset.v - at, table[i].size);
			fx_free(&fx);
		}
	}
}

/* ---- More contexts than the thread id ---- */

static void put_more(u8 *to, const struct ltt_record_more *more)
{
	memcpy(to, more->from, more->size);
}

/* Both ways write the same bytes: the header, the thread id, the other contexts, the payload. */
static void contexts(void)
{
	static const struct ltt_record_more more = { 5, put_more, "12345" };
	static const u8 expected[] = "\x07\0\0\0" "12345" "abc";
	const u32 id = 1;
	u64 at, old;
	u32 slow;

	for (slow = 0; slow < 2; slow++) {
		struct ring_fixture fx;

		fx_init(&fx, &discard);
		fx.step = 0;
		write_record(&fx.ring, 1, TID, "", 0);
		record_tid = 7;
		old = fx.ring.offset.v;
		if (slow)
			CU_ASSERT(!ltt_record_write_context(&fx.ring, id, "\x07\0\0\0" "12345", 9,
							    "abc", 3, &at))
		else
			CU_ASSERT_EQUAL(ltt_record_try_at(&fx.ring, old, ltt_plat_clock, &id, true,
							  get_record_tid, &more, "abc", 3, &at),
					LTT_RECORD_DONE);
		CU_ASSERT_EQUAL(at, old);
		CU_ASSERT_EQUAL(fx.ring.offset.v - at, LTT_HEADER_COMPACT + 12);
		CU_ASSERT(!memcmp((u8 *)in_ring(&fx, at) + LTT_HEADER_COMPACT, expected, 12));
		fx_free(&fx);
	}
}

/* A record that would not follow directly on the offset that was read is not written. */
static void contexts_of_another_place(void)
{
	static const struct ltt_record_more more = { 5, put_more, "12345" };
	struct ring_fixture fx;
	const u32 id = 1;
	u64 at, old;

	fx_init(&fx, &discard);
	write_record(&fx.ring, 1, TID, "", 0);
	old = fx.ring.offset.v;
	write_record(&fx.ring, 1, TID, "", 0);
	CU_ASSERT_EQUAL(ltt_record_try_at(&fx.ring, old, ltt_plat_clock, &id, true, get_record_tid,
					  &more, "abc", 3, &at), LTT_RECORD_SLOW);
	CU_ASSERT_EQUAL(fx.ring.offset.v - old, LTT_HEADER_COMPACT + LTT_CONTEXT_SIZE);
	fx_free(&fx);
}

/* ---- When the fast path is taken ---- */

static enum ltt_record_result try(struct ring_fixture *fx, u32 len)
{
	static const u8 payload[2 * LTT_PAGE_SIZE];
	u64 before = fx->ring.offset.v, at = 0;
	enum ltt_record_result result;
	const u32 id = 1;

	result = ltt_record_try(&fx->ring, ltt_plat_clock, &id, true, get_record_tid, payload, len,
				&at);
	if (result != LTT_RECORD_SLOW)
		CU_ASSERT_EQUAL(at, before);
	return result;
}

static void fast_path_table(void)
{
	static const struct {
		u32 leave;	/* bytes to the end of the sub-buffer, of two pages */
		u32 len;
		u64 later;
		bool slow;
	} table[] = {
		/* 0: no packet is open */ { 0, 0, 0, true },
		/* 1 */ { 5000, 0, 0, false },
		/* 2 */ { 5000, 100, 0, false },
		/* 3 */ { 5000, 5000 - 4096 - 8 - 1, 0, false },
		/* 4: up to the end of a page */ { 5000, 5000 - 4096 - 8, 0, true },
		/* 5: across */ { 5000, 5000 - 4096 - 8 + 1, 0, true },
		/* 6: at the start of a page */ { 4096, 100, 0, false },
		/* 7: all but one byte of the sub-buffer */ { 4095, 4095 - 8 - 1, 0, false },
		/* 8: all of it */ { 4095, 4095 - 8, 0, true },
		/* 9: more */ { 4095, 4096, 0, true },
		/* 10 */ { 8, 0, 0, true },
		/* 11 */ { 9, 0, 0, false },
		/* 12 */ { 1000, 0, (1 << 27) - 1, false },
		/* 13 */ { 1000, 0, 1 << 27, true },
		/* 14: backwards */ { 1000, 0, -1ULL, true },
	};
	u32 i;

	for (i = 0; i < COUNT(table); i++) {
		struct ring_fixture fx;
		enum ltt_record_result result;
		u64 before;

		SCENARIO("row %u", i);
		fx_init(&fx, &(struct fx_config){ .sb_order = 13, .nr_order = 1 });
		fx.step = 0;
		fx_fill(&fx, table[i].leave);
		fx.now += table[i].later;
		before = fx.ring.offset.v;
		result = try(&fx, table[i].len);
		FX_CHECK(&fx, result == (table[i].slow ? LTT_RECORD_SLOW : LTT_RECORD_DONE));
		FX_CHECK(&fx, !table[i].slow || fx.ring.offset.v == before);
		fx_free(&fx);
		CU_ASSERT(!fx.failed);
	}
}

static void fill(struct ring_fixture *fx, const char *hook)
{
	if (hook && !strncmp(hook, "fast", 4)) {
		fx_interrupt = NULL;
		fx_fill(fx, 0);
	}
}

static void fill_when_reserved(struct ring_fixture *fx, const char *hook)
{
	if (hook && !strcmp(hook, "fast reserved"))
		fill(fx, hook);
}

/* Overtaken, it leaves it to the slow path; or it is the last to commit. */
static void fast_path_overtaken(void)
{
	struct ring_fixture fx;
	u64 at;

	fx_init(&fx, &discard);
	fx_fill(&fx, 100);
	fx_interrupt = fill;
	CU_ASSERT_EQUAL(try(&fx, 8), LTT_RECORD_SLOW);
	CU_ASSERT_EQUAL(fx.delivered, 1);
	fx_fill(&fx, 100);
	at = fx.ring.offset.v;
	fx_interrupt = fill_when_reserved;
	CU_ASSERT_EQUAL(try(&fx, 8), LTT_RECORD_DELIVER);
	CU_ASSERT_EQUAL(fx.delivered, 1);
	ltt_ring_deliver(&fx.ring, at);
	CU_ASSERT_EQUAL(fx.delivered, 2);
	/* A second delivery does nothing. */
	ltt_ring_deliver(&fx.ring, at);
	CU_ASSERT_EQUAL(fx.delivered, 2);
	fx_free(&fx);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(copy_small),
		UNIT_TEST(payloads_are_not_read_beyond),
		UNIT_TEST(golden_bytes),
		UNIT_TEST(contexts),
		UNIT_TEST(contexts_of_another_place),
		UNIT_TEST(fast_path_table),
		UNIT_TEST(fast_path_overtaken),
		{ 0 }
	};

	return unit_main(argv[0], tests);
}
