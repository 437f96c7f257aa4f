/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* The model's write side: claim() to ltt_record_try(), and flush; see ring.pml. */

/* Results of claim() */
#define CLAIMED		0
#define STALE		1
#define REFUSED		2	/* CLAIM_FULL, CLAIM_BUSY */
#define NEEDLESS	3
#define TRY		4	/* the exchange is to come */
#define WON		5	/* it has succeeded */

/* ---- Stores to pages: no reader's (R3), and visible at the next release ---- */

inline touch(set)
{
	assert(being_read != set + 1);
#ifdef PEEK
	peek_torn = peek_torn || being_peeked == set + 1;
#endif
	unpublished[set] = 1
}

inline publish()
{
	for (i : 0 .. SETS - 1) {
		unpublished[i] = 0;
	}
	i = 0
}

inline store_record(set)
{
	d_step {
		touch(set);
		assert(IN_SB(at) >= HDR && IN_SB(at) + size <= SB);
		for (i : 0 .. size - 1) {
			/* Neither another writer's bytes, nor bytes that were not read. */
			assert(!busy[set * SB + IN_SB(at) + i] && !mem[set * SB + IN_SB(at) + i]);
			busy[set * SB + IN_SB(at) + i] = 1;
		}
		i = 0
	}
	d_step {
		touch(set);
		for (i : 0 .. size - 1) {
			busy[set * SB + IN_SB(at) + i] = 0;
			mem[set * SB + IN_SB(at) + i] = time << 2 | (i == 0 -> size : 0);
		}
		i = 0
	}
}

/* ---- Claim, deliver, commit ---- */

/* The content of the pages is gone. */
inline lose(set)
{
	for (i : 0 .. SB - 1) {
		lost = lost + ((mem[set * SB + i] & 3) != 0);
		mem[set * SB + i] = 0;
	}
	seq[set] = 0; begin_time[set] = 0; end_time[set] = 0; end_refused[set] = 0;
	content[set] = 0;
	i = 0
}

inline exchange_word()
{
	d_step {
#ifdef M_CLAIM_UNORDERED	/* without O(claim:A) the stores can be earlier */
		touch(BASE_OF(word));
#endif
		if
#ifdef M_CLAIM_PLAIN
		:: true ->
#else
		:: state[SLOT(start)] == word ->	/* O(claim:A) */
#endif
			lose(BASE_OF(word));
			state[SLOT(start)] = WORD(LAP(start), WRITING, BASE_OF(word));
			publish();
			claimed = WON
		:: else -> claimed = STALE; REACHED(claim_lost)
		fi
		word = 0
	}
}

inline claim()
{
	d_step {
		word = state[SLOT(start)];
		if
		:: LAP_OF(word) == LAP(start) && STATE_OF(word) == WRITING ->
			claimed = CLAIMED;
			REACHED(claimed_by_another)
		:: else ->
			if
#ifndef M_CLAIM_ANY_LAP
			:: LAP_OF(word) != LAST_LAP(start) -> claimed = STALE; REACHED(claim_stale)
#endif
#ifndef M_CLAIM_BUSY
			:: LAP_OF(word) == LAST_LAP(start) && STATE_OF(word) == WRITING ->
				claimed = REFUSED; REACHED(claim_busy)
#endif
#if !OVERWRITE && !defined(M_CLAIM_FULL)
			:: LAP_OF(word) == LAST_LAP(start) && STATE_OF(word) == FULL ->
				claimed = REFUSED; is_full = 1; REACHED(claim_full)
#endif
			:: else -> claimed = TRY
			fi
		fi
	}
	if
#if OVERWRITE
	:: d_step { claimed == TRY ->
		was = (STATE_OF(word) == FULL -> recs[SLOT(start)] : 0);
#ifdef M_LOST_BEFORE_CLAIM
		overwritten = overwritten + was
#endif
	   }
	   exchange_word();
	   if
	   :: d_step { claimed == WON ->
#if !defined(M_LOST_AT_OPEN) && !defined(M_LOST_BEFORE_CLAIM)
		overwritten = overwritten + was;
#endif
		if
		:: was -> REACHED(overwrites)
		:: else
		fi;
		claimed = CLAIMED;
		was = 0
	      }
	   :: else -> was = 0
	   fi
#else
	:: atomic { claimed == TRY -> exchange_word(); claimed = (claimed == WON -> CLAIMED : claimed) }
#endif
	:: else -> word = 0
	fi
}

/* @word has been loaded. */
inline deliver(o)
{
	d_step {
		if
#ifdef M_DELIVER_TWICE
		:: true ->
#else
		:: LAP_OF(word) == LAP(o) && STATE_OF(word) == WRITING ->
#endif
			state[SLOT(o)] = WORD(LAP(o), FULL, BASE_OF(word));
#ifndef M_DELIVER_UNORDERED	/* without O(deliver:A) */
			publish()
#endif
		:: else -> REACHED(delivered_by_another)
		fi;
		word = 0
	}
}

