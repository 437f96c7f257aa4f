#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttd on plain files: what it writes, and what is left when it is stopped at any
# point.  A plain file never frees a packet, so a restarted lttd meets all packets
# again, as it would meet those of a buffer whose reader was killed.

# shellcheck source=tests/userspace/commands/lib.sh
. "$(dirname "$0")/lib.sh"

lttd=$bin/lttd
trace=$LTT_DEBUGFS/traces/t
out=$scratch/t/out

# make_trace PACKETS BYTES [BUFFER…]
make_trace() {
	local count=$1 bytes=$2 name channel
	shift 2
	mkdir -p "$trace"
	echo running > "$trace/state"
	printf '/* CTF 1.8 */\nuuid 1\n' > "$trace/metadata"
	for name in "${@:-events_0}"; do
		channel=$trace/channels/${name%_*}
		mkdir -p "$channel"
		echo "$bytes" > "$channel/subbuf_size"
		echo "$count" > "$channel/subbuf_count"
		echo 0 > "$channel/overwrite"
		echo 0 > "$channel/lossless_ms"
		"$tools/mkpackets" 0 "$count" "$bytes" > "$trace/$name"
	done
}

# The trace on disk is what the tracer holds.
complete() {
	local name
	for name in metadata "${@:-events_0}"; do
		cmp "$trace/$name" "$out/kernel/$name"
	done
}

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

test_once_writes_what_is_there() {
	make_trace 5 8192 events_0 events_1 state_0
	"$lttd" --once -o "$out" t > report
	complete events_0 events_1 state_0
	grep -q '^lttd: .*\<15\>.*\<122880\>' report
}

test_exits_when_the_trace_is_destroyed() {
	make_trace 5 8192
	"$lttd" -o "$out" t &
	local pid=$!
	until_true 10 cmp -s "$trace/events_0" "$out/kernel/events_0"
	kill -0 $pid
	cp -r "$trace" saved
	rm -r "$trace"
	wait $pid
	trace=$PWD/saved
	complete
}

test_exits_when_the_trace_never_started() {
	make_trace 0 4096
	rm "$trace/events_0"
	"$lttd" -o "$out" t &
	local pid=$!
	until_true 10 test -s "$out/kernel/metadata"
	rm -r "$trace"
	wait $pid
}

test_picks_up_buffers_that_appear_later() {
	make_trace 3 4096 events_0
	"$lttd" -o "$out" t &
	local pid=$!
	until_true 10 cmp -s "$trace/events_0" "$out/kernel/events_0"
	"$tools/mkpackets" 0 4 4096 > new
	mv new "$trace/events_7"
	until_true 10 cmp -s "$trace/events_7" "$out/kernel/events_7"
	grep -q ' 2 ' "$LTT_RUN_DIR/t" || die "claim does not count 2 buffers"
	kill $pid
	wait $pid
}

test_bad_buffer_that_appears_later() {
	make_trace 3 4096 events_0
	"$lttd" -o "$out" t 2> said &
	local pid=$! status=0
	until_true 10 cmp -s "$trace/events_0" "$out/kernel/events_0"
	head -c 4096 /dev/zero > new
	mv new "$trace/events_7"
	wait $pid || status=$?
	[ $status = 1 ]
	grep -q events_7 said
	complete
}

test_daemon_for_programs() {
	local pid
	"$lttd" -d -o "$out" --programs 'none:*'
	pid=$("$bin/lttctl" list 2> said | sed -n 's/^programs-\([0-9]*\) .*/\1/p')
	[ "$(readlink "/proc/$pid/fd/1")" = /dev/null ]
	kill "$pid"
	until_true 10 test ! -e "/proc/$pid"
}

test_sigterm_drains_and_leaves_the_trace() {
	make_trace 200 65536 events_0 events_1
	"$lttd" -o "$out" t &
	local pid=$!
	until_true 10 test -e "$LTT_RUN_DIR/t"
	kill $pid
	wait $pid
	complete events_0 events_1
}

