#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: the rules of doc/device.md for mapped buffers, also with O_DIRECT from the mapping
# vm: --loaded
# requires: babeltrace2 mkfs.ext4 python3 ltt-control.ko ltt-test-markers.ko
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-markers.sh"

load_modules
load ltt-test-markers
mkdir "$TMP/disk"
# A file system with direct input and output.
modprobe loop
truncate -s 32M "$TMP/image"
mkfs.ext4 -q -O ^has_journal "$TMP/image"
mount -o loop "$TMP/image" "$TMP/disk"
at_exit "umount $TMP/disk"
mkdir -p "$TMP/disk/trace/kernel"

checks_of device-map "$TMP/disk/trace"
assert_sequential "$TMP/disk/trace"
assert 'babeltrace2 reads what was written' decode "$TMP/disk/trace" "$TMP/text"
assert_eq 'without a word' '' "$(head -n 3 "$TMP/text.err")"
assert_eq 'every event is there' $((10000 * $(nproc))) "$(grep -c 'test:task' "$TMP/text")"
rmmod ltt-test-markers
assert 'everything can be unloaded' unload_modules
