#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# Do the tests notice?  Each mutant is core/ with one fault put in by sed; some
# test that passes without it must fail, hang or be ended by a sanitizer.  Of the ring
# each branch and each ordering is taken away in turn.
#
#   mutants.sh [NAME...]	all of them take many minutes
#
# What no test can notice is in the file mutants.survivors, each with the mutant of
# tests/model that is the same, or the reason why it is no fault.  Ends with status 1 if
# another mutant survives, if one of those does not, or if one cannot be made any more
# because its line has changed.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
top=$(cd "$here/../.." && pwd)
work=$top/build/unit-mutants
# Quick ones first; under TSan only what threads do differs.
programs="ring record ring-overwrite ring-pitfalls ctf ring-nested ring-threads ring-threads-tsan"
wanted=" $* "
survivors=$here/mutants.survivors
killed=0 known=0 bad=0

# passed TREE PROGRAM: the tests of it that pass, one a line
passed()
{
	# A mutant can loop for ever: seconds of its own time count, the machine
	# may be busy.
	(ulimit -t 20; timeout 200 setarch -R "$1/build/unit/test-$2") 2>/dev/null |
		sed -n 's/^ok //p'
	if [ "${PIPESTATUS[0]}" -eq 0 ]; then
		echo "$2 as a whole"
	fi
}

# build TREE PROGRAM
build()
{
	make -s -j2 -C "$1/tests/unit" "../../build/unit/test-$2" >"$work/log" 2>&1
}

# mutant NAME FILE SED
mutant()
{
	local tree=$work/mutant program lost

	if [ "$wanted" != "  " ] && [[ $wanted != *" $1 "* ]]; then
		return
	fi
	rm -rf "$tree"
	cp -a "$work/base" "$tree"
	sed -E -z -i "$3" "$tree/core/$2"
	if cmp -s "$tree/core/$2" "$work/base/core/$2"; then
		echo "$1: does not apply to $2"
		bad=$((bad + 1))
		return
	fi
	for program in $programs; do
		if ! build "$tree" "$program"; then
			echo "$1: does not compile: $(grep -m1 error "$work/log")"
			bad=$((bad + 1))
			return
		fi
		lost=$(passed "$tree" "$program" | grep -vxFf - "$work/passed-$program" | head -n 1)
		if [ -n "$lost" ]; then
			echo "$1: killed by $lost"
			killed=$((killed + 1))
			if grep -q "^$1 " "$survivors"; then
				echo "$1: is no survivor, take it off the list"
				bad=$((bad + 1))
			fi
			return
		fi
	done
	survives "$1"
}

