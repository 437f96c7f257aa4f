#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: events made of BTF have the values that ftrace shows for the same operations
# timeout: 120
# requires: lttctl lttd babeltrace2 mkfs.ext4 ltt-control.ko
. "$LTT/tests/vm/lib-record.sh"

WAYS=$LTT/modules/instrument/gen/ways.txt
grep -q ' prototype$' "$WAYS" || skip 'this kernel was built without BTF'
tracefs=/sys/kernel/tracing
cd "$TMP"

truncate -s 16M disk
mkfs.ext4 -q -F disk
modprobe loop
mkdir mount
mount -t ext4 -o loop disk mount
at_exit 'cd /; umount "$TMP/mount"; modprobe -q -r loop || true'
load_modules

# By the kernel's header and types of BTF, and by the prototype alone.
events='ext4:ext4_unlink_enter ext4:ext4_sync_file_enter workqueue:workqueue_queue_work
	writeback:writeback_queue iomap:iomap_iter'
for event in $events; do
	echo 1 > "$tracefs/events/$(echo "$event" | tr : /)/enable"
	at_exit "echo 0 > $tracefs/events/$(echo "$event" | tr : /)/enable"
done
assert 'one of the events is by types of BTF' grep -qx 'ext4_unlink_enter types' "$WAYS"
assert 'one is by its prototype' grep -qx 'iomap_iter prototype' "$WAYS"

# The recording and that of ftrace may begin and end at different times: only the events that the
# operations below cause are compared. writeback_queue happens for a file system that has something
# unwritten when it is asked to write: sync(1) without a file wakes the flusher before it asks, and the flusher
# can be done by then.
cat > operations <<'END'
echo text > mount/file
sync mount/file
dd if=/dev/zero of=mount/direct bs=4096 count=3 oflag=direct 2> /dev/null
rm mount/file
echo text > mount/unwritten
sync -f mount/unwritten
END
# shellcheck disable=SC2046 # an option for each event
lttctl record -o out $(printf -- '-e %s ' $events) -- sh operations 2> said
cat "$tracefs/trace" > ftrace
echo > "$tracefs/trace"
decode out text

# values PATTERN: the numbers of a line, in order, as sed finds them
ours()		# event, sed script
{
	sed -nE "s/.* $1: .*\{ *(.*) \}$/\1/p" text | sed -nE "$2" | sort -u
}
theirs()	# event, sed script
{
	sed -nE "s/.* $1: //p" ftrace | sed -nE "$2" | sort -u
}

# same EVENT OURS THEIRS: each value of ours is among those of ftrace, which may have more: its
# recording is longer
same()
{
	ours "$1" "$2" > ours
	theirs "$1" "$3" > theirs
	assert "$1 was recorded" [ -s ours ]
	assert_eq "$1 has ftrace's values ($(head -n 1 ours))" '' "$(comm -23 ours theirs)"
}

same ext4_unlink_enter 's/.*parent = ([0-9]+), ino = ([0-9]+), size = ([0-9]+).*/\2 \3 \1/p;
	s/.*ino = ([0-9]+), parent = ([0-9]+), size = ([0-9]+).*/\1 \3 \2/p' \
	's/.* ino ([0-9]+) size ([0-9]+) parent ([0-9]+).*/\1 \2 \3/p'
same ext4_sync_file_enter 's/.*ino = ([0-9]+), parent = ([0-9]+), .*datasync = ([0-9]+).*/\1 \2 \3/p' \
	's/.* ino ([0-9]+) parent ([0-9]+) datasync ([0-9]+).*/\1 \2 \3/p'
same workqueue_queue_work 's/.*work = 0x([0-9A-F]+),.* workqueue = "([^"]*)".*/\2/p' \
	's/.*workqueue=([^ ]+) .*/\1/p'
same writeback_queue 's/.*name = "([^"]*)", .*nr_pages = (-?[0-9]+),.*/\1 \2/p' \
	's/^bdi (.*): sb_dev [^ ]+ nr_pages=(-?[0-9]+) .*/\1 \2/p'
printf '%d\n' $(theirs iomap_iter 's/.* ino (0x[0-9a-f]+) .*/\1/p') | sort -u > inodes
assert 'iomap_iter was recorded' [ -s inodes ]
assert_eq 'iomap_iter has the inode of ftrace' "$(cat inodes)" \
	"$(ours iomap_iter 's/.*iter_ino = ([0-9]+),.*/\1/p')"
assert_eq 'and of the file' "$(stat -c %i mount/direct)" "$(cat inodes)"
assert_eq 'iomap_iter has the positions of ftrace' \
	"$(printf '%d\n' $(theirs iomap_iter 's/.* pos (0x[0-9a-f]+) .*/\1/p') | sort -u)" \
	"$(ours iomap_iter 's/.*iter_pos = ([0-9]+),.*/\1/p')"
