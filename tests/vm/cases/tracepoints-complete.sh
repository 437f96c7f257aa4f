#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: each tracepoint of the kernel and of its modules is an event, or skipped.txt has the reason
# timeout: 120
# requires: ltt-markers.ko ltt-tracepoints.ko ltt-test-sink.ko ltt-test-tracepoints.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

SKIPPED=$LTT/modules/instrument/gen/skipped.txt
grep -q ' prototype$' "$LTT/modules/instrument/gen/ways.txt" || skip 'this kernel was built without BTF'

# Modules with events in public headers, and without; some before LTT, some after it.
modprobe ext4
modprobe -a xfs nfsd 2> /dev/null || true
load ltt-markers
load ltt-tracepoints
load ltt-test-sink
load ltt-test-tracepoints
modprobe -a btrfs cfg80211 bridge 2> /dev/null || true
at_exit 'modprobe -q -r cfg80211 bridge btrfs nfsd xfs ext4 || true'

# tracepoints and events have "NAME [MODULE]" lines.
grep -Ev '^ltt[0-9]' /proc/ltt-test-tracepoints | sort > "$TMP/tracepoints"
awk '$2 == "gone" { gone = 1; next } /^[^ ]/ { gone = 0 } $1 == "tracepoint" && !gone { print $2, $3 }' $SINK |
	sort > "$TMP/events"
comm -23 "$TMP/tracepoints" "$TMP/events" > "$TMP/missing"
echo "$(wc -l < "$TMP/tracepoints") tracepoints, $(wc -l < "$TMP/events") events"
assert 'there are many tracepoints' [ "$(wc -l < "$TMP/tracepoints")" -gt 1000 ]
assert 'some are of modules without a public header' grep -q '^xfs_ilock \[xfs\]$' "$TMP/events"
while read -r name module; do
	assert "$name $module is an event, or has a reason" grep -qw "$name" "$SKIPPED"
done < "$TMP/missing"
assert_eq 'no event is twice' '' "$(uniq -d "$TMP/events")"

# The groups are those of tracefs, and have nothing else.
assert 'a bare tracepoint has a group of its own' grep -q '^bare:[a-z_]*_tp ' $SINK
refute 'and is in no other' grep -q '^sched:[a-z_]*_tp ' $SINK
grep -v '^syscalls:' /sys/kernel/tracing/available_events | sort > "$TMP/available"
awk '/^[^ ]/ && $2 != "gone" { print $1 }' $SINK | sort > "$TMP/names"
for event in $(comm -23 "$TMP/available" "$TMP/names"); do
	assert "$event has the name of tracefs, or a reason" grep -qw "${event#*:}" "$SKIPPED"
done
