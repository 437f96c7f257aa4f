#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: filters change while a trace runs, hold for modules that come later, survive a module that is loaded again, and end with their trace or its owner, whatever goes first
# vm: --parallel --smp 2 --loaded
# requires: lttctl ltt-control.ko ltt-test-markers.ko ltt-sample.ko
# timeout: 240
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-exact.sh"
. "$LTT/tests/vm/lib-filters.sh"

E='seq & 1'

load_modules
cd "$TMP"
mount_bpf
others=$($PROGRAM loaded)
pin odd
pin false
pin true
pinned=$($PROGRAM loaded)
loaded() { [ "$($PROGRAM loaded)" = "$1" ]; }

# ---- Change while events happen ----

load ltt-test-markers period_us=20
begin t 256K 8 1
( while :; do put /proc/ltt-test-markers "300 $SEQUENCES"; done ) 2> /dev/null &
storm=$!
at_exit "kill $storm 2> /dev/null || :"
for i in $(at_length 1 '1 2 3'); do
	put $DBG/traces/t/filter "test:* $E"
	for sequence in $SEQUENCES; do attach t test:$sequence odd "$E"; done
	attach t test:task false "$E"			# in place of the one that runs
	put $DBG/traces/t/filter 'test:soft* 1'
	attach t test:softirq true 1
	put $DBG/traces/t/events '!test:hardirq'
	put $DBG/traces/t/events 'test:hardirq'
	assert_match "$i: an event that was disabled keeps its program" ' program ' "$(filters t 'event test:hardirq')"
	assert_match "$i: the last pattern that matches decides" 'test:softirq program' "$(filters t 'event test:softirq')"
	put $DBG/traces/t/filter '!test:soft*'
	assert_match "$i: without it, the one before" "test:softirq waiting $E" "$(filters t 'event test:softirq')"
	put $DBG/traces/t/filter '!test:*'
	assert_eq "$i: no filter is left" '' "$(filters t)"
done
kill $storm
wait $storm 2> /dev/null || :
wait_until 20 put /proc/ltt-test-markers '1 task'
put $DBG/traces/t/state stop
assert_conserved t
assert 'events were filtered' [ "$(events_count t filtered)" -gt 0 ]
assert 'and others stored' [ "$(events_count t stored)" -gt 0 ]

# ---- A module that is loaded later, and again ----

rmmod ltt-test-markers
put $DBG/traces/create later
at_exit "put $DBG/traces/remove later 2> /dev/null || :"
put $DBG/traces/later/filter "test:task $E"
put $DBG/traces/later/events test:task
put $DBG/traces/later/state start
assert_eq 'the pattern is there, the event is not' "pattern test:task $E" "$(filters later)"
load ltt-test-markers
assert_match 'when its module comes, the event waits' waiting "$(filters later event)"
put /proc/ltt-test-markers '10 task'
assert_eq 'what happens meanwhile is not recorded' 0 "$(events_count later emitted)"
attach later test:task odd "$E"
put /proc/ltt-test-markers '10 task'
assert_eq 'then it is' 20 "$(events_count later emitted)"
rmmod ltt-test-markers
assert_eq 'the event goes with its module' '' "$(filters later event)"
load ltt-test-markers
assert_match 'and when this comes again, with its program' program "$(filters later event)"
put /proc/ltt-test-markers '10 task'
assert_eq 'which judges on' '20 20' "$(events_count later filtered) $(events_count later stored)"

# Another event takes the place of one whose contexts change.
put $DBG/traces/later/context 'test:task pid,uid'
assert_match 'it takes the program along' program "$(filters later event)"
put $DBG/traces/later/context 'test:task default'
assert_match 'and back' program "$(filters later event)"
assert_eq 'no event was lost of that' 40 "$(events_count later emitted)"

# Two traces, one of them with a filter.
put $DBG/traces/create other
at_exit "put $DBG/traces/remove other 2> /dev/null || :"
put $DBG/traces/other/events test:task
put $DBG/traces/other/state start
put /proc/ltt-test-markers '10 task'
assert_eq 'another trace has no filter' '20 0' \
	"$(events_count other stored) $(events_count other filtered)"
assert_eq 'and takes nothing from the first' 60 "$(events_count later emitted)"
put $DBG/traces/remove other

# The names of threads need all events of the state channel.
put $DBG/traces/later/filter 'sched:* 0'
assert_eq 'the state channel has no filter' '' "$(filters later 'event sched:')"

# ---- Who goes first ----

refute 'a program keeps the tracer, which holds it' rmmod ltt-tracer 2> /dev/null
put $DBG/traces/remove later
rmmod ltt-test-markers
assert 'the trace that is gone has given its programs back' wait_until 20 loaded "$pinned"

# The owner of a private trace is killed while its filter runs.
load ltt-test-markers period_us=20
for i in 1 2; do
	rm -f commands
	mkfifo commands
	lttctl stream < commands > replies &
	owner=$!
	exec 5> commands
	printf '%s\n' 'create p' "filter p test:* '$E'" 'enable p test:*' 'start p' \
		"filter-attach p test:hardirq $(layout_of test:hardirq) $BPF/odd '$E'" \
		"filter-attach p test:task $(layout_of test:task) $BPF/odd '$E'" 'filters p' >&5
	wait_until 30 grep -q 'test:task program' replies
	put /proc/ltt-test-markers "3000 task hardirq" &
	emitter=$!
	kill -9 $owner
	wait $owner 2> /dev/null || :
	exec 5>&-
	wait $emitter
done
no_sinks() { ! grep -q '^sinks [1-9]' $DBG/markers/test/*/info; }
assert 'nothing of it is left' wait_until 20 no_sinks
rm $BPF/odd $BPF/true $BPF/false
assert 'no program is left' wait_until 20 loaded "$others"
rmmod ltt-test-markers
put $DBG/traces/remove t
assert 'all can be unloaded' unload_modules