test_daemon_returns_when_it_holds_the_buffers() {
	make_trace 3 4096
	"$lttd" -d -o "$out" t
	read -r buffers dir < "$LTT_RUN_DIR/t"
	[ "$buffers" = 1 ] && [ "$dir" = "$out" ]
	rm -r "$trace"
	until_true 10 test ! -e "$LTT_RUN_DIR/t"
}

test_second_lttd_is_refused() {
	make_trace 1 4096
	"$lttd" -d -o "$out" t
	fails 1 lttd "$lttd" -o "$out" t
	rm -r "$trace"
	until_true 10 test ! -e "$LTT_RUN_DIR/t"
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

# Of two buffers, one holds ten packets of a time in which the other filled one.
test_fullest_buffer_comes_first() {
	strace -o /dev/null true 2> /dev/null || { echo "no strace"; exit 77; }
	make_trace 10 4096 events_1
	make_trace 0 4096 events_0
	"$tools/mkpackets" 0 1 4096 10000 > "$trace/events_0"
	strace -qq -y -o calls -e trace=splice "$lttd" -o "$out" t &
	local pid=$!
	until_true 10 cmp -s "$trace/events_0" "$out/kernel/events_0"
	until_true 10 cmp -s "$trace/events_1" "$out/kernel/events_1"
	rm -r "$trace"
	wait $pid
	order=$(sed -n 's/^splice.*pipe.*kernel\/events_\([01]\).*/\1/p' calls | tr -d '\n')
	[[ $order =~ ^1111111110?1?0?$ ]] || die "order $order"
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

# injected PATH CALL:WHAT... -- ARGUMENT...: lttd, with system calls that are about PATH changed
injected() {
	local path=$1 calls='' options=()
	shift
	while [ "$1" != -- ]; do
		calls+=,${1%%:*}
		options+=(-e "inject=$1")
		shift
	done
	shift
	strace -qq -o strace.out -P "$path" -e trace="${calls#,}" "${options[@]}" "$lttd" "$@"
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

test_list_of_buffers_cannot_be_read() {
	strace -o /dev/null true 2> /dev/null || { echo "no strace"; exit 77; }
	make_trace 1 4096
	fails 1 "Operation not permitted" injected "$trace" getdents64:error=EPERM -- --once -o "$out" t
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

# lttd_with NTH ARGUMENT...: when that call has failed, there is a file "failed"
lttd_with() {
	local nth=$1
	shift
	rm -f failed
	FAIL_IN=lttd FAIL_NTH=$nth FAIL_DONE=$PWD/failed LD_PRELOAD=$tools/fail-nth.so \
		timeout 20 "$lttd" "$@" > said 2>&1
}

# All is there, or lttd prints an error and another lttd does the rest.
check_failed_lttd() { # its status
	case $1 in
	0)	complete events_0 events_1 || die "status 0, and the trace is not complete" ;;
	1)	grep -q '^lttd: ' said || die "no message"
		rm -rf other
		"$lttd" --once -o "$out" t > again 2>&1 || grep -q metadata again ||
			{ cat again; die "another one cannot do the rest"; } ;;
	*)	die "status $1" ;;
	esac
}

test_once_when_a_call_fails() {
	make_trace 3 8192 events_0 events_1
	local nth status
	for ((nth = 1; ; nth++)); do
		rm -rf "$out"
		status=0
		lttd_with $nth --once -o "$out" t || status=$?
		[ -e failed ] || break
		( check_failed_lttd $status ) || { cat said; die "after call $nth, $(cat failed)(), failed"; }
	done
	say "each of $((nth - 1)) calls failed"
	[ $nth -gt 40 ]
}

# The trace goes when all has been written; an lttd that gives up before has printed an error.
test_attached_when_a_call_fails() {
	local nth status pid
	written() { cmp -s "$trace/events_1" "$out/kernel/events_1" || ! kill -0 "$pid" 2> /dev/null; }
	for ((nth = 1; ; nth++)); do
		rm -rf "$out" "$trace"
		make_trace 3 8192 events_0 events_1
		cp -r "$trace" saved
		lttd_with $nth -o "$out" t &
		pid=$!
		until_true 10 written
		mv "$trace" gone
		rm -r gone
		status=0
		wait $pid || status=$?
		mv saved "$trace"
		[ -e failed ] || break
		( check_failed_lttd $status ) || { cat said; die "after call $nth, $(cat failed)(), failed"; }
	done
	say "each of $((nth - 1)) calls failed"
	[ $nth -gt 40 ]
}

# With status 0 it serves the trace; otherwise nobody does.
test_daemon_when_a_call_fails() {
	local nth status
	for ((nth = 1; ; nth++)); do
		rm -rf "$out" "$trace"
		make_trace 3 8192 events_0 events_1
		cp -r "$trace" saved
		status=0
		lttd_with $nth -d -o "$out" t || status=$?
		if [ $status = 0 ]; then
			rm -r "$trace"
			until_true 10 unclaimed
		fi
		rm -rf "$trace"
		mv saved "$trace"
		[ $status = 0 ] || ( check_failed_lttd $status ) ||
			{ cat said; die "after call $nth, $(cat failed)(), failed"; }
		# A daemon that gives up writes its error to the system's log.
		"$lttd" --once -o "$out" t > again 2>&1 || grep -q metadata again ||
			{ cat again; die "after call $nth, $(cat failed)(), failed"; }
		[ -e failed ] || break
	done
	say "each of $((nth - 1)) calls failed"
	[ $nth -gt 5 ]
}

# Nobody holds the trace's claim, which its holder alone may remove.
unclaimed() {
	[ ! -e "$LTT_RUN_DIR/t" ] || python3 -c 'import fcntl, sys
fcntl.lockf(open(sys.argv[1], "r+"), fcntl.LOCK_EX | fcntl.LOCK_NB)' "$LTT_RUN_DIR/t" 2> /dev/null
}

test_another_trace_is_not_overwritten() {
	make_trace 2 4096
	"$lttd" --once -o "$out" t
	printf '/* CTF 1.8 */\nuuid 2\n' > "$trace/metadata"
	fails 1 "$out" "$lttd" --once -o "$out" t
	rm -r "$out"
	mkdir -p "$out/kernel"
	echo precious > "$out/kernel/file"
	fails 1 metadata "$lttd" --once -o "$out" t
	grep -qx precious "$out/kernel/file"
}

# How record knows what lttd has.
test_reports_how_many_buffers_it_holds() {
	make_trace 3 4096 events_0
	"$lttd" --held 5 -o "$out" t 5> held &
	local pid=$!
	until_true 10 cmp -s "$trace/events_0" "$out/kernel/events_0"
	"$tools/mkpackets" 0 4 4096 > new
	mv new "$trace/events_7"
	until_true 10 cmp -s "$trace/events_7" "$out/kernel/events_7"
	kill $pid
	# The trace is still there: the exit status says that lttd has not all of it.
	if wait $pid; then
		return 1
	fi
	printf '%8u\n' 1 2 | cmp - held
	# The reader of the reports has gone.
	"$lttd" --once --held 5 -o "$out" t 5> >(:)
	complete events_0 events_7
}

test_session_is_a_stream_of_the_device() {
	make_trace 1 4096
	echo precious > file
	fails 1 /dev/ltt "$lttd" --session 5 -o "$out" t 5<> file
	fails 1 99 "$lttd" --session 99 -o "$out" t
	[ "$(cat file)" = precious ]
}

# The stream on which the tracer announces buffers, and the end, is another one.
test_device_gives_no_stream_to_watch() {
	printf '/* CTF 1.8 */\n' > metadata
	local there=(traces=t uuid=1 state=running)
	fails 1 77 \
		"$scripts/fake-device" "${there[@]}" -- "$lttd" -o "$out" t 77< metadata 78< metadata
	fails 1 "none left" \
		"$scripts/fake-device" "${there[@]}" 'stream=!12 none left' -- "$lttd" -o "$out" t 78< metadata
	[ -z "$(ls "$LTT_RUN_DIR")" ]
}

test_bad_packet_is_refused() {
	make_trace 1 4096
	head -c 4096 /dev/zero >> "$trace/events_0"
	fails 1 events_0 "$lttd" --once -o "$out" t
	[ "$(stat -c %s "$out/kernel/events_0")" = 4096 ]
}

# programs FILE CALL:WHAT...: the status of lttd for programs while one runs, with system calls changed
# that are about that file of the trace or its events, or anywhere
programs() {
	local options=() status=0 socket program strace cpu what
	for cpu in $(seq 0 "$(nproc --all)"); do
		options+=(-P "$out/user-$(id -u)/events_$cpu")
	done
	[ "$1" = anywhere ] && options=() || options+=(-P "$out/user-$(id -u)/$1")
	shift
	for what in "$@"; do
		options+=(-e "inject=$what")
	done
	rm -rf "$out" "$LTT_RUN_DIR/lttd" strace.out marked
	strace -qq -o strace.out "${options[@]}" "$lttd" -o "$out" --programs 'marked:*' > said 2>&1 &
	strace=$!
	there() { socket=$(find "$LTT_RUN_DIR/lttd" -name 'lttd-*' 2> none); [ "$socket" ]; }
	until_true 10 there
	LTT_START=$socket "$tools/marked" > marked &
	program=$!
	passed() { grep -q passed marked; }
	until_true 10 passed
	# It may have given up.
	kill "${socket##*-}" 2> none || :
	wait $strace || status=$?
	kill $program
	wait $program || :
	grep -q INJECTED strace.out || { cat said; die "$*: nothing was"; }
	return $status
}

# An error while an error is undone is reported, too.
test_programs_when_calls_fail() {
	strace -o /dev/null true 2> /dev/null || { echo "no strace"; exit 77; }
	programs metadata pwrite64:error=EINTR:when=1
	grep -q '^lttd: .*\<2 .*\<0 ' said
	programs none pwrite64:error=EINTR:when=1
	grep -q '^lttd: .*\<2 .*\<0 ' said
	says() { grep -q "^lttd: $1" said || { cat said; die "it does not say $1"; }; }
	failed() { local status=0; programs "$@" || status=$?; [ $status = 1 ] || die "$*: status $status"; }
	failed none pwrite64:error=ENOSPC ftruncate:error=EIO
	says '.*events_[0-9].*Input/output error'
	says '.*events_[0-9].*No space left on device'
	failed metadata pwrite64:error=ENOSPC:when=2 ftruncate:error=EIO
	says '.*metadata.*Input/output error'
	failed state_0 pwrite64:error=ENOSPC:when=2 ftruncate:error=EIO
	says '.*state_0.*Input/output error'
	failed anywhere pwrite64:error=ENOSPC:when=1 unlinkat:error=EIO
	says ".*user-$(id -u).*Input/output error"
	failed anywhere uname:error=EFAULT
	says '.*Bad address'
	[ -z "$(ls "$out")" ]
	# The first is of the C library.
	failed anywhere getrandom:error=ENOSYS:when=2+
	says '.*Function not implemented'
	[ -z "$(ls "$out")" ]
}

test_wrong_usage() {
	make_trace 1 4096
	fails 2 trace "$lttd" -o "$out"
	fails 2 "-o" "$lttd" t
	fails 2 trace "$lttd" -o "$out" t u
	fails 2 "--nonsense" "$lttd" --nonsense
	fails 2 "--once" "$lttd" -d --once -o "$out" t
	fails 2 usb "$lttd" --via usb -o "$out" t
	fails 1 "$PWD/nothing" env LTT_DEVICE="$PWD/nothing" "$lttd" -o "$out" t
	fails 1 nosuch "$lttd" -o "$out" nosuch
	fails 1 name "$lttd" -o "$out" ../t
	fails 1 name "$lttd" -o "$out" ''
	fails 1 /nowhere/out "$lttd" -o /nowhere/out t
	fails 0 "Usage: lttd" "$lttd" --help
	rm -r "$LTT_DEBUGFS"
	fails 1 modprobe "$lttd" -o "$out" t
}

test_no_memory_for_options() {
	local status=0
	FAIL_OF=libpopt.so lttd_with 1 --once -o "$out" t || status=$?
	[ $status = 1 ] && [ "$(cat failed)" = calloc ]
	grep -q '^lttd: .*memory' said
	[ ! -e "$out" ]
}

run_tests
