#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
# description: a CPU that was never up before gets its buffers and files when it comes, and none before
# vm: --parallel --append maxcpus=1
# faces: device
# also: debugfs
# requires: ltt-control.ko lttd
# timeout: 120
. "$LTT/tests/vm/lib.sh"

cpu1=/sys/devices/system/cpu/cpu1/online
[ "$(cat /sys/devices/system/cpu/online)" = 0 ] || skip 'there is more than one CPU up'
[ -e $cpu1 ] || skip 'there is no second CPU'

emitted()	# trace, cpu: on all channels
{
	awk -v cpu="$2" '$2 == cpu && $3 == "emitted" { n += $4 } END { print n + 0 }' "$DBG/traces/$1/stats"
}

at_exit unload_modules
at_exit "echo 0 > $cpu1"
load_modules
put $DBG/traces/create t
at_exit "put $DBG/traces/remove t 2> /dev/null || :"
put $DBG/traces/t/events 'sched:* irq:* raw_syscalls:*'
put $DBG/traces/t/heartbeat_ms 50
put $DBG/traces/t/state start
lttd -o "$OUT/t" t > "$OUT/lttd" 2>&1 &
lttd=$!
assert_eq 'only the first CPU has files' 'events_0 state_0 ' "$(ls $DBG/traces/t | grep '_[0-9]*$' | tr '\n' ' ')"
assert_eq 'and statistics' '' "$(awk '$2 == 1 && $3 == "emitted"' $DBG/traces/t/stats)"

# A flight recorder has nothing of it, and says nothing of it.
put $DBG/traces/create flight
at_exit "put $DBG/traces/remove flight 2> /dev/null || :"
put $DBG/traces/flight/channels/events/overwrite 1
put $DBG/traces/flight/events 'raw_syscalls:*'
put $DBG/traces/flight/state start
put $DBG/traces/flight/snapshot 1
assert 'a snapshot is of the CPU that is there' \
	[ "$(dd if=$DBG/traces/flight/events_0 iflag=nonblock bs=1M count=1 2> /dev/null | wc -c)" -gt 0 ]
put $DBG/traces/remove flight

echo 1 > $cpu1
assert 'its data files come' wait_until 20 [ -e $DBG/traces/t/events_1 -a -e $DBG/traces/t/state_1 ]
taskset -c 1 ls / > /dev/null
assert 'it has events' [ "$(emitted t 1)" -gt 0 ]
assert 'lttd has them' wait_until 20 test -s "$OUT/t/kernel/events_1"

# A trace that was made before, and starts only now.
put $DBG/traces/create late
at_exit "put $DBG/traces/remove late 2> /dev/null || :"
put $DBG/traces/late/state start
assert 'a trace that starts now has both' [ -e $DBG/traces/late/events_1 ]
put $DBG/traces/remove late

put $DBG/traces/t/state stop
assert_conserved t
cp $DBG/traces/t/stats "$OUT/stats"
put $DBG/traces/remove t
assert 'lttd drains' wait $lttd
mv "$OUT/t" "$OUT/hot"
