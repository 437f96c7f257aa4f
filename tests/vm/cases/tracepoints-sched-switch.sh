#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
# description: ltt-tracepoints works without ltt-tracer: a sink gets every context switch that the kernel counts
# vm: --smp 2
# timeout: 120
# requires: ltt-markers.ko ltt-tracepoints.ko ltt-test-sink.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

load ltt-markers
load ltt-tracepoints
load ltt-test-sink
refute 'ltt-tracer is not loaded' [ -e /sys/module/ltt_tracer ]
assert_eq 'the event is known' there "$(state sched:sched_switch)"

put $SINK '+sched:sched_switch'
switches()
{
	awk '$1 == "ctxt" { print $2 }' /proc/stat
}

# The kernel's count, read inside and outside the time of ours, bounds it.
kernel_1=$(switches)
ours_1=$(tap sched:sched_switch calls)
kernel_2=$(switches)
for _ in 1 2 3 4 5 6 7 8; do
	dd if=/dev/zero bs=64k count=200 2> "$TMP/dd" | cat > /dev/null
done
kernel_3=$(switches)
ours_2=$(tap sched:sched_switch calls)
kernel_4=$(switches)

ours=$((ours_2 - ours_1))
echo "$ours events, the kernel counted between $((kernel_3 - kernel_2)) and $((kernel_4 - kernel_1))"
assert 'there were many' [ $ours -gt 100 ]
assert 'none is missing' [ $ours -ge $((kernel_3 - kernel_2)) ]
assert 'none is doubled' [ $ours -le $((kernel_4 - kernel_1)) ]
assert_eq 'no payload was wrong' 0 "$(tap sched:sched_switch bad)"
assert_match 'the place is shown' 'tracepoint sched_switch \[kernel\]' "$(cat $SINK)"
assert_match 'the event that stopped the reader names it' "'cat|'awk|'sed|'swapper|'kworker|'rcu|'ksoftirqd" \
	"$(last sched:sched_switch)"

assert_match 'the module stays while an event is in use' 'is in use' "$(rmmod ltt-tracepoints 2>&1)"
put $SINK '-sched:sched_switch'
stopped=$(tap sched:sched_switch calls)
dd if=/dev/zero bs=64k count=50 2> "$TMP/dd" | cat > /dev/null
assert_eq 'nothing comes after disconnecting' "$stopped" "$(tap sched:sched_switch calls)"
assert 'then it can go, the sink still there' rmmod ltt-tracepoints
assert_eq 'and its events with it' gone "$(state sched:sched_switch)"
