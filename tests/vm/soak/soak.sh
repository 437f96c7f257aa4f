#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: everything at once, for minutes: each event of the traces that stay is accounted for, and nothing is left of the rest
# requires: lttctl lttd ltt-control.ko ltt-sample.ko ltt-test-markers.ko flock
# vm: --smp 4
# timeout: 1200
#
# Tasks and interrupts that nest emit events to a buffer that overflows, to a flight recorder and
# to a buffer that is read. Meanwhile storms kill and start lttd, kill holders of control
# connections, load and unload drivers, make, start, stop and remove traces, switch events off and
# on, and unplug and plug CPUs. The case runs for $LTT_MINUTES (default 2).
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-exact.sh"

cpus=/sys/devices/system/cpu

# The driver's threads each stay on their CPU: none goes while they run.
with_cpus()
{
	( flock 9; "$@" ) 9> "$TMP/cpus"
}

# Each of these is one turn of a storm.
emit()
{
	with_cpus put /proc/ltt-test-markers "500 $SEQUENCES"
}

# Killed when it has written something, the last one excepted.
kill_lttd()
{
	lttd -o "$OUT/exact" exact >> "$OUT/lttd" 2>&1 &
	lttd=$!
	sleep 1
	kill -9 $lttd && ! wait $lttd
}

load_and_unload()
{
	load ltt-sample
	put /dev/ltt-sample 20
	rmmod ltt-sample
}

make_and_remove()
{
	put $DBG/traces/create brief && put $DBG/traces/brief/events 'sched:* sample:*' &&
		put $DBG/traces/brief/state start && put $DBG/traces/brief/state stop &&
		put $DBG/traces/remove brief
}

toggle()
{
	put $DBG/traces/flicker/events '!test:*' && put $DBG/traces/flicker/events 'test:*'
}

snapshot()
{
	put $DBG/traces/flicker/snapshot 1 && dd if=$DBG/traces/flicker/events_0 of=/dev/null \
		bs=64K count=4 iflag=nonblock 2> /dev/null || :
}

kill_connections()
{
	"$LTT/build/tests/device-killed" 3 > /dev/null
}

off_and_on()
{
	echo 0 > $cpus/cpu$1/online && echo 1 > $cpus/cpu$1/online
}

replug()
{
	with_cpus off_and_on 3 && with_cpus off_and_on 2
}

storms='emit kill_lttd load_and_unload make_and_remove toggle snapshot kill_connections replug'

load_modules clock=tsc
load ltt-test-markers period_us=50
begin exact 16K 4 0
begin overwrite 4K 4 1
begin flicker 4K 4 1
# Allocate now what is never freed.
for storm in $storms; do
	assert "$storm goes by itself" $storm
done
memory=$(kernel_memory)

: > "$TMP/storm"
at_exit "rm -f $TMP/storm; wait"
for storm in $storms; do
	while_stormy $storm &
	eval "$storm=$!"
done
sleep $((${LTT_MINUTES:-2} * 60))
rm "$TMP/storm"
for storm in $storms; do
	eval "pid=\$$storm"
	assert "$storm went well" wait "$pid"
	turns=$(wc -l < "$TMP/$storm.count")
	assert "$storm: $turns turns" [ "$turns" -ge 3 ]
done

for trace in exact overwrite flicker; do
	put $DBG/traces/$trace/state stop
	assert_conserved $trace
done
assert_eq 'exact: emitted' "$(driver_emitted)" "$(events_count exact emitted)"
assert_eq 'overwrite: emitted' "$(driver_emitted)" "$(events_count overwrite emitted)"
put $DBG/traces/remove flicker
hand_over exact exact
hand_over overwrite overwrite
assert_memory_kept "$memory" 4096
rmmod ltt-test-markers
assert 'everything can be unloaded' unload_modules
