#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: function_graph:GLOB records each call and each return with its duration, and names what a kernel lacks
# vm: --loaded
# requires: lttctl lttd babeltrace2 ltt-control.ko ltt-probes.ko ltt-test-functions.ko /sys/kernel/tracing/available_filter_functions
# timeout: 150
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-markers.sh"

CALL=$DBG/../ltt-test-functions

load_modules
load ltt-test-functions
cd "$TMP"

refused()	# status, word, event
{
	status=0
	said=$(lttctl record -o no -e "$3" -- true 2>&1) || status=$?
	assert_eq "$3 is rejected" "$1" "$status"
	assert_match "$3: the sentence" "$2" "$said"
}

# register_fprobe() is for modules from 6.6 on; 6.1 of Debian has no fprobes at all.
if ! grep -q ' register_fprobe$' /proc/kallsyms; then
	refused 125 'no fprobes' 'function_graph:vfs_*'
	assert_errno EOPNOTSUPP put $DBG/probes 'function_graph:x vfs_*'
	assert_eq 'what is rejected leaves nothing' '' "$(cat $DBG/probes)"
	rmmod ltt-test-functions
	assert 'everything can be unloaded' unload_modules
	exit
fi

lttctl record --strict -o out -e 'function_graph:ltt_test_*' -- sh -c "echo task 300 > $CALL; echo irq 200 > $CALL"
lttctl view out | grep ' function_graph:ltt_test__: ' > text
for name in inner outer; do
	for at in entry exit; do
		assert_eq "$at of $name" 500 "$(grep -c "at=$at, function=ltt_test_$name+0x" text)"
	done
done
# Four events for each call of the outer function, in this order, each on its CPU.
assert_eq 'calls are nested' 500 "$(sed 's/.*\[\([0-9]*\)\].*at=\([a-z]*\), function=ltt_test_\([a-z]*\)+.*/\1 \2 \3/' text |
	awk '{ seen[$1] = seen[$1] " " $2 " " $3 }
		seen[$1] == " entry outer entry inner exit inner exit outer" { n++; seen[$1] = "" }
		END { print n }')"
# Durations of the inner function are part of those of the outer one.
assert_eq 'durations are those of the calls' 0 "$(sed 's/.*\[\([0-9]*\)\].*at=exit, function=ltt_test_\([a-z]*\)+.* duration=\([0-9]*\).*/\1 \2 \3/; t; d' text |
	awk '$2 == "inner" { inner[$1] = $3 } $2 == "outer" && ($3 < inner[$1] || $3 > 1000000000) { n++ } END { print n + 0 }')"

# A call that lasts: its duration is that of the sleep.
lttctl record -o sleep -e 'function_graph:hrtimer_nanosleep' -- sleep 0.2
lttctl view sleep | sed -n 's/.*at=exit.*duration=\([0-9]*\).*/\1/p' > durations
assert 'the duration of a sleep is recorded' awk '$1 >= 200000000 { found = 1 } END { exit !found }' durations

refused 125 'can be traced' 'function_graph:no_such_function_at_*'
refused 2 column 'function_graph:!vfs_*'
for line in 'function_graph:x' 'function_graph:x vfs_* f=u8:arg1' 'function_graph:x !vfs_*'; do
	refute "rejected: $line" put $DBG/probes "$line" 2> /dev/null
done
assert_eq 'what is rejected leaves nothing' '' "$(cat $DBG/probes)"

# Armed again and again, while calls are on their way: other contexts are another connection.
lttctl create -e 'function_graph:vfs_*' again
lttctl start again
: > "$TMP/storm"
while_stormy ls /proc > /dev/null &
load=$!
for n in $(seq "$(at_length 10 100)"); do
	put $DBG/traces/again/context 'function_graph:* pid'
	put $DBG/traces/again/context 'function_graph:* none'
done
rm "$TMP/storm"
assert 'the load goes on' wait $load
assert 'and is recorded' [ "$(trace_total again stored)" -gt 0 ]
lttctl stop again
lttctl destroy again

# It is left while a thread is in the function.
lttctl create -e 'function_graph:hrtimer_nanosleep' t
lttctl start t
sleep 1 &
lttctl stop t
lttctl destroy t
rmmod ltt-test-functions
assert 'everything can be unloaded' unload_modules
wait
