#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: with a filter each event is stored, refused, overwritten or filtered, exactly, and what is stored passes the filter, with nested interrupts, full buffers, a lossless channel and programs that cause events
# when: all
# vm: --parallel --smp 2
# requires: lttctl lttd babeltrace2 ltt-control.ko ltt-test-markers.ko ltt-test-lossless.ko
# timeout: 240
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-exact.sh"
. "$LTT/tests/vm/lib-filters.sh"

E='seq & 1'
EVENTS=2000	# of each sequence, on each CPU

filtered_trace()	# trace, size, overwrite
{
	put "$DBG/traces/create" "$1"
	at_exit "put $DBG/traces/remove $1 2> /dev/null || :"
	put "$DBG/traces/$1/channels/events/subbuf_size" "$2"
	put "$DBG/traces/$1/channels/events/overwrite" "$3"
	put "$DBG/traces/$1/filter" "test:* $E"
	put "$DBG/traces/$1/events" 'test:*'
	for sequence in $SEQUENCES; do attach "$1" test:$sequence odd "$E"; done
}

# Of each sequence on each CPU, the numbers from 0 on: how many are even?
even_emitted()
{
	awk '{ n += int(($4 + 1) / 2) } END { print n }' /proc/ltt-test-markers
}

fresh()
{
	! grep -q '^ltt_test_markers ' /proc/modules || rmmod ltt-test-markers
	load ltt-test-markers period_us=20
}

load_modules "$(fast_clock)"
cd "$TMP"
mount_bpf
pin odd
pin false
pin fault
pin stack
pin count

# ---- All in the buffers, and read ----

fresh
filtered_trace all 256K 0
put $DBG/traces/all/state start
lttd -o all all > lttd.said 2>&1 &
lttd=$!
wait_until 30 serves_all all
put /proc/ltt-test-markers "$EVENTS $SEQUENCES"
put $DBG/traces/all/state stop
assert_conserved all
assert_eq 'emitted is what the driver emitted' "$(driver_emitted)" "$(events_count all emitted)"
assert_eq 'nothing is lost' 0 "$(events_count all refused)"
assert_eq 'the even numbers are filtered' "$(even_emitted)" "$(events_count all filtered)"
assert_eq 'an interrupt does not find a program running' 0 "$(trace_total all unjudged)"
for sequence in $SEQUENCES; do
	assert_eq "$sequence: each event was judged" \
		"$(awk -v s=$sequence '$1 == s { n += $4 } END { print n }' /proc/ltt-test-markers)" \
		"$(event_count all test:$sequence runs)"
done
assert_eq 'the sum over the events is that of the channel' "$(events_count all filtered)" \
	"$(awk '$1 == "event" { n += $8 } END { print n }' $DBG/traces/all/filters)"
stored=$(events_count all stored)
put $DBG/traces/remove all
assert 'lttd drains' wait $lttd
babeltrace2 all > text 2> text.err
assert_eq 'babeltrace2 has nothing to say' '' "$(cat text.err)"
sed -n 's/.* test:[a-z]*: .* seq = \([0-9]*\).*/\1/p' text > numbers
assert_eq 'the trace has what was stored' "$stored" "$(wc -l < numbers)"
assert_eq 'and none of it is even' 0 "$(grep -c '[02468]$' numbers)"

# ---- Full buffers: an event is judged before it is refused ----

fresh
filtered_trace full 4K 0
put $DBG/traces/full/state start
put /proc/ltt-test-markers "$EVENTS $SEQUENCES"
put $DBG/traces/full/state stop
assert_conserved full
assert 'the buffers were full' [ "$(events_count full refused)" -gt 1000 ]
assert_eq 'full: emitted' "$(driver_emitted)" "$(events_count full emitted)"
assert_eq 'full: the even numbers are filtered all the same' "$(even_emitted)" "$(events_count full filtered)"
put $DBG/traces/remove full

fresh
filtered_trace over 4K 1
put $DBG/traces/over/state start
put /proc/ltt-test-markers "$EVENTS $SEQUENCES"
put $DBG/traces/over/state stop
assert_conserved over
assert 'the recorder overwrites' [ "$(events_count over overwritten)" -gt 1000 ]
assert_eq 'over: emitted' "$(driver_emitted)" "$(events_count over emitted)"
assert_eq 'over: the even numbers are filtered' "$(even_emitted)" "$(events_count over filtered)"
put $DBG/traces/remove over

