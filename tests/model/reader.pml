/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* The model's reader: ltt_ring_get(), ltt_ring_put(); see ring.pml. */

/* Read a whole packet, which no writer can reach, in order; then poison the pages. */
inline read_packet(set)
{
	assert(!unpublished[set]);				/* R3 */
	assert(seq[set] == read_pos / SB + 1);			/* R1 */
	assert(begin_time[set] >= seen_time);			/* R5 */
	assert(end_refused[set] >= seen_refused);		/* R6 */
	seen_time = begin_time[set];
	i = HDR;
	do
	:: i < size ->
		assert(!busy[set * SB + i]);			/* R3 */
		new = mem[set * SB + i];
		assert((new & 3) != 0);				/* a record begins */
		assert(new >> 2 > seen_record);			/* R1: once; R4 */
		assert(new >> 2 >= seen_time);			/* R4 */
		seen_record = new >> 2;
		seen_time = seen_record;
		seen++;
		i++;
		do
		:: (new & 3) > 1 ->
			assert(!busy[set * SB + i] && mem[set * SB + i] == seen_record << 2);
			i++;
			new--
		:: else -> break
		od
	:: else -> break
	od;
	assert(i == size && size <= SB);			/* R3 */
	assert(end_time[set] >= seen_time);			/* R5 */
	seen_time = end_time[set];
	seen_refused = end_refused[set];
	for (i : 0 .. SB - 1) {
		mem[set * SB + i] = 0;
	}
	seq[set] = 0; begin_time[set] = 0; end_time[set] = 0; end_refused[set] = 0;
	content[set] = 0;
	new = 0; i = 0; size = 0
}

/* The position was overwritten: to the oldest place that can still hold its lap. */
inline skip_overwritten()
{
	d_step {
#ifdef M_SKIP_FAR
		start = START(old) - BUF + SB;
#else
		start = START(old) - BUF;
#endif
		new = read_pos + SB;
		if
		:: LATER(start / SB, new / SB) -> read_pos = start; REACHED(skip_to_the_oldest)
		:: else -> read_pos = new; REACHED(skip_one)
		fi;
		old = 0; new = 0; start = 0
	}
}

#ifdef M_GET_ANY_LAP
#define READABLE(w)	(STATE_OF(w) == FULL)
#elif defined(M_GET_WRITING)
#define READABLE(w)	(LAP_OF(w) == LAP(read_pos) && STATE_OF(w) != EMPTY)
#else
#define READABLE(w)	(LAP_OF(w) == LAP(read_pos) && STATE_OF(w) == FULL)
#endif

/* ltt_ring_get() up to the word, which holds a packet.  From then on no writer may touch the
 * packet: touch() checks @being_read. */
inline get()
{
#if OVERWRITE
	d_step { READABLE(state[SLOT(read_pos)]) -> word = state[SLOT(read_pos)] }
	d_step {
		if
#ifdef M_GET_PLAIN
		:: true ->
#else
		:: state[SLOT(read_pos)] == word ->
#endif
			state[SLOT(read_pos)] = WORD(LAP(read_pos), EMPTY, spare);
			base = BASE_OF(word);
			being_read = base + 1
		:: else -> REACHED(get_lost)
		fi;
		word = 0
	}
#else
	d_step { READABLE(state[SLOT(read_pos)]) ->	/* O(get:A) */
		base = BASE_OF(state[SLOT(read_pos)]);
		being_read = base + 1
	}
#endif
}

inline put()
{
#if OVERWRITE
#ifdef M_SPARE_KEPT
	skip
#else
	spare = base
#endif
#elif defined(M_PUT_LAST_LAP)
	state[SLOT(read_pos)] = WORD(LAST_LAP(read_pos), EMPTY, base)
#else
	state[SLOT(read_pos)] = WORD(LAP(read_pos), EMPTY, base)	/* O(put:A) */
#endif
}

/* Blocks as long as a look would find nothing to do. */
inline read_next()
{
	if
	:: get();
	   if
	   :: being_read ->
#ifdef M_PUT_UNORDERED	/* without O(put:A) loads of the packet can be later */
		put();
#endif
		d_step {
#ifdef M_GET_UNORDERED
			size = (early -> early - 1 : content[base]);
			early = 0;
#else
			size = content[base];
#endif
			read_packet(base)
		}
#if OVERWRITE
		d_step { put(); read_pos = read_pos + SB; being_read = 0; base = 0 }
#elif defined(M_ROOM_UNORDERED)	/* without O(room:A) the position can be stored earlier */
		d_step { read_pos = read_pos + SB }
		d_step {
			state[SLOT(read_pos - SB)] = WORD(LAP(read_pos - SB), EMPTY, base);
			being_read = 0;
			base = 0
		}
#else
		d_step {
#ifndef M_PUT_UNORDERED
			put();
#endif
			being_read = 0;
			base = 0;
			freeing = 1
		}
		d_step { read_pos = read_pos + SB; freeing = 0 }	/* O(room:A) */
#endif
	   :: else
	   fi
	:: d_step { !READABLE(state[SLOT(read_pos)]) &&
		    LATER(LAP_OF(state[SLOT(read_pos)]), LAP(read_pos)) -> old = offset }
	   skip_overwritten()
#ifdef M_GET_UNORDERED	/* without O(get:A) loads of the packet can be earlier */
	:: d_step { !early -> early = content[BASE_OF(state[SLOT(read_pos)])] + 1 }
#endif
	fi
}

inline read_all()
{
	do
	:: read_next()
	:: d_step { !READABLE(state[SLOT(read_pos)]) &&
		    !LATER(LAP_OF(state[SLOT(read_pos)]), LAP(read_pos)) -> early = 0 }
	   break
	od
}

#ifdef PEEK
inline copy()
{
	d_step { being_peeked = BASE_OF(word) + 1; peek_torn = 0 }
#ifdef M_PEEK_UNORDERED	/* without O(peek:A) the look can come before the last loads */
	same = state[slot] == word;
#else
	skip;
#endif
	d_step {
#ifndef M_PEEK_UNORDERED
		same = state[slot] == word;	/* O(peek:A) */
#endif
		if
		:: same -> assert(!peek_torn); REACHED(peek_whole)
		:: else -> REACHED(peek_lost)
		fi;
		being_peeked = 0; peek_torn = 0; same = 0
	}
}

/* ltt_ring_peek(), at any time, of any sub-buffer: a copy that it returns is of a set of
 * pages that no writer has touched meanwhile (R7). */
proctype peeker()
{
	byte word, slot;
	bit same;

	do
	:: d_step { STATE_OF(state[0]) == FULL -> slot = 0; word = state[0] } copy()
	:: d_step { STATE_OF(state[1]) == FULL -> slot = 1; word = state[1] } copy()
	:: d_step { begun == RECORDS && !depth -> slot = 0; word = 0 } break
	od
}
#endif
