#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: after a power cut the closed pieces of a recording of the kernel are whole, the open one is readable to its last packet, and the next lttd closes it
# when: all
# faces: device
# requires: lttctl lttd babeltrace2 python3 mkfs.ext4 ltt-control.ko
# timeout: 200
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"
mkdir disk
truncate -s 96M image
mkfs.ext4 -q image
modprobe loop 2> /dev/null || :
modprobe ext4 2> /dev/null || :
mount -o loop image disk
at_exit 'umount disk'

# Data that the file system has not written to its device is gone, and its journal, too.
cut_power()
{
	python3 -c '
import fcntl, os, struct
EXT4_IOC_SHUTDOWN, NO_LOG_FLUSH = 0x8004587d, 2
fcntl.ioctl(os.open("disk", os.O_RDONLY), EXT4_IOC_SHUTDOWN, struct.pack("I", NO_LOG_FLUSH))'
}

closed()
{
	for piece in disk/out/[0-9]*; do
		[ -e "$piece/open" ] || echo "$piece"
	done
}
many_closed() { [ "$(closed | wc -l)" -gt $((before + 1)) ]; }

# numbers FILE PIECE...: the sequence numbers of the packets of a buffer
numbers()
{
	file=$1
	shift
	for piece in "$@"; do
		[ ! -e "$piece/kernel/$file" ] || sequences "$piece/kernel/$file"
	done
}

view() { lttctl view "$@" > view; }

record()
{
	lttctl record --name t -o disk/out -e 'raw_syscalls:sys_exit' --size 32k --count 64 --piece-size 256k "$@"
}

# The pieces of an earlier recording are those up to number $done.
done=0
for attempt in $(at_length 1 '1 2'); do
	before=$(closed 2> /dev/null | wc -l)
	record 2> said &
	recorder=$!
	storm
	assert "attempt $attempt: pieces are closed" wait_until 30 many_closed
	closed > were-closed
	cut_power
	unstorm
	# Each of them may have ended by itself, and has destroyed the trace then.
	# shellcheck disable=SC2046	# several
	kill -9 $recorder $(pidof lttd) 2> /dev/null || :
	wait $recorder || :
	lttctl destroy t 2> /dev/null || :
	umount disk
	mount -o loop image disk
	assert_eq 'no closed piece is gone or open' "$(cat were-closed)" "$(closed | head -n "$(wc -l < were-closed)")"
	# shellcheck disable=SC2046	# names of pieces have no blanks
	set -- $(tail -n +$((done + 1)) were-closed)
	for piece in "$@"; do
		assert "lttctl view reads $piece" view "$piece"
	done
	assert "babeltrace2 reads all" decode_all text "$@"
	assert_eq 'with nothing to say' '' "$(grep -v 'Tracer discarded' text.err)"
	for file in events_0 events_1; do
		numbers $file "$@" > seen
		assert_eq "$file has each packet once" "$(seq 0 $(($(wc -l < seen) - 1)))" "$(cat seen)"
	done
	for open in disk/out/[0-9]*; do
		[ ! -e "$open/open" ] || assert "lttctl view reads $open, which was open" view "$open"
	done
	record -- true 2> said || die "the next one fails: $(cat said)"
	assert_eq 'the next one closes all' '' "$(find disk/out -name open)"
	assert 'and all can be read' view disk/out/[0-9]*
	done=$(closed | wc -l)
done
unload_modules
