#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: create, start, stop, enable, disable, status, destroy: all events are on disk when destroy returns
# vm: --loaded
# faces: debugfs
# also: device
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko
# when: all
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"

lttctl create -o out -e 'sched:*' --size 64k --count 4 t
assert_eq 'list' "t configuring, lttd $(lttctl list --json > l; json l 'd[0]["lttd"]') writes $TMP/out" \
	"$(lttctl list)"
# The shortest of runs: lttd has not even taken the buffers when it is over.
lttctl start t
lttctl stop t
assert_conserved t
emitted=$(trace_total t emitted)
lttctl destroy t
assert_whole out "$emitted"
assert_sequential out
assert_eq 'no lttd is left' '' "$(ls /run/ltt)"

lttctl create -o out2 t
lttctl enable --allow-missing -t t 'irq:*' nosuch:event
assert_match 'a pattern that waits is shown' nosuch:event "$(lttctl status t)"
lttctl start t
lttctl enable -t t 'raw_syscalls:sys_enter'
ls / > /dev/null
lttctl disable -t t 'irq:*'
lttctl stop t
lttctl start t
ls / > /dev/null
lttctl stop t
assert_conserved t
lttctl status --json t > status
assert_eq 'the JSON has the counts of the stats file' "$(trace_total t emitted)" \
	"$(json status 'd[0]["total"]["emitted"]')"
emitted=$(trace_total t emitted)
lttctl destroy t
assert_whole out2 "$emitted"
assert_match 'events enabled while it ran are there' sys_enter "$(cat "$TMP/text")"

lttctl enable 'sched:sched_switch'
assert_match 'enabled by default' '^on  sched:sched_switch' "$(lttctl markers 'sched:*')"
assert_match 'wanted' '^wanted sched:sched_switch' "$(lttctl markers)"
lttctl create t
assert 'in future traces' grep -q '^+ sched:sched_switch events' "$DBG/traces/t/events"
lttctl disable sched:sched_switch
refute 'and no longer' grep -q '^+ sched:sched_switch ' "$DBG/traces/t/events"
lttctl destroy t

assert_match 'the fields of a marker' 'field prev_comm' "$(lttctl markers --info sched:sched_switch)"
lttctl markers --json > markers
assert 'many can be recorded' [ "$(json markers 'len(d["markers"])')" -gt 100 ]

unload_modules
