#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: the last events of a CPU that goes, and the first of one that comes, stop a trace and reach its readers, and a trace ends while the CPU is off
# when: all
# vm: --parallel --smp 2
# requires: lttctl taskset ltt-control.ko ltt-probes.ko /sys/kernel/tracing/available_filter_functions
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

load_modules "$(fast_clock)"
if grep -qx setup_local_APIC /sys/kernel/tracing/available_filter_functions; then
	# A CPU that comes emits this one before it takes interrupts.
	echo 0 > $cpu
	lttctl create -e function:setup_local_APIC t
	lttctl filter t function:setup_local_APIC '1; stop 1'
	lttctl start t
	echo 1 > $cpu
	assert 'a trace that an early event of a CPU stops is stopped' wait_until 5 is_stopped
	assert 'and destroyed' timeout 30 lttctl destroy t
fi

# So many events that sub-buffers become full after the last interrupt and before the first, too. The reader keeps room for
# them; a round in which it was too slow for that does not count.
taskset -cp 0 $$ > /dev/null
refused() { sed -n 's/^events 1 .* refused \([0-9]*\) .*/\1/p' $DBG/traces/t/stats; }
has_read() { [ "$(stat -c %s read)" -ge "$full" ]; }
round=0
good=0
while [ $round -lt 10 ] && [ $good -lt 2 ]; do
	round=$((round + 1))
	lttctl create --size 4k --count 1024 -e 'function:*' t
	lttctl start t
	cat $DBG/traces/t/events_1 > read &
	reader=$!
	echo 0 > $cpu
	full=$(sed -n 's/^events 1 .* bytes \([0-9]*\) .*/\1/p' $DBG/traces/t/stats)
	[ "$(refused)" != 0 ] || good=$((good + 1))
	wait_until 20 has_read || die "round $round: the reader has not all $full bytes while the CPU is off"
	echo 1 > $cpu
	lttctl stop t
	echo 0 > $cpu
	timeout 30 lttctl destroy t || die "round $round: the trace is not destroyed while the CPU is off"
	wait $reader
	echo 1 > $cpu
done
assert_eq 'readers get all, and traces end' 2 $good
