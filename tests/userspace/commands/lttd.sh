#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttd on plain files: the buffers that it writes, its end, its control connection, wrong usage.

. "$(dirname "$0")/lib-lttd.sh"

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
	echo configuring > "$trace/state"
	"$lttd" -o "$out" t &
	local pid=$!
	until_true 10 test -s "$out/kernel/metadata"
	rm -r "$trace"
	wait $pid
}

# The buffers of a trace that is being removed go before its state.
test_reports_that_the_buffers_have_gone() {
	make_trace 0 4096
	rm "$trace/events_0"
	"$lttd" -o "$out" t 2> said &
	local pid=$!
	until_true 10 test -s "$out/kernel/metadata"
	rm -r "$trace"
	! wait $pid
	grep -q 't was removed' said
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

test_sigterm_flushes_first() {
	make_trace 2 4096
	"$lttd" --flush 0 -o "$out" t &
	local pid=$!
	until_true 10 test -e "$LTT_RUN_DIR/t"
	[ ! -s "$trace/flush" ]
	kill $pid
	wait $pid
	[ "$(cat "$trace/flush")" = 1 ]
	# It writes what is there, and reports that this may not be all.
	rm -r "$out" "$trace/flush"
	"$lttd" --flush 0 -o "$out" t 2> said &
	pid=$!
	until_true 10 test -e "$LTT_RUN_DIR/t"
	kill $pid
	local status=0
	wait $pid || status=$?
	[ $status = 1 ]
	grep -q flush said
	complete
}

test_flushes_in_time() {
	make_trace 2 4096
	"$lttd" --flush 20 -o "$out" t &
	local pid=$! round
	for round in 1 2; do
		until_true 10 test -s "$trace/flush"
		: > "$trace/flush"
	done
	rm -r "$trace"
	wait $pid
}

test_goes_on_where_it_cannot_flush() {
	make_trace 2 4096
	rm "$trace/flush"
	"$lttd" --flush 20 -o "$out" t 2> said &
	local pid=$!
	until_true 10 grep -q flush said
	"$tools/mkpackets" 0 4 4096 > new
	mv new "$trace/events_7"
	until_true 10 cmp -s "$trace/events_7" "$out/kernel/events_7"
	rm -r "$trace"
	wait $pid
	[ "$(wc -l < said)" = 1 ]
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

# All users can have a read lock on the claim that a killed lttd left.
test_read_lock_on_a_claim_is_not_that_of_an_lttd() {
	make_trace 2 4096
	printf '%8u %s\n' 1 "$out" > "$LTT_RUN_DIR/t"
	chmod 644 "$LTT_RUN_DIR/t"
	python3 -c 'import fcntl, signal, sys
file = open(sys.argv[1])
fcntl.lockf(file, fcntl.LOCK_SH)
open("locked", "w").close()
signal.pause()' "$LTT_RUN_DIR/t" &
	local pid=$! status=0
	until_true 10 test -e locked
	[ "$("$bin/lttctl" list)" = "t running" ]
	"$lttd" -o "$out" t 2> said || status=$?
	[ $status = 1 ]
	grep -q "$LTT_RUN_DIR/t" said
	# As the message says.
	rm "$LTT_RUN_DIR/t"
	"$lttd" --once -o "$out" t
	complete
	kill $pid
	wait $pid || true
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

test_list_of_buffers_cannot_be_read() {
	strace -o /dev/null true 2> /dev/null || { echo "no strace"; exit 77; }
	make_trace 1 4096
	fails 1 "Operation not permitted" injected "$trace" getdents64:error=EPERM -- --once -o "$out" t
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

# The command that starts a daemon has the reason, and its status.
test_daemon_refuses_another_trace_and_none() {
	make_trace 2 4096
	"$lttd" --once -o "$out" t
	cp -r "$out" before
	printf '/* CTF 1.8 */\nuuid 2\n' > "$trace/metadata"
	fails 1 "$out" "$lttd" -d -o "$out" t
	rm -r "$trace"
	fails 1 '"t"' "$lttd" -d -o "$out" t
	diff -r before "$out"
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

test_the_connection_must_be_of_the_device() {
	make_trace 1 4096
	echo precious > file
	fails 1 /dev/ltt "$lttd" --connection 5 -o "$out" t 5<> file
	fails 1 99 "$lttd" --connection 99 -o "$out" t
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

test_wrong_usage() {
	make_trace 1 4096
	fails 2 trace "$lttd" -o "$out"
	fails 2 "-o" "$lttd" t
	fails 2 trace "$lttd" -o "$out" t u
	fails 2 "--nonsense" "$lttd" --nonsense
	fails 2 "--once" "$lttd" -d --once -o "$out" t
	fails 2 "--flush" "$lttd" --once --flush 5 -o "$out" t
	fails 2 "1s" "$lttd" --flush 1s -o "$out" t
	fails 2 "3600001" "$lttd" --flush 3600001 -o "$out" t
	fails 2 usb "$lttd" --via usb -o "$out" t
	local option
	for option in "--pid 1" "--size 64k" "--count 8" --overwrite "--lossless 5" "--context none" "--buffers shared" \
		"--memory 1M" --objects "--clock c" "--report 1"; do
		# shellcheck disable=SC2086
		fails 2 "${option% *}" "$lttd" --once $option -o "$out" t
	done
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
