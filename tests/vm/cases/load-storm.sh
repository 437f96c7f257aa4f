#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: drivers load and unload while traces are made, started, stopped and removed: nothing breaks, nothing leaks
# when: all
# requires: ltt-control.ko ltt-sample.ko ltt-test-markers.ko
# timeout: 240
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

cycles=15

# One load and unload of a driver, with events.
cycle_sample()
{
	load ltt-sample
	put /dev/ltt-sample 20
	rmmod ltt-sample
}

cycle_test()
{
	load ltt-test-markers
	put /proc/ltt-test-markers '50 task hardirq'
	rmmod ltt-test-markers
}

entries()
{
	find $DBG | wc -l
}

start_stop()
{
	put $DBG/traces/flicker/state start && put $DBG/traces/flicker/state stop
}

create_remove()
{
	put $DBG/traces/create brief && put $DBG/traces/brief/events sched:sched_switch &&
		put $DBG/traces/brief/state start && put $DBG/traces/remove brief
}

load_modules
at_exit "put $DBG/traces/remove brief 2> /dev/null || :"
at_exit "put $DBG/markers/wanted '!*' 2> /dev/null || :"
put $DBG/markers/wanted 'sample:* test:*'
for trace in steady flicker; do
	put $DBG/traces/create $trace
	at_exit "put $DBG/traces/remove $trace 2> /dev/null || :"
done
put $DBG/traces/steady/channels/events/subbuf_size 64K
put $DBG/traces/flicker/channels/events/subbuf_size 64K
put $DBG/traces/steady/state start

# All that stays for ever comes in the first cycles.
cycle_sample
cycle_test
start_stop
create_remove
folders_gone() { [ ! -d $DBG/markers/sample ] && [ ! -d $DBG/markers/test ]; }
assert 'the folders of markers go with their drivers' wait_until 20 folders_gone
cat $DBG/traces/steady/metadata > "$TMP/metadata"
entries=$(entries)
memory=$(kernel_memory)

: > "$TMP/storm"
at_exit "rm -f $TMP/storm; wait"
while_stormy start_stop &
flicker=$!
while_stormy create_remove &
brief=$!
number=0
while [ $number -lt $cycles ]; do
	cycle_sample
	cycle_test
	number=$((number + 1))
done
rm "$TMP/storm"
assert 'starting and stopping went well' wait $flicker
assert 'creating and removing went well' wait $brief
assert "$(wc -l < "$TMP/start_stop.count") starts, $(wc -l < "$TMP/create_remove.count") traces" \
	[ "$(wc -l < "$TMP/create_remove.count")" -ge 5 ]

# Of each pair of loads: 20 requests, lookups and completions, an open, idle and close, and
# what was evicted; 100 of each stream of the other driver, one of each CPU.
emitted=$(awk '$1 == "events" { n += $4 } END { print n }' $DBG/traces/steady/stats)
cpus=$(grep -c ^processor /proc/cpuinfo)
least=$(((cycles + 1) * (63 + 100 * cpus)))
assert "each load was traced: $emitted events, at least $least" [ "$emitted" -ge $least ]
assert_match 'the markers wait again' '^\? sample:\*$' "$(cat $DBG/traces/steady/events)"
put $DBG/traces/steady/state stop
assert_conserved steady
assert_conserved flicker
assert 'the folders of markers go' wait_until 20 folders_gone
assert_eq 'debugfs has what it had' "$entries" "$(entries)"
assert 'metadata has what it had: the same events come again' cmp $DBG/traces/steady/metadata "$TMP/metadata"
assert_memory_kept "$memory" 4096
