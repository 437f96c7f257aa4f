#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: connections whose holders are killed at random moments leave nothing, and another trace whole
# vm: --smp 1 --slub-debug
# requires: ltt-control.ko ltt-test-markers.ko
# timeout: 300
#
# One CPU: the emulator can go on with a breakpoint that another CPU has taken out of
# code that both run, for ever; hundreds of traces a minute put thousands into it.
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-exact.sh"

ROUNDS=$(at_length 30 200)

load_modules
load ltt-test-markers
begin steady 64K 4 1
users=$(cat /sys/module/ltt_control/refcnt)
"$LTT/build/tests/device-killed" 20	# allocate what is never freed
memory=$(kernel_memory)

: > "$TMP/storm"
at_exit "rm -f $TMP/storm; wait"
while [ -e "$TMP/storm" ]; do put /proc/ltt-test-markers '200 task text'; done &
storm=$!
assert "$ROUNDS connections are killed" "$LTT/build/tests/device-killed" $ROUNDS
rm "$TMP/storm"
wait $storm

put $DBG/traces/steady/state stop
assert_conserved steady
assert_eq 'the other trace has every event' "$(driver_emitted)" "$(events_count steady emitted)"
assert_eq 'none of them was refused' 0 "$(events_count steady refused)"
assert_eq 'no trace is left' '/sys/kernel/debug/ltt/traces/steady/' "$(echo $DBG/traces/*/)"
assert_eq 'that trace is the only user of ltt-control' "$users" "$(cat /sys/module/ltt_control/refcnt)"
assert_match 'no sink is left' '^sinks 0$' "$(grep sinks $DBG/markers/test/task/info)"
assert_memory_kept "$memory" 2048
put $DBG/traces/remove steady
rmmod ltt-test-markers
assert 'everything can be unloaded' unload_modules
