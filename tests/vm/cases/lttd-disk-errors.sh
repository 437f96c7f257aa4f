#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a disk that fails, turns read-only or is limited ends lttd with a clear error and loses nothing before it
# when: all
# requires: lttctl lttd babeltrace2 python3 dmsetup mkfs.ext4 ltt-control.ko
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"

# There is no udev to make the node of the disk.
export DM_DISABLE_UDEV=1
sectors=32768

# table linear|flakey: what the disk does from now on. Flakey, writes fail and reads do not.
table()
{
	case $1 in
	linear)	line="0 $sectors linear $loop 0" ;;
	flakey)	line="0 $sectors flakey $loop 0 0 60 1 error_writes" ;;
	esac
	dmsetup suspend --noflush --nolockfs ltt-disk
	echo "$line" | dmsetup load ltt-disk
	dmsetup resume ltt-disk
}

make_disk()	# options of mount
{
	mkfs.ext4 -q -F -O ^metadata_csum /dev/mapper/ltt-disk
	mount -o "$1" /dev/mapper/ltt-disk disk
}

# A trace with packets in its buffers, and an lttd that has written some.
begin()
{
	lttctl create -e 'raw_syscalls:*' --size 64k --count 64 t
	lttd -o disk/out t 2> said &
	lttd=$!
	lttctl start t
	burst
	assert 'lttd writes' wait_until 20 [ -s disk/out/kernel/events_0 -o -s disk/out/kernel/events_1 ]
}

burst()
{
	dd if=/dev/zero of=/dev/null bs=1 count=5000 2> /dev/null
}

lttd_ended()
{
	! kill -0 $lttd 2> /dev/null
}

# lttd ends by itself, with an error and the words.
assert_gives_up()	# words
{
	burst
	lttctl stop t
	assert 'lttd gives up' wait_until 30 lttd_ended
	status=0
	wait $lttd || status=$?
	assert_eq 'with an error' 1 "$status"
	assert_match 'that says what' "$1" "$(cat said)"
}

# Whatever lttd could not write is still there, for another one.
assert_goes_on()
{
	stored=$(trace_total t stored)
	assert_eq 'nothing was refused' 0 "$(trace_total t refused)"
	lttd -d -o disk/out t
	lttctl destroy t
	assert_whole disk/out "$stored"
	assert_sequential disk/out
	rm -r disk/out
}

load_modules
cd "$TMP"
mkdir disk
modprobe -a loop dm_mod dm_flakey
truncate -s $((sectors * 512)) image
loop=$(losetup -f --show image)
at_exit "losetup -d $loop"
dmsetup create ltt-disk --table "0 $sectors linear $loop 0"
at_exit 'dmsetup remove --retry ltt-disk'

# Writes fail in the middle of a trace.
make_disk errors=continue
at_exit "umount $TMP/disk"
begin
table flakey
assert_gives_up 'Input/output error'
table linear
umount disk
make_disk errors=continue
assert_eq 'nothing was refused' 0 "$(trace_total t refused)"
lttctl destroy t

# The file system turns read-only, or, since Linux 6.12, shuts down.
begin
mount -o remount,abort disk
assert_gives_up '(Read-only file system|Input/output error)'
umount disk
fsck.ext4 -p -f /dev/mapper/ltt-disk > /dev/null || [ $? -eq 1 ]
mount /dev/mapper/ltt-disk disk
# Data that the file system had accepted and not written to the disk is gone with it; the rest is
# where it was.
lttd -d -o disk/out t
lttctl destroy t
assert 'babeltrace2 reads what is left' decode disk/out text
assert_eq 'without a word' '' "$(grep -v 'Tracer discarded' text.err | head -n 3)"
assert_sequential disk/out
assert 'there are events' [ "$(wc -l < text)" -gt 1000 ]
rm -r disk/out

# A limit on the size of files.
lttctl create -e 'raw_syscalls:*' --size 64k --count 64 t
lttctl start t
burst
lttctl stop t
status=0
(ulimit -f 200; exec lttd -o disk/out t) 2> said || status=$?
assert_eq 'a limit ends lttd with an error, not with a signal' 1 "$status"
assert_match 'that says what' 'File too large' "$(cat said)"
assert_sequential disk/out
assert_goes_on

unload_modules