#ifdef M_COMPLETE_EARLY
#define COMPLETE(n)	!((n) & (SB / 2 - 1))
#else
#define COMPLETE(n)	!IN_SB(n)
#endif

/* Is it complete? */
inline look(o)
{
	if
	:: d_step { COMPLETE(bytes[SLOT(o)]) -> word = state[SLOT(o)] }
	   deliver(o)
	:: else
	fi
}

inline commit(s, o, nr, n)
{
#ifdef M_COMMIT_PLAIN
	was = bytes[s];
	d_step { recs[s] = recs[s] + nr; bytes[s] = was + n; was = 0 }
#else
	d_step {
		recs[s] = recs[s] + nr; bytes[s] = bytes[s] + n;
		if
		:: bytes[s] > SB -> REACHED(opened_late)
		:: else
		fi
	}
#endif
	look(o)
}

/* ---- Opening and closing ---- */

/* BYTES_EARLY: the barrier in commit_bytes() may be left out.  The opener's record keeps
 * the packet from being complete, and if the closer does not complete it, one that it has
 * interrupted does. */

inline end_packet(o, n)
{
	base = BASE_OF(state[SLOT(o)]);
	touch(base);
#ifdef M_CONTENT_BY_SLOT
	content[SLOT(o)] = n;
#else
	content[base] = n;
#endif
#ifdef M_TIME_LATE
	end_time[base] = tick;
#else
	end_time[base] = end_time_;
#endif
#ifdef M_REFUSED_LATE
	end_refused[base] = refused;
#else
	end_refused[base] = end_ref;
#endif
#ifndef M_REPORTED_FORGOTTEN
	reported = end_refused[base];
#endif
	base = 0
}

/* The rest is padding. */
inline commit_rest(o)
{
#ifdef M_PADDING_SHORT
	commit(SLOT(o), o, 0, SB - 1 - IN_SB(o))
#else
	commit(SLOT(o), o, 0, SB - IN_SB(o))
#endif
}

inline close_packet()
{
#ifdef BYTES_EARLY
	d_step { bytes[SLOT(old)] = bytes[SLOT(old)] + SB - IN_SB(old) }
	d_step { end_packet(START(old), IN_SB(old)) }
	look(old)
#else
	d_step { end_packet(START(old), IN_SB(old)) }
	commit_rest(old)
#endif
}

inline commit_header()
{
#ifdef M_LAST_KEPT
	commit(SLOT(start), start, 0, HDR)
#else
	commit(SLOT(start), start, 0 - last_recs, HDR - last_bytes)
#endif
}

inline open_packet()
{
#ifdef BYTES_EARLY
	commit_header();
#endif
	d_step {
#ifdef M_LAST_LATE
		last_recs = recs[SLOT(start)]; last_bytes = bytes[SLOT(start)];
#endif
#ifdef M_LOST_AT_OPEN
		overwritten = overwritten + last_recs;
#endif
		records = records + last_recs;
		base = BASE_OF(state[SLOT(start)]);
		touch(base);
		seq[base] = start / SB + 1;
		begin_time[base] = time;
		base = 0
	}
#ifndef BYTES_EARLY
	commit_header()
#endif
}

inline exchange_offset()
{
	if
#ifdef M_OFFSET_PLAIN
	:: true ->
#else
	:: offset == old ->
#endif
		offset = new; tick++; won = 1
	:: else -> REACHED(offset_moved); old = 0; new = 0; time = 0; end_time_ = 0; end_ref = 0
	fi
}

/* The last lap's count is known for sure if the exchange after it succeeds. */
inline sample_last()
{
	d_step { claimed == CLAIMED && opens ->
		last_recs = recs[SLOT(start)];
		last_bytes = bytes[SLOT(start)]
	}
}

/* ---- Writing a record ---- */

inline store_and_commit(s, set)
{
#ifdef M_COMMIT_EARLY	/* without O(commit:A) */
	commit(s, at, 1, size);
	store_record(set)
#else
	store_record(set);
	commit(s, at, 1, size)
#endif
}

/* ltt_record_try() */
inline try_fast()
{
#ifdef M_FAST_CLOCK_FIRST	/* without its barrier, and the last time is loaded early */
	time = tick;
	old = offset;
#else
	old = offset;
	time = tick;
#endif
	d_step {
		new = old + size;
		if
#ifdef M_WINDOW_TO_THE_END
		:: new <= window_end ->
#else
		:: new < window_end ->
#endif
			exchange_offset()
		:: else ->
			/* ltt_ring_is_full().  A slot that is not FULL is being freed. */
			is_full = full_pos == read_pos;
			start = (IN_SB(offset) == 0 -> offset : START(offset) + SB);
			assert(!is_full || freeing || (STATE_OF(state[SLOT(start)]) == FULL &&
						    LAP_OF(state[SLOT(start)]) == LAST_LAP(start)));
			start = 0
		fi;
		at = (won -> old : 0); old = 0; new = 0;
		time = (won -> time : 0)
	}
}

