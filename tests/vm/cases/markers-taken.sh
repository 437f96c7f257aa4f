#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a kernel event keeps its name when a marker has it too; a name taken in debugfs can be recorded
# vm: --loaded
# timeout: 150
# requires: lttctl lttd babeltrace2 ltt-control.ko ltt-tracepoints.ko ltt-test-taken.ko ltt-sample.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

# times_said WORDS: how often the log has them
times_said()
{
	dmesg | grep -cF "$1" || :
}
is_said() { [ "$(times_said "$1")" -gt 0 ]; }

load_modules
load ltt-test-taken
assert_match 'a marker with the name of a kernel event is ignored' 'ltt_test_taken\].* sched:sched_switch .*kernel' "$(dmesg)"

group='markers/wanted'
marker='markers/taken/enable'
wait_until 30 is_said "$group"
wait_until 30 is_said "$marker"
assert 'the file is a file' test -f "$DBG/markers/wanted"
assert 'so is the other' test -f "$DBG/markers/taken/enable"
assert 'its neighbour has a folder' test -f "$DBG/markers/taken/free/info"

assert 'they can be recorded' lttctl record -o "$TMP/out" -e 'wanted:*' -e 'taken:*' -- sh -c ': < /proc/ltt-test-taken'
assert_eq 'all three are' 'taken:enable: { cpu_id n = 2
taken:free: { cpu_id n = 3
wanted:of_taken_group: { cpu_id n = 1' \
	"$(babeltrace2 "$TMP/out" | sed -n 's/.*\(\(wanted\|taken\):[a-z_]*: { cpu_id\) = .*{ \(n = [0-9]*\) }.*/\1 \3/p' | sort)"

# A driver that comes and goes makes ltt-control look at the folders again: no second line.
load ltt-sample
rmmod ltt-sample
gone() { ! test -d "$DBG/markers/sample"; }
wait_until 30 gone
assert_eq 'the log has one line for a group' 1 "$(times_said "$group")"
assert_eq 'and for a marker' 1 "$(times_said "$marker")"
assert_eq 'the kernel says nothing of it' 0 "$(times_said 'already present')"
rmmod ltt-test-taken
gone() { ! test -d "$DBG/markers/taken"; }
wait_until 30 gone
assert 'the file is there still' test -f "$DBG/markers/wanted"

# The driver is first, and its marker is being recorded when the kernel events come.
event=$DBG/markers/sched/sched_switch
unload_modules
for layer in timestamp relay markers tracer probes heartbeat control; do load ltt-$layer; done
load ltt-test-taken
assert 'without kernel events the marker has the name' grep -q 'places 1' $event/info
put $DBG/traces/create early
put $DBG/traces/early/events 'sched:sched_switch'
put $DBG/traces/early/state start
: < /proc/ltt-test-taken
dmesg -C
load ltt-tracepoints
assert 'the kernel event takes the name' grep -q 'tracepoint sched_switch' $event/info
assert_match 'the marker is ignored' 'ltt_test_taken\].* sched:sched_switch .*kernel' "$(dmesg)"
refute 'no tracepoint is left out' sh -c 'dmesg | grep -q "is left out"'
: < /proc/ltt-test-taken
put $DBG/traces/early/state stop
assert_conserved early

rmmod ltt_tracepoints
assert 'the marker comes back when the kernel events go' grep -q 'places 1' $event/info
put $DBG/traces/early/state start
: < /proc/ltt-test-taken
put $DBG/traces/early/state stop
lttd -o "$TMP/early" early > /dev/null 2>&1 &
lttd=$!
wait_until 20 opened early "$TMP/early"
put $DBG/traces/remove early
wait $lttd
babeltrace2 "$TMP/early" > "$TMP/text"
assert_eq 'the marker was recorded while it had the name, and not meanwhile' 2 \
	"$(grep -c ' sched:sched_switch: { cpu_id = [0-9]* }, { tid = [0-9]* }, { n = 4 }' "$TMP/text")"
assert_eq 'as nothing else' 2 "$(grep -c ' sched:sched_switch: ' "$TMP/text")"
assert_match 'kernel events were recorded meanwhile' '^[1-9]' "$(grep -c ' sched_switch: .* next_prio = ' "$TMP/text")"
assert_eq 'none was decoded as the marker' 0 \
	"$(grep ' sched_switch: ' "$TMP/text" | grep -vc ' next_prio = ')"

load ltt-tracepoints
rmmod ltt-test-taken
assert 'the kernel event stays when the driver goes' grep -q 'tracepoint sched_switch' $event/info
