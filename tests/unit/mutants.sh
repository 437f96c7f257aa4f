#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# Do the tests notice?  Each mutant is core/ with one fault put in by sed; some
# test that passes without it must fail, hang or be ended by a sanitizer.
#
#   mutants.sh [NAME...]	all of them take some minutes
#
# Ends with status 1 if a mutant survives, or cannot be made any more because its
# line has changed.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
top=$(cd "$here/../.." && pwd)
work=$top/build/unit-mutants
# Quick ones first; under TSan only what threads do differs.
programs="ring record ring-overwrite ring-pitfalls ctf ring-nested ring-threads ring-threads-tsan"
wanted=" $* "
killed=0 bad=0

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
			return
		fi
	done
	echo "$1: SURVIVES"
	bad=$((bad + 1))
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

# Opening and closing
mutant last-lap-kept ring.c 's/ring->header_size - last\)/ring->header_size)/'
mutant last-lap-sampled-late ring.c 's/LTT_HOOK\("open"\);/last = ltt_count_read(\&slot->commit);/'
mutant refused-sampled-late ring.c 's/ring->ops->end\(ring, ([^;]*), end\);/struct ltt_packet_end late = *end; late.refused = refused_sum(ring); ring->ops->end(ring, \1, \&late);/'
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
mutant flush-any-time ring.c 's/return final && refused_sum/return refused_sum/'

# Reader
mutant get-not-atomic ring.c 's/!ltt_word_cmpxchg\(&slot->state, word,\s*(lap \| SLOT_EMPTY \| ring->spare_base)\)/(ltt_word_set_release(\&slot->state, \1), false)/'
mutant skip-too-far ring.c 's/- \(1ULL << ring->buf_order\);/- (1ULL << ring->buf_order) + sb_size;/'
mutant put-wrong-pages ring.c 's/SLOT_EMPTY \| ring->read_base/SLOT_EMPTY/'
mutant no-limit ring.c 's/return ring->overwrite && \(s64\)/return false \&\& (s64)/'
mutant ready-not-next ring.c 's/\t\tpos \+= ring->sb_mask \+ 1;\n//'

# Ordering: for TSan
mutant deliver-unordered plat-native.h 's/__ATOMIC_RELEASE/__ATOMIC_RELAXED/'
mutant get-unordered plat-native.h 's/__ATOMIC_ACQUIRE/__ATOMIC_RELAXED/'
mutant claim-unordered plat-native.h 's/__ATOMIC_SEQ_CST/__ATOMIC_RELAXED/g'

# Records and metadata
mutant copy-over-page ring.c 's/len < room \? len : room/len/'
mutant medium-id record.h 's/\t\t__builtin_memcpy\(dst \+ 4, &medium, 2\);\n//'
mutant copy-tail record.h 's/__builtin_memcpy\(dst \+ len - 8, &last, 8\);/;/2'
mutant long-id record.c 's/memcpy\(buf \+ 1, &id, 4\);/buf[1] = id;/'
mutant id-aligned ctf.c 's/size = 16; align = 1;/size = 16; align = 8;/'
mutant base-lost ctf.c 's/base != 10/base == 16/'
mutant not-escaped ctf.c 's/\*s == .". \|\| //'

echo "$killed killed, $bad not"
[ "$bad" -eq 0 ]