inline write_fast()
{
	d_step { won ->
		slot = window_slot; base = window_base;
		if
		:: depth > 1 -> REACHED(fast_nested)
		:: else -> REACHED(fast)
		fi
	}
	store_and_commit(slot, base)
}

inline plan()
{
#ifdef M_CLOCK_FIRST	/* without its barrier */
	time = tick;
#endif
	old = offset;
	d_step {
#ifndef M_CLOCK_FIRST
		time = tick;
#endif
		end_ref = refused;
		end_time_ = time;
		opens = IN_SB(old) == 0 || IN_SB(old) + size > SB;
		start = (opens -> (IN_SB(old) == 0 -> old : START(old) + SB) : 0);
		at = (opens -> start + HDR : old);
		new = at + size;
		claimed = CLAIMED
	}
	if
	:: opens ->
#if !OVERWRITE && !defined(M_FULL_UNORDERED)
		seen_pos = read_pos;	/* O(full:A) */
#endif
		claim()
	:: else
	fi
}

/* ltt_ring_reserve() has found the ring full.  It keeps that to itself while there is room
 * for smaller records; here it never does, which is harder to get right. */
inline set_full()
{
#if !OVERWRITE
#ifdef M_FULL_UNORDERED	/* without O(full:A) the position can be loaded later */
	seen_pos = read_pos;
#endif
	d_step {
		if
		:: is_full -> full_pos = seen_pos
		:: else		/* an interrupted writer is in it */
		fi
	}
#endif
	seen_pos = 0
}

/* A count may be stored in two halves, one earlier than the other. */
#define LOWER	(2 * SB - 1)
inline set_window_end(to)
{
	if
	:: window_end = (window_end & LOWER) | ((to) & ~LOWER)
	:: window_end = (window_end & ~LOWER) | ((to) & LOWER)
	fi;
	window_end = to
}

inline aim()
{
	if
#ifdef M_AIM_NESTED	/* without the barrier in ltt_ring_enter(), or ltt_ring_leave() */
	:: true ->
#else
	:: depth == 1 ->
#endif
#ifdef M_AIM_TORN	/* without the second barrier */
		set_window_end(START(new) + SB);
#elif !defined(M_AIM_NO_GAP)	/* without the first one */
		set_window_end(0);
#endif
		window_slot = SLOT(new);
		window_base = BASE_OF(state[SLOT(new)]);
		set_window_end(START(new) + SB)
	:: else
	fi
}

/* ltt_record_write_slow(), ltt_ring_reserve() */
inline write_slow()
{
	do
	:: plan();
	   if
	   :: d_step { claimed == REFUSED -> refused++ }
	      set_full();
	      break
	   :: claimed == STALE
	   :: sample_last();
	      d_step { exchange_offset() }
	   :: d_step { claimed == CLAIMED && !opens -> exchange_offset() }
	   fi;
	   if
	   :: won -> break
	   :: else
	   fi
	od;
	if
	:: won && opens && IN_SB(old) != 0 -> close_packet()
	:: else
	fi;
	if
	:: won && opens -> open_packet()
	:: else
	fi;
	if
#ifdef M_FILLED_NOT_ENDED
	:: won && !IN_SB(new)
#else
	:: d_step { won && !IN_SB(new) -> REACHED(filled); end_packet(START(at), SB) }
#endif
	:: won && IN_SB(new) -> aim()
	:: else
	fi;
	if
	:: d_step { won ->
		base = BASE_OF(state[SLOT(at)]);
		old = 0; new = 0; start = 0; end_ref = 0; end_time_ = 0;
		opens = 0; last_recs = 0; last_bytes = 0
	   }
	   store_and_commit(SLOT(at), base)
	:: else
	fi
}

/* ---- ltt_ring_flush() ---- */

inline plan_flush(final)
{
#ifdef M_FLUSH_CLOCK_FIRST	/* without its barrier */
	time = tick;
#endif
	old = offset;
	if
	:: !(IN_SB(old) > HDR || final && refused != reported) -> claimed = NEEDLESS
	:: else ->
		d_step {
#ifndef M_FLUSH_CLOCK_FIRST
			time = tick;
#endif
			end_time_ = time;
			end_ref = refused;
			opens = IN_SB(old) == 0;
			start = START(old);
			new = start + SB;
			claimed = CLAIMED
		}
		if
		:: opens -> claim()
		:: else
		fi
	fi
}

inline flush(final)
{
	do
	:: plan_flush(final);
	   if
	   :: claimed == REFUSED -> REACHED(flush_refused); break
	   :: claimed == NEEDLESS -> break
	   :: claimed == STALE
	   :: sample_last();
	      d_step { exchange_offset() }
	   :: d_step { claimed == CLAIMED && !opens -> exchange_offset() }
	   fi;
	   if
	   :: won -> break
	   :: else
	   fi
	od;
	if
	:: won && opens ->
		REACHED(refused_reported_by_flush);
		old = start + HDR;
		open_packet()
	:: else
	fi;
	if
	:: d_step { won -> REACHED(flushed) }
	   close_packet()
	:: else
	fi
}
