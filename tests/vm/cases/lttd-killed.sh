#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: lttd, killed in a storm, with --all again and again, loses nothing that the kernel holds: no packet is torn, missing or doubled
# vm: --parallel --loaded
# faces: device
# also: debugfs
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko
# timeout: 300
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"

lttctl create -e 'raw_syscalls:sys_exit' --size 64k --count 64 t
lttctl start t
BYTES=$(at_length 100000 300000)
storm
bytes() { stat -c %s out/kernel/events_0 out/kernel/events_1 2> /dev/null | awk '{ n += $1 } END { print n + 0 }'; }
grown() { [ "$(bytes)" -gt $((before + BYTES)) ]; }
for round in $(at_length 1 '1 2 3 4 5'); do
	before=$(bytes)
	lttd -o out t > said 2>&1 &
	lttd=$!
	assert "round $round: it writes" wait_until 20 grown
	kill -9 $lttd || die "lttd has ended: $(cat said)"
	wait $lttd || :
done
lttd -o out t > said 2>&1 &
lttd=$!
before=$(bytes)
assert 'the last one writes' wait_until 20 grown
kill $lttd
assert 'it ends well after SIGTERM' wait $lttd
assert_match 'and reports the packets and bytes' '^lttd: .*[0-9]+ packets, [0-9]+ ' "$(tail -n 1 said)"
assert_eq 'the trace goes on' running "$(cat "$DBG/traces/t/state")"
lttctl stop t
unstorm
assert_conserved t
cat "$DBG/traces/t/stats" > "$OUT/stats"
lttd -d -o out t
lttctl destroy t
assert_eq 'it ends with the trace' '' "$(ls /run/ltt)"
assert_sequential out
# The host reads it: see hotplug-storm.host.
mv out "$OUT/hot"

# The lttd of a recording: what it has written is counted.
export BYTES
cat > kill_lttd <<'END'
until [ "$(stat -c %s cut/kernel/events_0 2> /dev/null || echo 0)" -gt $BYTES ]; do
	dd if=/dev/zero of=/dev/null bs=1 count=1000 2> /dev/null
done
for child in $(cat /proc/$PPID/task/$PPID/children); do
	[ "$(cat /proc/$child/comm)" != lttd ] || kill -9 $child
done
END
status=0
lttctl record --json -o cut -e raw_syscalls:sys_exit --size 64k -- sh kill_lttd > summary 2> said || status=$?
assert_eq 'the recording fails' 125 $status
assert_eq 'and is not complete' False "$(json summary 'd["complete"]')"
lttctl view cut 2> /dev/null | grep -c ' sys_exit: ' > count
assert_eq 'its summary counts the events on disk' "$(cat count)" "$(json summary 'd["events_on_disk"]')"
assert 'which are some' test "$(cat count)" -gt 3000

rm -r cut
unload_modules
