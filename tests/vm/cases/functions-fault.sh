#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: when ftrace has found a fault in itself, and cannot stop its calls any more, the probe of function: and its module stay, and nothing else does
# requires: lttctl ltt-control.ko ltt-probes.ko ltt-test-functions.ko /sys/kernel/tracing/available_filter_functions
# timeout: 60
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-exact.sh"

# The files of LTT go with ltt-control.
CALL=/sys/kernel/debug/ltt-test-functions

load_modules
load ltt-test-functions
cd "$TMP"
put $DBG/probes 'function:inner ltt_test_inner'
put $DBG/probes 'function:outer ltt_test_outer'
for name in inner outer; do
	put $DBG/traces/create $name
	put $DBG/traces/$name/events function:$name
done
put $DBG/traces/inner/state start
put $CALL 'task 10'
put $CALL 'fault 0'
put $CALL 'task 10'
assert_eq 'calls go on when ftrace is out of order' 20 "$(events_count inner emitted)"
refute 'no other probe is armed' put $DBG/traces/outer/state start 2> /dev/null
refute 'and none is placed' put $DBG/probes 'function:new ltt_test_outer' 2> /dev/null
put $DBG/traces/inner/state stop
for name in inner outer; do
	put $DBG/traces/remove $name
	put $DBG/probes "!function:$name"
done
assert_eq 'the probes are gone for users' '' "$(cat $DBG/probes)"
dmesg > log
assert_eq 'the kernel log names the probe that is called for ever, and no other' 'function:inner: ftrace is out of order' \
	"$(grep -o 'function:.*: ftrace is out of order' log)"
# Memory that had been freed would have other contents soon.
for i in 1 2 3; do put $CALL "task 100"; ls -lR $DBG > /dev/null; done
rmmod ltt-control
rmmod ltt-heartbeat
refute 'the module that is still called cannot go' rmmod ltt-probes 2> /dev/null
put $CALL 'task 100'
