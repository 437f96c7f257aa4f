#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: readers are woken while a real-time thread keeps the writer's CPU busy, and a trace ends while a CPU is off
# when: all
# vm: --parallel --smp 2
# requires: ltt-control.ko ltt-syscalls.ko chrt taskset
# timeout: 120
. "$LTT/tests/vm/lib.sh"

cpu=/sys/devices/system/cpu/cpu1/online
throttle=/proc/sys/kernel/sched_rt_runtime_us
events=$DBG/traces/busy/events_1

begin()
{
	put $DBG/traces/create busy
	put $DBG/traces/busy/channels/events/subbuf_size 4K
	put $DBG/traces/busy/channels/events/subbuf_count 8
	put $DBG/traces/busy/events 'syscall:*'
	put $DBG/traces/busy/state start
}

# COMMAND...: with a call that makes an event for each byte, on CPU 1
busily()
{
	exec "$@" taskset -c 1 dd if=/dev/zero of=/dev/null bs=1 status=none
}

at_exit unload_modules
taskset -cp 0 $$ > /dev/null
at_exit 'echo 1 > $cpu'
at_exit 'put $DBG/traces/remove busy 2> /dev/null || :'
load_modules

# The reader has read all that there was, and waits, when the thread begins.  Its priority is above that of the kernel's threads for
# timers and the like, and below that of the threads of interrupts (50).
begin
cat "$events" > "$TMP/read" &
reader=$!
size() { stat -c %s "$TMP/read"; }
sleeps() { [ "$(cut -d' ' -f3 /proc/$reader/stat)" = S ]; }
assert 'a reader waits' wait_until 5 sleeps
before=$(size)
runtime=$(cat $throttle)
at_exit 'echo $runtime > $throttle'
echo -1 > $throttle
busily chrt -f 10 &
hog=$!
at_exit 'kill $hog 2> /dev/null || :'
is_busy() { [ "$(size)" -gt 65536 ]; }
is_woken() { [ "$(size)" -gt $((before + 65536)) ]; }
assert 'it reads while a real-time thread keeps the CPU busy' wait_until 5 is_woken
kill $hog
wait $hog 2> /dev/null || :
echo "$runtime" > $throttle
put $DBG/traces/remove busy
wait $reader

# The last events of a CPU come while it goes.
round=0
busy=
at_exit 'kill $busy 2> /dev/null || :'
while [ $round -lt 20 ]; do
	round=$((round + 1))
	begin
	: > "$TMP/read"
	busily &
	busy=$!
	cat "$events" > "$TMP/read" &
	reader=$!
	wait_until 5 is_busy || die "a reader got too little in round $round"
	echo 0 > $cpu
	put $DBG/traces/busy/state stop
	put $DBG/traces/remove busy
	wait $reader
	kill $busy
	wait $busy 2> /dev/null || :
	echo 1 > $cpu
done
assert_eq 'traces end while the CPU is off' 20 $round
