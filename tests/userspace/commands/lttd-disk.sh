#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# The files that lttd leaves when it is killed, or a read or a write fails.

. "$(dirname "$0")/lib-lttd.sh"

# Every file on disk is the first packets of its buffer, none torn.
whole_packets() {
	local bytes=$1 file size
	for file in "$out"/kernel/*_*; do
		size=$(stat -c %s "$file")
		[ $((size % bytes)) = 0 ] || die "$file: $size bytes are not whole packets"
		cmp -n "$size" "$trace/${file##*/}" "$file"
	done
	cmp "$trace/metadata" "$out/kernel/metadata"
}

test_torn_tail_is_cut() {
	local cut
	for cut in 1 75 76 77 4095 4096 8191; do
		rm -rf "$out" "$trace"
		make_trace 4 8192
		mkdir -p "$out/kernel"
		cp "$trace/metadata" "$out/kernel"
		head -c $((16384 + cut)) "$trace/events_0" > "$out/kernel/events_0"
		"$lttd" --once -o "$out" t > report 2>&1
		grep -q "events_0.*\\<$cut\\>" report
		complete
	done
}

test_garbage_tail_is_cut() {
	make_trace 4 8192
	mkdir -p "$out/kernel"
	cp "$trace/metadata" "$out/kernel"
	head -c 8192 "$trace/events_0" > "$out/kernel/events_0"
	head -c 20000 /dev/urandom >> "$out/kernel/events_0"
	"$lttd" --once -o "$out" t
	complete
}

test_torn_metadata_is_completed() {
	make_trace 2 4096
	mkdir -p "$out/kernel"
	head -c 9 "$trace/metadata" > "$out/kernel/metadata"
	"$lttd" --once -o "$out" t
	complete
}

test_sequence_gap_is_kept() {
	make_trace 3 4096
	"$tools/mkpackets" 9 2 4096 >> "$trace/events_0"
	mkdir -p "$out/kernel"
	cp "$trace/metadata" "$out/kernel"
	head -c 12288 "$trace/events_0" > "$out/kernel/events_0"
	"$lttd" --once -o "$out" t
	complete
}

# Killed at each system call of some kind in turn, then run again.
sweep() {
	local call=$1 when status
	strace -o /dev/null true 2> /dev/null || { echo "no strace"; exit 77; }
	make_trace 6 131072 events_0 events_1
	for ((when = 1; ; when++)); do
		rm -rf "$out"
		status=0
		strace -qq -o strace.out -e trace="$call" \
			-e inject="$call:signal=KILL:when=$when" \
			"$lttd" --once -o "$out" t > report 2>&1 || status=$?
		[ $status != 0 ] || break
		[ $when -lt 1000 ] || die "never ends well: $(cat report)"
		"$lttd" --once -o "$out" t > report 2>&1 ||
			{ cat report; die "second lttd failed, $call $when"; }
		complete events_0 events_1
	done
	say "$call: killed at each of $((when - 1))"
	[ $when -gt 3 ]
}

test_killed_at_each_splice() { sweep splice; }

test_killed_at_each_pread() { sweep pread64; }

test_killed_at_each_pwrite() { sweep pwrite64; }

# D2: no look beyond a packet (which frees it) before it is wholly in the file.
test_nothing_is_freed_before_it_is_written() {
	strace -o /dev/null true 2> /dev/null || { echo "no strace"; exit 77; }
	make_trace 6 131072
	strace -qq -y -o calls -e trace=pread64,splice "$lttd" --once -o "$out" t
	awk -v in_="$trace/events_0>" -v out_="$out/kernel/events_0>" '
		/^splice/ && index($0, out_) { written += $NF }
		/^pread64/ && index($0, in_) && / = 76$/ {
			match($0, /, [0-9]+\) = /)
			at = substr($0, RSTART + 2) + 0
			if (at > written) { print "freed", at, "wrote", written; exit 1 }
			if (at) looks++
		}
		END { exit !(looks >= 5) }' calls
}

test_read_where_splice_cannot() {
	strace -o /dev/null true 2> /dev/null || { echo "no strace"; exit 77; }
	local what
	make_trace 6 131072 events_0 events_1
	# The first splice is the buffer side, the second the file side.
	for what in EINVAL:when=1+ EINVAL:when=2+ EAGAIN:when=3; do
		rm -rf "$out"
		strace -qq -o strace.out -e trace=splice \
			-e inject="splice:error=$what" "$lttd" --once -o "$out" t
		complete events_0 events_1
	done
}

test_interrupted_calls_are_repeated() {
	strace -o /dev/null true 2> /dev/null || { echo "no strace"; exit 77; }
	local in=$trace/events_0 to=$out/kernel what
	make_trace 6 131072
	for what in "$in splice:error=EINVAL read:error=EINTR:when=1" "$in pread64:error=EINTR:when=1" \
			"$to/events_0 splice:error=EINVAL write:error=EINTR:when=1" \
			"$to/events_0 fdatasync:error=EINTR:when=1" \
			"$to/metadata pwrite64:error=EINTR:when=1" "$trace/metadata pread64:error=EINTR:when=2" \
			"$to/events_0 fdatasync:error=EINVAL" "$to/metadata fdatasync:error=ENOSYS"; do
		rm -rf "$out"
		# shellcheck disable=SC2086
		injected $what -- --once -o "$out" t
		grep -q INJECTED strace.out || die "$what: nothing was"
		complete
	done
}

