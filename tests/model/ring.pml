/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Spin model of the ring: core/ring.c, core/ring.h, core/record.h, whose names and
 * order of accesses it keeps.  "run" checks it, and its mutants (-DM_NAME).
 *
 * One CPU's contexts nest: of those that have begun only the innermost runs, to its
 * end.  The reader runs beside them on another CPU, and ends what is left when that
 * one is offline.  Each step is one access to what others can change.
 *
 * A sub-buffer is one page of SB units, HDR of them its header; laps have 3 bits of
 * the 29 and wrap round during a run.  Time counts the exchanges of @offset: a clock
 * need not be finer to tell their order.
 *
 * Spin is sequentially consistent.  Where a barrier matters, the latest effect that
 * hardware allows is spelled out: what a CPU has stored stays @unpublished until its
 * next release or exchange of a slot word.  Loads that come too early, stores too
 * late, and what compiler barriers forbid, are mutants, named in comments.
 *
 * Not in the model: long headers, records across pages, and of rejected sizes (unit
 * tests); read limits; memory that a CPU gets late.
 */
#define NSB	2
#define BUF	(SB * NSB)
#define HDR	1

/* Defaults of what "run" chooses: how many records and flushes; in how many nested
 * contexts; where laps begin (7 is the last that 3 bits count); sizes of records, and of
 * sub-buffers (8 is a power of 2 that has room for several on the fast path). */
#ifndef SB
#define SB	4
#endif
#ifndef RECORDS
#define RECORDS	3
#endif
#ifndef FLUSHES
#define FLUSHES	0
#endif
#ifndef LEVELS
#define LEVELS	2
#endif
#ifndef LAP0
#define LAP0	0
#endif
#ifndef SIZES
#define SIZES	:: size = 1 :: size = 2 :: size = 3
#endif
#ifdef OVERWRITE
#define SETS	(NSB + 1)
#else
#define OVERWRITE 0
#define SETS	NSB
#endif

/* The slot word: lap, state, page base (which set of pages). */
#define EMPTY	0
#define WRITING	1
#define FULL	2
#define WORD(lap, st, set)	((lap) << 4 | (st) << 2 | (set))
#define LAP_OF(w)	((w) >> 4)
#define STATE_OF(w)	((w) >> 2 & 3)
#define BASE_OF(w)	((w) & 3)
#define LAP(o)		(((o) / BUF) & 7)
#define LAST_LAP(o)	((LAP(o) + 7) & 7)
#define LATER(l, than)	((((l) - (than)) & 7) != 0 && (((l) - (than)) & 7) < 4)
#define SLOT(o)		(((o) / SB) % NSB)
#define IN_SB(o)	((o) & (SB - 1))
#define START(o)	((o) - IN_SB(o))

/* struct ltt_ring; @commit and @content in parts */
byte offset = LAP0 * BUF;
byte state[NSB];
byte bytes[NSB], recs[NSB];
byte window_end, window_base, window_slot;
byte refused, reported, overwritten, records;
byte read_pos = LAP0 * BUF;
byte full_pos = 255;		/* no position */
byte spare = NSB;
byte content[SETS];

/* The packet in each set of pages.  A unit is 0 until it is stored, then the record's
 * time and, if it is the first of one, the record's size. */
byte mem[SETS * SB];
byte seq[SETS], begin_time[SETS], end_time[SETS], end_refused[SETS];

/* Places that "run" wants to see reached, lest the model prove nothing. */
#define REACHED(place)	c_code { static int once; if (!once++) puts("reached " #place); }

/* Not visible to the code */
byte tick = 1;			/* the clock */
byte depth;			/* contexts that run */
byte begun, flushed;		/* how many have begun */
byte being_read;		/* set of pages + 1 */
bit busy[SETS * SB];		/* being stored */
bit freeing;			/* the reader is between EMPTY and @read_pos */
bit unpublished[SETS];		/* stored, but other CPUs need not see it yet */
#ifdef PEEK
byte being_peeked;		/* set of pages + 1 */
bit peek_torn;			/* a writer has touched it since */
#endif
byte lost;			/* records that were overwritten */
byte seen;			/* records that were read, and the last ones: */
byte seen_record, seen_time, seen_refused;

#define VARIABLES \
	byte old, new, at, start, size, time, end_time_, end_ref, last_recs, last_bytes; \
	byte word, was, claimed, base, slot, i, seen_pos; \
	bit opens, won, is_full

inline forget()
{
	old = 0; new = 0; at = 0; start = 0; size = 0; time = 0; end_time_ = 0; end_ref = 0;
	last_recs = 0; last_bytes = 0; word = 0; was = 0; claimed = 0; base = 0; slot = 0;
	opens = 0; won = 0; is_full = 0; seen_pos = 0
}

#include "writer.pml"
#include "reader.pml"

/* The process number of each level of nesting: writers, and flushes that
 * the CPU does itself. */
proctype context() provided (depth <= _pid)
{
	VARIABLES;

end:	do
	:: atomic { depth == _pid - 1 && begun < RECORDS ->
		depth = _pid;
		begun++;
		if
		:: depth == 3 -> REACHED(three_deep)
		:: else
		fi;
		if SIZES fi
	   }
	   try_fast();
	   if
	   :: write_fast()
	   :: d_step { is_full -> refused++; REACHED(refused_at_once) }
	   :: else -> write_slow()
	   fi;
	   d_step { forget(); depth = _pid - 1 }
	:: d_step { depth == _pid - 1 && begun < RECORDS && flushed < FLUSHES ->
		depth = _pid;
		flushed++
	   }
	   flush(true);
	   d_step { forget(); depth = _pid - 1 }
	od
}

proctype reader()
{
	VARIABLES;
	byte early;

	/* Beside writers, as often as it likes */
	do
	:: read_next()
	:: d_step { begun == RECORDS && !depth -> early = 0 } break
	od;

	if
	:: LAP(offset) < LAP0 -> REACHED(laps_wrapped)
	:: else
	fi;
	/* The CPU is offline: flush from here.  The first can find the buffer full. */
	flush(true);
	d_step { forget() }
	read_all();
	flush(true);
	d_step { forget() }
	read_all();

	assert(seen + overwritten + refused == RECORDS);		/* R1, R2 */
	assert(lost == overwritten);					/* R1 */
	assert(seen_refused == refused && reported == refused);		/* R2 */
	/* ltt_ring_get_stats(): stored, and overwritten */
	assert(((records + recs[0] + recs[1]) & 255) == seen + overwritten);
}

init {
	byte i;

	atomic {
		for (i : 0 .. NSB - 1) {
			state[i] = WORD((LAP0 + 7) & 7, EMPTY, i);
			/* Later laps find a whole sub-buffer in the count. */
			bytes[i] = (LAP0 -> SB : 0);
		}
		for (i : 1 .. LEVELS) {
			run context();
		}
		run reader();
#ifdef PEEK
		run peeker()
#endif
	}
}
