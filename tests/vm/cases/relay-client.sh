#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
# description: ltt-relay serves a client other than the tracer, with packet headers of its own, in both modes
# requires: ltt-relay.ko ltt-test-relay.ko python3
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

dir=/sys/kernel/debug/ltt-test-relay

# 4096 - 32 bytes of header: 508 records a packet, 4 packets.
records()	# file: "REFUSED: RECORD..." of each packet
{
	python3 - "$1" <<'PY'
import struct, sys
data = open(sys.argv[1], 'rb').read()
for at in range(0, len(data), 4096):
    magic, seq, content, refused = struct.unpack_from('<8sQQQ', data, at)
    assert magic == b'relaytst' and content <= 4096
    assert not any(data[at + content:at + 4096]), 'the padding is not zero'
    values = struct.unpack_from(f'<{(content - 32) // 8}Q', data, at + 32)
    assert list(values) == list(range(values[0], values[0] + len(values))) if values else True
    print(seq, refused, len(values), *(values[:1] + values[-1:]))
PY
}

load ltt-timestamp
load ltt-relay
load ltt-test-relay
taskset -c 0 env printf 3000 > $dir/write
echo 0 > $dir/hold
dd if=$dir/cpu0 of="$TMP/data" bs=4096 iflag=nonblock 2> /dev/null || :
assert_eq 'discard: the oldest, then a packet that tells the loss' \
	'0 0 508 0 507
1 0 508 508 1015
2 0 508 1016 1523
3 0 508 1524 2031
4 968 0' "$(records "$TMP/data")"
rmmod ltt-test-relay

load ltt-test-relay overwrite=1
taskset -c 0 env printf 3000 > $dir/write
dd if=$dir/cpu0 of="$TMP/data" bs=4096 iflag=nonblock 2> /dev/null || :
assert_eq 'overwrite: nothing before a snapshot' '' "$(records "$TMP/data")"
echo 0 > $dir/hold
dd if=$dir/cpu0 of="$TMP/data" bs=4096 iflag=nonblock 2> /dev/null || :
assert_eq 'overwrite: the newest' \
	'2 0 508 1016 1523
3 0 508 1524 2031
4 0 508 2032 2539
5 0 460 2540 2999' "$(records "$TMP/data")"

# A reader outlives the client's channel.
exec 5< $dir/cpu0
refute 'the client stays while its channel is read' rmmod ltt-test-relay 2> /dev/null
exec 5<&-
assert 'and goes afterwards' rmmod ltt-test-relay

refute 'an impossible size is refused' load ltt-test-relay subbuf_size=5000 2> /dev/null
refute 'more memory than there is is refused' load ltt-test-relay subbuf_size=268435456 subbuf_count=64 2> /dev/null
