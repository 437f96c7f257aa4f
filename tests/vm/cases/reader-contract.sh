#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: the rules of doc/format.md for programs that read, splice and poll a data file
# requires: ltt-control.ko ltt-test-relay.ko ltt-test-markers.ko
# timeout: 120
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

load ltt-timestamp
load ltt-relay
load ltt-test-relay subbuf_size=16384
checks_of reader-contract /sys/kernel/debug/ltt-test-relay
assert 'closed, nothing holds the client' rmmod ltt-test-relay
drop_all

load_trace_with_packets t
checks_of reader-outlives t
