#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: the counts have the bytes that the reader has not freed: of a full buffer, one that is read, and a flight recorder
# vm: --smp 2
# requires: lttctl python3 ltt-control.ko ltt-test-markers.ko
# timeout: 90
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-exact.sh"

load_modules "$(fast_clock)"
load ltt-test-markers period_us=20
cd "$TMP"
SIZE=$((2 * 2 * 8192))	# of the buffers of both CPUs

# fill TRACE OVERWRITE: have more events than its buffers hold, and stop
fill()
{
	begin "$1" 8K 2 "$2"
	assert_eq "$1: at first, all that was reserved is unread" "$(events_count "$1" bytes)" "$(events_count "$1" unread)"
	echo "500 $SEQUENCES" > /proc/ltt-test-markers
	put "$DBG/traces/$1/state" stop
}

# by FACE TRACE: what is unread, by that face
by()
{
	lttctl --via "$1" status --json "$2" > status
	json status 'sum(cpu["unread"] for channel in d[0]["channels"] if channel["name"] == "events" for cpu in channel["cpus"])'
}

fill full 0
assert 'it has lost events' [ "$(events_count full refused)" -gt 0 ]
assert_eq 'without a reader, all bytes are unread' "$(events_count full bytes)" "$(events_count full unread)"
assert 'the buffers are nearly full' [ $((10 * $(events_count full unread))) -gt $((8 * SIZE)) ]
assert 'and hold no more than that' [ "$(events_count full unread)" -le $SIZE ]
for face in debugfs device; do
	assert_eq "lttctl has the number by $face" "$(events_count full unread)" "$(by $face full)"
done

# The reader frees a packet when it goes on to the next one.
for buffer in "$DBG"/traces/full/events_*; do
	dd if="$buffer" iflag=nonblock of=/dev/null bs=4K count=3 2> /dev/null
done
assert_eq 'a packet that was read leaves its sub-buffer' $(($(events_count full bytes) - 2 * 8192)) "$(events_count full unread)"
for buffer in "$DBG"/traces/full/events_*; do
	dd if="$buffer" iflag=nonblock of=/dev/null bs=8K 2> /dev/null || :	# up to EAGAIN
done
assert_eq 'when all was read, nothing is unread' 0 "$(events_count full unread)"

fill box 1
assert 'it has overwritten events' [ "$(events_count box overwritten)" -gt 0 ]
assert 'a flight recorder has no more than its buffers' [ "$(events_count box unread)" -le $SIZE ]
assert 'and they are nearly full' [ $((10 * $(events_count box unread))) -gt $((5 * SIZE)) ]
