#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: while a real-time thread has an isolated CPU for itself, modules load, and traces with counters and samples come and go
# when: all
# vm: --parallel --smp 2 --append nohz_full=1
# requires: lttctl ltt-control.ko ltt-probes.ko chrt taskset
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"

throttle=/proc/sys/kernel/sched_rt_runtime_us
parameters=/sys/module/ltt_heartbeat/parameters
cd "$TMP"

# The timers of the deadman that are armed, one for each CPU that it watches
timers()
{
	grep -c '\[ltt_heartbeat\]' /proc/timer_list || :
}
timers_are() { [ "$(timers)" = "$1" ]; }

taskset -cp 0 $$ > /dev/null
runtime=$(cat $throttle)
at_exit 'echo $runtime > $throttle'
echo -1 > $throttle
# Newer kernels give ordinary threads a part of the time nevertheless.  6.12 warns of a change while that CPU has no such thread,
# but had one shortly before.
server=/sys/kernel/debug/sched/fair_server/cpu1/runtime
set_server() { taskset -c 1 sh -c "echo $1 > $server"; }
if [ -e $server ]; then
	at_exit "set_server $(cat $server)"
	set_server 0
fi
# Its priority is below that of the threads of interrupts (50), which PREEMPT_RT has.
taskset -c 1 chrt -f 10 sh -c 'while :; do :; done' &
hog=$!
at_exit 'kill $hog 2> /dev/null || :'
is_alone() { [ "$(ps -o psr=,cls= -p $hog | tr -s ' ')" = ' 1 FF' ]; }
wait_until 5 is_alone || die 'there is no real-time thread on CPU 1'

assert 'modules load' timeout 30 "$LTT/tests/vm/ltt-load"
echo 0 > $parameters/deadman_seconds
assert 'a trace with counters and samples is created' \
	timeout 30 lttctl create -e sample:99 -e 'syscall:*' --context perf:page-faults t
assert 'and started' timeout 30 lttctl start t
assert_eq 'without a limit of the deadman, no timer of it interrupts the thread' 0 "$(timers)"
assert 'it is stopped' timeout 30 lttctl stop t
assert 'and destroyed' timeout 30 lttctl destroy t
assert 'the thread has the CPU still' is_alone
kill $hog

# The deadman needs a worker on each CPU, which this thread would not let run.  The kernel waits for its own threads on the CPU when
# modules unload.
echo 10 > $parameters/deadman_seconds
lttctl create -e 'syscall:*' t
lttctl start t
assert_eq 'with a limit, the deadman has a timer on each CPU' 2 "$(timers)"
echo 0 > $parameters/deadman_seconds
assert 'without a limit none, soon' wait_until 5 timers_are 0
echo 10 > $parameters/deadman_seconds
assert_eq 'with one again each' 2 "$(timers)"
lttctl destroy t
assert 'none when the trace is gone' wait_until 5 timers_are 0
