/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A ring for tests: real pages, a clock, a log of the records that were written, and a reader
 * that checks every byte.
 *
 * Every record's context word is its serial number, the index of its entry in
 * the log; its id, length and payload follow from there.  The reader compares
 * all of it, and the time with the clock's last value for the writer, so it finds a record
 * that is torn, doubled, misplaced or mistimed.  fx_finish() drains the ring and checks that
 * emitted = read + refused + overwritten.  The checks cite the guarantees of core/ring.h, R1 to
 * R6.
 *
 * One ring at a time.  A check that fails prints where and in which scenario,
 * and sets @failed; tests assert on that.
 */
#ifndef LTT_TESTS_RING_FIXTURE_H
#define LTT_TESTS_RING_FIXTURE_H

#include "../../core/ctf.h"
#include "../../core/record.h"
#include "unit.h"

#define FX_HEADER	((u32)sizeof(struct ltt_ctf_packet))
#define FX_OVERHEAD	(LTT_HEADER_COMPACT + LTT_CONTEXT_SIZE)
#define FX_NO_WRITER	0xffffffffU
#define FX_CPU		5
#define FX_STREAM	3

enum fx_fate {
	FX_PENDING,	/* its write has not returned */
	FX_STORED,	/* in the ring, or overwritten */
	FX_REFUSED,
	FX_READ,
};

/**
 * struct fx_record - what is known of a record that was emitted
 * @time: the last value that the clock gave its writer
 * @len: of the payload
 * @id: of its event
 * @fate: an enum fx_fate
 * @wide: read with a long header
 * @seq: read from this packet
 */
struct fx_record {
	u64 time;
	u64 seq;
	u32 len;
	u16 id;
	u8 fate;
	bool wide;
};

/**
 * struct fx_config - what ring to make
 * @sb_order: log2 of the sub-buffer size
 * @nr_order: log2 of their number
 * @overwrite: mode
 * @header_size: 0 for that of a CTF packet
 * @start: the offset to start with, as if so much had been written and read; a
 *	whole number of sub-buffers
 */
struct fx_config {
	u32 sb_order;
	u32 nr_order;
	bool overwrite;
	u32 header_size;
	u64 start;
};

/**
 * struct ring_fixture - the ring and its account
 * @ring: first member
 * @config: what it was made from
 * @log: a record's entry, by serial number
 * @nr_log: records emitted
 * @writer: serial number of the innermost record being written, or FX_NO_WRITER
 * @now: the clock
 * @step: added to the clock before each reading; 0 lets time stand still
 * @loose_time: the clock goes backwards: times need not be the values that it gave
 * @final_flushes: packets that fx_flush() has ended, or is ending, with @final
 * @in_reader: the read side is running: a nested reader would be a second one
 * @refused: by cause, as the calls returned it to the writers
 * @begun: calls of the ring's operation
 * @ended: calls
 * @delivered: calls
 * @on_deliver: run by the operation
 * @held: copy of the packet that is out
 * @fill: by page set, what padding holds
 * @packets: read
 * @empty: read, without a record
 * @redundant: read, without a record or a loss that was not known
 * @records: read
 * @last_time: of the last record read
 * @last_end: of the last packet read
 * @last_discarded: of the last packet read
 * @next_seq: at least this, the next packet's number
 * @read_early: a packet was read before fx_finish()
 * @failed: a check failed
 */
struct ring_fixture {
	struct ltt_ring ring;
	struct fx_config config;

	struct fx_record *log;
	u32 nr_log;
	u32 writer;
	u64 now;
	u64 step;
	bool loose_time;
	u32 final_flushes;
	bool in_reader;
	u64 refused[LTT_REFUSALS];
	u64 begun;
	u64 ended;
	u64 delivered;
	void (*on_deliver)(struct ring_fixture *fx);

	u8 *held;
	u8 *fill;
	u64 packets;
	u64 empty;
	u64 redundant;
	u64 records;
	u64 last_time;
	u64 last_end;
	u64 last_discarded;
	u64 next_seq;
	bool read_early;
	bool failed;
};

/* The scenario, which the message of a failing check has. */
extern char fx_scenario[256];

/* Run at each hook of core/ (with its name) and before each access (NULL). */
extern void (*fx_interrupt)(struct ring_fixture *fx, const char *hook);

void fx_init(struct ring_fixture *fx, const struct fx_config *config);
void fx_free(struct ring_fixture *fx);

/* fx_finish(), fx_free() and a CUnit assertion that no check failed. */
void fx_done(struct ring_fixture *fx);

/* Write a record of @len bytes of payload; 0 or -enum ltt_refusal. */
int fx_write(struct ring_fixture *fx, u32 id, u32 len);

/* The same without the fast path, as any client can use the ring. */
int fx_write_slow(struct ring_fixture *fx, u32 id, u32 len);

/* A record's bytes in the ring. */
static inline u32 fx_size(u32 id, u32 len)
{
	return len + LTT_CONTEXT_SIZE +
	       (id < LTT_COMPACT_IDS ? LTT_HEADER_COMPACT : LTT_HEADER_MEDIUM);
}

/* The largest payload, of a compact record, that a sub-buffer holds. */
u32 fx_max_len(const struct ring_fixture *fx);

/* Bytes left in the packet that is being written; 0 if there is none. */
u32 fx_room(const struct ring_fixture *fx);

/* Write one record, if need be, so that @leave bytes are left in the packet. */
void fx_fill(struct ring_fixture *fx, u32 leave);

bool fx_flush(struct ring_fixture *fx, bool final);

/* Take the next packet and check it; free it, and check that it has not changed meanwhile. */
bool fx_get(struct ring_fixture *fx);
void fx_put(struct ring_fixture *fx);

/* Read packets, at most @max; how many they were. */
u32 fx_read(struct ring_fixture *fx, u32 max);

/* Once writers are done: flush, read everything, make up the account. */
void fx_finish(struct ring_fixture *fx);

u64 fx_refused_total(const struct ring_fixture *fx);

void fx_fail(struct ring_fixture *fx, const char *file, int line, const char *what);

#define FX_CHECK(fx, cond) do {						\
	if (!(cond))							\
		fx_fail(fx, __FILE__, __LINE__, #cond);			\
} while (0)

#endif /* LTT_TESTS_RING_FIXTURE_H */
