#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: the last events of a CPU that goes stop a trace and wake readers while it is off, and the trace ends then
# when: all
# vm: --parallel --smp 2
# requires: lttctl ltt-control.ko ltt-probes.ko /sys/kernel/tracing/available_filter_functions
# timeout: 240
. "$LTT/tests/vm/lib-record.sh"

cpu=/sys/devices/system/cpu/cpu1/online
at_exit 'echo 1 > $cpu'
load_modules "$(fast_clock)"
cd "$TMP"
at_exit 'lttctl destroy t 2> /dev/null || :'
is_stopped() { [ "$(cat $DBG/traces/t/state)" = stopped ]; }

# This function runs on the CPU after its last interrupt.
lttctl create -e function:sched_cpu_dying t
lttctl filter t function:sched_cpu_dying '1; stop 1'
lttctl start t
echo 0 > $cpu
assert 'a trace that such an event stops is stopped while the CPU is off' wait_until 5 is_stopped
assert_match 'the event has stopped it' '^triggered function:sched_cpu_dying' "$(cat $DBG/traces/t/stats)"
assert 'it is destroyed' timeout 30 lttctl destroy t
assert 'and modules are unloaded' timeout 30 "$LTT/tests/vm/ltt-load" --unload
echo 1 > $cpu

# So many events that sub-buffers become full after the last interrupt, too
load_modules "$(fast_clock)"
round=0
while [ $round -lt 5 ]; do
	round=$((round + 1))
	lttctl create --size 4k --count 512 -e 'function:*' t
	lttctl start t
	echo 0 > $cpu
	lttctl stop t
	timeout 30 lttctl destroy t || die "round $round: the trace is not destroyed while the CPU is off"
	echo 1 > $cpu
done
assert_eq 'traces whose sub-buffers become full so late end while the CPU is off' 5 $round
