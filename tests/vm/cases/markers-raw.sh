#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: markers of a driver that is built so are raw tracepoints of eBPF, with LTT and without it, and with both at once
# requires: ltt-control.ko ltt-test-raw.ko
# timeout: 60
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-exact.sh"

RAW=$LTT/build/tests/raw-tracepoint
N=100
FIRE="echo $N > /proc/ltt-test-raw"
SUM=$((N * (N + 1) / 2))
TWELVE=$(i=0; while [ $i -lt 12 ]; do printf ' %d' $((SUM + i * N)); i=$((i + 1)); done)

# attached WHAT EXPECTED NAME ARGUMENTS COMMAND: what the program has counted
attached()
{
	assert_eq "$1" "$2" "$("$RAW" "$3" "$4" sh -c "$5" 2>&1)"
}

attach_all()	# when
{
	attached "$1: a marker without fields" "$N" mark_raw_none 0 "$FIRE"
	attached "$1: a negative integer" "$N -$SUM" mark_raw_one 1 "$FIRE"
	attached "$1: an integer before a text" "$N $SUM" mark_raw_text 1 "$FIRE"
	attached "$1: twelve integers" "$N$TWELVE" mark_raw_twelve 12 "$FIRE"
	attached "$1: a marker that may sleep" "$N $SUM" mark_raw_sleeper 1 "$FIRE"
}

load ltt-test-raw

# ---- Without LTT ----

assert_eq 'LTT is not loaded' '' "$(grep '^ltt_[^t]' /proc/modules | head -n 1)"
sh -c "$FIRE"
assert_eq 'while nothing is attached, no argument is evaluated' 0 "$(cat /proc/ltt-test-raw)"
attach_all 'without LTT'
assert_eq 'only one marker has evaluated its argument, once for each event' $N "$(cat /proc/ltt-test-raw)"
attached 'two programs at one marker' "$N -$SUM
$N -$SUM" mark_raw_one 1 "$RAW mark_raw_one 1 sh -c '$FIRE'"
assert_eq 'have evaluated it once for both' $((2 * N)) "$(cat /proc/ltt-test-raw)"

refused()	# what, errno's words, name, arguments
{
	status=0
	said=$("$RAW" "$3" "$4" true 2>&1) || status=$?
	assert_eq "$1 is refused" 3 "$status"
	assert_match "$1: the reason" "$2" "$said"
}
refused 'a program that reads more arguments than there are' 'Invalid argument' mark_raw_one 2
refused 'a marker that there is not' 'No such file' mark_raw_nothing 0

"$RAW" mark_raw_one 1 sleep 1000 &
holder=$!
in_use() { [ "$(sed -n 's/^ltt_test_raw [0-9]* \([0-9]*\) .*/\1/p' /proc/modules)" = "$1" ]; }
assert 'an attached program holds the driver' wait_until 20 in_use 1
refute 'which cannot be unloaded' rmmod ltt-test-raw 2> /dev/null
kill $(pgrep -P $holder) $holder
wait $holder 2> /dev/null || :
assert 'until the program has gone' wait_until 20 in_use 0
rmmod ltt-test-raw

# ---- With LTT ----

load_modules
load ltt-test-raw
attach_all 'with LTT, which records nothing'
put $DBG/traces/create t
at_exit "put $DBG/traces/remove t 2> /dev/null || :"
put $DBG/traces/t/events 'raw:*'
put $DBG/traces/t/state start
attach_all 'beside a trace'
assert_eq 'which has all events' $((5 * 5 * N)) "$(events_count t stored)"
assert_eq 'and each argument was evaluated once' $((6 * N)) "$(cat /proc/ltt-test-raw)"
attached 'LTT goes while a program is attached' "$((2 * N)) -$((2 * SUM))" mark_raw_one 1 \
	"$FIRE; echo t > $DBG/traces/remove; $LTT/tests/vm/ltt-load --unload; $FIRE"
assert_eq 'it is not loaded' '' "$(grep '^ltt_[^t]' /proc/modules | head -n 1)"
attach_all 'after LTT'
rmmod ltt-test-raw
