#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a full disk ends lttd with a clear error and a trace readable to the last whole packet; with room again it goes on
# when: all
# vm: --loaded
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"
mkdir disk
# A file system with direct input and output.
modprobe loop
truncate -s 3M image
mkfs.ext4 -q -O ^has_journal image
mount -o loop image disk
at_exit "umount $TMP/disk"

status=0
lttctl record -o disk/out -e 'raw_syscalls:*' --size 64k -- \
	dd if=/dev/zero of=/dev/null bs=1 count=100000 2> said || status=$?
assert_eq 'record says that tracing failed' 125 "$status"
assert_match 'lttd reports the errno' 'lttd: .*No space left on device' "$(cat said)"
assert_match 'lttctl names the recording' 'lttctl.*: .*disk/out' "$(cat said)"
assert_match 'and reports what was lost' '^lost +[0-9,]+' "$(cat said)"
refute 'as more than a number' grep -Eq '^lost +[0-9,]+( \([^)]*\))?$' said
assert_sequential disk/out
assert 'babeltrace2 reads it' decode disk/out text
assert_eq 'without a word' '' "$(grep -v 'Tracer discarded' text.err | head -n 3)"
assert 'there are events' [ "$(wc -l < text)" -gt 1000 ]
assert_eq 'no trace is left' '' "$(lttctl list)"
umount disk

# And one without.
mount -t tmpfs -o size=1m none disk

lttctl create -e 'raw_syscalls:*' --size 64k --count 64 t
lttctl start t
dd if=/dev/zero of=/dev/null bs=1 count=15000 2> /dev/null
lttctl stop t
refute 'lttd gives up' lttd -o disk/out t
mount -o remount,size=64m disk
lttd -d -o disk/out t
stored=$(trace_total t stored)
assert_eq 'nothing was refused' 0 "$(trace_total t refused)"
lttctl destroy t
assert_whole disk/out "$stored"
assert_sequential disk/out
rm -r disk/out

unload_modules
