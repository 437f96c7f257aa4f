#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: for a minute, filters of all tracepoints and of kprobes change, questions come and go, and CPUs go and come, while interrupts and NMIs nest on 4 CPUs; a filter and a count that stay are exact
# vm: --parallel --smp 4
# when: all
# requires: lttctl ltt-control.ko ltt-test-markers.ko ltt-test-recursion.ko python3
# timeout: 600
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-exact.sh"
. "$LTT/tests/vm/lib-filters.sh"

cpus=/sys/devices/system/cpu
online() { for cpu in 1 2 3; do echo 1 > $cpus/cpu$cpu/online; done; }

load_modules
cd "$TMP"
at_exit online
load ltt-test-markers period_us=50
insmod "$LTT/tests/modules/recursion/ltt-test-recursion.ko" nmi=1 at=irq_work_queue,hrtimer_forward,try_to_wake_up

# ---- What stays ----

lttctl create --overwrite --size 256k --count 8 -e 'test:*' -f 'seq & 1' exact
at_exit 'lttctl destroy exact 2> /dev/null || :'
lttctl start exact
loaded=$($PROGRAM loaded)
lttctl count --json -e 'test:*,recursion:*' > count.json 2> count.err &
count=$!
at_exit "kill $count 2> /dev/null || :"
asked() { [ "$($PROGRAM loaded)" -eq $((loaded + 4 + $(lttctl markers "recursion:*" | grep -c recursion:))) ]; }
assert 'a question is asked' wait_until 60 asked

# ---- What changes ----

lttctl create --overwrite --size 256k --count 4 -e 'sched:*,irq:*,timer:*,syscall:*,kmem:*,rcu:*' \
	-e 'kprobe:hrtimer_interrupt,kprobe:try_to_wake_up' all
at_exit 'lttctl destroy all 2> /dev/null || :'
lttctl start all
: > storm
( while [ -e storm ]; do put /proc/ltt-test-markers "300 $SEQUENCES"; done ) 2> /dev/null &
driver=$!
( while [ -e storm ]; do
	for cpu in 1 2 3; do echo 0 > $cpus/cpu$cpu/online; done
	online
done ) 2> /dev/null &
plugs=$!
( while [ -e storm ]; do
	lttctl count --json --duration 1s -e 'sched:*' --by comm
	lttctl hist --json --duration 1s -e irq:softirq_entry -v vec --by cpu
done ) > asked 2> asked.err &
asks=$!
at_exit "rm -f $TMP/storm"
until=$(($(date +%s) + 60 * ${LTT_SLOW:-1}))
rounds=0
while [ "$(date +%s)" -lt $until ]; do
	lttctl filter all '*:*' 'tid & 1' 2>> changes.err || :
	lttctl filter all 'sched:*' 'cpu != 1 && comm !~ "k*"' 2>> changes.err || :
	lttctl unfilter all '*:*'
	lttctl filter all 'kprobe:*' 'since(sched:sched_switch, cpu) > 1us; report 1' 2>> changes.err || :
	lttctl filter all 'kprobe:*' 'cpu & 1; report 1 tid & 1'
	lttctl unfilter all 'sched:*'
	lttctl unfilter all 'kprobe:*'
	rounds=$((rounds + 1))
done
rm storm
wait $driver $plugs $asks || :
online
echo "figure: $rounds rounds, $(grep -c '"emitted"' asked) questions"
assert 'filters have changed' [ $rounds -gt 0 ]
assert 'questions were answered' grep -q '"emitted"' asked
lttctl stop all
assert_conserved all
assert 'events were filtered' [ "$(events_count all filtered)" -gt 0 ]
assert 'and others recorded' [ "$(events_count all stored)" -gt 0 ]

# ---- The sums ----

kill -INT $count
assert 'the answer comes' wait $count
lttctl stop exact
assert_conserved exact
even=$(awk '{ n += int(($4 + 1) / 2) } END { print n }' /proc/ltt-test-markers)
unjudged=$(awk '$1 == "total" { for (i = 2; i < NF; i += 2) if ($i == "unjudged") print $(i + 1) }' $DBG/traces/exact/stats)
assert_eq 'each event came to the trace' "$(driver_emitted)" "$(events_count exact emitted)"
filtered=$(events_count exact filtered)
assert 'the filter dropped each even number that it judged' [ $filtered -le $even ]
assert 'and judged all but those that are reported' [ $filtered -ge $((even - unjudged)) ]
assert_eq 'the question counted each event, or reported it' "$(json count.json 'd["emitted"]')" \
	"$(json count.json 'sum(r["count"] for r in d["rows"]) + d["unjudged"]')"
assert 'those of NMIs, too' [ "$(cat /sys/module/ltt_test_recursion/parameters/nmis)" -gt 100 ]
rmmod ltt-test-recursion