# ---- Other ways to the buffer: long headers, contexts; and a program with a map ----

fresh
put $DBG/traces/create wide
at_exit "put $DBG/traces/remove wide 2> /dev/null || :"
put $DBG/traces/wide/events 'writeback:*'
put $DBG/traces/wide/events '!writeback:*'
put $DBG/traces/wide/filter "test:* $E"
put $DBG/traces/wide/context 'test:task pid'
put $DBG/traces/wide/context 'test:hardirq pid,uid,kernel_stack:4'
put $DBG/traces/wide/events 'test:*'
for sequence in task hardirq softirq; do attach wide test:$sequence odd "$E"; done
attach wide test:text count "$E"
put $DBG/traces/wide/state start
put /proc/ltt-test-markers "$((EVENTS / 4)) $SEQUENCES"
put $DBG/traces/wide/state stop
assert_conserved wide
assert_eq 'wide: emitted' "$(driver_emitted)" "$(events_count wide emitted)"
texts=$(awk '$1 == "text" { n += $4 } END { print n }' /proc/ltt-test-markers)
assert_eq 'the map has counted each event' "$texts" "$($PROGRAM sum $BPF/count-map)"
assert_eq 'and its program let none pass' "$texts" "$(event_count wide test:text filtered)"
assert_eq 'wide: the others are filtered' \
	"$(awk '$1 != "text" { n += int(($4 + 1) / 2) } END { print n }' /proc/ltt-test-markers)" \
	$(($(events_count wide filtered) - texts))
put $DBG/traces/remove wide

# ---- A lossless channel: no thread waits on behalf of an event that is dropped ----

load ltt-test-lossless
put $DBG/traces/create slow
at_exit "put $DBG/traces/remove slow 2> /dev/null || :"
put $DBG/traces/slow/channels/events/subbuf_size 4K
put $DBG/traces/slow/channels/events/subbuf_count 8
put $DBG/traces/slow/channels/events/lossless_ms 20
put $DBG/traces/slow/events 'lossless:*'
put $DBG/traces/slow/state start
put $DBG/traces/slow/filter 'lossless:[!i]* 0'
for event in task patient caller; do attach slow lossless:$event false 0; done
# Interrupts do not wait; on both CPUs they leave less room than threads wait for.
for cpu in 0 1; do taskset -c $cpu sh -c 'echo irq 4000 > /proc/ltt-test-lossless'; done
assert 'the buffers are full' [ "$(events_count slow refused)" -gt 0 ]
refused=$(events_count slow refused)
for what in task patient caller; do put /proc/ltt-test-lossless "$what 10"; done
assert_eq 'no thread waits for room that it does not need' 0 "$(events_count slow waits)"
assert_eq 'and none of these events is refused' "$refused" "$(events_count slow refused)"
assert_eq 'they are filtered' 30 "$(events_count slow filtered)"
put $DBG/traces/slow/filter '!lossless:[!i]*'
put /proc/ltt-test-lossless 'caller 1'
assert 'without a filter they wait' [ "$(events_count slow waits)" -gt 0 ]
put $DBG/traces/slow/state stop
assert_conserved slow
put $DBG/traces/remove slow

# ---- Programs that cause the very event that they judge ----

# "stack" lets an event pass if the run of another one wrote to its stack.
if grep -q . $DBG/markers/exceptions/page_fault_kernel/info 2> /dev/null; then
	for program in fault stack; do
		put $DBG/traces/create nested
		at_exit "put $DBG/traces/remove nested 2> /dev/null || :"
		put $DBG/traces/nested/filter 'exceptions:* 0'
		put $DBG/traces/nested/events exceptions:page_fault_kernel
		attach nested exceptions:page_fault_kernel $program 0
		put $DBG/traces/nested/state start
		for i in $(seq 20); do cat /proc/self/maps > /dev/null; done
		put $DBG/traces/nested/state stop
		assert_conserved nested
		unjudged=$(trace_total nested unjudged)
		assert "$program: there were $unjudged nested events" [ "$unjudged" -gt 0 ]
		assert_eq "$program: which are recorded, and no others" "$unjudged" "$(events_count nested stored)"
		assert "$program: the others were judged" [ "$(event_count nested exceptions:page_fault_kernel runs)" -gt 0 ]
		put $DBG/traces/remove nested
	done
fi
