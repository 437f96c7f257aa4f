#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: modules make traces, channels and events of their own through the in-kernel API, and stop them in an interrupt
# requires: ltt-tracer.ko ltt-test-api.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

for layer in ltt-timestamp ltt-relay ltt-markers ltt-tracer; do
	load $layer
done
assert 'the client does what it wants' load ltt-test-api
assert_eq 'the trace is stopped' 'state stopped' "$(grep ^state\ stopped /proc/ltt-test-api)"
assert_eq 'events before the halt, and after the next start, are there' 13 \
	"$(awk '$1 == "mine" { n += $6 } END { print n + 0 }' /proc/ltt-test-api)"
assert_eq 'the event of a channel that was added to the running trace is there' 1 \
	"$(awk '$1 == "late" { n += $6 } END { print n + 0 }' /proc/ltt-test-api)"
assert_eq 'nothing was refused' 0 \
	"$(awk '$1 == "mine" { n += $8 } END { print n + 0 }' /proc/ltt-test-api)"
assert 'the event is in the metadata' grep -q 'name = "api:number";' /sys/kernel/debug/ltt-test-api
assert 'the channel is in the metadata' grep -q '/\* channel mine \*/' /sys/kernel/debug/ltt-test-api
refute 'the tracer stays as long as a client uses it' rmmod ltt-tracer 2> /dev/null
assert 'the client goes, and its trace' rmmod ltt-test-api
