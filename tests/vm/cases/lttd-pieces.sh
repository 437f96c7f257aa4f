#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: lttd writes a storm of the kernel's events in pieces, also when it is killed again and again: no packet is torn, missing or doubled, and the quota holds
# when: all
# faces: device
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko
# timeout: 200
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"

# all FILE: the packets of a buffer in all pieces, in their order
all() { cat out/[0-9]*/kernel/"$1" 2> /dev/null; }
bytes() { cat out/[0-9]*/kernel/events_? 2> /dev/null | wc -c; }
grown() { [ "$(bytes)" -gt $((before + 300000)) ]; }

lttctl create -e 'raw_syscalls:sys_exit' --size 64k --count 64 t
lttctl start t
storm
for round in $(at_length '1 2' '1 2 3'); do
	before=$(bytes)
	lttd --piece-size 1M -o out t > said 2>&1 &
	lttd=$!
	assert "round $round: it writes" wait_until 20 grown
	kill -9 $lttd || die "lttd has ended: $(cat said)"
	wait $lttd || :
done
lttctl stop t
unstorm
stored=$(trace_total t stored)
refused=$(trace_total t refused)
lttd -d --piece-size 1M -o out t
assert_match 'rotate closes the open piece' '^out/[0-9]+$' "$(lttctl rotate out)"
lttctl destroy t
assert_eq 'no piece is open' '' "$(find out -name open)"
for file in events_0 events_1; do
	all $file > whole
	sequences whole > numbers
	assert_eq "$file has each packet once" "$(seq 0 $(($(wc -l < numbers) - 1)))" "$(cat numbers)"
done
# For the host.
mv out "$OUT/pieces"
echo "$stored" > "$OUT/stored"
[ "$refused" = 0 ] || echo "# refused: $refused"

# A quota, compressed.
lttctl record -o box -e 'raw_syscalls:sys_exit' --size 64k --count 64 --quota 2M --compress 2> said &
recorder=$!
assert 'it records' wait_until 20 [ -e box/0001 ]
storm
assert 'the oldest piece is removed' wait_until 60 [ ! -e box/0001 ]
unstorm
kill $recorder
assert 'it ends well' wait $recorder
assert 'the quota holds' [ "$(du -sb box | cut -f 1)" -le 2097152 ]
assert_eq 'all are compressed' '' "$(find box/[0-9]* -name 'events_*' ! -name '*.zst')"
