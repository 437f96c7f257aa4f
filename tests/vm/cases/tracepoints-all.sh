#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: all events of the kernel at once, connected and disconnected under load: no payload is wrong, nothing breaks
# vm: --smp 2
# timeout: 180
# requires: ltt-markers.ko ltt-tracepoints.ko ltt-test-sink.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

load ltt-markers
load ltt-tracepoints
load ltt-test-sink
mark_log
# The host compares the two (tracepoints-all.host).
awk '$2 == "there" { print $1 }' $SINK > "$OUT/ours"
cat /sys/kernel/tracing/available_events > "$OUT/kernel"
for group in sched irq timer raw_syscalls signal task block net power skb tcp filemap; do
	assert "there are events of $group" grep -q "^$group:" $SINK
done

work()
{
	ip link set lo up
	bash -c 'echo text > /dev/udp/127.0.0.1/9; : < /dev/tcp/127.0.0.1/9' 2> /dev/null || true
	dd if=/dev/zero of="$TMP/file" bs=1M count=8 2> /dev/null
	find /proc/self -type f > /dev/null 2>&1
	rm "$TMP/file"
}

for _ in 1 2; do
	put $SINK '+*'
	work
	work &
	put $SINK '-*'
	wait
done
assert_eq 'no payload was wrong' '' "$(awk '/ bad / && !/ bad 0 /' $SINK)"
assert_eq 'all could be connected' '' "$(said 'ltt-test-sink: ')"
received=$(awk '/ calls / && !/ calls 0 /' $SINK | wc -l)
echo "$received events were received"
assert 'many kinds were received' [ "$received" -gt 80 ]
