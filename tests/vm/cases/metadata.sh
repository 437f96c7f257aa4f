#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: metadata only grows, reads alike in any pieces, describes every packet that was taken before it, and outlives its trace
# vm: --loaded
# requires: ltt-control.ko ltt-sample.ko babeltrace2
# timeout: 180
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

md=$DBG/traces/t/metadata

size()
{
	stat -c %s "$1"
}

# grows WHAT: what was there is there, and there is more; becomes the last
grows()
{
	cat $md > "$TMP/now"
	assert "$1: there is more" [ "$(size "$TMP/now")" -gt "$(size "$TMP/last")" ]
	assert "$1: after what there was" cmp -n "$(size "$TMP/last")" "$TMP/last" "$TMP/now"
	mv "$TMP/now" "$TMP/last"
}

same()
{
	cat $md > "$TMP/now"
	assert "$1: nothing changes" cmp "$TMP/last" "$TMP/now"
}

load_modules
load ltt-sample
put $DBG/traces/create t
at_exit "put $DBG/traces/remove t 2> /dev/null || :"
cat $md > "$TMP/last"
assert_match 'it begins as CTF' '^/\* CTF 1.8 \*/$' "$(head -n 1 "$TMP/last")"
assert_eq 'it names LTT as its tracer, and a kernel as its domain' 'domain = "kernel" tracer_name = "ltt"' \
	"$(sed -n 's/^\t\(\(domain\|tracer_name\) = .*\);$/\1/p' "$TMP/last" | paste -sd ' ')"
exec 5< $md 6< $md
cat <&5 > "$TMP/growing"

put $DBG/traces/t/events sample:request
grows 'an event that is enabled'
assert_eq 'its block is there before it can fire' 1 "$(grep -c 'sample:request' "$TMP/last")"
put $DBG/traces/t/events '!sample:request'
same 'an event that is disabled'
put $DBG/traces/t/events sample:request
same 'and enabled again'
put $DBG/traces/t/state start
put $DBG/traces/t/events 'sample:* sched:*'
grows 'events while it runs'
put $DBG/traces/t/heartbeat_ms 20
grows 'the beat'
rmmod ltt-sample
load ltt-sample
same 'a driver that goes and comes'

# Any pieces, any offset.
for bytes in 1 7 4095 4097; do
	# Single bytes of some, for each is a system call.
	count=$(($(size "$TMP/last") / bytes + 1))
	[ $bytes -gt 1 ] || count=3000
	dd if=$md bs=$bytes count=$count 2> /dev/null > "$TMP/pieces"
	assert "pieces of $bytes bytes" cmp -n $((bytes * count)) "$TMP/last" "$TMP/pieces"
done
dd if=$md bs=1234 skip=3 2> /dev/null > "$TMP/pieces"
tail -c +$((3 * 1234 + 1)) "$TMP/last" > "$TMP/expected"
assert 'from an offset' cmp "$TMP/expected" "$TMP/pieces"
dd if=$md bs=1M skip=1 2> /dev/null > "$TMP/pieces"
assert_eq 'nothing beyond the end' 0 "$(size "$TMP/pieces")"
cat <&5 >> "$TMP/growing"
assert 'a descriptor that was at the end goes on there' cmp "$TMP/last" "$TMP/growing"

# Packets, and how long the metadata was just after each was taken: it describes
# all that is in the packet, though events are added all the time. The host decodes
# them.
: > "$TMP/busy"
while [ -e "$TMP/busy" ]; do
	taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=300 2> /dev/null
done &
at_exit "rm -f $TMP/busy"
packet=0
for pattern in raw_syscalls:sys_enter raw_syscalls:sys_exit 'irq:*' 'timer:*' 'signal:*' 'task:*'; do
	wait_until 40 [ -e "$OUT/p$packet" ]
	put $DBG/traces/t/events "$pattern"
	packet=$((packet + 4))
done &
adding=$!
python3 - $DBG/traces/t "$OUT" <<'PY'
import os, sys, time
trace, out = sys.argv[1:]
data, metadata = open(f'{trace}/events_0', 'rb', 0), open(f'{trace}/metadata', 'rb', 0)
text, end, taken = b'', time.monotonic() + 40, 0
while taken < 25 and time.monotonic() < end:
    packet = data.read(1 << 20)
    while piece := metadata.read(1 << 20):
        text += piece
    os.makedirs(f'{out}/p{taken}/kernel')
    for name, content in ('events_0', packet), ('metadata', text):
        with open(f'{out}/p{taken}/kernel/{name}', 'wb') as file:
            file.write(content)
    taken += 1
PY
wait $adding
rm "$TMP/busy"

exec 7< $md
cat $md > "$TMP/last"
put $DBG/traces/remove t
cat <&6 > "$TMP/pieces"
assert 'after removal an open descriptor has it all' cmp "$TMP/last" "$TMP/pieces"
cat <&7 > "$TMP/pieces"
assert 'also one that had not read' cmp "$TMP/last" "$TMP/pieces"
cat <&5 >> "$TMP/growing"
assert 'and one that had read some' cmp "$TMP/last" "$TMP/growing"
exec 5<&- 6<&- 7<&-
assert 'each event of a channel has its own number' [ -z "$(
	awk '/^event/ { id = stream = "" } $1 == "id" { id = $3 } $1 == "stream_id" { stream = $3 }
		/^};/ && id != "" { print stream, id; id = "" }' "$TMP/last" | sort | uniq -d)" ]
unload_modules
