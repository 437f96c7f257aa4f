#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a marker whose name is taken in debugfs is recorded all the same, and the log says so once
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
assert_match 'a tracepoint has a name: the marker is refused' \
	'sched:sched_switch is ignored: something that is no trace_mark\(\) has this name' \
	"$(dmesg | grep 'sched:sched_switch is ignored')"

group='no folder markers/wanted, for there is a file of that name'
marker='no folder markers/taken/enable, for there is a file of that name'
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

# What comes and goes has the folders looked at again; that is no news.
load ltt-sample
rmmod ltt-sample
gone() { ! test -d "$DBG/markers/sample"; }
wait_until 30 gone
assert_eq 'it is said once for a group' 1 "$(times_said "$group")"
assert_eq 'and for a marker' 1 "$(times_said "$marker")"
assert_eq 'the kernel says nothing of it' 0 "$(times_said 'already present')"
rmmod ltt-test-taken
gone() { ! test -d "$DBG/markers/taken"; }
wait_until 30 gone
assert 'the file is there still' test -f "$DBG/markers/wanted"

# The other way round: a driver has the name of a tracepoint.
unload_modules
for layer in timestamp relay markers; do load ltt-$layer; done
load ltt-test-taken
dmesg -C
load_modules
assert_match 'the tracepoint is left out' 'the event sched:sched_switch cannot be registered .error -17., so it is left out' \
	"$(dmesg | grep 'is left out')"
assert 'the others are there' test -d "$DBG/markers/sched/sched_wakeup"
assert 'and the marker' grep -q 'places 1' "$DBG/markers/sched/sched_switch/info"