# survives NAME: may it?
survives()
{
	local kind rest

	if ! read -r kind rest < <(sed -n "s/^$1 //p" "$survivors"); then
		echo "$1: SURVIVES"
		bad=$((bad + 1))
	elif [ "$kind" = model ] && ! grep -qw "M_$rest" "$top"/tests/model/*.pml; then
		echo "$1: SURVIVES, and the model has no M_$rest"
		bad=$((bad + 1))
	else
		echo "$1: known: $kind $rest"
		known=$((known + 1))
	fi
}

rm -rf "$work"
mkdir -p "$work/base/tests" || exit 1
cp -a "$top/core" "$top/include" "$work/base"
cp -a "$here" "$work/base/tests"
for program in $programs; do
	if ! build "$work/base" "$program"; then
		cat "$work/log"
		exit 1
	fi
	passed "$work/base" "$program" >"$work/passed-$program"
done

# Claiming a sub-buffer
mutant claim-busy ring.c 's/\tif \(\(word & SLOT_STATE\) == SLOT_WRITING\)\n\t\treturn CLAIM_BUSY;\n//'
mutant claim-full ring.c 's/if \(!ring->overwrite\)\n/if (0)\n/'
mutant claim-stale ring.c 's/\tif [^\n]*!= last_lap_bits\(ring, start\)\)\n\t\treturn CLAIM_STALE;\n//'
mutant claim-not-atomic ring.c 's/ltt_word_cmpxchg\(&slot->state, word, next\)/(ltt_word_set_release(\&slot->state, next), true)/'
mutant overwritten-uncounted ring.c 's/ltt_count_add\(&ring->overwritten, [^;]*;/;/'

mutant claim-not-seen ring.c 's/\tif \(\(word & \(SLOT_LAP \| SLOT_STATE\)\) == \(next[^\n]*\n\t\treturn CLAIMED;\n//'
mutant claim-lost-of-read ring.c 's/\tif \(\(word & SLOT_STATE\) == SLOT_FULL\) \{\n\t\tif \(!ring->overwrite\)/\tif ((word \& SLOT_STATE) != SLOT_WRITING) {\n\t\tif (!ring->overwrite \&\& (word \& SLOT_STATE) == SLOT_FULL)/'
mutant no-memory ring.c 's/\tif \(unlikely\(!READ_ONCE\(ring->sb_mask\)\)\)\n[^\n]*\n//'
mutant reserve-stale ring.c 's/\t\tcase CLAIM_STALE:\n\t\t\tcontinue;\n//'
mutant reserve-full-cause ring.c 's/refuse\(ring, LTT_REFUSED_FULL\)/refuse(ring, LTT_REFUSED_NESTED)/'
mutant reserve-busy-cause ring.c 's/(case CLAIM_BUSY:\n[^\n]*LTT_REFUSED_)NESTED/\1FULL/'
mutant reserve-not-atomic ring.c 's/if \(ltt_count_cmpxchg\(&ring->offset, a.old, a.new\) == a.old\)/ltt_count_init(\&ring->offset, a.new);/'
mutant fast-not-atomic record.h 's/if \(unlikely\(ltt_count_cmpxchg\([^\n]*\n[^\n]*\n/ltt_count_init(\&ring->offset, new);\n/'
mutant fast-no-window record.h 's/new >= ring->window.end \|\| //'
mutant reserve-no-time ring.c 's/\tWRITE_ONCE\(ring->last_time, res->time\);\n//'
mutant fast-no-time record.h 's/\tWRITE_ONCE\(ring->last_time, time\);\n//'

# Opening and closing
mutant close-always ring.c 's/\t\tif \(a.end.content\)\n//'
mutant open-records ring.c 's/\tltt_count_add\(&ring->records, [^\n]*\n//'
mutant padding-not-delivered ring.c 's/\tif \(!\(ltt_count_read\(&slot->commit\) & ring->sb_mask\)\)\n\t\tltt_ring_deliver\(ring, at\);\n//'
mutant opens-not-at-start ring.c 's/a->opens = !in_sb \|\| /a->opens = /'
mutant start-next ring.c 's/a->start = in_sb \? ([^:]*) : a->old/a->start = \1/'
mutant extra-forgotten ring.c 's/res->size = size \+ \(res->wide \? extra : 0\)/res->size = size/'
mutant last-lap-kept ring.c 's/ring->header_size - last\)/ring->header_size)/'
mutant last-lap-sampled-late ring.c 's/LTT_HOOK\("open"\);/last = ltt_count_read(\&slot->commit);/'
mutant refused-sampled-late ring.c 's/ring->ops->end\(ring, ([^;]*), end\);/struct ltt_packet_end late = *end; late.refused = ltt_ring_refused(ring); ring->ops->end(ring, \1, \&late);/'
mutant time-sampled-late ring.c 's/ring->ops->end\(ring, ([^;]*), end\);/struct ltt_packet_end late = *end; late.time = ltt_plat_clock(); ring->ops->end(ring, \1, \&late);/'
mutant reported-forgotten ring.c 's/\tWRITE_ONCE\(ring->reported[^;]*;\n//'
mutant content-by-slot ring.c 's/ring->content\[page_set[^=]*\] =/ring->content[slot - ring->slot] =/'
mutant exact-fill-not-ended ring.c 's/\t\tend_packet\(ring, res->at, &a.end\);\n//'

# Delivering
mutant deliver-early ring.h 's/(return !\(ltt_count_read\(&slot->commit\) &) ring->sb_mask/\1 ring->sb_mask >> 1/'
mutant deliver-twice ring.c 's/\tif [^\n]*\(lap_bits\(ring, at\) \| SLOT_WRITING\)\)\n\t\treturn;\n//'
mutant record-uncounted ring.h 's/LTT_COMMIT_RECORD \+ size/size/'

# Times
mutant clock-before-offset ring.c 's/(\ta->old = [^\n]*\n)([^\n]*\n)(\tres->time = [^\n]*\n)/\3\2\1/'
mutant clock-backwards ring.c 's/\(s64\)\(now - last\) < 0 \? last : now/now/'
mutant flush-has-no-time ring.c 's/\tWRITE_ONCE\(ring->last_time, a.end.time\);\n//'
mutant wide-28 ring.c 's/>> 27/>> 28/'
mutant wide-28-fast record.h 's/>> 27/>> 28/'
mutant wide-at-start ring.c 's/\tres->wide = false;\n//'
mutant wide-size-at-start ring.c 's/\tres->size = size;\n//'

# Room
mutant fits-less ring.c 's/in_sb \+ res->size > sb_size/in_sb + res->size >= sb_size/'
mutant fits-more ring.c 's/in_sb \+ res->size > sb_size/in_sb + res->size > sb_size + 1/'
mutant fits-more-fast record.h 's/new >= ring/new > ring/'
mutant aim-nested ring.c 's/\tif \(ring->nesting_left != LTT_NESTING_MAX - 1\)\n\t\treturn;\n//'
mutant aim-torn ring.c 's/(\tWRITE_ONCE\(window->slot, [^\n]*\n)(.*)(\tWRITE_ONCE\(window->end, [^\n]*\n)/\3\1\2/'
mutant aim-at-end ring.c 's/\t\} else \{\n\t\taim/\t}\n\t{\n\t\taim/'
mutant big-less ring.c 's/header_size > ring->sb_mask \+ 1/header_size > ring->sb_mask/'
mutant big-more ring.c 's/header_size > ring->sb_mask \+ 1/header_size > ring->sb_mask + 2/'
mutant refused-twice ring.c 's/ltt_count_add\(&ring->refused\[why\], 1\)/ltt_count_add(\&ring->refused[why], 2)/'
mutant nesting-less ring.h 's/--ring->nesting_left < 0/--ring->nesting_left <= 0/'
mutant nesting-more ring.h 's/--ring->nesting_left < 0/--ring->nesting_left < -1/'

# Flush
mutant flush-empty-content ring.c 's/\t\ta.end.content = ring->header_size;\n//'
mutant flush-any-time ring.c 's/return final && ltt_ring_refused/return ltt_ring_refused/'

mutant flush-no-memory ring.c 's/\tif \(!has_memory\(ring\)\)\n\t\treturn false;\n\tdo/\tdo/'
mutant flush-not-atomic ring.c 's/while \(ltt_count_cmpxchg\(&ring->offset, a.old, a.new\) != a.old\)/while (ltt_count_init(\&ring->offset, a.new), 0)/'
mutant flush-stale ring.c 's/ && claimed != CLAIM_STALE\)/)/'
mutant flush-unclaimed ring.c 's/\t\tclaimed = claim\(ring, a->start\);\n//'
mutant flush-not-opened ring.c 's/\t\topen_packet\(ring, a.start, a.end.time, a.last\);\n//'
mutant flush-of-header ring.c 's/> ring->header_size\)\n\t\treturn true/>= ring->header_size)\n\t\treturn true/'
mutant flush-never-final ring.c 's/return final && [^;]*;/return false;/'

# Reader
mutant get-twice ring.c 's/while \(!ring->reading && has/while (has/'
mutant get-no-memory ring.c 's/!ring->reading && has_memory\(ring\) &&/!ring->reading \&\&/'
mutant get-any-state ring.c 's/if \(\(word & \(SLOT_LAP \| SLOT_STATE\)\) == \(lap \| SLOT_FULL\)\)/if ((word \& SLOT_LAP) == lap)/'
mutant get-no-skip ring.c 's/\} else if \(\(s64\)\(\(word & SLOT_LAP\) - lap\) > 0\) \{/} else if (0) {/'
mutant skip-one-only ring.c 's/\(s64\)\(oldest - next\) > 0 \? oldest : next/next/'
mutant skip-never-one ring.c 's/\(s64\)\(oldest - next\) > 0 \? oldest : next/oldest/'
mutant spare-kept ring.c 's/\t\tring->spare_base = ring->read_base;/\t\t;/'
mutant put-forgotten ring.c 's/\tWRITE_ONCE\(ring->reading, false\);\n//'
mutant ready-reading ring.c 's/\tif \(READ_ONCE\(ring->reading\)\) \{/\tif (0) {/'
mutant ready-no-memory ring.c 's/if \(!has_memory\(ring\) \|\| beyond/if (beyond/'
mutant ready-no-limit ring.c 's/if \(!has_memory\(ring\) \|\| beyond_limit\(ring, pos\)\)/if (!has_memory(ring))/'
mutant ready-no-later-lap ring.c 's/ \|\|\n\t       \(s64\)\(\(word & SLOT_LAP\) - lap_bits\(ring, pos\)\) > 0;/;/'
mutant stats-no-memory ring.c 's/\tif \(has_memory\(ring\)\)\n\t\tfor/\t\tfor/'
mutant needs-flush-no-memory ring.c 's/return has_memory\(ring\) &&\n/return/'
mutant init-lap ring.c 's/SLOT_LAP \| SLOT_EMPTY \| \(i << pages_order\)/SLOT_EMPTY | (i << pages_order)/'
mutant get-not-atomic ring.c 's/!ltt_word_cmpxchg\(&slot->state, word,\s*(lap \| SLOT_EMPTY \| ring->spare_base)\)/(ltt_word_set_release(\&slot->state, \1), false)/'
mutant skip-too-far ring.c 's/- \(1ULL << ring->buf_order\);/- (1ULL << ring->buf_order) + sb_size;/'
mutant put-wrong-pages ring.c 's/SLOT_EMPTY \| ring->read_base/SLOT_EMPTY/'
mutant no-limit ring.c 's/return ring->overwrite && \(s64\)/return false \&\& (s64)/'
mutant ready-not-next ring.c 's/\t\tpos \+= ring->sb_mask \+ 1;\n//'

# Ordering: for TSan
mutant deliver-unordered plat-native.h 's/__ATOMIC_RELEASE/__ATOMIC_RELAXED/'
mutant get-unordered plat-native.h 's/__ATOMIC_ACQUIRE/__ATOMIC_RELAXED/'
mutant claim-unordered plat-native.h 's/__ATOMIC_SEQ_CST/__ATOMIC_RELAXED/g'

# Compiler barriers
mutant enter-barrier ring.h 's/\tbarrier\(\);([^\n]*pairs with ltt_ring_leave)/\t;\1/'
mutant leave-barrier ring.h 's/\tbarrier\(\);([^\n]*pairs with ltt_ring_enter)/\t;\1/'
mutant commit-barrier ring.h 's/\tbarrier\(\);([^\n]*O\(commit:A\))/\t;\1/'
mutant commit-bytes-barrier ring.c 's/\tbarrier\(\);([^\n]*O\(commit:A\))/\t;\1/'
mutant plan-barrier ring.c 's/(that interrupts us. \*\/\n)\tbarrier\(\);\n/\1/'
mutant plan-flush-barrier ring.c 's/\tbarrier\(\);([^\n]*pairs as in plan)/\t;\1/'
mutant fast-barrier record.h 's/\tbarrier\(\);([^\n]*pairs as in plan)/\t;\1/'
mutant aim-barrier-before ring.c 's/\tbarrier\(\);([^\n]*nested ltt_record_try)/\t;\1/'
mutant aim-barrier-after ring.c 's/\tbarrier\(\);([^\n]*the same pair)/\t;\1/'
mutant init-unordered plat-native.h 's/(ltt_store_release[^\n]*)__ATOMIC_RELEASE/\1__ATOMIC_RELAXED/'
mutant memory-unordered plat-native.h 's/(ltt_load_acquire[^\n]*)__ATOMIC_ACQUIRE/\1__ATOMIC_RELAXED/'

# Records and metadata
mutant copy-two-words record.h 's/len - 8 <= 8/len - 8 <= 9/'
mutant copy-nothing record.h 's/\t\} else if \(!len\) \{\n\t\treturn;\n/\t} else if (0) {\n/'
mutant copy-words record.h 's/for \(; len > 8; len -= 8/for (; len > 16; len -= 8/'
mutant copy-few-bytes record.h 's/while \(len--\)/while (--len)/'
mutant copy-over-page ring.c 's/len < room \? len : room/len/'
mutant medium-id record.h 's/\t\t__builtin_memcpy\(dst \+ 4, &medium, 2\);\n//'
mutant copy-tail record.h 's/__builtin_memcpy\(dst \+ len - 8, &last, 8\);/;/2'
mutant long-id record.c 's/memcpy\(buf \+ 1, &id, 4\);/buf[1] = id;/'
mutant id-aligned ctf.c 's/size = 16; align = 1;/size = 16; align = 8;/'
mutant base-lost ctf.c 's/base != 10/base == 16/'
mutant not-escaped ctf.c 's/\*s == .". \|\| //'

echo "$killed killed, $known known, $bad not; $SECONDS s"
[ "$bad" -eq 0 ]
