#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: arrays, labels and long texts of a driver are in the trace as its metadata describe them
# requires: lttctl lttd babeltrace2 ltt-control.ko ltt-test-types.ko
# faces: debugfs
# also: device
# timeout: 120
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

at_exit unload_modules
load_modules
load ltt-test-types
at_exit 'rmmod ltt-test-types'

record()
{
	lttctl record -o "$TMP/out" -e 'types:*' -- sh -c ': > /proc/ltt-test-types' 2> "$TMP/summary"
}

decode()
{
	babeltrace2 "$TMP/out" > "$TMP/text" 2> "$TMP/errors"
}

assert 'all is recorded' record
assert 'babeltrace2 reads it' decode

# fields EVENT: as babeltrace2 shows them
fields()
{
	sed -n "s/.* types:$1: .*}, { \(.*\) }\$/\1/p" "$TMP/text"
}

# characters COUNT: as many L
characters()
{
	head -c "$1" /dev/zero | tr '\0' L
}

assert_eq 'arrays and sequences' "$(printf '%s, ' 'a = [ [0] = -1, [1] = 2, [2] = -32768 ]' '_b_length = 2' \
	'b = [ [0] = 1, [1] = 18446744073709551615 ]' 'c = [ [0] = 0x0, [1] = 0x1, [2] = 0xFE, [3] = 0xFF ]' \
	'_d_length = 5' 'd = [ [0] = 0x0, [1] = 0x1, [2] = 0xFE, [3] = 0xFF, [4] = 0x5 ]')e = 7" "$(fields arrays)"
assert_eq 'labels' 'state = ( "bad" : container = -3 ), flags = ( "a" : container = 0x10 )' "$(fields labels)"
assert_eq 'a text that is cut' "before = 1, text = \"$(characters 4091)...\\x1a\", after = 2" "$(fields longest)"
assert_eq 'texts of limited length' "a = \"abc\", b = \"xy\", c = \"all\", d = \"\", e = \"$(characters 4094)\"" \
	"$(fields limited)"
assert_match 'a large array' '^_a_length = 4096, a = \[ \[0\] = 0x0, .*\[4095\] = 0x0 \]$' "$(fields large_array)"

assert_eq 'arrays that are too large are not there' '' "$(fields too_large)$(fields too_much)"
assert_match 'but counted as lost' '^lost +2 .*too big 2\>' "$(cat "$TMP/summary")"

assert_match 'the description names the labels' '^field state integer s32 base 10 \{idle=0,running=1,bad=-3\}' \
	"$(lttctl markers --info types:labels)"
assert_match 'and the length of an array' '^field a array s16 base 10 count 3' "$(lttctl markers --info types:arrays)"
