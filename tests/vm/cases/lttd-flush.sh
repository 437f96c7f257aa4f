#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: slow events reach the disk within a second or so, by a flush, whose cost is bounded
# vm: --parallel --loaded
# faces: device
# also: debugfs
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko ltt-test-markers.ko
# timeout: 180
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-exact.sh"

load_modules
load ltt-test-markers
cd "$TMP"

on_disk() { decode out text && [ "$(grep -c ' test:' text)" = $(($(driver_emitted) - earlier)) ]; }
earlier=0
bytes() { stat -c %s out/kernel/events_* | awk '{ n += $1 } END { print n }'; }

# ---- The timer of lttd ----

begin t 1M 4 0
lttd -o out t > said 2>&1 &
lttd=$!
assert 'lttd serves the trace' wait_until 20 serves_all t
rounds=$(at_length '1 2' '1 2 3')
for round in $rounds; do
	put /proc/ltt-test-markers "2 $SEQUENCES"
	assert "round $round: the events are on disk" wait_until 10 on_disk
done
# A packet with some events takes a page, not a sub-buffer: one of each CPU in each round.
assert "the files have $(bytes) bytes" [ "$(bytes)" -le $(($(echo $rounds | wc -w) * 4096 * $(nproc) * 2)) ]

# The list of tasks makes the flush of the next second visible; other buffers stay empty.
before=$(bytes)
for round in 1 2; do
	written=$(stat -c %s out/kernel/state_0 out/kernel/state_1 | awk '{ n += $1 } END { print n }')
	names() { [ "$(stat -c %s out/kernel/state_0 out/kernel/state_1 | awk '{ n += $1 } END { print n }')" -gt "$written" ]; }
	put "$DBG/traces/t/tasks" 1
	assert "round $round: the names are on disk" wait_until 10 names
done
assert_eq 'nothing is written for empty buffers' "$before" "$(bytes)"

put /proc/ltt-test-markers "2 $SEQUENCES"
assert 'the last events are on disk' wait_until 10 on_disk
kill -9 $lttd
wait $lttd || :
assert 'they stay when lttd is killed' on_disk
put "$DBG/traces/remove" t
rm -r out
earlier=$(driver_emitted)

# ---- The operation ----

begin t 64K 8 0
lttd --flush 0 -o out t > said 2>&1 &
lttd=$!
assert 'lttd serves the trace' wait_until 20 serves_all t
put /proc/ltt-test-markers "2 $SEQUENCES"
put "$DBG/traces/t/flush" 1
assert 'a flush brings the events to disk' wait_until 10 on_disk
put "$DBG/traces/create" fresh
assert 'a trace that has not been started has nothing to flush' put "$DBG/traces/fresh/flush" 1
put "$DBG/traces/remove" fresh
if [ "$LTT_VIA" = debugfs ]; then
	assert_errno EINVAL put "$DBG/traces/t/flush" 2
fi

# A client that asks again and again gets a hundred flushes a second.
flushes=50
flush_often()
{
	if [ "$LTT_VIA" = debugfs ]; then
		python3 -c 'import os, sys
fd = os.open(sys.argv[1], os.O_WRONLY)
for n in range(int(sys.argv[2])):
    os.write(fd, b"1")' "$DBG/traces/t/flush" $flushes
	else
		yes 'flush t' | head -n $flushes | lttctl stream --share > stream.said
	fi
}
began=$(date +%s%N)
flush_often
took=$((($(date +%s%N) - began) / 1000000))
assert "$flushes flushes take $took ms" [ $took -ge $(((flushes - 1) * 10)) ]
put "$DBG/traces/t/state" stop
put "$DBG/traces/remove" t
assert 'lttd ends with the trace' wait $lttd
assert 'every event is on disk' on_disk
assert_sequential out
rmmod ltt-test-markers
unload_modules
