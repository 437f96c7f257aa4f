#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: connecting, disconnecting, loading and unloading while markers fire
# vm: --parallel
# when: all
# timeout: 90
# requires: ltt-markers.ko ltt-test-sink.ko ltt-test-markers.ko ltt-test-twin-a.ko ltt-test-twin-b.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

load ltt-test-markers period_us=100
load ltt-markers
load ltt-test-sink

# tests/vm/hangs has this for minutes.
seconds=${TOGGLE_SECONDS:-$(at_length 2 10)}
# In batches: when a thread of the driver has sent its events, it waits for its timers, without sleep that
# can be interrupted, and the kernel takes two minutes of that for a hang.
while echo 20000 > /proc/ltt-test-markers && echo '500000 task' > /proc/ltt-test-markers; do :; done 2> /dev/null &
storm=$!
round()
{
	put $SINK '+*'
	load ltt-test-twin-a
	load ltt-test-twin-b
	put $SINK '+test:*'
	rmmod ltt-test-twin-a
	put $SINK '-*'
	put $SINK '-test:*'
	rmmod ltt-test-twin-b
}

rounds=0
enough()
{
	round
	rounds=$((rounds + 1))
	[ "$(date +%s)" -ge "$end" ]
}

end=$(($(date +%s) + seconds))
assert "toggling goes on for $seconds seconds" wait_until $((seconds + 50)) enough
echo "figure: toggle: $rounds rounds in $seconds s"
refute 'ltt-markers stays while it is in use' rmmod ltt-markers
put $SINK '+*'
refute 'a sink keeps it in use' rmmod ltt-markers
rmmod ltt-test-sink
rmmod ltt-markers
load ltt-markers
load ltt-test-sink
put $SINK '+*'
kill $storm
wait $storm || true

# Some events are between two runs of the sink; from here on nothing is lost.
put /proc/ltt-test-markers 1
for stream in task softirq hardirq; do
	first=$(tap test:$stream calls)
	missing=$(tap test:$stream missing)
	put /proc/ltt-test-markers "1000 $stream"
	assert_eq "test:$stream: all come" 2000 $(($(tap test:$stream calls) - first))
	assert_eq "test:$stream: none is skipped" "$missing" "$(tap test:$stream missing)"
	assert_eq "test:$stream: none was wrong" 0 "$(tap test:$stream bad)"
	assert_eq "test:$stream: each event that was evaluated was received or is known to be missing" \
		"$(awk -v stream=$stream '$1 == stream { n += $4 } END { print n }' /proc/ltt-test-markers)" \
		$(($(tap test:$stream calls) + $(tap test:$stream missing)))
done
