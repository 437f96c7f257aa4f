#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: samples of the clock are in a recording, and two machines whose clocks are wrong get one time
# when: all
# vm: --loaded
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko ltt-probes.ko
# timeout: 60
#
# Here only what one machine can show; clock-hosts.host has two.
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"

lttctl record -o out -e tcp-segments -- python3 -c '
import socket
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
peer, _ = server.accept()
for i in range(100):
    client.sendall(b"x")
    peer.recv(1)
'
lttctl view --csv --fields time,event,before,after,realtime out/clock > samples
assert 'a sample at the begin and one at the end' [ "$(grep -c clock:sample samples)" -ge 2 ]
assert_eq 'each is a whole packet' 0 $(($(stat -c %s out/clock/clock_0) % 4096))
babeltrace2 out/clock > text
assert_eq 'babeltrace2 reads them' "$(grep -c clock:sample samples)" "$(grep -c 'clock:sample' text)"
# A busy host may stop the machine between the two.
assert 'a sample has the time of its record' awk -F, '
	/clock:sample/ { d = ($1 - $5) / 1e6; if (d > 500 || d < -5) exit 1 }' samples
assert 'segments are sent' [ "$(lttctl view -e kprobe:tcp_sent out | wc -l)" -ge 100 ]
assert 'and received' [ "$(lttctl view -e kprobe:tcp_received out | wc -l)" -ge 100 ]
