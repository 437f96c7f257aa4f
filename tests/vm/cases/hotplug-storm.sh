#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: CPUs go and come under a live trace: all counts stay right, and the buffers of a gone CPU can be read
# when: all
# vm: --parallel --smp 4
# requires: lttctl ltt-control.ko lttd
# faces: device
# also: debugfs
# timeout: 180
. "$LTT/tests/vm/lib.sh"

cpus=/sys/devices/system/cpu

online()
{
	for cpu in 1 2 3; do
		echo 1 > $cpus/cpu$cpu/online
	done
}

channel()	# trace, cpu, word: of the channel events
{
	awk -v cpu="$2" -v word="$3" '$1 == "events" && $2 == cpu {
		for (i = 3; i < NF; i += 2) if ($i == word) print $(i + 1) }' "$DBG/traces/$1/stats"
}

packets()	# file
{
	dd if="$1" of="$TMP/data" bs=64K iflag=nonblock 2> /dev/null || :
	stat -c %s "$TMP/data"
}

at_exit unload_modules
at_exit online
load_modules

# No reader until the CPU has gone, with a sub-buffer that is not full.
put $DBG/traces/create kept
at_exit "put $DBG/traces/remove kept 2> /dev/null || :"
put $DBG/traces/kept/events 'sched:* irq:*'
put $DBG/traces/kept/state start
some() { taskset -c 3 true; [ "$(channel kept 3 stored)" -gt 50 ]; }
assert 'a CPU has some events' wait_until 20 some
assert_eq 'in a sub-buffer that cannot be read yet' 0 "$(packets $DBG/traces/kept/events_3)"
echo 0 > $cpus/cpu3/online
stored=$(channel kept 3 stored)
assert 'it goes, and they can be read' [ "$(packets $DBG/traces/kept/events_3)" -gt 0 ]
echo 1 > $cpus/cpu3/online
more() { taskset -c 3 true; [ "$(channel kept 3 stored)" -gt $((stored + 20)) ]; }
assert 'it comes again, and its buffer goes on' wait_until 20 more
assert_eq 'it has one file' 1 "$(ls $DBG/traces/kept | grep -c '^events_3$')"
put $DBG/traces/kept/state stop
assert_conserved kept
put $DBG/traces/remove kept

# CPUs go and come while all is read, and while traces start, stop and end.
put $DBG/traces/create hot
at_exit "put $DBG/traces/remove hot 2> /dev/null || :"
put $DBG/traces/hot/channels/events/subbuf_size 64K
put $DBG/traces/hot/channels/events/subbuf_count 16
put $DBG/traces/hot/events 'sched:* irq:*'
put $DBG/traces/hot/heartbeat_ms 100
put $DBG/traces/hot/state start
lttd -o "$OUT/hot" hot > "$OUT/lttd" 2>&1 &
lttd=$!
: > "$TMP/storm"
while [ -e "$TMP/storm" ]; do
	put $DBG/traces/create brief
	put $DBG/traces/brief/events 'sched:sched_switch'
	put $DBG/traces/brief/state start
	put $DBG/traces/brief/state stop
	put $DBG/traces/remove brief
done &
storm=$!
at_exit "rm -f $TMP/storm; put $DBG/traces/remove brief 2> /dev/null || :"
for round in $(at_length 1 '1 2 3'); do
	for cpu in 1 2 3; do
		echo 0 > $cpus/cpu$cpu/online
	done
	true | cat
	for cpu in 3 1 2; do
		echo 1 > $cpus/cpu$cpu/online
		taskset -c $cpu true
	done
done
rm "$TMP/storm"
assert 'traces come and go meanwhile' wait $storm
put $DBG/traces/hot/state stop
assert_conserved hot
for cpu in 0 1 2 3; do
	assert "CPU $cpu has events" [ "$(channel hot $cpu stored)" -gt 0 ]
done
cp $DBG/traces/hot/stats "$OUT/stats"
put $DBG/traces/remove hot
assert 'lttd drains' wait $lttd
