#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: an armed trace begins and stops by its events while interrupts nest on each CPU, its limits change and it is stopped, and all counts hold
# when: all
# vm: --parallel --smp 2 --loaded
# requires: lttctl ltt-control.ko ltt-test-markers.ko
# timeout: 240
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-exact.sh"

load_modules
cd "$TMP"
load ltt-test-markers period_us=20

# The trace of the driver's markers, of which those in interrupts begin, stop and report now and then.
lttctl create --overwrite --size 256k --count 4 -e 'test:*' t
at_exit 'lttctl destroy t 2> /dev/null || :'
lttctl filter t test:hardirq '1; begin seq % 64 == 5; report 0 seq % 16 == 1; stop seq % 512 == 511'
lttctl filter t test:softirq '1; report 7 seq % 256 == 3; begin seq % 128 == 9'
lttctl filter t test:task 'between(test:softirq, test:hardirq, 0) || since(test:text, cpu) < 1s || seq & 1'
put $DBG/groups 'tasks all comm:*'
put $DBG/groups 'cpus first 0'

# From one reading, as events happen meanwhile.
recorded()
{
	awk '$1 == "events" { for (i = 3; i < NF; i += 2) n[$i] += $(i + 1) }
		END { print n["emitted"] - n["filtered"] }' $DBG/traces/t/stats
}
is_stopped() { [ "$(cat $DBG/traces/t/state)" = stopped ]; }

rounds=0
armed=0
begun=0
stopped=0
until=$(($(date +%s) + 8 * ${LTT_SLOW:-1}))
# Slow interrupts come to their 512th event late.
last=$(($(date +%s) + 150 * ${LTT_SLOW:-1}))
goes_on()
{
	now=$(date +%s)
	[ "$now" -lt $until ] || { [ "$now" -lt $last ] && [ $((begun * stopped)) -eq 0 ]; }
}
( while :; do put /proc/ltt-test-markers "300 $SEQUENCES"; done ) 2> /dev/null &
storm=$!
( while :; do
	put $DBG/traces/t/limit @all
	put $DBG/traces/t/limit @first
	put $DBG/traces/t/limit none
done ) 2> /dev/null &
limits=$!
at_exit "kill $storm $limits 2> /dev/null || :"
while goes_on; do
	put $DBG/traces/t/state 'arm test:*irq'
	armed=$((armed + 1))
	for i in 1 2 3 4 5 6 7 8 9 10; do
		grep -q armed $DBG/traces/t/triggers || break
	done
	grep -q armed $DBG/traces/t/triggers || begun=$((begun + 1))
	# Every other time by a trigger.
	if [ $((rounds % 2)) = 1 ] && wait_until 10 is_stopped; then
		stopped=$((stopped + 1))
	else
		put $DBG/traces/t/state stop 2> /dev/null || :
		wait_until 10 is_stopped
	fi
	rounds=$((rounds + 1))
done
kill $limits
wait $limits 2> /dev/null || :
echo "figure: $rounds rounds, $begun begun, $stopped stopped by a trigger"
assert 'the trace has begun by its events' [ $begun -gt 0 ]
assert 'and stopped' [ $stopped -gt 0 ]
assert 'a stopped trace is not armed' sh -c "! grep armed $DBG/traces/t/triggers"
assert_conserved t
assert 'events were stored' [ "$(events_count t stored)" -gt 0 ]
assert_match 'triggers have reported' 'report 0 [0-9]+.report 7 [0-9]+' "$(tr '\n' . < $DBG/traces/t/triggers)"

# Nothing passes the gates of a trace that is armed again, however the last one ended.
lttctl filter t test:hardirq '1; begin seq < 0'
lttctl filter t test:softirq '1; begin seq < 0'
lttctl unfilter t test:task
put $DBG/traces/t/limit none
put $DBG/traces/t/state 'arm test:*irq'
before=$(recorded)
emitted=$(driver_emitted)
more() { [ "$(driver_emitted)" -gt $((emitted + 1000)) ]; }
assert 'events happen' wait_until 20 more
kill $storm
wait $storm 2> /dev/null || :
assert_eq 'an armed trace whose event does not happen records nothing' "$before" "$(recorded)"
assert_match 'it is armed' 'armed test:[*]irq' "$(cat $DBG/traces/t/triggers)"
put $DBG/traces/t/state stop
