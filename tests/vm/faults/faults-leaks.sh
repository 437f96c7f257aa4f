#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: commands whose allocations fail in turn leak no memory, however often they run
# vm: --slub-debug --smp 1
# requires: ltt-test-nth.ko
# timeout: 600
#
# A leak grows with each round; the kernel's caches do not. With slub_debug the number of
# objects of a cache is exact.
. "$LTT/tests/vm/lib.sh"

rounds=3

load_nth()
{
	insmod "$LTT/tests/modules/nth/ltt-test-nth.ko" "$@"
}
at_exit 'rmmod ltt-test-nth'

# objects FILE: of each cache, once RCU and work items have freed what they were to
objects()
{
	drop_and_count > "$1"
	for _ in $(seq 100); do
		sleep 0.2
		drop_and_count > "$1.again"
		cmp -s "$1" "$1.again" && return
		mv "$1.again" "$1"
	done
	check 'not ok' 'the counts of objects come to rest'
}

# Files that were opened leave inodes and dentries behind.
drop_and_count()
{
	echo 2 > /proc/sys/vm/drop_caches
	echo 0 0 > /proc/ltt-test-nth		# which waits for RCU
	awk 'NR > 2 { print $1, $2 }' /proc/slabinfo
}

# growing A B C: the caches with an object more for each round, twice
growing()
{
	awk -v rounds="$rounds" '
		FNR == 1 { file++ }
		{ count[file, $1] = $2 }
		file == 3 && count[2, $1] - count[1, $1] >= rounds && $2 - count[2, $1] >= rounds {
			print $1 ": " count[1, $1], count[2, $1], $2
		}' "$@"
}

# look_for_leaks WORD: in the commands that begin with it
look_for_leaks()
{
	"$LTT/build/tests/nth" repeat 1 "$1"
	objects "$TMP/a"
	"$LTT/build/tests/nth" repeat "$rounds" "$1"
	objects "$TMP/b"
	"$LTT/build/tests/nth" repeat "$rounds" "$1"
	objects "$TMP/c"
	growing "$TMP/a" "$TMP/b" "$TMP/c"
}

load_modules
load_nth leak=1
look_for_leaks create > "$TMP/planted"
assert 'a leak that is planted is seen' grep -q '^kmalloc' "$TMP/planted"
rmmod ltt-test-nth
load_nth
look_for_leaks '' > "$TMP/leaks"
cat "$TMP/leaks"
assert 'nothing grows with each round' test ! -s "$TMP/leaks"
