#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: events of modules come and go with them, in every order of loading
# timeout: 120
# requires: ltt-markers.ko ltt-tracepoints.ko ltt-test-sink.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

event=jbd2:jbd2_start_commit
modprobe -r ext4 2>/dev/null || true
! grep -q '^jbd2 ' /proc/modules || skip 'jbd2 cannot be unloaded'
at_exit 'modprobe -q -r ext4 jbd2 || true'

load ltt-markers
load ltt-tracepoints
load ltt-test-sink
put $SINK '+jbd2:*'
assert_eq 'no event before its module' '' "$(state $event)"
modprobe jbd2
assert_eq 'it comes with the module' connected "$(state $event)"
assert_match 'and tells where it is' 'tracepoint jbd2_start_commit \[jbd2\]' "$(cat $SINK)"
assert 'the module can go while its events are connected' modprobe -r jbd2
assert_eq 'they go with it' gone "$(state $event)"

modprobe jbd2
assert_eq 'and come again' connected "$(state $event)"
put $SINK '-jbd2:*'
rmmod ltt-tracepoints
assert_eq 'they go with ltt-tracepoints, too' gone "$(state $event)"
load ltt-tracepoints
assert_eq 'and come with it when the module was there before' there "$(state $event)"

put $SINK '+jbd2:*'
truncate -s 16M "$TMP/disk"
mkfs.ext4 -q -F "$TMP/disk"
mkdir "$TMP/mount"
modprobe loop
mount -t ext4 "$(losetup -f --show "$TMP/disk")" "$TMP/mount"
echo text > "$TMP/mount/file"
sync
umount "$TMP/mount"
losetup -D
assert 'they are received' [ "$(tap $event calls)" -gt 0 ]
assert_eq 'no payload was wrong' '' "$(awk '/ bad / && !/ bad 0 /' $SINK)"
put $SINK '-jbd2:*'

# Everything can be unloaded in any order that the use counts allow.
rmmod ltt-test-sink
modprobe -r ext4 jbd2
rmmod ltt-tracepoints
modprobe jbd2
load ltt-tracepoints
load ltt-test-sink
put $SINK '+*'
assert 'unloading the sink disconnects everything' rmmod ltt-test-sink
assert 'the probes can go then' rmmod ltt-tracepoints
assert 'and the registry' rmmod ltt-markers