test_failing_reads_and_writes_leave_whole_packets() {
	strace -o /dev/null true 2> /dev/null || { echo "no strace"; exit 77; }
	local in=$trace/events_0 to=$out/kernel what why
	make_trace 6 131072
	while read -r what why; do
		rm -rf "$out"
		# shellcheck disable=SC2086
		fails 1 "$why" \
			injected ${what//+/ } -- --once -o "$out" t
		grep -q events_0 "$scratch/out"
		whole_packets 131072
		"$lttd" --once -o "$out" t
		complete
	done <<-END
		$in+splice:error=EINVAL+read:error=EIO:when=3 Input/output error
		$in+splice:error=EINVAL+read:retval=0:when=3 No data available
		$in+splice:retval=0:when=3 No data available
		$to/events_0+splice:error=EINVAL+write:error=ENOSPC:when=4 No space left on device
	END
}

test_failing_metadata() {
	strace -o /dev/null true 2> /dev/null || { echo "no strace"; exit 77; }
	make_trace 0 4096
	fails 1 "Input/output error" \
		injected "$out/kernel/metadata" pwrite64:error=ENOSPC:when=1 ftruncate:error=EIO -- --once -o "$out" t
	grep -q "No space left on device" "$scratch/out"
	rm -r "$out"
	# Read at the beginning: whether there is some, that, the end; then when all has been written.
	fails 1 "Input/output error" \
		injected "$trace/metadata" pread64:error=EIO:when=4+ -- --once -o "$out" t
	cmp "$trace/metadata" "$out/kernel/metadata"
	fails 1 "Input/output error" \
		injected "$trace/metadata" pread64:error=EIO:when=1 -- --once -o "$out" t
	rm -r "$out"
	make_trace 2 4096
	fails 1 "Input/output error" \
		injected "$trace/metadata" pread64:error=EIO:when=4+ -- --once -o "$out" t
	whole_packets 4096
	"$lttd" --once -o "$out" t
	complete
	fails 1 "Input/output error" \
		strace -f -qq -o strace.out -e trace=chdir -e inject=chdir:error=EIO "$lttd" -d -o "$out" t
	unclaimed
}

test_file_size_limit_leaves_whole_packets() {
	make_trace 10 131072
	fails 1 "File too large" \
		bash -c "ulimit -f 500; exec $lttd --once -o $out t"
	whole_packets 131072
	[ "$(stat -c %s "$out/kernel/events_0")" = 393216 ]
	"$lttd" --once -o "$out" t
	complete
}

test_full_disk_leaves_whole_packets() {
	mkdir disk
	mount -t tmpfs -o size=1500k none disk 2> /dev/null || { echo "may not mount"; exit 77; }
	out=$PWD/disk/out
	make_trace 10 131072 events_0 events_1
	(
		fails 1 "No space left on device" \
			"$lttd" --once -o "$out" t
		whole_packets 131072
		mount -o remount,size=20m "$PWD/disk"
		"$lttd" --once -o "$out" t
		complete events_0 events_1
	)
	local status=$?
	umount disk
	return $status
}

test_failing_write_back_is_noticed() {
	strace -o /dev/null true 2> /dev/null || { echo "no strace"; exit 77; }
	make_trace 6 131072
	# Where nothing can be written past the page cache.
	fails 1 "Input/output error" \
		strace -qq -o strace.out -P "$out/kernel/events_0" \
		-e trace=fcntl,sync_file_range -e inject=fcntl:error=EINVAL \
		-e inject=sync_file_range:error=EIO:when=3 "$lttd" --once -o "$out" t
	whole_packets 131072
}

test_failing_write_leaves_whole_packets() {
	strace -o /dev/null true 2> /dev/null || { echo "no strace"; exit 77; }
	make_trace 6 131072
	fails 1 "Input/output error" \
		strace -qq -o strace.out -P "$out/kernel/events_0" -e trace=splice \
		-e inject=splice:error=EIO:when=3 "$lttd" --once -o "$out" t
	whole_packets 131072
}

# Straight from the buffer to the disk, a packet with one call, where that can be done.
test_packets_go_past_the_page_cache() {
	strace -o /dev/null true 2> /dev/null || { echo "no strace"; exit 77; }
	make_trace 6 131072
	dd if=/dev/zero of=direct bs=4096 count=1 oflag=direct 2> /dev/null ||
		{ echo "no direct I/O here"; exit 77; }
	strace -qq -o strace.out -P "$out/kernel/events_0" -e trace=splice,fcntl,sync_file_range \
		"$lttd" --once -o "$out" t
	grep -q 'F_SETFL, .*O_DIRECT.* = 0' strace.out
	[ "$(grep -c '^splice.* = 131072$' strace.out)" = 6 ]
	[ "$(grep -c sync_file_range strace.out)" = 0 ]
	whole_packets 131072
}

test_full_disk_leaves_whole_metadata() {
	strace -o /dev/null true 2> /dev/null || { echo "no strace"; exit 77; }
	make_trace 2 4096
	"$lttd" --once -o "$out" t
	echo "event 2" >> "$trace/metadata"
	"$tools/mkpackets" 2 1 4096 >> "$trace/events_0"
	fails 1 "No space left on device" \
		strace -qq -o strace.out -P "$out/kernel/metadata" -e trace=pwrite64 \
		-e inject=pwrite64:error=ENOSPC:when=1 "$lttd" --once -o "$out" t
	printf '/* CTF 1.8 */\nuuid 1\n' | cmp - "$out/kernel/metadata"
	[ "$(stat -c %s "$out/kernel/events_0")" = 8192 ]
	"$lttd" --once -o "$out" t
	complete
}

run_tests
