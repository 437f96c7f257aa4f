#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: the example of a filter of one's own counts each value in its map, and the trace has the records at or above the limit, exactly
# vm: --smp 2 --loaded
# requires: lttctl ltt-control.ko ltt-sample.ko ltt-test-markers.ko
# timeout: 60
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-exact.sh"

load_modules
cd "$TMP"

# outliers ARGUMENT...: its output is in "said"
outliers()
{
	"$LTT/build/samples/outliers" "$@" > said 2>&1
}

# rows: the classes and their counts
rows()
{
	awk '/^ *[0-9]+\.\./ { printf "%s%d%s", n++ ? " " : "", $1, $2 == int($2) ? ":" $2 : "" }' said
}

counted() { awk '/^ *[0-9]+\.\./ { n += $2 } END { print n + 0 }' said; }

# of_event WORD: what LTT has counted
of_event()
{
	awk -v word="$1" '$1 == "event" { for (i = 3; i < NF; i += 2) if ($i == word) print $(i + 1) }' said
}

# ---- An integer of 4 bytes: the numbers 1 to 240 ----

load ltt-sample
assert 'the example runs' outliers sample:complete id 200 large sh -c 'echo 240 > /dev/ltt-sample'
cat said
assert_eq 'the map has each number in its class' \
	'1:1 2:2 4:4 8:8 16:16 32:32 64:64 128:113' "$(rows)"
assert_eq 'LTT has run the program for each, and dropped those below the limit' '240 199 0' \
	"$(of_event runs) $(of_event filtered) $(of_event unjudged)"
lttctl view large > text
assert_eq 'the trace has the others' "$(seq 200 240)" \
	"$(sed -n 's/.* sample:complete: .*id=\([0-9]*\).*/\1/p' text)"

# ---- A negative one, and one that a limit keeps out ----

assert 'a field with a sign' outliers sample:complete error 1 none sh -c 'echo 240 > /dev/ltt-sample'
assert_eq 'a negative value counts as 0' '0:240' "$(rows)"
assert_eq 'nothing reaches the limit' '' "$(lttctl view none | grep sample: || :)"

# ---- 8 bytes that are aligned to 4 only, with nested interrupts on two CPUs ----

load ltt-test-markers period_us=20
assert 'a field of 8 bytes' outliers test:hardirq seq 0x100 numbers \
	sh -c 'echo 2000 task hardirq softirq > /proc/ltt-test-markers'
assert_eq 'each event is counted' "$(awk '$1 == "hardirq" { n += $4 } END { print n }' /proc/ltt-test-markers)" \
	"$(counted)"
assert_eq 'and by its value' "$(awk -v cpus="$(nproc)" 'BEGIN {
		printf "0:%d", cpus; for (n = 1; n < 1024; n *= 2) printf " %d:%d", n, n * cpus
		printf " 1024:%d", (2000 - 1024) * cpus }')" "$(rows)"
assert_eq 'those at or above the limit are recorded' $(((2000 - 256) * $(nproc))) \
	"$(lttctl view numbers | grep -c test:hardirq:)"

# ---- What it cannot do ----

refute 'a field behind a string' outliers sample:request sector 1 no true
assert_match 'is named' sector "$(cat said)"
refute 'an event that there is not' outliers sample:nothing id 1 no true
assert_match 'is named, too' sample:nothing "$(cat said)"
assert 'no directory is left' [ ! -e no ]
assert_eq 'and no trace' '' "$(lttctl list)"
