#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a flight recorder keeps the newest events; each snapshot of it is whole, numbered, names all threads, and takes nothing
# vm: --loaded
# faces: device
# also: debugfs
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko
# timeout: 200
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"

lttctl create --overwrite --size 16k --count 4 -e 'raw_syscalls:*' box
# So small that names of threads are overwritten, too.
put $DBG/traces/box/channels/state/subbuf_size 4K
put $DBG/traces/box/channels/state/subbuf_count 2
lttctl start box
overruns() { [ "$(trace_total box overwritten)" -gt 1000 ]; }
write_much() { dd if=/dev/zero of=/dev/null bs=1 count=20000 2> /dev/null; overruns; }
names_overwritten() { awk '$1 == "state" { n += $10 } END { exit !n }' $DBG/traces/box/stats; }
fork_much() { for i in $(seq 50); do /bin/true; done; names_overwritten; }
assert 'it overwrites' wait_until 30 write_much
assert 'names of threads, too' wait_until 60 fork_much
cp /bin/true short-lived

overwritten='Tracer discarded [0-9]* packets\{0,1\}'
# snapshot N: the N-th is whole, and knows the names of all threads
snapshot()
{
	./short-lived
	assert_eq "snapshot $1 has its number" "shot/snapshot-$1" "$(lttctl snapshot -o shot box)"
	assert 'it can be read' decode "shot/snapshot-$1" "text$1"
	assert_eq 'without a word but of what was overwritten' '' "$(grep -v "$overwritten" "text$1.err" | head -n 3)"
	lttctl view "shot/snapshot-$1" > view
	assert 'it holds events' [ "$(grep -c sys_enter view)" -gt 100 ]
	assert_eq 'every thread has a name' '' "$(awk '$4 == "-" && $5 ~ /^sys_/' view | head -n 3)"
	assert 'also one that has ended' grep -q ' short-lived  *sys_' view
	assert 'the trace goes on' grep -q running "$DBG/traces/box/state"
}
# The UUIDs of directories: how many of traces, how many of clocks.
uuids()
{
	python3 -c '
import re, sys
found = [re.findall("uuid = \"(.*?)\"", open(f"{path}/kernel/metadata").read()) for path in sys.argv[1:]]
print("traces", len({trace for trace, clock in found}), "clocks", len({clock for trace, clock in found}))' "$@"
}

# same_packets DIRECTORY DIRECTORY: of CPU 0, but for the UUID of the trace
same_packets()
{
	python3 -c '
import struct, sys
def packets(path):
    data, at = bytearray(open(f"{path}/kernel/events_0", "rb").read()), 0
    while at < len(data):
        data[at + 4:at + 20] = bytes(16)
        at += struct.unpack_from("<Q", data, at + 48)[0] // 8
    return data
sys.exit(packets(sys.argv[1]) != packets(sys.argv[2]) or not packets(sys.argv[1]))' "$@"
}

snapshot 1
snapshot 2
lttctl stop box
for n in 3 4; do
	assert_eq 'one of a stopped trace' "shot/snapshot-$n" "$(lttctl snapshot -o shot box)"
done
assert 'a snapshot leaves all to the next' same_packets shot/snapshot-3 shot/snapshot-4
lttd --once -o drained box 2> /dev/null
assert 'and to the reader' same_packets shot/snapshot-3 drained

# Each snapshot is a trace of its own, of one clock: babeltrace2 reads two at once.
assert 'two snapshots can be read at once' decode_all both shot/snapshot-1 shot/snapshot-2
assert_eq 'with nothing to say but of what was overwritten' '' "$(grep -v "$overwritten" both.err | head -n 3)"
assert_eq 'events of both' "$(cat text1 text2 | wc -l)" "$(wc -l < both)"
assert 'in the order of time' sort -s -c -t ']' -k 1,1 both
assert_eq 'traces with one clock' 'traces 3 clocks 1' "$(uuids shot/snapshot-1 shot/snapshot-2 drained)"
lttctl view shot/snapshot-1 > view1
lttctl view shot/snapshot-2 > view2
lttctl view shot/snapshot-1 shot/snapshot-2 > view
events_of() { cat "$@" | grep -c ' sys_'; }
assert_eq 'lttctl view reads two at once' "$(events_of view1 view2)" "$(events_of view)"
assert_conserved box
lttctl destroy box

# One that an lttd serves: the snapshot takes nothing from it.
lttctl create -o served --overwrite --size 16k --count 4 -e 'raw_syscalls:*' box
lttctl start box
assert 'it overwrites' wait_until 30 write_much
./short-lived
assert_eq 'the snapshot is beside its directory' "$PWD/served-snapshot-1" "$(lttctl snapshot box)"
assert 'it can be read' decode served-snapshot-1 text
lttctl view served-snapshot-1 > view
assert 'it holds events' [ "$(grep -c sys_enter view)" -gt 100 ]
assert_eq 'every thread has a name' '' "$(awk '$4 == "-" && $5 ~ /^sys_/' view | head -n 3)"
lttctl stop box
stored=$(trace_total box stored)
lttctl destroy box
assert_whole served "$stored"

status=0
lttctl record --overwrite --size 16k --count 4 -e 'raw_syscalls:*' --json -o out -- \
	dd if=/dev/zero of=/dev/null bs=1 count=20000 > summary 2> /dev/null || status=$?
assert_eq 'record --overwrite ends well' 0 "$status"
assert 'it has overwritten' [ "$(json summary 'd["total"]["overwritten"]')" -gt 0 ]
assert_whole out "$(json summary 'd["total"]["stored"]')"
lttctl record --overwrite --size 16k --count 4 -e 'raw_syscalls:*' -o again -- \
	dd if=/dev/zero of=/dev/null bs=1 count=20000 2> said
assert_match 'the summary has it, too' '^events .*, [0-9,]+ overwritten' "$(cat said)"
assert_match 'of the channel as well' '^channel +events: .*, [0-9,]+ overwritten' "$(cat said)"

unload_modules
